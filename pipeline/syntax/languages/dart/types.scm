; Dart: types of names

; Parameters; type parameters by their bounds
(formal_parameter (type) @type name: (identifier) @typed)
(function_signature
  parameters: (type_parameters
    (type_parameter name: (type_identifier) @_parameter bound: (type) @type))
  parameters: (formal_parameter_list
    (formal_parameter (type . (type_identifier) @_type .) name: (identifier) @typed))
  (#eq? @_parameter @_type))

; Result types of functions, methods, getters
(function_signature return_type: (_) @type name: (identifier) @typed
  (#not-eq? @type "void"))
(getter_signature return_type: (_) @type name: (identifier) @typed)

; Fields, also by their initialisers, constants, variables of the library
([
    (declaration (type) @type [
      (initialized_identifier_list (initialized_identifier name: (identifier) @typed))
      (static_final_declaration_list (static_final_declaration name: (identifier) @typed))
      (identifier_list (identifier) @typed)
    ])
    (top_level_variable_declaration (type) @type [
      (initialized_identifier_list (initialized_identifier name: (identifier) @typed))
      (static_final_declaration_list (static_final_declaration name: (identifier) @typed))
    ])
    (external_variable_declaration (type) @type (identifier_list (identifier) @typed))
  ])
([
    (declaration . [
      (initialized_identifier_list (initialized_identifier name: (identifier) @typed value: (_) @value))
      (static_final_declaration_list (static_final_declaration name: (identifier) @typed value: (_) @value))
    ])
    (top_level_variable_declaration . [
      (initialized_identifier_list (initialized_identifier name: (identifier) @typed value: (_) @value))
      (static_final_declaration_list (static_final_declaration name: (identifier) @typed value: (_) @value))
    ])
  ])
(field_initializer name: (identifier) @member value: (_) @value)
(extension_type_representation type: (_) @type name: (identifier) @typed)

; The extended type of a named extension
(extension_declaration name: (identifier) @typed class: (type) @type)

; Local variables. The value of a cascade is that of its first expression
(initialized_variable_declaration (type) @type [
  name: (identifier) @typed
  (initialized_identifier name: (identifier) @typed)
])
(initialized_variable_declaration . name: (identifier) @typed value: [(cascade . (_) @value) (_) @value])
(initialized_variable_declaration
  . name: (identifier)
  (initialized_identifier name: (identifier) @typed value: (_) @value))

; Parts of records
(pattern_variable_declaration (record_pattern (variable_pattern name: (identifier) @typed)) . (_) @unpacked)

; Loops, exceptions, patterns
(for_statement (type) @type name: (identifier) @typed)
(for_statement name: (identifier) @typed value: (_) @iterated)
(try_statement type: (type) @type . (catch_clause exception: (identifier) @typed))
(variable_pattern (type) @type name: (identifier) @typed)
(if_statement condition: (_) @value . [
  (null_check_pattern (variable_pattern . name: (identifier) @typed))
  (variable_pattern . name: (identifier) @typed)
])
(object_pattern . (type_identifier) @type ":" . (variable_pattern . name: (identifier) @destructured))

; Type aliases
(type_alias (type_identifier) @typed (type) @type)

; Tests for a type
(type_test_expression . (identifier) @narrowed (type_test (type) @type))
