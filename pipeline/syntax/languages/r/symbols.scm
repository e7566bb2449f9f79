; R: definitions
; Names are verbatim: a dot is a letter in R.

; R6 classes: the name to which the generator is assigned
(binary_operator
  lhs: (identifier) @verbatim
  operator: ["<-" "<<-" "="]
  rhs: (call function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ])
  (#any-of? @_maker "R6Class" "ggproto" "new_class")) @symbol.class @scope
(braced_expression
  body: (call
    function: [
      (identifier) @_maker
      (namespace_operator rhs: (identifier) @_maker)
    ]
    arguments: (arguments . (argument value: (string content: (string_content) @verbatim)))) @symbol.class @scope
  (#eq? @_maker "R6Class"))

; S4 and reference classes: the registered name
(binary_operator
  lhs: (identifier)
  operator: ["<-" "<<-" "="]
  rhs: (call
    function: [
      (identifier) @_maker
      (namespace_operator rhs: (identifier) @_maker)
    ]
    arguments: (arguments . (argument value: (string content: (string_content) @verbatim))))
  (#any-of? @_maker "setClass" "setRefClass" "setClassUnion")) @symbol.class @scope
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments . (argument value: (string content: (string_content) @verbatim)))
  (#any-of? @_maker "setClass" "setRefClass" "setClassUnion")) @symbol.class @scope

; Slots and fields
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @_part
      value: (call arguments: (arguments (argument name: (_) @verbatim) @symbol.field))))
  (#any-of? @_maker "setClass" "setRefClass" "new_class")
  (#any-of? @_part "slots" "representation" "fields" "properties"))
(call
  function: (identifier) @_maker
  arguments: (arguments
    (argument
      !name
      value: (call
        function: (identifier) @_part
        arguments: (arguments (argument name: (_) @verbatim) @symbol.field))))
  (#eq? @_maker "setClass")
  (#eq? @_part "representation"))

; Members of R6 classes
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @_part
      value: (call arguments: (arguments
        (argument
          name: (_) @verbatim
          value: (function_definition body: (_) @body)) @symbol.constructor @scope))))
  (#any-of? @_maker "R6Class" "setRefClass")
  (#any-of? @_part "public" "methods")
  (#eq? @verbatim "initialize"))
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @_part
      value: (call arguments: (arguments
        (argument
          name: (_) @verbatim
          value: (function_definition body: (_) @body)) @symbol.method @scope))))
  (#any-of? @_maker "R6Class" "setRefClass")
  (#any-of? @_part "public" "private" "methods"))
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @_part
      value: (call arguments: (arguments
        (argument
          name: (_) @verbatim
          value: (function_definition body: (_) @body)) @symbol.property @scope))))
  (#eq? @_maker "R6Class")
  (#eq? @_part "active"))
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @_part
      value: (call arguments: (arguments (argument name: (_) @verbatim) @symbol.field))))
  (#eq? @_maker "R6Class")
  (#any-of? @_part "public" "private"))

; Members of prototypes: `ggproto("A", B, f = function() ...)`
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @verbatim
      value: (function_definition body: (_) @body)) @symbol.method @scope)
  (#eq? @_maker "ggproto"))
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments (argument name: (identifier) @verbatim) @symbol.field)
  (#eq? @_maker "ggproto"))

; Methods added to a class later: `A$methods(f = function() ...)`, `A$set("public", "f", function() ...)`
(call
  function: (extract_operator lhs: (identifier) @owner rhs: (identifier) @_methods)
  arguments: (arguments
    (argument
      name: (identifier) @verbatim
      value: (function_definition body: (_) @body)) @symbol.method @scope)
  (#eq? @_methods "methods"))
(call
  function: (extract_operator lhs: (identifier) @owner rhs: (identifier) @_methods)
  arguments: (arguments
    (argument
      value: (call arguments: (arguments
        (argument
          name: (identifier) @verbatim
          value: (function_definition body: (_) @body)) @symbol.method @scope))))
  (#eq? @_methods "methods"))
(call
  function: (extract_operator lhs: (identifier) @owner rhs: (identifier) @_set)
  arguments: (arguments
    .
    (argument value: (string))
    .
    (comma)
    .
    (argument value: (string content: (string_content) @verbatim))
    .
    (comma)
    .
    (argument value: (function_definition body: (_) @body)))
  (#eq? @_set "set")) @symbol.method @scope

; Generic functions
(binary_operator
  lhs: (identifier) @verbatim
  operator: ["<-" "<<-" "="]
  rhs: (call function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ])
  (#eq? @_maker "new_generic")) @symbol.function
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments . (argument value: (string content: (string_content) @verbatim)))
  (#eq? @_maker "setGeneric")) @symbol.function @scope

; Methods of S4 classes: the owner is the first class of the signature
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    .
    (argument value: (string content: (string_content) @verbatim))
    .
    (comma)
    .
    (argument value: [
      (string content: (string_content) @owner)
      (call arguments: (arguments . (argument value: (string content: (string_content) @owner))))
    ])
    (argument value: (function_definition body: (_) @body)))
  (#any-of? @_maker "setMethod" "setReplaceMethod")) @symbol.method @scope
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    .
    (argument value: (string content: (string_content) @verbatim))
    .
    (comma)
    .
    (argument value: [
      (string content: (string_content) @owner)
      (call arguments: (arguments . (argument value: (string content: (string_content) @owner))))
    ]))
  (#any-of? @_maker "setMethod" "setReplaceMethod")) @symbol.method @scope
(call
  function: (identifier) @verbatim
  arguments: (arguments
    .
    (argument value: (string content: (string_content) @owner))
    .
    (comma)
    .
    (argument value: (function_definition body: (_) @body)))
  (#eq? @verbatim "setValidity")) @symbol.method @scope

; Methods of S7 classes: `method(area, Circle) <- function(x) ...`
(binary_operator
  lhs: (call
    function: (identifier) @_method
    arguments: (arguments
      .
      (argument value: (identifier) @verbatim)
      .
      (comma)
      .
      (argument value: [
        (identifier) @owner
        (call arguments: (arguments . (argument value: (identifier) @owner)))
      ])))
  rhs: (function_definition body: (_) @body)
  (#eq? @_method "method")) @symbol.method @scope

; Functions
(binary_operator
  lhs: [
    (identifier) @verbatim
    (string content: (string_content) @verbatim)
    (extract_operator lhs: (identifier) @owner rhs: (identifier) @verbatim)
    (extract_operator lhs: (identifier) @owner rhs: (string content: (string_content) @verbatim))
  ]
  operator: ["<-" "<<-" "=" ":="]
  rhs: (function_definition body: (_) @body)) @symbol.function @scope
(binary_operator
  lhs: (parenthesized_expression (function_definition))
  operator: ["->" "->>"]
  rhs: (identifier) @verbatim) @symbol.function @scope

; Functions assigned to a name through a wrapper
(binary_operator
  lhs: (identifier) @verbatim
  operator: ["<-" "<<-" "="]
  rhs: (call
    function: [
      (identifier) @_wrapper
      (namespace_operator rhs: (identifier) @_wrapper)
    ]
    arguments: (arguments . (argument value: (function_definition body: (_) @body))))
  (#any-of? @_wrapper "Vectorize" "memoise" "compiler" "cmpfun" "local" "once" "on_load" "safely" "possibly" "reactive"))
  @symbol.function @scope

; Functions in lists
(call
  function: (identifier) @_list
  arguments: (arguments
    (argument
      name: [
        (identifier) @verbatim
        (string content: (string_content) @verbatim)
      ]
      value: (function_definition body: (_) @body)) @symbol.function @scope)
  (#any-of? @_list "list" "c" "structure"))

; Tests
(call
  function: [
    (identifier) @_test
    (namespace_operator rhs: (identifier) @_test)
  ]
  arguments: (arguments
    .
    (argument value: (string content: (string_content) @verbatim))
    .
    (comma)
    .
    (argument value: (braced_expression) @body))
  (#any-of? @_test "test_that" "describe" "it")) @symbol.test @scope

; Constants and variables of the file
(program
  (binary_operator
    lhs: (identifier) @verbatim
    operator: ["<-" "<<-" "="]
    rhs: [
      (call function: (_) @_function)
      (string) (integer) (float) (complex) (true) (false) (null) (na) (unary_operator) (binary_operator) (subset)
      (subset2) (extract_operator) (namespace_operator) (braced_expression) (parenthesized_expression)
      (identifier)
    ]) @symbol.constant @scope
  (#match? @verbatim "^\\.?[A-Z][A-Z0-9_.]+$")
  (#not-match? @_function "(set(Ref)?Class(Union)?|setGeneric)$"))
(program
  (binary_operator
    lhs: (identifier) @verbatim
    operator: ["<-" "<<-" "="]
    rhs: [
      (call function: (_) @_function)
      (string) (integer) (float) (complex) (true) (false) (null) (na) (unary_operator) (binary_operator) (subset)
      (subset2) (extract_operator) (namespace_operator) (braced_expression) (parenthesized_expression)
      (identifier) (if_statement)
    ]) @symbol.variable @scope
  (#not-match? @_function "(set(Ref)?Class(Union)?|setGeneric)$"))
(program
  (binary_operator
    operator: ["->" "->>"]
    rhs: (identifier) @verbatim) @symbol.variable)

; The name of a list qualifies its members
(binary_operator
  lhs: (identifier) @verbatim
  operator: ["<-" "<<-" "="]
  rhs: (call function: (identifier) @_list)
  (#eq? @_list "list")) @scope

; Documentation
(comment) @doc
