; Elixir: uses

; Imports: a module, a module with an alias, several submodules
(call
  target: (identifier) @_import
  (arguments
    .
    [(alias) (atom) (dot right: (alias))] @name
    .
    (keywords (pair key: (keyword) @_as value: (alias) @alias)))
  (#any-of? @_import "alias" "require")
  (#match? @_as "^as:")) @ref.import
(call
  target: (identifier) @_import
  (arguments . [(alias) (atom) (dot right: (alias))] @name)
  (#any-of? @_import "alias" "import" "require")) @ref.import
(call
  target: (identifier) @_import
  (arguments . (dot left: (_) @owner right: (tuple (alias) @name @ref.import)))
  (#any-of? @_import "alias" "import" "require" "use"))

; A module that is used defines functions in the one that uses it
(call
  target: (identifier) @_use
  (arguments . [(alias) (atom) (dot right: (alias))] @name)
  (#eq? @_use "use")) @ref.inherit

; Implemented protocols and behaviours: @owner is the implementing type
(call
  target: (identifier) @_defimpl
  (arguments
    .
    (alias) @name @ref.implement
    .
    (keywords (pair key: (keyword) @_for value: (_) @owner)))
  (#eq? @_defimpl "defimpl")
  (#match? @_for "^for:"))
(call
  target: (identifier) @_defimpl
  (arguments . (alias) @name @ref.implement)
  (#eq? @_defimpl "defimpl"))
(unary_operator
  operand: (call
    target: (identifier) @_behaviour
    (arguments [
      (alias) @name @ref.implement
      (list (alias) @name @ref.implement)
      (list (tuple . (alias) @name @ref.implement))
      (tuple . (alias) @name @ref.implement)
    ]))
  (#any-of? @_behaviour "behaviour" "behavior" "derive"))

; Structs
(struct (alias) @name) @ref.instantiate

; Fields of structs: `%M{field: value}`
(map
  (struct (alias) @owner)
  (map_content (keywords (pair key: (keyword) @name @ref.reference))))

; Captured functions: `&f/1`, `&M.f/1`
(unary_operator
  operator: "&"
  operand: (binary_operator
    left: [
      (identifier) @verbatim
      (call target: (dot left: (_) @owner right: (identifier) @verbatim))
    ]
    operator: "/") @ref.reference)

; Functions named in a `@spec`
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_spec
    (arguments
      .
      [
        (binary_operator left: (call target: (identifier) @verbatim) operator: "::")
        (binary_operator left: (identifier) @verbatim operator: "::")
        (binary_operator
          left: (binary_operator left: (call target: (identifier) @verbatim) operator: "::")
          operator: "when")
      ] @ref.reference))
  (#eq? @_spec "spec"))

; Types of other modules: `M.t()`
(call
  target: (dot left: (alias) @name right: (identifier) @_type)
  (#eq? @_type "t")
  (#not-any-of? @name "String" "Keyword")) @ref.type

; Calls into other modules. On a variable and without arguments, it is a field
(call
  target: (dot left: [(alias) (atom)] @owner right: (identifier) @verbatim)
  (#not-eq? @verbatim "t")) @ref.call
(call
  target: (dot left: (_) @owner right: (identifier) @verbatim)
  (arguments)
  (#not-eq? @verbatim "t")) @ref.call

(call target: (dot left: (_) @owner right: (identifier) @verbatim) (do_block)) @ref.call

; Fields
(call target: (dot left: (_) @owner right: (identifier) @verbatim)
  (#not-eq? @verbatim "t")) @ref.reference

; Calls in this module, except of syntactic macros
(call
  target: (identifier) @verbatim
  (arguments . "(")
  (#not-any-of? @verbatim
    "alias" "case" "cond" "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro"
    "defmacrop" "defmodule" "defn" "defnp" "defoverridable" "defp" "defprotocol" "defrecord" "defrecordp"
    "defstruct" "do" "end" "for" "if" "import" "quote" "receive" "require" "super" "try" "unless" "unquote"
    "unquote_splicing" "use" "with")) @ref.call
(call
  target: (identifier) @verbatim
  (#not-any-of? @verbatim
    "alias" "case" "cond" "def" "defdelegate" "defexception" "defguard" "defguardp" "defimpl" "defmacro"
    "defmacrop" "defmodule" "defn" "defnp" "defoverridable" "defp" "defprotocol" "defrecord" "defrecordp"
    "defstruct" "do" "end" "for" "if" "import" "quote" "receive" "require" "super" "try" "unless" "unquote"
    "unquote_splicing" "use" "with"
    "after_compile" "after_verify" "before_compile" "behavior" "behaviour" "callback" "compile" "deprecated"
    "derive" "describe" "describetag" "dialyzer" "doc" "enforce_keys" "external_resource" "fallback_to_any" "file"
    "impl" "macrocallback" "moduledoc" "moduletag" "nifs" "on_definition" "on_load" "opaque"
    "optional_callbacks" "recursive" "requirements" "shortdoc" "since" "spec" "tag" "test" "tmp_dir" "type"
    "typedoc" "typep" "vsn")) @ref.call
(binary_operator operator: "|>" right: (identifier) @verbatim) @ref.call

; Module attributes
(unary_operator operator: "@" operand: (identifier) @verbatim) @ref.reference

; Callbacks by name
(call
  target: (identifier) @_plug
  (arguments . (atom) @name @ref.reference)
  (#any-of? @_plug "plug" "on_mount" "defoverridable"))

; Modules passed as arguments
(arguments (alias) @name @ref.type)

; Modules before their functions
(call target: (dot left: (alias) @name @ref.reference))
(list (alias) @name @ref.type)
(tuple (alias) @name @ref.type)
((pair key: (_) @_key value: (alias) @name @ref.type)
  (#not-match? @_key "^(as|for):"))
(binary_operator operator: ["in" "=" "==" "|" "\\\\"] right: (alias) @name @ref.type)
