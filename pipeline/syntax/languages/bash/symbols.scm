; Bash: definitions

; Functions, in both forms. A function inside another one is global as well
(function_definition name: (word) @verbatim) @symbol.function

; Tests of bats
(command
  name: (command_name (word) @_test)
  . argument: [(string (string_content) @verbatim) (raw_string) @verbatim (word) @verbatim]
  (#eq? @_test "@test")) @symbol.test

; Aliases: `alias ll='ls -l'`
(command
  name: (command_name (word) @_alias)
  argument: [
    (word) @verbatim
    (concatenation . (word) @verbatim)
  ] @symbol.macro
  (#eq? @_alias "alias")
  (#match? @verbatim "^[^-=$]+="))

; Constants
(declaration_command
  "readonly"
  [
    (variable_assignment name: (variable_name) @name)
    (variable_assignment name: (subscript name: (variable_name) @name))
    (variable_name) @name
  ]) @symbol.constant
(declaration_command
  ["declare" "typeset" "export"]
  . (word) @_flag
  (variable_assignment name: (variable_name) @name)
  (#match? @_flag "^-[a-zA-Z]*r")) @symbol.constant

; Declared variables
(declaration_command
  ["declare" "typeset" "export"]
  (variable_assignment name: (variable_name) @name)) @symbol.variable
(declaration_command
  ["declare" "typeset"]
  . (word) @_flag
  (variable_name) @name
  (#match? @_flag "^-[a-zA-Z]*[aAigx]")) @symbol.variable

; Variables assigned at the top level, also conditionally
(program
  [
    (variable_assignment name: (variable_name) @name) @symbol.variable
    (variable_assignments (variable_assignment name: (variable_name) @name) @symbol.variable)
    (list (variable_assignment name: (variable_name) @name) @symbol.variable)
  ])
(program
  (if_statement
    [
      (variable_assignment name: (variable_name) @name) @symbol.variable
      (elif_clause (variable_assignment name: (variable_name) @name) @symbol.variable)
      (else_clause (variable_assignment name: (variable_name) @name) @symbol.variable)
    ]))

; Defaults: `: "${NAME:=value}"`
(program
  (command
    name: (command_name (word) @_colon)
    argument: [
      (string (expansion (variable_name) @name operator: [":=" "="]))
      (expansion (variable_name) @name operator: [":=" "="])
    ]) @symbol.variable
  (#eq? @_colon ":"))

; Documentation: comments, except the `#!` line, rulers and directives for linters
((comment) @doc
  (#not-match? @doc "^#(!|[-#=*_~+ \t]*$|[ \t]*shellcheck )"))
((comment) @attribute
  (#match? @attribute "^#([-#=*_~+ \t]*$|[ \t]*shellcheck )"))
