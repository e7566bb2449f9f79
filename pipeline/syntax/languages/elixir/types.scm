; Elixir: types of names
; A struct is the module that defines it, and so is the type `t` of a module with fields.

; Results and first parameters by the specification before a function
((unary_operator
    operator: "@"
    operand: (call
      target: (identifier) @_spec
      (arguments . [
        (binary_operator left: (call) operator: "::" right: (_) @type)
        (binary_operator left: (binary_operator left: (call) operator: "::" right: (_) @type) operator: "when")
      ])))
  .
  (call
    target: (identifier) @_def
    (arguments . [
      (call target: (identifier) @typed)
      (binary_operator left: (call target: (identifier) @typed) operator: "when")
      (identifier) @typed
    ]))
  (#eq? @_spec "spec")
  (#any-of? @_def "def" "defp"))
((unary_operator
    operator: "@"
    operand: (call
      target: (identifier) @_spec
      (arguments . [
        (binary_operator left: (call (arguments . (_) @type)) operator: "::")
        (binary_operator left: (binary_operator left: (call (arguments . (_) @type)) operator: "::") operator: "when")
      ])))
  .
  (call
    target: (identifier) @_def
    (arguments . [
      (call (arguments . (identifier) @typed))
      (binary_operator left: (call (arguments . (identifier) @typed)) operator: "when")
    ]))
  (#eq? @_spec "spec")
  (#any-of? @_def "def" "defp"))
((unary_operator
    operator: "@"
    operand: (call
      target: (identifier) @_spec
      (arguments . [
        (binary_operator left: (call (arguments . (_) . (_) @type)) operator: "::")
        (binary_operator left: (binary_operator left: (call (arguments . (_) . (_) @type)) operator: "::") operator: "when")
      ])))
  .
  (call
    target: (identifier) @_def
    (arguments . [
      (call (arguments . (_) . (identifier) @typed))
      (binary_operator left: (call (arguments . (_) . (identifier) @typed)) operator: "when")
    ]))
  (#eq? @_spec "spec")
  (#any-of? @_def "def" "defp"))

; Types of structs
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_type
    (arguments
      .
      (binary_operator
        left: [(identifier) @typed (call target: (identifier) @typed)]
        operator: "::"
        right: (map (struct (_) @type)))))
  (#any-of? @_type "type" "typep" "opaque"))

; Structs: patterns and values
(binary_operator left: (map (struct (_) @type)) operator: "=" right: (identifier) @typed)
(binary_operator left: (identifier) @typed operator: "=" right: (map (struct (_) @type)))
(binary_operator
  left: (identifier) @typed
  operator: "="
  right: (map (map_content (binary_operator left: (_) @value operator: "|"))))

; Values
(binary_operator left: (identifier) @typed operator: "=" right: [(call) (identifier) (unary_operator)] @value)
(binary_operator
  left: (identifier) @typed
  operator: "="
  right: (binary_operator operator: "|>" right: (call) @value))
(call
  target: (identifier) @_for
  (arguments (binary_operator left: (identifier) @typed operator: "<-" right: (_) @iterated))
  (#eq? @_for "for"))
(call
  target: (identifier) @_for
  (arguments (binary_operator left: (map (struct (_) @type)) operator: "<-"))
  (#eq? @_for "for"))

; Exceptions
(binary_operator left: (identifier) @typed operator: "in" right: (alias) @type)
(binary_operator
  left: (identifier) @typed
  operator: "="
  right: (call target: (identifier) @_raise (arguments . (alias) @type))
  (#eq? @_raise "assert_raise"))

; Returned expressions: the last one, also of the clauses of a `case` or `if` that is the last
(call
  target: (identifier) @_def
  (do_block [
    (map (struct (_) @type)) @returns
    (map (map_content (binary_operator left: (_) @returns operator: "|")))
    (call) @returns
    (identifier) @returns
    (binary_operator operator: "|>" right: (call) @returns)
    (binary_operator operator: "=" right: (map (struct (_) @type)) @returns)
  ] .)
  (#any-of? @_def "def" "defp")
  (#not-match? @returns "^(case|cond|if|unless|with|for|try|receive|quote|raise)\\b"))
(call
  target: (identifier) @_def
  (arguments
    (keywords
      .
      (pair
        key: (keyword) @_do
        value: [
          (map (struct (_) @type)) @returns
          (map (map_content (binary_operator left: (_) @returns operator: "|")))
          (call) @returns
          (identifier) @returns
          (binary_operator operator: "|>" right: (call) @returns)
        ])))
  (#any-of? @_def "def" "defp")
  (#match? @_do "^do:")
  (#not-match? @returns "^(case|cond|if|unless|with|for|try|receive|quote|raise)\\b"))
(call
  target: (identifier) @_def
  (do_block
    (call
      (do_block
        (stab_clause
          right: (body [
            (map (struct (_) @type)) @returns
            (map (map_content (binary_operator left: (_) @returns operator: "|")))
            (call) @returns
            (identifier) @returns
            (binary_operator operator: "|>" right: (call) @returns)
          ] .))))
    .)
  (#any-of? @_def "def" "defp")
  (#not-match? @returns "^(case|cond|if|unless|with|for|try|receive|quote|raise)\\b"))
(call
  target: (identifier) @_def
  (do_block
    (call
      target: (identifier) @_if
      (do_block [
        (map (struct (_) @type)) @returns
        (map (map_content (binary_operator left: (_) @returns operator: "|")))
        (call) @returns
        (identifier) @returns
        (binary_operator operator: "|>" right: (call) @returns)
        (else_block [(call) (identifier)] @returns .)
      ]))
    .)
  (#any-of? @_def "def" "defp")
  (#any-of? @_if "if" "unless")
  (#not-match? @returns "^(case|cond|if|unless|with|for|try|receive|quote|raise)\\b"))
