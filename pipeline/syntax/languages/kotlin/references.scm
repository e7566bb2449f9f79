; Kotlin: uses

; Imports
(import (qualified_identifier) @owner "*" @name) @ref.import
(import (qualified_identifier) @name "as" (identifier) @alias) @ref.import
((import (qualified_identifier) @name) @ref.import
  (#not-match? @ref.import "\\*"))

; Base types: a class is called, an interface is named
(delegation_specifier
  (constructor_invocation [
    (user_type (identifier) @owner . (identifier) @name .)
    (user_type (identifier) @owner . (identifier) @name . (type_arguments) .)
    (user_type . (identifier) @name .)
    (user_type . (identifier) @name . (type_arguments) .)
  ])) @ref.inherit
(class_declaration
  "interface"
  (delegation_specifiers
    (delegation_specifier [
      (user_type (identifier) @owner . (identifier) @name .)
      (user_type (identifier) @owner . (identifier) @name . (type_arguments) .)
      (user_type . (identifier) @name .)
      (user_type . (identifier) @name . (type_arguments) .)
    ]) @ref.inherit))
(delegation_specifier [
  (user_type (identifier) @owner . (identifier) @name .)
  (user_type (identifier) @owner . (identifier) @name . (type_arguments) .)
  (user_type . (identifier) @name .)
  (user_type . (identifier) @name . (type_arguments) .)
  (explicit_delegation (user_type (identifier) @owner . (identifier) @name .))
  (explicit_delegation (user_type (identifier) @owner . (identifier) @name . (type_arguments) .))
  (explicit_delegation (user_type . (identifier) @name .))
  (explicit_delegation (user_type . (identifier) @name . (type_arguments) .))
]) @ref.implement

; Annotations, except those for the compiler
([
    (annotation [
      (user_type (identifier) @name .)
      (constructor_invocation (user_type (identifier) @name .))
    ])
    (file_annotation [
      (user_type (identifier) @name .)
      (constructor_invocation (user_type (identifier) @name .))
    ])
  ] @ref.decorate
  (#not-any-of? @name
    "Deprecated" "JvmField" "JvmInline" "JvmMultifileClass" "JvmName" "JvmOverloads" "JvmStatic"
    "JvmSuppressWildcards" "JvmSynthetic" "JvmWildcard" "OptIn" "PublishedApi" "Retention" "Suppress" "Synchronized"
    "Target" "Throws" "Transient" "Volatile"))

; Instances: there is no `new`, but types begin with a capital letter
((call_expression . (identifier) @name) @ref.instantiate
  (#match? @name "^[A-Z]")
  (#not-eq? @name "TODO"))
((call_expression
    .
    (navigation_expression (identifier) @owner . (identifier) @name .)) @ref.instantiate
  (#match? @name "^[A-Z][A-Za-z0-9]*[a-z]"))

; Calls
(call_expression . (identifier) @name) @ref.call
(call_expression . (navigation_expression . (_) @owner (identifier) @name .)) @ref.call
((infix_expression . (_) @owner . (identifier) @name) @ref.call
  (#not-any-of? @name "and" "class" "downTo" "interface" "object" "or" "shl" "shr" "step" "to" "until" "ushr" "xor"))

; Calls with a type argument, which the grammar parses as two comparisons: `a<B>(c)`
((binary_expression
    left: (binary_expression
      left: [
        (identifier) @name
        (navigation_expression (_) @owner (identifier) @name .)
      ]
      operator: "<"
      right: (identifier))
    operator: ">"
    right: (parenthesized_expression)) @ref.instantiate
  (#match? @name "^[A-Z]"))
(binary_expression
  left: (binary_expression
    left: [
      (identifier) @name
      (navigation_expression (_) @owner (identifier) @name .)
    ]
    operator: "<"
    right: (identifier))
  operator: ">"
  right: (parenthesized_expression)) @ref.call
(binary_expression
  left: (binary_expression operator: "<" right: (identifier) @name @ref.type)
  operator: ">"
  right: (parenthesized_expression)
  (#match? @name "^[A-Z]")
  (#not-match? @name "^([A-Z]|Any|Boolean|Byte|Char|Double|Float|Int|Long|Nothing|Short|String|Unit)$"))
(binary_expression
  left: (binary_expression operator: "<" right: (identifier))
  operator: ">"
  right: (parenthesized_expression (identifier) @name @ref.reference))

; Functions by reference
(callable_reference [(user_type) (nullable_type)] @owner . (identifier) @name) @ref.reference
(callable_reference . "::" (identifier) @name) @ref.reference

; Members, with the receiver
((navigation_expression . (_) @owner (identifier) @name .) @ref.reference
  (#not-eq? @name "class"))

; Types, except those of the prelude, short type parameters and segments of packages
((user_type (identifier) @owner . (identifier) @name) @ref.type
  (#match? @name "^[A-Z]")
  (#not-eq? @name "Companion"))
((user_type . (identifier) @name) @ref.type
  (#match? @name "^[A-Z]")
  (#not-match? @name "^([A-Z]|Any|Boolean|Byte|Char|Double|Float|Int|Long|Nothing|Short|String|Unit)$")
  (#not-any-of? @name
    "Deprecated" "JvmField" "JvmInline" "JvmMultifileClass" "JvmName" "JvmOverloads" "JvmStatic"
    "JvmSuppressWildcards" "JvmSynthetic" "JvmWildcard" "OptIn" "PublishedApi" "Retention" "Suppress" "Synchronized"
    "Target" "Throws" "Transient" "Volatile"))

; Names in expressions. `it` is the parameter of a lambda, `field` that of an accessor; some keywords are identifiers
([
    (navigation_expression . (identifier) @name @ref.reference)
    (value_argument (identifier) @name @ref.reference .)
    (class_parameter "=" (identifier) @name @ref.reference)
    (property_declaration "=" (identifier) @name @ref.reference)
    (infix_expression . (identifier) @name @ref.reference)
    (infix_expression (identifier) @name @ref.reference .)
    (return_expression "return" . (identifier) @name @ref.reference)
    (return_expression label: (_) (identifier) @name @ref.reference)
  ]
  (#not-any-of? @name
    "it" "field" "value" "break" "class" "companion" "continue" "false" "fun" "interface" "null" "object" "super"
    "this" "true"))
((identifier) @name @ref.reference
  (#not-any-of? @name
    "it" "field" "value" "break" "class" "companion" "continue" "false" "fun" "interface" "null" "object" "super"
    "this" "true")
  (#has-parent? @name
    annotated_expression as_expression assignment binary_expression block collection_literal do_while_statement
    explicit_delegation for_statement function_body function_value_parameters if_expression in_expression
    index_expression interpolation is_expression lambda_literal parenthesized_expression property_delegate
    range_expression range_test spread_expression throw_expression unary_expression when_entry when_subject
    while_statement))
((identifier) @name @ref.reference
  (#any-of? @name "field" "value")
  (#not-has-ancestor? @name getter setter)
  (#has-parent? @name
    as_expression assignment binary_expression block for_statement function_body if_expression in_expression
    index_expression interpolation is_expression lambda_literal navigation_expression parenthesized_expression
    return_expression spread_expression unary_expression value_argument when_entry when_subject))

; `$name` in a string: the grammar sees a name only at the end of a piece of text
([
    (string_literal (string_content) @_dollar . (string_content) @name @ref.reference)
    (multiline_string_literal (string_content) @_dollar . (string_content) @name @ref.reference)
  ]
  (#eq? @_dollar "$")
  (#match? @name "^[A-Za-z_][A-Za-z0-9_]*$")
  (#not-any-of? @name "it" "field"))

; Local bindings
(function_declaration (type_parameters (type_parameter (identifier) @local_type)))
(function_value_parameters (parameter (identifier) @local))
(lambda_parameters [
  (variable_declaration (identifier) @local)
  (multi_variable_declaration (variable_declaration (identifier) @local))
])
(setter (identifier) @local)
(block
  (property_declaration [
    (variable_declaration (identifier) @local)
    (multi_variable_declaration (variable_declaration (identifier) @local))
  ]))
(lambda_literal
  (property_declaration [
    (variable_declaration (identifier) @local)
    (multi_variable_declaration (variable_declaration (identifier) @local))
  ]))
(for_statement [
  (variable_declaration (identifier) @local)
  (multi_variable_declaration (variable_declaration (identifier) @local))
])
(catch_block . (identifier) @local)
(when_subject (variable_declaration (identifier) @local))

; Other constructors
(constructor_delegation_call ["this" "super"] @name) @ref.call
