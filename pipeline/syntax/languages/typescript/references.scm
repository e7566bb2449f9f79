; TypeScript only: uses

; `import a = require('m')`, `import A = B.C`
(import_statement
  (import_require_clause (identifier) @alias source: (string (string_fragment) @name))) @ref.import
(import_alias . (identifier) @alias (_) @name .) @ref.import

; Base classes
(extends_clause
  value: [
    (identifier) @name
    (member_expression object: (_) @owner property: (_) @name)
  ] @ref.inherit)

; Base interfaces
(extends_type_clause
  type: [
    (type_identifier) @name
    (nested_type_identifier module: (_) @owner name: (_) @name)
    (generic_type name: (type_identifier) @name)
    (generic_type name: (nested_type_identifier module: (_) @owner name: (_) @name))
  ] @ref.inherit)

; Implemented interfaces
(implements_clause
  [
    (type_identifier) @name
    (nested_type_identifier module: (_) @owner name: (_) @name)
    (generic_type name: (type_identifier) @name)
    (generic_type name: (nested_type_identifier module: (_) @owner name: (_) @name))
  ] @ref.implement)

; Calls after a non-null assertion
(call_expression function: (non_null_expression [
  (identifier) @name
  (member_expression object: (_) @owner property: (_) @name)
])) @ref.call

; Calls with type arguments after `await`: the grammar takes what is awaited for the function
(call_expression function: (await_expression [
  (identifier) @name
  (member_expression object: (_) @owner property: (_) @name)
])) @ref.call

; Types, except short type parameters
(nested_type_identifier module: (_) @owner name: (_) @name) @ref.type
(type_query [
  (identifier) @name
  (member_expression object: (_) @owner property: (_) @name)
]) @ref.type
((type_identifier) @name @ref.type
  (#not-match? @name "^[A-Z]$"))

; Namespaces of types
(nested_type_identifier module: [
  (identifier) @name @ref.reference
  (nested_identifier object: (identifier) @name @ref.reference)
])

; Members that a parameter's pattern takes out of its type
([
    (required_parameter
      pattern: (object_pattern [
        (shorthand_property_identifier_pattern) @name
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
        (pair_pattern key: (property_identifier) @name)
      ] @ref.reference)
      type: (type_annotation [(type_identifier) @owner (generic_type name: (type_identifier) @owner)]))
    (optional_parameter
      pattern: (object_pattern [
        (shorthand_property_identifier_pattern) @name
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
        (pair_pattern key: (property_identifier) @name)
      ] @ref.reference)
      type: (type_annotation [(type_identifier) @owner (generic_type name: (type_identifier) @owner)]))
  ])

; Default values, `export = a`
(required_parameter value: (identifier) @name @ref.reference)
(optional_parameter value: (identifier) @name @ref.reference)
(export_statement "=" (identifier) @name @ref.reference)

; Local bindings
(function_declaration type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(function_expression type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(arrow_function type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(method_definition type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(function_signature type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(method_signature type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(abstract_method_signature type_parameters: (_ (type_parameter name: (type_identifier) @local_type)))
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(assignment_expression "using" left: (identifier) @local)
