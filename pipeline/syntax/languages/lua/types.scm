; Lua: types of names

; Objects of a class: `setmetatable({}, Class)`
(assignment_statement
  (variable_list . name: (identifier) @typed .)
  (expression_list . value: (function_call
    name: (identifier) @_maker
    arguments: (arguments . (_) . (identifier) @type .)) .)
  (#eq? @_maker "setmetatable"))
(function_call
  name: (identifier) @_maker
  arguments: (arguments . (identifier) @typed . (identifier) @type .)
  (#eq? @_maker "setmetatable"))
(function_declaration
  name: [
    (identifier) @typed
    (dot_index_expression field: (identifier) @typed)
    (method_index_expression method: (identifier) @typed)
  ]
  body: (block (return_statement (expression_list . (function_call
    name: (identifier) @_maker
    arguments: (arguments . (_) . (identifier) @type .)) .)))
  (#eq? @_maker "setmetatable"))

; Names of functions and of files: other names, members, results, each by its place in the list. A table has the members
; that are assigned to it
(assignment_statement
  (variable_list . name: (identifier) @typed)
  (expression_list . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . name: (identifier) @typed)
  (expression_list . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . (_) . name: (identifier) @typed)
  (expression_list . (_) . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . (_) . (_) . name: (identifier) @typed)
  (expression_list . (_) . (_) . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . (_) . (_) . (_) . name: (identifier) @typed)
  (expression_list . (_) . (_) . (_) . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . (_) . (_) . (_) . (_) . name: (identifier) @typed)
  (expression_list . (_) . (_) . (_) . (_) . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . (_) . (_) . (_) . (_) . (_) . name: (identifier) @typed)
  (expression_list . (_) . (_) . (_) . (_) . (_) . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(assignment_statement
  (variable_list . (_) . (_) . (_) . (_) . (_) . (_) . (_) . name: (identifier) @typed)
  (expression_list . (_) . (_) . (_) . (_) . (_) . (_) . (_) . value: [(identifier) (dot_index_expression) (function_call) (binary_expression)] @value)
  (#not-match? @value "^(require|setmetatable|pcall)\\b"))
(parameters name: (identifier) @typed)
(for_numeric_clause name: (identifier) @typed)
(for_generic_clause (variable_list name: (identifier) @typed))

; Members that are assigned
(assignment_statement
  (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @member) .)
  (expression_list . value: [(identifier) (dot_index_expression) (function_call)] @value .)
  (#eq? @_self "self"))

; Results
(function_declaration
  body: (block (return_statement (expression_list . [(identifier) (dot_index_expression) (function_call)] @returns .))))
(function_definition
  body: (block (return_statement (expression_list . [(identifier) (dot_index_expression) (function_call)] @returns .))))

; What a module is: the table that its file returns
(chunk (return_statement (expression_list . (identifier) @module_exports .)))
