; Lua: definitions

; Classes: a table that is its own `__index`, or has a class annotation
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @verbatim .)
      (expression_list . value: (_) .))) @symbol.class @scope
  .
  (assignment_statement
    (variable_list . name: (dot_index_expression table: (identifier) @_table field: (identifier) @_index) .))
  (#eq? @_index "__index")
  (#eq? @_table @verbatim))
(chunk
  (comment content: (comment_content) @_annotation)
  .
  [
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @verbatim .)
        (expression_list . value: [(table_constructor) (function_call)] .)))
    (assignment_statement
      (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
      (expression_list . value: [(table_constructor) (function_call)] .))
  ] @symbol.class @scope
  (#match? @_annotation "^-\\s*@(class|field)\\b"))
(chunk
  (comment content: (comment_content) @_annotation)
  .
  [
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @verbatim .)
        (expression_list . value: (table_constructor) .)))
    (assignment_statement
      (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
      (expression_list . value: (table_constructor) .))
  ] @symbol.enum @scope
  (#match? @_annotation "^-\\s*@enum\\b"))

; Classes created by a call: `class("A")`, `Base:extend()`, `setmetatable({}, { __index = Base })`
(chunk
  [
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @verbatim .)
        (expression_list . value: (function_call name: [
          (identifier) @_maker
          (dot_index_expression field: (identifier) @_maker)
          (function_call name: (identifier) @_maker)
        ]) .)))
    (assignment_statement
      (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
      (expression_list . value: (function_call name: [
        (identifier) @_maker
        (dot_index_expression field: (identifier) @_maker)
        (function_call name: (identifier) @_maker)
      ]) .))
  ] @symbol.class @scope
  (#any-of? @_maker "class" "Class"))
(chunk
  [
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @verbatim .)
        (expression_list . value: (function_call
          name: (method_index_expression table: (_) @_base method: (identifier) @_maker)) .)))
    (assignment_statement
      (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
      (expression_list . value: (function_call
        name: (method_index_expression table: (_) @_base method: (identifier) @_maker)) .))
  ] @symbol.class @scope
  (#any-of? @_maker "extend" "subclass" "derive" "inherit")
  (#match? @_base "(^|\\.)[A-Z]\\w*$"))
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @verbatim .)
      (expression_list . value: (function_call
        name: (identifier) @_maker
        arguments: (arguments
          . (table_constructor)
          . (table_constructor (field name: (identifier) @_index value: (identifier))))) .))) @symbol.class @scope
  (#eq? @_maker "setmetatable")
  (#eq? @_index "__index")
  (#match? @verbatim "^[A-Z]"))
(chunk
  (function_call
    name: (dot_index_expression table: (identifier) @_maker field: (identifier) @verbatim)) @symbol.class
  (#eq? @_maker "class"))
(chunk
  (function_call
    name: (identifier) @_maker
    arguments: (arguments . (string content: (string_content) @verbatim))) @symbol.class
  (#eq? @_maker "class"))
(chunk
  (function_call
    name: (function_call
      name: (identifier) @_maker
      arguments: (arguments . (string content: (string_content) @verbatim)))) @symbol.class
  (#eq? @_maker "class"))

; Constructors
(function_declaration
  name: [
    (method_index_expression table: (_) @owner method: (identifier) @verbatim)
    (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
  ]
  (#eq? @verbatim "new")) @symbol.constructor @scope
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @verbatim) .)
  (expression_list . value: (function_definition body: (_)? @body) .)
  (#eq? @verbatim "new")) @symbol.constructor @scope

; Methods: `function a.b:c()`, `function a.c(self)`
(function_declaration
  name: (method_index_expression table: (_) @owner method: (identifier) @verbatim)) @symbol.method @scope
(function_declaration
  name: (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
  parameters: (parameters . name: (identifier) @_self)
  (#eq? @_self "self")) @symbol.method @scope

; Functions, also local, nested and global ones
(function_declaration name: [
  (identifier) @verbatim
  (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
]) @symbol.function @scope

; Functions assigned to a field of `self`: the enclosing function already provides the owner
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @verbatim) .)
  (expression_list . value: (function_definition body: (_)? @body) .)
  (#eq? @_self "self")) @symbol.function @scope

; Functions assigned to a field or a variable
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @verbatim) .)
  (expression_list
    .
    value: (function_definition
      parameters: (parameters . name: (identifier) @_self)
      body: (_)? @body)
    .)
  (#eq? @_self "self")) @symbol.method @scope
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @verbatim .)
    (expression_list . value: (function_definition body: (_)? @body) .))) @symbol.function @scope
(assignment_statement
  (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @symbol.function @scope
(assignment_statement
  (variable_list . name: (bracket_index_expression
    table: [(identifier) (dot_index_expression)] @owner
    field: (string content: (string_content) @verbatim)) .)
  (expression_list . value: (function_definition body: (_)? @body) .)) @symbol.function @scope

; Functions assigned to a name through a wrapper
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @verbatim .)
    (expression_list
      .
      value: (function_call
        name: [
          (identifier) @_wrapper
          (dot_index_expression field: (identifier) @_wrapper)
        ]
        arguments: (arguments . (function_definition body: (_)? @body)))
      .))
  (#any-of? @_wrapper
    "wrap" "async" "sync" "void" "schedule_wrap" "memoize" "debounce" "throttle" "once" "curry")) @symbol.function @scope
(assignment_statement
  (variable_list . name: [
    (identifier) @verbatim
    (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
  ] .)
  (expression_list
    .
    value: (function_call
      name: [
        (identifier) @_wrapper
        (dot_index_expression field: (identifier) @_wrapper)
      ]
      arguments: (arguments . (function_definition body: (_)? @body)))
    .)
  (#any-of? @_wrapper
    "wrap" "async" "sync" "void" "schedule_wrap" "memoize" "debounce" "throttle" "once" "curry")) @symbol.function @scope

; Functions that are fields of a table
(field
  name: [
    (identifier) @verbatim
    (string content: (string_content) @verbatim)
  ]
  value: (function_definition
    parameters: (parameters . name: (identifier) @_self)
    body: (_)? @body)
  (#eq? @_self "self")) @symbol.method @scope
(field
  name: [
    (identifier) @verbatim
    (string content: (string_content) @verbatim)
  ]
  value: (function_definition body: (_)? @body)) @symbol.function @scope

; Tests
(function_call
  name: (identifier) @_test
  arguments: (arguments
    .
    (string content: (string_content) @verbatim)
    .
    (function_definition body: (_)? @body))
  (#any-of? @_test "describe" "context" "insulate" "expose" "it" "spec" "test" "pending")) @symbol.test @scope

; Constants and variables of the file. Results of `require` are imports, values that are other names aliases
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @verbatim attribute: (attribute (identifier) @_const))
      (expression_list . value: [
        (table_constructor) (string) (number) (true) (false) (function_call) (binary_expression)
        (unary_expression) (parenthesized_expression)
      ] @_value))) @symbol.constant @scope
  (#eq? @_const "const")
  (#not-match? @_value "^require\\b"))
(chunk
  [
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @verbatim .)
        (expression_list . value: [
          (table_constructor) (string) (number) (true) (false) (function_call) (binary_expression)
          (unary_expression) (parenthesized_expression)
        ] @_value .)))
    (assignment_statement
      (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
      (expression_list . value: [
        (table_constructor) (string) (number) (true) (false) (function_call) (binary_expression)
        (unary_expression) (parenthesized_expression)
      ] @_value .))
  ] @symbol.constant @scope
  (#match? @verbatim "^_*[A-Z][A-Z0-9_]+$")
  (#not-match? @_value "^require\\b"))
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @verbatim .)
      (expression_list . value: [
        (table_constructor) (string) (number) (true) (false) (nil) (function_call) (binary_expression)
        (unary_expression) (parenthesized_expression)
      ] @_value .))) @symbol.variable @scope
  (#not-match? @_value "^require\\b"))
(chunk
  (variable_declaration (variable_list . name: (identifier) @verbatim .)) @symbol.variable)
(chunk
  (assignment_statement
    (variable_list . name: (identifier) @verbatim .)
    (expression_list . value: [
      (table_constructor) (string) (number) (true) (false) (nil) (function_call) (binary_expression)
      (unary_expression) (parenthesized_expression)
    ] @_value .)) @symbol.variable @scope
  (#not-match? @_value "^require\\b"))
(chunk
  (assignment_statement
    (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @verbatim) .)
    (expression_list . value: [
      (table_constructor) (string) (number) (true) (false) (nil) (function_call) (binary_expression)
      (unary_expression) (parenthesized_expression)
    ] @_value .)) @symbol.field @scope
  (#not-match? @_value "^require\\b"))

; Members of an enum
(chunk
  (comment content: (comment_content) @_annotation)
  .
  (_
    (expression_list . value: (table_constructor
      (field name: [
        (identifier) @verbatim
        (string content: (string_content) @verbatim)
      ]) @symbol.enum_member)))
  (#match? @_annotation "^-\\s*@enum\\b"))
(chunk
  (comment content: (comment_content) @_annotation)
  .
  (variable_declaration
    (assignment_statement
      (expression_list . value: (table_constructor
        (field name: [
          (identifier) @verbatim
          (string content: (string_content) @verbatim)
        ]) @symbol.enum_member))))
  (#match? @_annotation "^-\\s*@enum\\b"))

; Constants in tables
(field
  name: (identifier) @verbatim
  value: [(string) (number) (unary_expression) (binary_expression)]
  (#match? @verbatim "^[A-Z][A-Z0-9_]+$")) @symbol.constant

; The name of a table qualifies its members
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @verbatim .)
    (expression_list . value: (table_constructor) .))) @scope
(assignment_statement
  (variable_list . name: [
        (identifier) @verbatim
        (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
      ] .)
  (expression_list . value: (table_constructor) .)) @scope
(field
  name: [
    (identifier) @verbatim
    (string content: (string_content) @verbatim)
  ]
  value: (table_constructor)) @scope

; Documentation
(comment) @doc
