; R: uses

; Imports
(call
  function: (identifier) @_import
  arguments: (arguments . (argument !name value: [
    (identifier) @name
    (string content: (string_content) @name)
  ]))
  (#any-of? @_import
    "library" "require" "requireNamespace" "loadNamespace" "attachNamespace" "source" "sys.source")) @ref.import
(call
  function: (namespace_operator lhs: (identifier) @_import rhs: (identifier) @_from)
  arguments: (arguments
    .
    (argument value: (_) @owner)
    (argument !name value: (identifier) @name @ref.import))
  (#any-of? @_import "import")
  (#any-of? @_from "from"))
(call
  function: (namespace_operator lhs: (identifier) @_import rhs: (identifier) @_from)
  arguments: (arguments
    (argument !name value: [
      (identifier) @name
      (binary_operator) @name
      (subset function: (_) @owner arguments: (arguments (argument value: (_) @name)))
    ] @ref.import))
  (#eq? @_import "box")
  (#eq? @_from "use"))

; Base classes
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    (argument
      name: (identifier) @_part
      value: [
        (identifier) @verbatim
        (string content: (string_content) @verbatim)
        (namespace_operator lhs: (_) @owner rhs: (identifier) @verbatim)
        (call function: (identifier) arguments: (arguments (argument value: (string content: (string_content) @verbatim))))
      ] @ref.inherit))
  (#any-of? @_maker "R6Class" "setClass" "setRefClass" "new_class")
  (#any-of? @_part "inherit" "contains" "parent"))
(call
  function: [
    (identifier) @_maker
    (namespace_operator rhs: (identifier) @_maker)
  ]
  arguments: (arguments
    .
    (argument)
    .
    (comma)
    .
    (argument !name value: [
      (identifier) @verbatim
      (namespace_operator lhs: (_) @owner rhs: (identifier) @verbatim)
    ] @ref.inherit))
  (#eq? @_maker "ggproto"))

; Instances: `A$new()`, `new("A")`
(call
  function: (extract_operator
    lhs: [
      (identifier) @verbatim
      (namespace_operator lhs: (_) @owner rhs: (identifier) @verbatim)
    ]
    rhs: (identifier) @_new)
  (#eq? @_new "new")) @ref.instantiate
(call
  function: (identifier) @_new
  arguments: (arguments . (argument value: (string content: (string_content) @verbatim)))
  (#eq? @_new "new")) @ref.instantiate

; Type tests: `inherits(x, "A")`, `is(x, "A")`
(call
  function: (identifier) @_is
  arguments: (arguments
    .
    (argument)
    .
    (comma)
    .
    (argument value: (string content: (string_content) @verbatim) @ref.type))
  (#any-of? @_is "inherits" "is"))

; Calls, except those that define, import or are syntax
((call function: [
    (identifier) @verbatim
    (string content: (string_content) @verbatim)
  ]) @ref.call
  (#not-any-of? @verbatim
    "c" "list" "function" "return" "library" "require" "requireNamespace" "source" "setClass" "setGeneric"
    "setMethod" "setValidity" "setRefClass" "R6Class" "quote" "missing" "invisible"))
(call function: [
  (namespace_operator lhs: (_) @owner rhs: (identifier) @verbatim)
  (extract_operator lhs: (_) @owner rhs: (identifier) @verbatim)
]) @ref.call

; Functions of a package that are passed as arguments
((namespace_operator lhs: (_) @owner rhs: (identifier) @verbatim) @ref.reference
  (#not-any-of? @verbatim "R6Class" "setClass" "setRefClass"))

; Functions called by name: `do.call("f", ...)`, `UseMethod("f")`, `match.fun("f")`
(call
  function: (identifier) @_caller
  arguments: (arguments . (argument value: [
    (string content: (string_content) @verbatim)
    (identifier) @verbatim
  ] @ref.call))
  (#any-of? @_caller "do.call" "UseMethod" "match.fun" "standardGeneric"))

; Functions and values passed as arguments or assigned
(argument value: (identifier) @verbatim @ref.reference
  (#not-any-of? @verbatim "self" "private" "super"))

; Constants
((identifier) @verbatim @ref.reference
  (#match? @verbatim "^\\.?[A-Z][A-Z0-9]*_[A-Z0-9_]+$"))
