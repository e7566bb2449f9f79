; Zig: definitions
; A type is named by the constant to which it is assigned. Names are verbatim because of `@"..."`.

; A file that names itself (`const Name = @This()`) is a struct
(source_file
  .
  (_) @body
  (variable_declaration
    "const" . (identifier) @verbatim @exported "=" . (builtin_function (builtin_identifier) @_this))
  (#eq? @_this "@This")
  (#match? @verbatim "^[A-Z]")
  (#not-any-of? @verbatim "Self" "This" "Module")) @symbol.struct @scope
(source_file
  .
  (variable_declaration
    "const" . (identifier) @verbatim @exported "=" . (builtin_function (builtin_identifier) @_this)) @body
  (#eq? @_this "@This")
  (#match? @verbatim "^[A-Z]")
  (#not-any-of? @verbatim "Self" "This" "Module")) @symbol.struct @scope

; Imports and aliases of definitions elsewhere are not symbols. They match here as empty scopes,
; so that the patterns for constants below do not match their names
(variable_declaration
  "const" . (identifier) @verbatim "=" . (builtin_function (builtin_identifier) @_builtin)
  (#any-of? @_builtin "@import" "@cImport" "@This")) @scope
(variable_declaration
  "const" . (identifier) @verbatim "=" . (field_expression
    object: (builtin_function (builtin_identifier) @_builtin)
    member: (identifier))
  (#eq? @_builtin "@import")) @scope
(variable_declaration
  !type
  "const" . (identifier) @verbatim "=" . (field_expression
    object: [(identifier) (field_expression)]
    member: (identifier) @_member) @_value . ";"
  (#eq? @verbatim @_member)
  (#match? @_value "^[A-Za-z_@]")) @scope

; Types
(variable_declaration
  "const" . (identifier) @verbatim "=" . (struct_declaration "{" @body)) @symbol.struct @scope
(variable_declaration
  "const" . (identifier) @verbatim "=" . (enum_declaration "{" @body)) @symbol.enum @scope
(variable_declaration
  "const" . (identifier) @verbatim "=" . (union_declaration "{" @body)) @symbol.union @scope
(variable_declaration
  "const" . (identifier) @verbatim "=" . (opaque_declaration "{" @body)) @symbol.type @scope
(variable_declaration
  "const" . (identifier) @verbatim "=" . (error_set_declaration "{" @body)) @symbol.enum @scope

; Members of enums and error sets, fields of structs and unions: always visible
((enum_declaration (container_field name: (identifier) @verbatim @exported) @symbol.enum_member)
  (#not-eq? @verbatim "_"))
(variable_declaration
  (error_set_declaration (identifier) @verbatim @symbol.enum_member @exported))
(variable_declaration
  (binary_expression (error_set_declaration (identifier) @verbatim @symbol.enum_member @exported)))
(container_field name: (identifier) @verbatim @exported type: (_)) @symbol.field @scope
(union_declaration (container_field name: (identifier) @verbatim @exported) @symbol.field)

; Methods: functions of a container. A container that a function returns has the function's name
[
  (struct_declaration (function_declaration name: (identifier) @verbatim) @symbol.method @scope)
  (enum_declaration (function_declaration name: (identifier) @verbatim) @symbol.method @scope)
  (union_declaration (function_declaration name: (identifier) @verbatim) @symbol.method @scope)
  (opaque_declaration (function_declaration name: (identifier) @verbatim) @symbol.method @scope)
]

; Functions
(function_declaration name: (identifier) @verbatim) @symbol.function @scope

; Tests
(test_declaration (string . (string_content) @verbatim) (block) @body) @symbol.test @scope
(test_declaration (identifier) @verbatim (block) @body) @symbol.test @scope

; Constants that are types by naming convention, then other constants and variables, of a file
; and of containers
([
  (source_file (variable_declaration "const" . (identifier) @verbatim) @symbol.type @scope)
  (struct_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.type @scope)
  (enum_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.type @scope)
  (union_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.type @scope)
  (opaque_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.type @scope)
] (#match? @verbatim "^_?[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$"))
[
  (source_file (variable_declaration "const" . (identifier) @verbatim) @symbol.constant @scope)
  (struct_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.constant @scope)
  (enum_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.constant @scope)
  (union_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.constant @scope)
  (opaque_declaration (variable_declaration "const" . (identifier) @verbatim) @symbol.constant @scope)
]
[
  (source_file (variable_declaration "var" . (identifier) @verbatim) @symbol.variable @scope)
  (struct_declaration (variable_declaration "var" . (identifier) @verbatim) @symbol.variable @scope)
  (enum_declaration (variable_declaration "var" . (identifier) @verbatim) @symbol.variable @scope)
  (union_declaration (variable_declaration "var" . (identifier) @verbatim) @symbol.variable @scope)
  (opaque_declaration (variable_declaration "var" . (identifier) @verbatim) @symbol.variable @scope)
]

; Documentation (`//!` documents the enclosing container)
((comment) @doc
  (#not-match? @doc "^//!"))
