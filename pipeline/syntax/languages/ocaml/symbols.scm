; OCaml: definitions only in implementations; those in common with interfaces are in `ocaml_interface`
; The extent of a single definition is the whole item; of several joined by `and`, only the binding.

; Inline tests, and those of OUnit and Alcotest
(value_definition
  (attribute_id) @_test
  (let_binding pattern: (string (string_content) @verbatim))
  (#any-of? @_test "test" "test_unit" "test_module" "expect_test" "bench" "bench_fun")) @symbol.test @scope
(infix_expression
  left: (string (string_content) @verbatim)
  operator: (rel_operator) @_operator
  right: (_) @body
  (#any-of? @_operator ">::" ">:::")) @symbol.test @scope
(application_expression
  function: (value_path (value_name) @_test)
  .
  argument: (string (string_content) @verbatim)
  (#eq? @_test "test_case")) @symbol.test

; Functions, also nested ones
(value_definition . (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  (parameter)) .) @symbol.function @scope
(value_definition (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  (parameter)) @symbol.function @scope)
(value_definition . (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  body: (fun_expression body: (_) @body)) .) @symbol.function @scope
(value_definition (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  body: (fun_expression body: (_) @body)) @symbol.function @scope)
(value_definition . (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  body: (function_expression)) .) @symbol.function @scope
(value_definition (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  body: (function_expression)) @symbol.function @scope)
(value_definition . (let_binding
  pattern: (value_name) @verbatim
  type: [(function_type) (polymorphic_type type: (function_type))]) .) @symbol.function @scope
(value_definition (let_binding
  pattern: [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  type: [(function_type) (polymorphic_type type: (function_type))]) @symbol.function @scope)

; Operators defined as another name's value
(value_definition . (let_binding pattern: (parenthesized_operator (_) @verbatim)) .) @symbol.function @scope

; Values of a module
[
  (compilation_unit (value_definition . (let_binding pattern: [
    (value_name) @verbatim
    (typed_pattern pattern: (value_name) @verbatim)
  ]) .) @symbol.constant @scope)
  (structure (value_definition . (let_binding pattern: [
    (value_name) @verbatim
    (typed_pattern pattern: (value_name) @verbatim)
  ]) .) @symbol.constant @scope)
]
[
  (compilation_unit (value_definition (let_binding pattern: (value_name) @verbatim) @symbol.constant @scope))
  (structure (value_definition (let_binding pattern: (value_name) @verbatim) @symbol.constant @scope))
]
[
  (compilation_unit (value_definition (let_binding pattern: [
    (tuple_pattern (value_name) @verbatim @symbol.constant)
    (parenthesized_pattern (tuple_pattern (value_name) @verbatim @symbol.constant))
  ])))
  (structure (value_definition (let_binding pattern: [
    (tuple_pattern (value_name) @verbatim @symbol.constant)
    (parenthesized_pattern (tuple_pattern (value_name) @verbatim @symbol.constant))
  ])))
]
