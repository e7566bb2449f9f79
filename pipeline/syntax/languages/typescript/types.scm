; TypeScript only: types of names

; Parameters, also those that declare a field
(required_parameter pattern: (identifier) @typed type: (type_annotation) @type)
(optional_parameter pattern: (identifier) @typed type: (type_annotation) @type)
(required_parameter pattern: (identifier) @typed !type value: (_) @value)

; Result types
(function_declaration name: (_) @typed return_type: (type_annotation) @type)
(generator_function_declaration name: (_) @typed return_type: (type_annotation) @type)
(function_signature name: (_) @typed return_type: (type_annotation) @type)
(method_definition name: (_) @typed return_type: (type_annotation) @type)
(method_signature name: (_) @typed return_type: (type_annotation) @type)
(abstract_method_signature name: (_) @typed return_type: (type_annotation) @type)
(variable_declarator
  name: (identifier) @typed
  value: [
    (arrow_function return_type: (type_annotation) @type)
    (function_expression return_type: (type_annotation) @type)
  ])
(pair
  key: (_) @typed
  value: [
    (arrow_function return_type: (type_annotation) @type)
    (function_expression return_type: (type_annotation) @type)
  ])
(public_field_definition
  name: (_) @typed
  value: [
    (arrow_function return_type: (type_annotation) @type)
    (function_expression return_type: (type_annotation) @type)
  ])

; Variables, fields, properties
(variable_declarator name: (identifier) @typed type: (type_annotation) @type)
(public_field_definition name: (_) @typed type: (type_annotation) @type)
(public_field_definition name: (_) @typed !type value: (_) @value)
(property_signature name: (_) @typed type: (type_annotation) @type)
(type_alias_declaration name: (_) @typed value: [
  (type_identifier) (generic_type) (nested_type_identifier) (union_type) (intersection_type) (function_type)
] @type)

; The types of values: `typeof a.b`
(required_parameter pattern: (identifier) @typed type: (type_annotation (type_query (_) @value)))
(optional_parameter pattern: (identifier) @typed type: (type_annotation (type_query (_) @value)))
(variable_declarator name: (identifier) @typed type: (type_annotation (type_query (_) @value)))
(public_field_definition name: (_) @typed type: (type_annotation (type_query (_) @value)))
(property_signature name: (_) @typed type: (type_annotation (type_query (_) @value)))
(type_alias_declaration name: (_) @typed value: (type_query (_) @value))

; Destructured parameters
(required_parameter
  pattern: (object_pattern (shorthand_property_identifier_pattern) @destructured)
  type: (type_annotation) @type)

; Functions that a collection's method calls with each element
(call_expression
  function: (member_expression object: (_) @iterated property: (property_identifier) @_method)
  arguments: (arguments
    .
    (arrow_function
      parameters: (formal_parameters . (required_parameter pattern: (identifier) @typed !type))))
  (#any-of? @_method
    "every" "filter" "find" "findIndex" "findLast" "findLastIndex" "flatMap" "map" "some"))
(call_expression
  function: (member_expression object: (_) @subscripted property: (property_identifier) @_method)
  arguments: (arguments
    .
    (arrow_function
      parameters: (formal_parameters . (required_parameter pattern: (identifier) @typed !type))))
  (#eq? @_method "forEach"))
(call_expression
  function: (member_expression object: (_) @value property: (property_identifier) @_method)
  arguments: (arguments
    .
    (arrow_function
      parameters: (formal_parameters . (required_parameter pattern: (identifier) @typed !type))))
  (#eq? @_method "then"))

; Interfaces whose objects are called
(interface_body (call_signature) @call_signature)


; Names that are compared with types
(binary_expression left: (identifier) @narrowed operator: "instanceof" right: (_) @type)

; Type parameters by their bounds
(type_parameter name: (_) @typed constraint: (constraint (_) @type))
