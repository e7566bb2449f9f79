; PHP: types of names
; A variable is recorded with and without its `$`: a receiver may be written either way.

; Parameters, also those that declare a property
(simple_parameter type: (_) @type name: [
  (variable_name) @typed
  (variable_name (name) @typed)
  (by_ref (variable_name) @typed)
  (by_ref (variable_name (name) @typed))
])
(simple_parameter !type name: [(variable_name) @typed (variable_name (name) @typed)] default_value: (_) @value)
(property_promotion_parameter type: (_) @type name: [
  (variable_name (name) @typed)
  (by_ref (variable_name (name) @typed))
])
(catch_clause type: (_) @type name: [(variable_name) @typed (variable_name (name) @typed)])

; Result types; if not declared, by the returned expressions
(function_definition name: (_) @typed return_type: (_) @type)
(method_declaration name: (_) @typed return_type: (_) @type)
(function_definition !return_type body: (compound_statement (return_statement (_) @returns)))
(function_definition
  !return_type
  body: (compound_statement (_ (compound_statement (return_statement (_) @returns)))))
(method_declaration !return_type body: (compound_statement (return_statement (_) @returns)))
(method_declaration
  !return_type
  body: (compound_statement (_ (compound_statement (return_statement (_) @returns)))))

; Properties
(property_declaration type: (_) @type (property_element name: (variable_name (name) @typed)))
(property_declaration
  !type
  (property_element name: (variable_name (name) @typed) default_value: (_) @value))

; Variables
(assignment_expression
  left: [(variable_name) @typed (variable_name (name) @typed)]
  right: [(clone_expression (_) @value) (_) @value])
(augmented_assignment_expression
  left: [(variable_name) @typed (variable_name (name) @typed)]
  operator: "??="
  right: (_) @value)
(static_variable_declaration name: [(variable_name) @typed (variable_name (name) @typed)] value: (_) @value)

; Assigned members of objects and classes
(assignment_expression
  left: (member_access_expression object: (variable_name (name) @_this) name: (name) @member)
  right: [(clone_expression (_) @value) (_) @value]
  (#eq? @_this "this"))
(augmented_assignment_expression
  left: (member_access_expression object: (variable_name (name) @_this) name: (name) @member)
  operator: "??="
  right: (_) @value
  (#eq? @_this "this"))
([
    (assignment_expression
      left: (scoped_property_access_expression
        scope: (relative_scope) @_scope
        name: (variable_name (name) @member))
      right: (_) @value)
    (augmented_assignment_expression
      left: (scoped_property_access_expression
        scope: (relative_scope) @_scope
        name: (variable_name (name) @member))
      operator: "??="
      right: (_) @value)
  ]
  (#any-of? @_scope "self" "static"))

; Loops
(foreach_statement . (_) @iterated . [
  (variable_name) @typed
  (variable_name (name) @typed)
  (by_ref (variable_name) @typed)
  (by_ref (variable_name (name) @typed))
  (pair (_) . [
    (variable_name) @typed
    (variable_name (name) @typed)
    (by_ref (variable_name) @typed)
    (by_ref (variable_name (name) @typed))
  ] .)
])

(foreach_statement . (_) @iterated_parts . (list_literal [(variable_name) @typed (variable_name (name) @typed)]))

; Functions that are called with each element of an array
(function_call_expression
  function: (name) @_function
  arguments: (arguments
    .
    (argument [
      (arrow_function parameters: (formal_parameters . (simple_parameter !type name: [
        (variable_name) @typed
        (variable_name (name) @typed)
      ])))
      (anonymous_function parameters: (formal_parameters . (simple_parameter !type name: [
        (variable_name) @typed
        (variable_name (name) @typed)
      ])))
    ])
    .
    (argument (_) @iterated))
  (#eq? @_function "array_map"))
(function_call_expression
  function: (name) @_function
  arguments: (arguments
    .
    (argument (_) @iterated)
    .
    (argument [
      (arrow_function parameters: (formal_parameters (simple_parameter !type name: [
        (variable_name) @typed
        (variable_name (name) @typed)
      ])))
      (anonymous_function parameters: (formal_parameters (simple_parameter !type name: [
        (variable_name) @typed
        (variable_name (name) @typed)
      ])))
    ]))
  (#any-of? @_function "usort" "uasort"))
(function_call_expression
  function: (name) @_function
  arguments: (arguments
    .
    (argument (_) @iterated)
    .
    (argument [
      (arrow_function parameters: (formal_parameters . (simple_parameter !type name: [
        (variable_name) @typed
        (variable_name (name) @typed)
      ])))
      (anonymous_function parameters: (formal_parameters . (simple_parameter !type name: [
        (variable_name) @typed
        (variable_name (name) @typed)
      ])))
    ]))
  (#any-of? @_function "array_all" "array_any" "array_filter" "array_find" "array_walk"))

; Parts of arrays
(assignment_expression
  left: (list_literal [(variable_name) @typed (variable_name (name) @typed)])
  right: (_) @unpacked)

; Names without a type that shadow others
(simple_parameter !type name: (variable_name (name) @typed))
(variadic_parameter name: (variable_name (name) @typed))
(foreach_statement (pair . (variable_name (name) @typed)))
(list_literal (variable_name (name) @typed))

; Names that are compared with types
(binary_expression left: (variable_name (name) @narrowed) operator: "instanceof" right: (_) @type)
