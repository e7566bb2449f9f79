; JavaScript only: definitions

; Class fields
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @symbol.method @scope
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name) @symbol.field

; Assignments to `this` in a constructor (TypeScript declares its fields)
((method_definition
    name: (property_identifier) @_constructor
    body: (statement_block (expression_statement
      (assignment_expression
        left: (member_expression object: (this) property: (_) @name)
        right: [
          (array) (await_expression) (binary_expression) (call_expression) (identifier) (member_expression)
          (new_expression) (null) (number) (object) (regex) (string) (subscript_expression) (template_string)
          (ternary_expression) (true) (false) (unary_expression) (undefined)
        ]) @symbol.field)))
  (#eq? @_constructor "constructor"))
((function_declaration
    name: (identifier) @_constructor
    body: (statement_block (expression_statement
      (assignment_expression
        left: (member_expression object: (this) property: (_) @name)
        right: [
          (array) (await_expression) (binary_expression) (call_expression) (identifier) (member_expression)
          (new_expression) (null) (number) (object) (regex) (string) (subscript_expression) (template_string)
          (ternary_expression) (true) (false) (unary_expression) (undefined)
        ]) @symbol.field)))
  (#match? @_constructor "^[A-Z]"))
