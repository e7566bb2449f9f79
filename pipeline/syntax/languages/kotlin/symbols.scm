; Kotlin: definitions

; Types: the name directly follows the keyword, otherwise there is an error between them
(class_declaration
  (modifiers (class_modifier "enum"))
  "class"
  .
  name: (_) @name
  (enum_class_body) @body) @symbol.enum @scope
(class_declaration
  (modifiers (class_modifier "enum"))
  "class"
  .
  name: (_) @name) @symbol.enum @scope
(class_declaration "interface" . name: (_) @name (class_body) @body) @symbol.interface @scope
(class_declaration "interface" . name: (_) @name) @symbol.interface @scope
(class_declaration
  "class"
  .
  name: (_) @name
  [(class_body) (enum_class_body)] @body) @symbol.class @scope
(class_declaration "class" . name: (_) @name) @symbol.class @scope
(object_declaration "object" . name: (_) @name (class_body) @body) @symbol.class @scope
(object_declaration "object" . name: (_) @name) @symbol.class @scope
(type_alias type: (identifier) @name) @symbol.type

; What is left of a type after a syntax error, and its members
(ERROR
  .
  ["class" "interface" "object"]
  .
  (identifier) @name
  "{" @body) @symbol.class @scope
(ERROR
  .
  (modifiers)
  .
  ["class" "interface" "object"]
  .
  (identifier) @name
  "{" @body) @symbol.class @scope
(object_declaration "object" . (ERROR . (identifier) @name)) @symbol.class @scope
(class_declaration ["class" "interface"] . (ERROR . (identifier) @name)) @symbol.class @scope
(ERROR
  "{"
  (function_declaration "fun" . name: (_) @name (function_body) @body) @symbol.method @scope)
(ERROR
  "{"
  (property_declaration (modifiers) (variable_declaration (identifier) @name)) @symbol.property)

; A class after annotations that the grammar parses as identifiers: `@A @B open class C { ... }`
((infix_expression (identifier) @_class . (call_expression . (identifier) @name (annotated_lambda) @body))
  @symbol.class @scope
  (#any-of? @_class "class" "interface" "object"))
((infix_expression . (identifier) @_class . (identifier) @name . (lambda_literal) @body) @symbol.class @scope
  (#any-of? @_class "class" "interface" "object"))
((infix_expression . (_) . (identifier) @_class . (identifier) @name) @symbol.class
  (#any-of? @_class "class" "interface" "object"))
((infix_expression . (identifier) @_class . (identifier) @name @symbol.class)
  (#any-of? @_class "class" "interface" "object"))
(infix_expression
  .
  (identifier) @_class
  .
  (identifier)
  .
  (lambda_literal
    (function_declaration "fun" . name: (_) @name (function_body) @body) @symbol.method @scope)
  (#any-of? @_class "class" "interface" "object"))
(infix_expression
  (identifier) @_class
  .
  (call_expression
    (annotated_lambda
      (lambda_literal
        (function_declaration "fun" . name: (_) @name (function_body) @body) @symbol.method @scope)))
  (#any-of? @_class "class" "interface" "object"))
(infix_expression
  (identifier) @_class
  .
  (call_expression
    (annotated_lambda
      (lambda_literal
        (property_declaration . (modifiers)? . (variable_declaration (identifier) @name)) @symbol.property)))
  (#any-of? @_class "class" "interface" "object"))

; A named companion object. It is not a scope, because its members belong to the class
(companion_object name: (_) @name (class_body) @body) @symbol.class
(companion_object name: (_) @name) @symbol.class

; Enum members
(enum_entry (identifier) @name (class_body) @body) @symbol.enum_member @scope
(enum_entry (identifier) @name) @symbol.enum_member @scope

; Constructors. A primary constructor without the keyword has no name
(secondary_constructor "constructor" @name (block) @body) @symbol.constructor @scope
(secondary_constructor "constructor" @name) @symbol.constructor @scope

; Properties among the parameters of a class
(class_parameter ["val" "var"] . (identifier) @name) @symbol.property

; Extension functions: the receiver is the owner; for `A.Companion`, it is `A`
(function_declaration
  (user_type (identifier) @owner . (identifier) @_companion .)
  .
  name: (_) @name
  (function_body) @body
  (#eq? @_companion "Companion")) @symbol.method @scope
(function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @owner
  .
  name: (_) @name
  (function_body) @body) @symbol.method @scope
(function_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @owner
  .
  name: (_) @name) @symbol.method @scope

; Methods and functions. Some names are sentences, in backticks
((class_body (function_declaration name: (_) @verbatim (function_body) @body) @symbol.method @scope)
  (#match? @verbatim "^`.*[^A-Za-z0-9_`]"))
((function_declaration name: (_) @verbatim (function_body) @body) @symbol.function @scope
  (#match? @verbatim "^`.*[^A-Za-z0-9_`]"))
(class_body (function_declaration name: (_) @name (function_body) @body) @symbol.method @scope)
(class_body (function_declaration name: (_) @name) @symbol.method @scope)
(enum_class_body (function_declaration name: (_) @name (function_body) @body) @symbol.method @scope)
(enum_class_body (function_declaration name: (_) @name) @symbol.method @scope)
(function_declaration name: (_) @name (function_body) @body) @symbol.function @scope
(function_declaration name: (_) @name) @symbol.function @scope

; Constants
(property_declaration
  (modifiers (property_modifier))
  (variable_declaration . (identifier) @name)) @symbol.constant

; Extension properties
(property_declaration
  (user_type (identifier) @owner . (identifier) @_companion .)
  .
  (variable_declaration (identifier) @name)
  (#eq? @_companion "Companion")) @symbol.property @scope
(property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @owner
  .
  (variable_declaration (identifier) @name)
  (getter) @body) @symbol.property @scope
(property_declaration
  [(user_type) (nullable_type) (parenthesized_type)] @owner
  .
  (variable_declaration (identifier) @name)) @symbol.property @scope

; Properties of types and of the file
(class_body
  (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (property_delegate) (object_literal) (lambda_literal)] @body) @symbol.property @scope)
(class_body (property_declaration (variable_declaration (identifier) @name)) @symbol.property @scope)
(enum_class_body
  (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (property_delegate) (object_literal) (lambda_literal)] @body) @symbol.property @scope)
(enum_class_body (property_declaration (variable_declaration (identifier) @name)) @symbol.property @scope)
(source_file
  (property_declaration
    (variable_declaration (identifier) @name)
    [(getter) (property_delegate) (object_literal) (lambda_literal)] @body) @symbol.variable @scope)
(source_file (property_declaration (variable_declaration (identifier) @name)) @symbol.variable @scope)
(source_file
  (property_declaration
    (multi_variable_declaration (variable_declaration (identifier) @name) @symbol.variable)))

; Documentation
[(line_comment) (block_comment)] @doc
