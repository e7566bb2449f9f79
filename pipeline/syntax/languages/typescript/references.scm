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

; Types, except short type parameters
(nested_type_identifier module: (_) @owner name: (_) @name) @ref.type
(type_query [
  (identifier) @name
  (member_expression object: (_) @owner property: (_) @name)
]) @ref.type
((type_identifier) @name @ref.type
  (#not-match? @name "^[A-Z][0-9]?$"))

; Local bindings
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
