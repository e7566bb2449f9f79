; Lua: uses

; Imports with a local name: `local a = require("m")`
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @alias .)
    (expression_list . value: (function_call
      name: (identifier) @_require
      arguments: (arguments . (string content: (string_content) @name))) .))
  (#eq? @_require "require")) @ref.import
(variable_declaration
  (assignment_statement
    (variable_list (identifier) . name: (identifier) @alias .)
    (expression_list . value: (function_call
      name: (identifier) @_pcall
      arguments: (arguments . (identifier) @_require . (string content: (string_content) @name))) .))
  (#any-of? @_pcall "pcall" "xpcall")
  (#eq? @_require "require")) @ref.import

; One name of a module: `local a = require("m").b`
(variable_declaration
  (assignment_statement
    (variable_list . name: (identifier) @alias .)
    (expression_list . value: (dot_index_expression
      table: (function_call
        name: (identifier) @_require
        arguments: (arguments . (string content: (string_content) @owner)))
      field: (identifier) @name) .))
  (#eq? @_require "require")) @ref.import

; Other imports
(assignment_statement
  (variable_list . name: [
    (identifier) @alias
    (dot_index_expression field: (identifier) @alias)
  ] .)
  (expression_list . value: (function_call
    name: (identifier) @_require
    arguments: (arguments . (string content: (string_content) @name))) .)
  (#eq? @_require "require")) @ref.import
(function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (string_content) @name))
  (#any-of? @_require "require" "dofile" "loadfile")) @ref.import
(function_call
  name: (identifier) @_pcall
  arguments: (arguments . (identifier) @_require . (string content: (string_content) @name))
  (#any-of? @_pcall "pcall" "xpcall")
  (#eq? @_require "require")) @ref.import

; Base classes
(function_call
  name: (method_index_expression
    table: [
      (identifier) @verbatim
      (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
    ]
    method: (identifier) @_maker)
  (#any-of? @_maker "extend" "subclass" "derive")
  (#match? @verbatim "^[A-Z]")) @ref.inherit
(function_call
  name: [
    (identifier) @_maker
    (dot_index_expression table: (identifier) @_maker)
    (function_call name: (identifier) @_maker)
  ]
  arguments: (arguments (identifier) @verbatim @ref.inherit)
  (#any-of? @_maker "class" "Class"))
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @_class .)
      (expression_list . value: (function_call
        name: (identifier) @_maker
        arguments: (arguments
          . (table_constructor)
          . (table_constructor (field name: (identifier) @_index value: (identifier) @verbatim @ref.inherit)))) .)))
  (#eq? @_maker "setmetatable")
  (#eq? @_index "__index")
  (#match? @_class "^[A-Z]"))

; Types in annotations that end with the type: the name is the last word
((comment content: (comment_content) @name) @ref.inherit
  (#match? @name "^-\\s*@class\\s+(\\(\\w+\\)\\s*)?[\\w.]+\\s*:\\s*[\\w.]+\\s*$"))
((comment content: (comment_content) @name) @ref.type
  (#match? @name "^-\\s*@(param\\s+\\w+\\??|field\\s+(\\w+\\s+)?\\w+\\??|return|type)\\s+[\\w.]*[A-Z.][\\w.]*(\\[\\])?\\??\\s*$"))

; Calls
((function_call name: (identifier) @verbatim) @ref.call
  (#not-any-of? @verbatim "require"))
(function_call name: [
  (dot_index_expression table: (_) @owner field: (identifier) @verbatim)
  (method_index_expression table: (_) @owner method: (identifier) @verbatim)
]) @ref.call

; Functions and values passed as arguments or assigned
(arguments
  [
    (identifier) @verbatim
    (dot_index_expression table: [(identifier) (dot_index_expression)] @owner field: (identifier) @verbatim)
  ] @ref.reference
  (#not-any-of? @verbatim "self" "_" "require"))
(field
  value: [
    (identifier) @verbatim
    (dot_index_expression table: [(identifier) (dot_index_expression)] @owner field: (identifier) @verbatim)
  ] @ref.reference
  (#not-eq? @verbatim "self"))
(assignment_statement
  (variable_list name: (dot_index_expression))
  (expression_list value: (identifier) @verbatim @ref.reference)
  (#not-eq? @verbatim "self"))

; Members, and constants
(dot_index_expression table: [(identifier) (dot_index_expression)] @owner field: (identifier) @verbatim) @ref.reference
((identifier) @verbatim @ref.reference
  (#match? @verbatim "^[A-Z][A-Z0-9_]+$"))

; Names that functions bind
(parameters name: (identifier) @local)
(for_numeric_clause name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(block (variable_declaration (variable_list name: (identifier) @local)))
(block
  (variable_declaration
    (assignment_statement
      (variable_list name: (identifier) @local)
      (expression_list . value: (_) @_value)))
  (#not-match? @_value "^(pcall\\()?require\\b"))
