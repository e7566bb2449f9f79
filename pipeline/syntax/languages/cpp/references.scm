; C++: uses, before those of C

; Imports
(using_declaration [(qualified_identifier) (identifier)] @name) @ref.import
(namespace_alias_definition
  name: (_) @alias
  [(nested_namespace_specifier) (namespace_identifier)] @name .) @ref.import

; Base classes
(base_class_clause
  [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (template_type name: (_) @name)))
  ] @ref.inherit)

; Instances
(new_expression
  type: [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (template_type name: (_) @name)))
  ]) @ref.instantiate
(compound_literal_expression
  type: [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
  ]) @ref.instantiate

; Calls, except casts
(call_expression
  function: [
    (template_function name: (identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_function name: (_) @name))
    (qualified_identifier
      name: (qualified_identifier scope: (_) @owner name: (identifier) @name))
    (qualified_identifier
      name: (qualified_identifier scope: (_) @owner name: (template_function name: (_) @name)))
    (qualified_identifier
      name: (qualified_identifier
        name: (qualified_identifier scope: (_) @owner name: (identifier) @name)))
    (field_expression argument: (_) @owner field: (template_method name: (_) @name))
    (field_expression argument: (_) @owner field: (qualified_identifier name: (_) @name))
  ]
  (#not-any-of? @name "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast")) @ref.call

; Functions and values passed as arguments or assigned
(argument_list
  [
    (qualified_identifier scope: (_) @owner name: (identifier) @name)
    (pointer_expression argument: (qualified_identifier scope: (_) @owner name: (identifier) @name))
  ] @ref.reference)
(case_statement
  value: (qualified_identifier scope: (_) @owner name: (identifier) @name) @ref.reference)

; Types
(qualified_identifier scope: (_) @owner name: (type_identifier) @name) @ref.type
(qualified_identifier
  scope: (_) @owner
  name: (template_type name: (type_identifier) @name)) @ref.type

; Local bindings
(parameter_declaration declarator: (reference_declarator (identifier) @local))
(parameter_declaration declarator: (pointer_declarator declarator: (reference_declarator (identifier) @local)))
(optional_parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
])
(variadic_parameter_declaration declarator: [
  (variadic_declarator (identifier) @local)
  (reference_declarator (variadic_declarator (identifier) @local))
])
(declaration declarator: [
  (reference_declarator (identifier) @local)
  (init_declarator declarator: (reference_declarator (identifier) @local))
])
(structured_binding_declarator (identifier) @local)
(for_range_loop declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
])
(lambda_capture_initializer left: (identifier) @local)
((declaration declarator: (function_declarator declarator: (identifier) @local)) @_declaration
  (#has-parent? @_declaration compound_statement case_statement))

; The same for C's declarators
(parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
  ])
  (array_declarator declarator: (identifier) @local)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))
])
(declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
  ])
  (array_declarator declarator: (identifier) @local)
  (init_declarator declarator: [
    (identifier) @local
    (pointer_declarator declarator: [
      (identifier) @local
      (pointer_declarator declarator: (identifier) @local)
    ])
    (array_declarator declarator: (identifier) @local)
  ])
])
