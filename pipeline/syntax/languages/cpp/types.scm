; C++: types of names, before those of C
; `auto` is not a type: use the value, or the trailing result type.

; Parameters that are references or have a default value
(parameter_declaration type: (_) @type declarator: (reference_declarator [
    (identifier) @typed
    (pointer_declarator declarator: (identifier) @typed)
  ])
  (#not-eq? @type "auto"))
(parameter_declaration type: (_) @type declarator: (pointer_declarator declarator: (reference_declarator (identifier) @typed))
  (#not-eq? @type "auto"))
(optional_parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @typed
    (pointer_declarator declarator: (identifier) @typed)
    (reference_declarator (identifier) @typed)
  ]
  (#not-eq? @type "auto"))

; Result types of methods, of operators, and of functions that return a reference
([
    (function_definition type: (_) @type declarator: [
      (function_declarator declarator: [(field_identifier) (qualified_identifier) (operator_name) (template_function)] @typed)
      (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (qualified_identifier) (operator_name) (template_function)] @typed))
      (reference_declarator (function_declarator declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (template_function)] @typed))
    ])
    (field_declaration type: (_) @type declarator: [
      (function_declarator declarator: [(field_identifier) (operator_name)] @typed)
      (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)] @typed))
      (reference_declarator (function_declarator declarator: [(field_identifier) (operator_name)] @typed))
    ])
    (declaration type: (_) @type declarator: [
      (function_declarator declarator: (operator_name) @typed)
      (pointer_declarator declarator: (function_declarator declarator: (operator_name) @typed))
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @typed))
    ])
  ]
  (#not-any-of? @type "auto" "void"))
(function_declarator
  declarator: [(identifier) (field_identifier) (qualified_identifier) (operator_name) (template_function)] @typed
  (trailing_return_type (_) @type))

; Fields and variables that are references; static members outside their class
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @typed))
(declaration
  type: (_) @type
  declarator: [
    (reference_declarator (identifier) @typed)
    (init_declarator declarator: (reference_declarator (identifier) @typed))
    (init_declarator declarator: (qualified_identifier) @typed)
  ]
  (#not-match? @type "^(auto|decltype)\\b"))
(for_range_loop
  type: (_) @type
  declarator: [
    (identifier) @typed
    (pointer_declarator declarator: (identifier) @typed)
    (reference_declarator (identifier) @typed)
  ]
  (#not-match? @type "^(auto|decltype)\\b"))

; Variables by their values: for casts and factories, the type argument
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @typed
      (pointer_declarator declarator: (identifier) @typed)
      (reference_declarator (identifier) @typed)
    ]
    value: (call_expression
      function: [
        (template_function name: (identifier) @_maker arguments: (template_argument_list . (type_descriptor) @type))
        (qualified_identifier
          name: (template_function name: (identifier) @_maker arguments: (template_argument_list . (type_descriptor) @type)))
      ]))
  (#match? @_maker "^(?i)(.*_)?(cast|make_?(unique|shared|ref|ref_?ptr|ref_?counted|intrusive|scoped_?refptr|owned))(_or_null|_if_present)?$"))
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @typed
      (pointer_declarator declarator: (identifier) @typed)
      (reference_declarator (identifier) @typed)
    ]
    value: [(new_expression type: (_) @type) (cast_expression type: (_) @type)]))
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @typed
      (pointer_declarator declarator: (identifier) @typed)
      (reference_declarator (identifier) @typed)
    ]
    value: (call_expression
      function: (qualified_identifier scope: (_) @_std name: [
        (identifier) @_move
        (template_function name: (identifier) @_move)
      ])
      arguments: (argument_list . (_) @value .)))
  (#eq? @_std "std")
  (#any-of? @_move "move" "forward" "ref" "cref" "as_const" "exchange" "addressof"))
(declaration
  type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [
      (identifier) @typed
      (pointer_declarator declarator: (identifier) @typed)
      (reference_declarator (identifier) @typed)
    ]
    value: (_) @value)
  (#not-match? @value "^(std::(move|forward|make_)|\\w+_cast<|new |\\(|\\{)"))
(declaration
  type: (placeholder_type_specifier)
  declarator: [
    (identifier) @typed
    (pointer_declarator declarator: (identifier) @typed)
    (reference_declarator (identifier) @typed)
  ]
  value: (_) @value)
(lambda_capture_initializer left: (identifier) @typed right: (_) @value)

; Type aliases
(alias_declaration name: (_) @typed type: (_) @type)
(template_declaration (type_definition type: (_) @type declarator: (type_identifier) @typed))
(type_definition type: [(qualified_identifier) (template_type)] @type declarator: [
  (type_identifier) @typed
  (pointer_declarator declarator: (type_identifier) @typed)
])

; Parts of pairs and tuples
(init_declarator
  declarator: [
    (structured_binding_declarator (identifier) @typed)
    (reference_declarator (structured_binding_declarator (identifier) @typed))
  ]
  value: (_) @unpacked)

; Loops over collections
(for_range_loop
  declarator: [
    (structured_binding_declarator (identifier) @typed)
    (reference_declarator (structured_binding_declarator (identifier) @typed))
  ]
  right: (_) @iterated_parts)
(for_range_loop
  type: (placeholder_type_specifier)
  declarator: [
    (identifier) @typed
    (pointer_declarator declarator: (identifier) @typed)
    (reference_declarator (identifier) @typed)
  ]
  right: (_) @iterated)
