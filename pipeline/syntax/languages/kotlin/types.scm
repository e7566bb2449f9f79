; Kotlin: types of names

; Parameters. Those of a class that are not properties are visible in the whole class
(function_value_parameters
  (parameter
    (identifier) @typed
    .
    [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type))
(class_parameter
  ["val" "var"]
  .
  (identifier) @typed
  .
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type)
((class_parameter
    (identifier) @member
    .
    [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type) @_parameter
  (#not-match? @_parameter "\\b(val|var)\\b"))
(setter
  (identifier) @typed
  .
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type)
(catch_block (identifier) @typed . (_) @type)

; Properties, variables, parameters of lambdas
(variable_declaration
  (identifier) @typed
  .
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type)
(property_declaration
  (variable_declaration (identifier) @typed .)
  (getter
    .
    [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type))
(type_alias
  type: (identifier) @typed
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type)

; Result types
(function_declaration
  name: (_) @typed
  (function_value_parameters)
  .
  [(user_type) (nullable_type) (function_type) (parenthesized_type) (non_nullable_type)] @type)
(function_declaration
  (function_value_parameters)
  .
  (function_body
    .
    [
      (call_expression) (navigation_expression) (identifier) (this_expression) (as_expression) (binary_expression)
      (index_expression) (unary_expression) (parenthesized_expression) (string_literal) (number_literal)
    ] @returns
    .))
(function_declaration
  (function_value_parameters)
  .
  (function_body
    .
    (object_literal . (delegation_specifiers . (delegation_specifier [
      (user_type) @type
      (constructor_invocation (user_type) @type)
    ])))
    @returns))
(function_declaration
  (function_value_parameters)
  .
  (function_body
    .
    (call_expression
      .
      (navigation_expression . (_) @returns (identifier) @_same .)
      (annotated_lambda)))
  (#any-of? @_same "also" "apply"))
(function_declaration
  (function_value_parameters)
  .
  (function_body . (call_expression . (identifier) @returns (annotated_lambda)))
  (#any-of? @returns "also" "apply"))
(function_declaration
  (function_value_parameters)
  .
  (function_body
    .
    (if_expression condition: (_) [(call_expression) (navigation_expression) (identifier)] @returns)))
(function_declaration
  (function_value_parameters)
  .
  (function_body
    .
    (when_expression (when_entry [(call_expression) (navigation_expression) (identifier)] @returns .))))
(property_declaration
  (variable_declaration (identifier) .)
  (getter
    .
    (function_body
      .
      [
        (call_expression) (navigation_expression) (identifier) (this_expression) (as_expression) (binary_expression)
        (index_expression) (unary_expression) (parenthesized_expression) (string_literal) (number_literal)
      ] @returns
      .)))

; Values
(property_declaration
  (variable_declaration (identifier) @typed .)
  .
  [
    (call_expression) (navigation_expression) (identifier) (this_expression) (as_expression) (binary_expression)
    (index_expression) (unary_expression) (parenthesized_expression) (string_literal) (number_literal)
  ] @value)
(property_declaration
  (variable_declaration (identifier) @typed .)
  .
  (object_literal . (delegation_specifiers . (delegation_specifier [
    (user_type) @type
    (constructor_invocation (user_type) @type)
  ]))))
(property_declaration
  (variable_declaration (identifier) @typed .)
  .
  (call_expression
    .
    (navigation_expression . (_) @value (identifier) @_same .)
    (annotated_lambda))
  (#any-of? @_same "also" "apply"))
(property_declaration
  (variable_declaration (identifier) @typed .)
  .
  (if_expression condition: (_) [(call_expression) (navigation_expression) (identifier)] @value))
(property_declaration
  (variable_declaration (identifier) @typed .)
  .
  (when_expression (when_entry [(call_expression) (navigation_expression) (identifier)] @value .)))
(property_declaration
  (variable_declaration (identifier) @typed .)
  .
  (property_delegate
    (call_expression
      .
      [(identifier) @_lazy (call_expression . (identifier) @_lazy)]
      (annotated_lambda (lambda_literal [
        (call_expression) (navigation_expression) (identifier) (this_expression) (as_expression) (binary_expression)
        (index_expression) (unary_expression) (parenthesized_expression) (string_literal) (number_literal)
      ] @value .))))
  (#eq? @_lazy "lazy"))
(when_subject
  (variable_declaration (identifier) @typed .)
  .
  [
    (call_expression) (navigation_expression) (identifier) (this_expression) (as_expression) (binary_expression)
    (index_expression) (unary_expression) (parenthesized_expression) (string_literal) (number_literal)
  ] @value)

; Parts of data classes
(property_declaration
  (multi_variable_declaration (variable_declaration (identifier) @typed .))
  .
  (_) @unpacked)
(class_declaration
  (modifiers (class_modifier) @_data)
  (primary_constructor (class_parameters (class_parameter [(user_type) (nullable_type) (function_type)] @positional @type)))
  (#eq? @_data "data"))

; Loops
(for_statement . (variable_declaration (identifier) @typed) . (_) @iterated)
(for_statement
  .
  (multi_variable_declaration (variable_declaration (identifier) @typed .))
  .
  (_) @iterated_parts)

; Parameters without a declaration
((navigation_expression . (identifier) @typed)
  (#eq? @typed "it"))

; Functions that may have an object as their `this`
(annotated_lambda (lambda_literal) @lambda_receiver)

; Names that are compared with types
(is_expression left: (identifier) @narrowed right: (_) @type)
(when_expression
  (when_subject [(identifier) @narrowed (variable_declaration (identifier) @narrowed)])
  (when_entry condition: (type_test (user_type) @type)))

; Objects of types without a name
(object_literal
  (delegation_specifiers (delegation_specifier [(user_type) @type (constructor_invocation (user_type) @type)]))
  (class_body) @object_body)

; Type parameters by their bounds
(type_parameter (identifier) @typed . [(user_type) (nullable_type)] @type)
(type_constraint (identifier) @typed [(user_type) (nullable_type)] @type)
