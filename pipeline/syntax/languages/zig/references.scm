; Zig: uses

; Imports: a file with its local name, one declaration of it, any other
(variable_declaration
  "const" . (identifier) @alias "=" . (builtin_function
    (builtin_identifier) @_import
    (arguments . (string (string_content) @name)))
  (#eq? @_import "@import")) @ref.import
(variable_declaration
  "const" . (identifier) @alias "=" . (field_expression
    object: (builtin_function
      (builtin_identifier) @_import
      (arguments . (string (string_content) @owner)))
    member: (identifier) @name)
  (#eq? @_import "@import")) @ref.import
((builtin_function
    (builtin_identifier) @_import
    (arguments . (string (string_content) @name))) @ref.import
  (#any-of? @_import "@import" "@embedFile" "@cInclude"))

; Names re-exported from another namespace
(variable_declaration
  !type
  "const" . (identifier) @_same "=" . (field_expression
    object: [(identifier) (field_expression)] @owner
    member: (identifier) @name) . ";"
  (#eq? @_same @name)
  (#match? @owner "^[A-Za-z_@]")) @ref.import

; Struct literals
(struct_initializer . [
  (identifier) @verbatim
  (field_expression object: (_) @owner member: (identifier) @verbatim)
]) @ref.instantiate

; Calls
(call_expression function: (identifier) @verbatim) @ref.call
(call_expression function: (field_expression object: (_) @owner member: (identifier) @verbatim)) @ref.call
(call_expression function: (field_expression !object member: (identifier) @verbatim)) @ref.call

; Types, except short type parameters
([
  (parameter type: (identifier) @verbatim @ref.type)
  (function_declaration type: (identifier) @verbatim @ref.type)
  (container_field type: (identifier) @verbatim @ref.type)
  (variable_declaration type: (identifier) @verbatim @ref.type)
  (error_union_type (identifier) @verbatim @ref.type)
  (pointer_type (identifier) @verbatim @ref.type .)
  (slice_type (identifier) @verbatim @ref.type .)
  (array_type (identifier) @verbatim @ref.type .)
  (nullable_type (identifier) @verbatim @ref.type)
] (#match? @verbatim "^(@|_?[A-Z])")
  (#not-match? @verbatim "^([A-Z][0-9]?|Self)$"))
[
  (parameter type: (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type)
  (function_declaration type: (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type)
  (container_field type: (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type)
  (variable_declaration type: (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type)
  (error_union_type (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type)
  (pointer_type (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type .)
  (slice_type (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type .)
  (array_type (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type .)
  (nullable_type (field_expression object: (_) @owner member: (identifier) @verbatim) @ref.type)
]

; Values and types passed as arguments or assigned
(call_expression (identifier) @verbatim @ref.reference)
(initializer_list (assignment_expression right: (identifier) @verbatim @ref.reference))
(builtin_function (arguments (identifier) @verbatim @ref.reference))

; Members of a type: the owner begins with a capital letter or is omitted
((field_expression object: (identifier) @owner member: (identifier) @verbatim) @ref.reference
  (#match? @owner "^[A-Z]"))
((field_expression
    object: (field_expression member: (identifier) @_type) @owner
    member: (identifier) @verbatim) @ref.reference
  (#match? @_type "^[A-Z]"))
(struct_initializer
  .
  (identifier) @owner
  (initializer_list
    (assignment_expression
      left: (field_expression !object member: (identifier) @verbatim) @ref.reference)))
[
  (switch_case (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (call_expression (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (assignment_expression
    right: (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (binary_expression (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (return_expression (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (break_expression (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (variable_declaration (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (container_field (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (initializer_list (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (if_expression (field_expression !object member: (identifier) @verbatim) @ref.reference)
]
(error_type (identifier) @verbatim) @ref.reference
(error_set_declaration (identifier) @verbatim @ref.reference)
