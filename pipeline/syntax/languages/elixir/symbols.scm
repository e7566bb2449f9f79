; Elixir: definitions
; Every definition is a call; its target is the kind of definition.

; A module that defines a struct counts as that struct
(call
  target: (identifier) @_def
  (arguments . [(alias) @name (dot right: (alias) @name)])
  (do_block
    .
    (unary_operator
      operand: (call
        target: (identifier) @_moduledoc
        (arguments [
          (string . (quoted_content) @doc .)
          (string (quoted_content) . [(escape_sequence) (interpolation)]) @doc
          (sigil (quoted_content) @doc)
        ])))
    (call target: (identifier) @_struct)) @body
  (#eq? @_def "defmodule")
  (#eq? @_moduledoc "moduledoc")
  (#any-of? @_struct "defstruct" "defexception" "schema" "embedded_schema" "typedstruct")) @symbol.struct @scope
(call
  target: (identifier) @_def
  (arguments . [(alias) @name (dot right: (alias) @name)])
  (do_block (call target: (identifier) @_struct)) @body
  (#eq? @_def "defmodule")
  (#any-of? @_struct "defstruct" "defexception" "schema" "embedded_schema" "typedstruct")) @symbol.struct @scope

; Modules
(call
  target: (identifier) @_def
  (arguments . [(alias) (atom) (dot right: (alias))] @name)
  (do_block
    (unary_operator
      operand: (call
        target: (identifier) @_moduledoc
        (arguments [
          (string . (quoted_content) @doc .)
          (string (quoted_content) . [(escape_sequence) (interpolation)]) @doc
          (sigil (quoted_content) @doc)
        ])))) @body
  (#eq? @_def "defmodule")
  (#eq? @_moduledoc "moduledoc")) @symbol.module @scope
(call
  target: (identifier) @_def
  (arguments . [(alias) @name (atom) @name (dot right: (alias) @name)])
  (do_block)? @body
  (#eq? @_def "defmodule")) @symbol.module @scope

; Protocols
(call
  target: (identifier) @_def
  (arguments . [(alias) @name (dot right: (alias) @name)])
  (do_block
    (unary_operator
      operand: (call
        target: (identifier) @_moduledoc
        (arguments [
          (string . (quoted_content) @doc .)
          (string (quoted_content) . [(escape_sequence) (interpolation)]) @doc
          (sigil (quoted_content) @doc)
        ])))) @body
  (#eq? @_def "defprotocol")
  (#eq? @_moduledoc "moduledoc")) @symbol.interface @scope
(call
  target: (identifier) @_def
  (arguments . [(alias) @name (dot right: (alias) @name)])
  (do_block)? @body
  (#eq? @_def "defprotocol")) @symbol.interface @scope

; Implementations are scopes, not symbols, named by the protocol and the type
(call
  target: (identifier) @_def
  (arguments
    .
    (alias) @owner
    .
    (keywords . (pair key: (keyword) @_for value: (alias) @name)))
  (#eq? @_def "defimpl")
  (#match? @_for "^for:")) @scope
(call
  target: (identifier) @_def
  (arguments
    .
    (alias) @name
    .
    (keywords . (pair value: [(list) (identifier) (atom) (call) (dot)]))?
    .)
  (#eq? @_def "defimpl")) @scope

; Functions with parameters, also with a guard
(call
  target: (identifier) @_def
  (arguments
    .
    [
      (call target: (identifier) @verbatim (arguments) @arity)
      (binary_operator left: (call target: (identifier) @verbatim (arguments) @arity) operator: "when")
    ]
    .
    (keywords)? @body)
  (do_block)? @body
  (#any-of? @_def "def" "defp" "defn" "defnp")
  (#not-eq? @verbatim "unquote")) @symbol.function
(call
  target: (identifier) @_def
  (arguments . (call target: (identifier) @verbatim (arguments) @arity))
  (#eq? @_def "defdelegate")
  (#not-eq? @verbatim "unquote")) @symbol.function

; Functions without parameters
(call
  target: (identifier) @_def
  (arguments
    .
    [(identifier) @verbatim (binary_operator left: (identifier) @verbatim operator: "when")]
    .
    (keywords)? @body)
  (do_block)? @body
  (#any-of? @_def "def" "defp" "defn" "defnp")
  (#set! arity 0)) @symbol.function
(call
  target: (identifier) @_def
  (arguments . (identifier) @verbatim)
  (#eq? @_def "defdelegate")
  (#set! arity 0)) @symbol.function

; Macros and guards
(call
  target: (identifier) @_def
  (arguments
    .
    [
      (call target: (identifier) @verbatim (arguments) @arity)
      (binary_operator left: (call target: (identifier) @verbatim (arguments) @arity) operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#not-eq? @verbatim "unquote")) @symbol.macro
(call
  target: (identifier) @_def
  (arguments . [(identifier) @verbatim (binary_operator left: (identifier) @verbatim operator: "when")])
  (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop" "defguard" "defguardp")
  (#set! arity 0)) @symbol.macro

; Operators, as functions and as macros
(call
  target: (identifier) @_def
  (arguments
    .
    [
      (binary_operator operator: _ @verbatim)
      (binary_operator left: (binary_operator operator: _ @verbatim) operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_def "def" "defp")
  (#not-any-of? @verbatim "when" "\\\\" "::")
  (#set! arity 2)) @symbol.function
(call
  target: (identifier) @_def
  (arguments
    .
    [
      (binary_operator operator: _ @verbatim)
      (binary_operator left: (binary_operator operator: _ @verbatim) operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_def "defmacro" "defmacrop")
  (#not-any-of? @verbatim "when" "\\\\" "::")
  (#set! arity 2)) @symbol.macro

(call
  target: (identifier) @_def
  (arguments
    .
    [
      (unary_operator operator: _ @verbatim)
      (binary_operator left: (unary_operator operator: _ @verbatim) operator: "when")
    ])
  (do_block)? @body
  (#any-of? @_def "def" "defp")
  (#not-any-of? @verbatim "@" "&")
  (#set! arity 1)) @symbol.function

; Callbacks of a behaviour
(unary_operator
  operand: (call
    target: (identifier) @_callback
    (arguments
      .
      [
        (binary_operator
          left: (call target: (identifier) @verbatim (arguments) @arity)
          operator: "::")
        (binary_operator
          left: (binary_operator
            left: (call target: (identifier) @verbatim (arguments) @arity)
            operator: "::")
          operator: "when")
      ]))
  (#any-of? @_callback "callback" "macrocallback")) @symbol.function
(unary_operator
  operand: (call
    target: (identifier) @_callback
    (arguments . (binary_operator left: (identifier) @verbatim operator: "::")))
  (#any-of? @_callback "callback" "macrocallback")
  (#set! arity 0)) @symbol.function

; Types
(unary_operator
  operand: (call
    target: (identifier) @_type
    (arguments
      .
      (binary_operator
        left: [
          (identifier) @verbatim
          (call target: (identifier) @verbatim)
        ]
        operator: "::")))
  (#any-of? @_type "type" "typep" "opaque")) @symbol.type

; Records
(call
  target: [(identifier) @_record (dot right: (identifier) @_record)]
  (arguments . (atom) @name)
  (#any-of? @_record "defrecord" "defrecordp")) @symbol.struct

; Fields of a struct, an exception, a schema
(call
  target: (identifier) @_struct
  (arguments
    .
    [
      (list (atom) @name @symbol.field)
      (list (keywords (pair key: (keyword) @name) @symbol.field))
      (keywords (pair key: (keyword) @name) @symbol.field)
    ])
  (#any-of? @_struct "defstruct" "defexception"))
(call
  target: (identifier) @_schema
  (do_block
    (call
      target: (identifier) @_field
      (arguments . (atom) @name)) @symbol.field)
  (#any-of? @_schema "schema" "embedded_schema" "typedstruct")
  (#any-of? @_field
    "field" "belongs_to" "has_one" "has_many" "many_to_many" "embeds_one" "embeds_many"))

; Tests
(call
  target: (identifier) @_test
  (arguments . [
    (string . (quoted_content) @verbatim .)
    (string [(interpolation) (escape_sequence)]) @verbatim
  ])
  (do_block) @body
  (#eq? @_test "describe")) @symbol.test @scope
(call
  target: (identifier) @_test
  (arguments . [
    (string . (quoted_content) @verbatim .)
    (string [(interpolation) (escape_sequence)]) @verbatim
  ])
  (do_block) @body
  (#any-of? @_test "test" "property" "feature")) @symbol.test

; Module attributes with a value
(do_block
  (unary_operator
    operand: (call target: (identifier) @verbatim (arguments (_)))) @symbol.constant
  (#not-any-of? @verbatim
    "after_compile" "after_verify" "before_compile" "behavior" "behaviour" "callback" "compile" "deprecated"
    "derive" "describetag" "dialyzer" "doc" "enforce_keys" "external_resource" "fallback_to_any" "file" "impl"
    "macrocallback" "moduledoc" "moduletag" "nifs" "on_definition" "on_load" "opaque" "optional_callbacks"
    "recursive" "requirements" "shortdoc" "since" "spec" "tag" "tmp_dir" "type" "typedoc" "typep" "vsn"))

; Documentation and other attributes before a definition
(unary_operator
  operand: (call
    target: (identifier) @_doc
    (arguments [
      (string . (quoted_content) @doc .)
      (string (quoted_content) . [(escape_sequence) (interpolation)]) @doc
      (sigil (quoted_content) @doc)
    ]))
  (#any-of? @_doc "doc" "typedoc")) @attribute
(unary_operator
  operand: (call
    target: (identifier) @_attribute
    (arguments . [(binary_operator) (boolean) (keywords) (alias) (call) (atom) (list) (charlist)]))
  (#any-of? @_attribute
    "spec" "impl" "doc" "typedoc" "deprecated" "dialyzer" "tag" "since" "decorate" "describetag")) @attribute
(comment) @doc
