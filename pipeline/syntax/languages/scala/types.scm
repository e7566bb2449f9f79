; Scala: types of names

; Parameters. A by-name parameter has the type of its value
(parameter name: (_) @typed type: (_) @type
  (#not-match? @type "^=>|\\*$"))
(parameter name: (_) @typed type: (lazy_parameter_type type: (_) @type))
(binding name: (_) @typed type: (_) @type)

; Parameters of a class: fields, or visible in the whole class
(class_definition (class_parameters (class_parameter name: (_) @typed type: (_) @type))
  (#not-match? @type "^=>|\\*$"))
(full_enum_case
  (class_parameters (class_parameter name: (_) @typed type: (_) @type)))
(class_parameter ["val" "var"] name: (_) @typed type: (_) @type)
([
    (trait_definition (class_parameters (class_parameter name: (_) @member type: (_) @type) @_parameter))
    (enum_definition (class_parameters (class_parameter name: (_) @member type: (_) @type) @_parameter))
  ]
  (#not-match? @_parameter "\\b(val|var)\\b|\\*$")
  (#not-match? @type "^=>"))
(class_definition
  (class_parameters (class_parameter name: (_) @typed type: (lazy_parameter_type type: (_) @type))))
(self_type . (identifier) @member . (_) @type)

; Result types
(function_definition name: (_) @typed return_type: (_) @type)
(function_declaration name: (_) @typed return_type: (_) @type)
(function_definition !return_type "=" body: [
    (call_expression) (field_expression) (identifier) (parenthesized_expression) (string)
    (interpolated_string_expression) (integer_literal)
  ] @returns)
(function_definition
  !return_type
  "="
  body: (instance_expression
    .
    [
      [(type_identifier) (stable_type_identifier) (generic_type)] @type
      (compound_type base: (_) @type)
    ])
    @returns)
(function_definition
  !return_type
  "="
  body: [
    (block [(call_expression) (field_expression) (identifier) (instance_expression)] @returns .)
    (indented_block [(call_expression) (field_expression) (identifier) (instance_expression)] @returns .)
    (if_expression consequence: [(call_expression) (field_expression) (identifier) (instance_expression)] @returns)
    (if_expression alternative: [(call_expression) (field_expression) (identifier) (instance_expression)] @returns)
    (match_expression
      body: (case_block
        (case_clause body: [(call_expression) (field_expression) (identifier) (instance_expression)] @returns .)))
  ])

; Fields, values and variables with a declared type
(val_definition pattern: (identifier) @typed type: (_) @type)
(val_definition pattern: (identifiers (identifier) @typed) type: (_) @type)
(val_declaration name: (_) @typed type: (_) @type)
(var_definition pattern: (identifier) @typed type: (_) @type)
(var_definition pattern: (identifiers (identifier) @typed) type: (_) @type)
(var_declaration name: (_) @typed type: (_) @type)
(given_definition name: (_) @typed return_type: (_) @type)

; Type aliases
(type_definition name: (_) @typed type: (_) @type)

; Patterns
(typed_pattern pattern: (identifier) @typed type: (_) @type)
(capture_pattern name: (identifier) @typed pattern: (case_class_pattern type: (_) @type))
(capture_pattern name: (identifier) @typed pattern: (typed_pattern type: (_) @type))

; Values without a declared type: by instantiation, cast or other value
(val_definition
  pattern: (identifier) @typed
  !type
  value: (instance_expression
    .
    [
      [(type_identifier) (stable_type_identifier) (generic_type)] @type
      (compound_type base: (_) @type)
    ]))
(val_definition pattern: (identifier) @typed !type value: (ascription_expression type: (_) @type))
(val_definition
  pattern: (identifier) @typed
  !type
  value: (generic_function
    function: (field_expression field: (identifier) @_cast)
    type_arguments: (type_arguments . (_) @type))
  (#eq? @_cast "asInstanceOf"))
(val_definition pattern: (identifier) @typed !type value: [
    (call_expression) (field_expression) (identifier) (parenthesized_expression) (string)
    (interpolated_string_expression) (integer_literal)
  ] @value)
(val_definition
  pattern: (identifier) @typed
  !type
  value: (generic_function function: [(identifier) @_name (field_expression field: (identifier) @_name)]) @value
  (#not-eq? @_name "asInstanceOf"))
(val_definition
  pattern: (identifier) @typed
  !type
  value: [
    (block [(call_expression) (field_expression) (identifier) (instance_expression)] @value .)
    (indented_block [(call_expression) (field_expression) (identifier) (instance_expression)] @value .)
    (if_expression consequence: [(call_expression) (field_expression) (identifier) (instance_expression)] @value)
    (if_expression alternative: [(call_expression) (field_expression) (identifier) (instance_expression)] @value)
    (match_expression
      body: (case_block
        (case_clause body: [(call_expression) (field_expression) (identifier) (instance_expression)] @value .)))
  ])

; The same for variables
(var_definition
  pattern: (identifier) @typed
  !type
  value: (instance_expression
    .
    [
      [(type_identifier) (stable_type_identifier) (generic_type)] @type
      (compound_type base: (_) @type)
    ]))
(var_definition pattern: (identifier) @typed !type value: (ascription_expression type: (_) @type))
(var_definition
  pattern: (identifier) @typed
  !type
  value: (generic_function
    function: (field_expression field: (identifier) @_cast)
    type_arguments: (type_arguments . (_) @type))
  (#eq? @_cast "asInstanceOf"))
(var_definition pattern: (identifier) @typed !type value: [
    (call_expression) (field_expression) (identifier) (parenthesized_expression) (string)
    (interpolated_string_expression) (integer_literal)
  ] @value)
(var_definition
  pattern: (identifier) @typed
  !type
  value: (generic_function function: [(identifier) @_name (field_expression field: (identifier) @_name)]) @value
  (#not-eq? @_name "asInstanceOf"))
(var_definition
  pattern: (identifier) @typed
  !type
  value: [
    (block [(call_expression) (field_expression) (identifier) (instance_expression)] @value .)
    (indented_block [(call_expression) (field_expression) (identifier) (instance_expression)] @value .)
    (if_expression consequence: [(call_expression) (field_expression) (identifier) (instance_expression)] @value)
    (if_expression alternative: [(call_expression) (field_expression) (identifier) (instance_expression)] @value)
    (match_expression
      body: (case_block
        (case_clause body: [(call_expression) (field_expression) (identifier) (instance_expression)] @value .)))
  ])
(enumerator . (identifier) @typed "=" . (_) @value)

; Objects of types without a name
(instance_expression
  .
  [
    [(type_identifier) (stable_type_identifier) (generic_type)] @type
    (compound_type base: (_) @type)
  ]
  (template_body) @object_body)

; Parts of tuples
(val_definition pattern: (tuple_pattern (identifier) @typed) value: (_) @unpacked)

; Enumerators of `for`
(enumerator . (identifier) @typed "<-" . (_) @iterated)
(enumerator . (tuple_pattern (identifier) @typed) "<-" . (_) @iterated_parts)
(enumerator . (identifier) @typed "=" . (_) @value)

; Type parameters by their bounds
(_ name: (identifier) @typed bound: (upper_bound type: (_) @type))

; Parameters without a declaration
((field_expression value: (wildcard) @typed))
