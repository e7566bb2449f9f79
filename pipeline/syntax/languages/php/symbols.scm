; PHP: definitions

; Namespaces. One without a body applies to the whole file
(program
  (php_tag) @body
  (namespace_definition !body name: (_) @name)) @symbol.namespace @scope
(namespace_definition name: (_) @name body: (_)) @symbol.namespace @scope

; Types
(class_declaration name: (_) @name) @symbol.class @scope
(anonymous_class "class" @verbatim body: (_)) @symbol.class @scope
(interface_declaration name: (_) @name) @symbol.interface @scope
(trait_declaration name: (_) @name) @symbol.trait @scope
(enum_declaration name: (_) @name) @symbol.enum @scope
(enum_case name: (_) @verbatim) @symbol.enum_member

; Tests of a test case
(class_declaration
  (base_clause) @_case
  body: (declaration_list (method_declaration name: (_) @verbatim) @symbol.test)
  (#match? @_case "Test(Case)?\\b")
  (#match? @verbatim "^test"))
(method_declaration
  attributes: (attribute_list (attribute_group (attribute [(name) (qualified_name)] @_test)))
  name: (_) @verbatim
  (#any-of? @_test "Test" "\\PHPUnit\\Framework\\Attributes\\Test")) @symbol.test

; Constructors and methods
((method_declaration name: (_) @verbatim) @symbol.constructor
  (#match? @verbatim "^__[cC][oO][nN][sS][tT][rR][uU][cC][tT]$"))
(method_declaration name: (_) @verbatim) @symbol.method

; Functions. Nested ones belong to the namespace as well
(function_definition name: (_) @verbatim) @symbol.function

; Properties. Several in one declaration each have their own extent
(property_declaration
  (property_element name: (variable_name (name) @verbatim)) @symbol.property
  .
  (property_element))
(property_declaration
  (property_element)
  .
  (property_element name: (variable_name (name) @verbatim)) @symbol.property)
(property_declaration
  (property_element name: (variable_name (name) @verbatim))
  (property_hook_list)? @body) @symbol.property
(property_promotion_parameter
  name: [
    (variable_name (name) @verbatim)
    (by_ref (variable_name (name) @verbatim))
  ]) @symbol.property

; Constants
(const_declaration
  (const_element . (name) @verbatim) @symbol.constant
  .
  (const_element))
(const_declaration
  (const_element)
  .
  (const_element . (name) @verbatim) @symbol.constant)
(const_declaration
  (const_element . (name) @verbatim)) @symbol.constant
(function_call_expression
  function: [(name) (qualified_name)] @_define
  arguments: (arguments
    .
    (argument [
      (string . (string_content) @name .)
      (encapsed_string . (string_content) @name .)
    ]))
  (#any-of? @_define "define" "\\define")) @symbol.constant

; Variables of the program
(program
  (expression_statement
    (assignment_expression left: (variable_name (name) @verbatim))) @symbol.variable)

; Tests that are a call with a string and a function
(function_call_expression
  function: (name) @_test
  arguments: (arguments
    .
    (argument [
      (string . (string_content) @verbatim .)
      (encapsed_string . (string_content) @verbatim .)
      (encapsed_string [(escape_sequence) (variable_name) (subscript_expression) (member_access_expression)]) @verbatim
    ])
    .
    (argument [
      (anonymous_function body: (_) @body)
      (arrow_function body: (_) @body)
    ]))
  (#eq? @_test "describe")) @symbol.test @scope
(function_call_expression
  function: (name) @_test
  arguments: (arguments
    .
    (argument [
      (string . (string_content) @verbatim .)
      (encapsed_string . (string_content) @verbatim .)
      (encapsed_string [(escape_sequence) (variable_name) (subscript_expression) (member_access_expression)]) @verbatim
    ])
    .
    (argument [
      (anonymous_function body: (_) @body)
      (arrow_function body: (_) @body)
    ]))
  (#any-of? @_test "test" "it" "arch")) @symbol.test

; Documentation
(comment) @doc
