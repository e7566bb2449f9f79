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

; Members of an initializer, where the type is written
(struct_initializer
  .
  [(identifier) (field_expression)] @owner
  (initializer_list
    (assignment_expression
      left: (field_expression !object member: (identifier) @verbatim) @ref.reference)))
(variable_declaration
  type: (_) @owner
  (anonymous_struct_initializer
    (initializer_list
      (assignment_expression
        left: (field_expression !object member: (identifier) @verbatim) @ref.reference))))
(container_field
  type: (_) @owner
  (anonymous_struct_initializer
    (initializer_list
      (assignment_expression
        left: (field_expression !object member: (identifier) @verbatim) @ref.reference))))
(function_declaration
  type: [
    (identifier) @owner
    (field_expression) @owner
    (nullable_type (_) @owner)
    (error_union_type ok: (identifier) @owner)
    (error_union_type ok: (field_expression) @owner)
  ]
  body: (block
    (expression_statement
      (return_expression
        (anonymous_struct_initializer
          (initializer_list
            (assignment_expression
              left: (field_expression !object member: (identifier) @verbatim) @ref.reference)))))))

; Members, with the receiver or with an omitted type
(field_expression object: (_) @owner member: (identifier) @verbatim) @ref.reference
[
  (arguments (field_expression !object member: (identifier) @verbatim) @ref.reference)
  (catch_expression (field_expression !object member: (identifier) @verbatim) @ref.reference)
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

; Names in expressions. An assignment is parsed as a declaration without a keyword, and `!a` as an error union
((variable_declaration . (identifier) @verbatim @ref.reference) @_declaration
  (#not-match? @_declaration "^([a-z]+\\s+|extern\\s+\"[a-z]*\"\\s+)*(const|var)\\s")
  (#not-eq? @verbatim "_"))
(variable_declaration
  [
    "=" "*=" "*%=" "*|=" "/=" "%=" "+=" "+%=" "+|=" "-=" "-%=" "-|=" "<<=" "<<|=" ">>=" "&=" "^=" "|="
  ]
  .
  (identifier) @verbatim @ref.reference)
((assignment_expression left: (identifier) @verbatim @ref.reference) @_assignment
  (#not-match? @_assignment "=\\s*(enum|extern|opaque|packed|struct|union)\\b")
  (#not-eq? @verbatim "_"))
(assignment_expression right: (identifier) @verbatim @ref.reference)
(container_field "=" . (identifier) @verbatim @ref.reference)
(array_type . (identifier) @verbatim @ref.reference . (_)
  (#not-eq? @verbatim "_"))
(field_expression object: (identifier) @verbatim @ref.reference)
((error_union_type !error ok: (identifier) @verbatim @ref.reference)
  (#match? @verbatim "^[a-z_]"))
(asm_input_item (string) . (identifier) @verbatim @ref.reference)
((identifier) @verbatim @ref.reference
  (#not-eq? @verbatim "_")
  (#has-parent? @verbatim
    arguments async_expression await_expression binary_expression break_expression
    byte_alignment call_expression catch_expression comptime_expression dereference_expression enum_declaration
    expression_statement for_expression for_statement if_expression if_statement if_type_expression
    index_expression initializer_list nosuspend_expression null_coercion_expression parenthesized_expression
    range_expression resume_expression return_expression struct_declaration struct_initializer switch_case
    switch_expression try_expression unary_expression union_declaration using_namespace_declaration
    while_expression while_statement))

; Local bindings
(parameter name: (identifier) @local)
(payload (identifier) @local)
((variable_declaration ["const" "var"] . (identifier) @local) @_declaration
  (#not-match? @_declaration "=\\s*@(import|This)\\b"))
