; Python: types of names

; Parameters and results
(typed_parameter . (identifier) @typed type: (_) @type)
(typed_default_parameter name: (identifier) @typed type: (_) @type)
(default_parameter name: (identifier) @typed value: (_) @value)
(function_definition name: (_) @typed return_type: (_) @type)
(function_definition !return_type body: (block (return_statement (_) @returns)))
(function_definition !return_type body: (block (_ (block (return_statement (_) @returns)))))

; Variables of functions, classes and modules
(assignment left: (identifier) @typed type: (_) @type)
(assignment left: (identifier) @typed !type right: (_) @value)
(named_expression name: (identifier) @typed value: (_) @value)

; Assigned members of objects
(assignment
  left: (attribute object: (identifier) @_self attribute: (_) @member) type: (_) @type
  (#eq? @_self "self"))
(assignment
  left: (attribute object: (identifier) @_self attribute: (_) @member) !type right: (_) @value
  (#eq? @_self "self"))

; `with`: what a context manager gives. `except`: the caught type
(with_item value: (as_pattern . (_) @entered alias: (as_pattern_target (identifier) @typed)))
(except_clause
  (as_pattern . [(tuple (_) @type) (identifier) @type (attribute) @type] alias: (as_pattern_target (identifier) @typed)))

; Loops and comprehensions; names that are bound to pairs of a key and a value, or of a number and an element
[
  (for_statement
    left: (identifier) @typed
    right: [(identifier) (attribute) (subscript) (list) (list_comprehension) (call function: (attribute))] @iterated)
  (for_in_clause
    left: (identifier) @typed
    right: [(identifier) (attribute) (subscript) (list) (list_comprehension) (call function: (attribute))] @iterated)
]
([
    (for_statement
      left: (identifier) @typed
      right: (call function: (identifier) @_function arguments: (argument_list . (_) @iterated)))
    (for_in_clause
      left: (identifier) @typed
      right: (call function: (identifier) @_function arguments: (argument_list . (_) @iterated)))
  ]
  (#any-of? @_function "iter" "list" "reversed" "set" "sorted" "tuple"))
([
    (for_statement left: (identifier) @typed right: (call function: (identifier) @_function) @iterated)
    (for_in_clause left: (identifier) @typed right: (call function: (identifier) @_function) @iterated)
  ]
  (#not-any-of? @_function "iter" "list" "reversed" "set" "sorted" "tuple"))
([
    (for_statement
      left: (pattern_list . (_) . (identifier) @typed .)
      right: (call function: (identifier) @_function arguments: (argument_list . (_) @iterated)))
    (for_in_clause
      left: (pattern_list . (_) . (identifier) @typed .)
      right: (call function: (identifier) @_function arguments: (argument_list . (_) @iterated)))
  ]
  (#eq? @_function "enumerate"))
([
    (for_statement
      left: (pattern_list . (_) . (identifier) @typed .)
      right: (call function: (attribute object: (_) @subscripted attribute: (_) @_items)))
    (for_in_clause
      left: (pattern_list . (_) . (identifier) @typed .)
      right: (call function: (attribute object: (_) @subscripted attribute: (_) @_items)))
  ]
  (#eq? @_items "items"))

(for_statement
  left: [(pattern_list (identifier) @typed) (tuple_pattern (identifier) @typed)]
  right: (_) @iterated_parts)
(for_in_clause
  left: [(pattern_list (identifier) @typed) (tuple_pattern (identifier) @typed)]
  right: (_) @iterated_parts)

; Parts of tuples
(assignment left: [(pattern_list (identifier) @typed) (tuple_pattern (identifier) @typed)] !type right: (_) @unpacked)

; Names that are compared with types
(call
  function: (identifier) @_isinstance
  arguments: (argument_list . (identifier) @narrowed . [(tuple (_) @type) (identifier) @type (attribute) @type] .)
  (#eq? @_isinstance "isinstance"))
