; Rust: types of names

; Parameters and results
(parameter pattern: (identifier) @typed type: (_) @type)
(function_item name: (_) @typed return_type: (_) @type)
(function_signature_item name: (_) @typed return_type: (_) @type)

; Type parameters by their bounds
(type_parameter name: (type_identifier) @typed bounds: (trait_bounds (_) @type))
(where_predicate left: (type_identifier) @typed bounds: (trait_bounds (_) @type))

; Types that a trait names, by their bounds
(associated_type name: (_) @typed bounds: (trait_bounds (_) @type))

; Fields, constants, type aliases
(struct_item body: (ordered_field_declaration_list type: (_) @positional @type))
(enum_variant body: (ordered_field_declaration_list type: (_) @positional @type))
(field_declaration name: (_) @typed type: (_) @type)
(const_item name: (_) @typed type: (_) @type)
(static_item name: (_) @typed type: (_) @type)
(type_item name: (_) @typed type: (_) @type)

; Variables; a value in a wrapper is recorded as the value
(let_declaration pattern: [(identifier) @typed (ref_pattern (identifier) @typed)] type: (_) @type)
(let_declaration
  pattern: [(identifier) @typed (ref_pattern (identifier) @typed)] !type value: (_) @value
  (#not-match? @value "^([a-z_]+::)*(Some|Ok|Err|Arc|Box|Cell|Cow|LazyLock|Mutex|NonNull|OnceCell|OnceLock|Pin|Rc|RefCell|Reverse|RwLock|Weak|Wrapping)(::|\\()"))
(let_declaration
  pattern: (identifier) @typed
  !type
  value: (call_expression
    function: [
      (identifier) @_wrapper
      (scoped_identifier path: [(identifier) @_wrapper (scoped_identifier name: (_) @_wrapper)])
    ]
    arguments: (arguments . (_) @value .))
  (#any-of? @_wrapper
    "Some" "Ok" "Arc" "Box" "Cell" "Mutex" "OnceCell" "OnceLock" "Pin" "Rc" "RefCell" "RwLock")
  (#not-match? @value "^([a-z_]+::)*(Some|Ok|Arc|Box|Cell|Mutex|Pin|Rc|RefCell|RwLock)(::|\\()"))
(let_declaration
  pattern: (identifier) @typed
  !type
  value: (call_expression
    function: [
      (identifier) @_wrapper
      (scoped_identifier path: [(identifier) @_wrapper (scoped_identifier name: (_) @_wrapper)])
    ]
    arguments: (arguments
      .
      (call_expression
        function: [
          (identifier) @_inner
          (scoped_identifier path: [(identifier) @_inner (scoped_identifier name: (_) @_inner)])
        ]
        arguments: (arguments . (_) @value .))
      .))
  (#any-of? @_wrapper "Some" "Ok" "Arc" "Box" "Mutex" "Pin" "Rc" "RefCell" "RwLock")
  (#any-of? @_inner "Some" "Ok" "Arc" "Box" "Cell" "Mutex" "Pin" "Rc" "RefCell" "RwLock"))
(assignment_expression left: (identifier) @typed right: (_) @value
  (#not-match? @value "^([a-z_]+::)*(Some|Ok|Err|Arc|Box|Cell|Cow|Mutex|Pin|Rc|RefCell|RwLock|Weak)(::|\\()"))

; Parts of tuples
(let_declaration
  pattern: (tuple_pattern [(identifier) @typed (mut_pattern (identifier) @typed) (ref_pattern (identifier) @typed)])
  !type
  value: (_) @unpacked)
(let_condition
  pattern: (tuple_pattern [(identifier) @typed (mut_pattern (identifier) @typed)])
  value: (_) @unpacked)
(let_condition
  pattern: (tuple_struct_pattern
    type: (identifier) @_some
    (tuple_pattern [(identifier) @typed (mut_pattern (identifier) @typed)]))
  value: (_) @unpacked
  (#any-of? @_some "Some" "Ok"))

; Contents of `Some` and `Ok`, in conditions and matches
(_
  pattern: (tuple_struct_pattern
    type: (identifier) @_some
    .
    [
      (identifier) @typed
      (mut_pattern (identifier) @typed)
      (ref_pattern (identifier) @typed)
      (reference_pattern (identifier) @typed)
      (tuple_struct_pattern type: (identifier) @_inner . (identifier) @typed .)
    ]
    .)
  value: (_) @value
  (#any-of? @_some "Some" "Ok"))
(match_expression
  value: (_) @value
  body: (match_block
    (match_arm
      pattern: (match_pattern
        .
        (tuple_struct_pattern
          type: (identifier) @_some
          .
          [
            (identifier) @typed
            (mut_pattern (identifier) @typed)
            (ref_pattern (identifier) @typed)
            (reference_pattern (identifier) @typed)
            (tuple_struct_pattern type: (identifier) @_inner . (identifier) @typed .)
          ]
          .))))
  (#any-of? @_some "Some" "Ok"))
(match_expression
  value: (_) @value
  body: (match_block (match_arm pattern: (match_pattern . (identifier) @typed)))
  (#match? @typed "^_?[a-z]"))
(let_declaration
  pattern: (identifier) @typed
  !type
  value: (match_expression
    value: (_) @value
    body: (match_block
      (match_arm
        pattern: (match_pattern . (tuple_struct_pattern type: (identifier) @_some . (identifier) @_inner .))
        value: (identifier) @_result)))
  (#any-of? @_some "Some" "Ok")
  (#eq? @_inner @_result))

; Destructured variants and structs
(tuple_struct_pattern
  type: [(identifier) (scoped_identifier)] @type
  [
    (identifier) @destructured_part
    (mut_pattern (identifier) @destructured_part)
    (ref_pattern (identifier) @destructured_part)
    (reference_pattern (identifier) @destructured_part)
  ]
  (#not-any-of? @type "Some" "Ok" "Err"))
(struct_pattern
  type: (_) @type
  (field_pattern name: (shorthand_field_identifier) @destructured))

; Loops, and closures that an iterator's method calls with each element
(for_expression pattern: (identifier) @typed value: (_) @iterated
  (#not-match? @iterated "^&|\\.enumerate\\(\\)$"))
(for_expression pattern: (identifier) @typed value: (reference_expression value: (_) @iterated))
(for_expression pattern: (reference_pattern (identifier) @typed) value: (_) @iterated)
(for_expression
  pattern: (tuple_pattern (_) . (identifier) @typed .)
  value: (call_expression function: (field_expression value: (_) @iterated field: (_) @_method))
  (#eq? @_method "enumerate"))
(for_expression
  pattern: (tuple_pattern [(identifier) @typed (reference_pattern (identifier) @typed) (mut_pattern (identifier) @typed)])
  value: (_) @iterated_parts
  (#not-match? @iterated_parts "\\.enumerate\\(\\)$"))
(call_expression
  function: (field_expression
    value: (call_expression function: (field_expression field: (_) @_iterator)) @iterated
    field: (_) @_method)
  arguments: (arguments
    .
    (closure_expression
      parameters: (closure_parameters
        .
        [
          (identifier) @typed
          (reference_pattern (identifier) @typed)
          (reference_pattern (reference_pattern (identifier) @typed))
        ]
        .))
    .)
  (#any-of? @_iterator
    "iter" "iter_mut" "into_iter" "values" "values_mut" "into_values" "drain" "filter" "skip" "take" "rev" "copied"
    "cloned" "inspect" "map" "filter_map" "flat_map")
  (#any-of? @_method
    "all" "any" "filter" "filter_map" "find" "find_map" "flat_map" "for_each" "inspect" "map" "map_while" "max_by_key"
    "min_by_key" "partition" "position" "skip_while" "take_while" "try_for_each"))
