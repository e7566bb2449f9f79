; JavaScript and TypeScript in common: types of names

(variable_declarator name: (identifier) @typed value: (_) @value
  (#not-match? @value "^(\\{|require\\()"))
(assignment_pattern left: (identifier) @typed right: (_) @value)
(assignment_expression left: (identifier) @typed right: (_) @value
  (#not-match? @value "^\\{"))
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @member) right: (_) @value
  (#not-match? @value "^\\{"))

; Returned expressions
(function_declaration body: (statement_block (return_statement (_) @returns)))
(function_declaration body: (statement_block (if_statement (statement_block (return_statement (_) @returns)))))
(method_definition body: (statement_block (return_statement (_) @returns)))
(method_definition body: (statement_block (if_statement (statement_block (return_statement (_) @returns)))))
(variable_declarator
  value: [
    (arrow_function body: (statement_block (return_statement (_) @returns)))
    (function_expression body: (statement_block (return_statement (_) @returns)))
  ])
(variable_declarator value: (arrow_function body: [(call_expression) (new_expression) (identifier) (member_expression) (await_expression)] @returns))

(pair
  value: [
    (arrow_function body: (statement_block (return_statement (_) @returns)))
    (function_expression body: (statement_block (return_statement (_) @returns)))
  ])
(pair value: (arrow_function body: [(call_expression) (new_expression) (identifier) (member_expression) (await_expression)] @returns))

; The value of a module as a whole
(export_statement value: (_) @default_export)
(assignment_expression left: (member_expression) @_exports right: [(identifier) (new_expression) (call_expression) (member_expression)] @module_exports
  (#eq? @_exports "module.exports"))

; Destructured objects
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @destructured
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @destructured)
  ])
  value: (_) @value
  (#not-match? @value "^(\\{|require\\()"))
(export_statement "default" declaration: [
  (function_declaration name: (_) @default_export)
  (generator_function_declaration name: (_) @default_export)
  (class_declaration name: (_) @default_export)
])
(export_statement !source
  (export_clause (export_specifier name: (identifier) @default_export alias: (_) @_default))
  (#eq? @_default "default"))

; Exports under another name
(export_statement !source
  (export_clause (export_specifier name: (identifier) @value alias: (identifier) @typed)))

; Parts of tuples and arrays
(variable_declarator name: (array_pattern (identifier) @typed) value: (_) @unpacked)

; Loops, and functions that a collection's method calls with each element
(for_in_statement left: (identifier) @typed operator: "of" right: (_) @iterated)
(for_in_statement left: (array_pattern (identifier) @typed) operator: "of" right: (_) @iterated_parts)
(call_expression
  function: (member_expression object: (_) @iterated property: (property_identifier) @_method)
  arguments: (arguments
    .
    [
      (arrow_function parameter: (identifier) @typed)
      (arrow_function parameters: (formal_parameters . (identifier) @typed))
    ])
  (#any-of? @_method
    "every" "filter" "find" "findIndex" "findLast" "findLastIndex" "flatMap" "map" "some"))
(call_expression
  function: (member_expression object: (_) @subscripted property: (property_identifier) @_method)
  arguments: (arguments
    .
    [
      (arrow_function parameter: (identifier) @typed)
      (arrow_function parameters: (formal_parameters . (identifier) @typed))
    ])
  (#eq? @_method "forEach"))
(call_expression
  function: (member_expression object: (_) @value property: (property_identifier) @_method)
  arguments: (arguments
    .
    [
      (arrow_function parameter: (identifier) @typed)
      (arrow_function parameters: (formal_parameters . (identifier) @typed))
    ])
  (#eq? @_method "then"))

; Pairs of a key or number and a value
(for_in_statement
  left: (array_pattern . (_) . (identifier) @typed .)
  operator: "of"
  right: [(identifier) (member_expression)] @subscripted)
(for_in_statement
  left: (array_pattern . (_) . (identifier) @typed .)
  operator: "of"
  right: (call_expression
    function: (member_expression object: (_) @subscripted property: (property_identifier) @_method)
    arguments: (arguments .))
  (#eq? @_method "entries"))
