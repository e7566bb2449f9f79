; YAML: the keys of the first two levels of each document, and those of the third whose value is a mapping
; Lists have no keys. Keys that are prose, numbers or paths in a lock file are not symbols.

; Kubernetes resources are named by their kind and their name
((document (block_node (block_mapping
    (block_mapping_pair
      key: (flow_node (plain_scalar) @_kind)
      value: (flow_node (plain_scalar) @owner))
    .
    (block_mapping_pair
      key: (flow_node (plain_scalar) @_metadata)
      value: (block_node (block_mapping
        (block_mapping_pair
          key: (flow_node (plain_scalar) @_name)
          value: (flow_node [(plain_scalar) @verbatim (double_quote_scalar) @name]))))) @body))) @symbol.struct @scope
  (#eq? @_kind "kind")
  (#eq? @_metadata "metadata")
  (#eq? @_name "name"))
((document (block_node (block_mapping
    (block_mapping_pair
      key: (flow_node (plain_scalar) @_kind)
      value: (flow_node (plain_scalar) @owner))
    . (block_mapping_pair) .
    (block_mapping_pair
      key: (flow_node (plain_scalar) @_metadata)
      value: (block_node (block_mapping
        (block_mapping_pair
          key: (flow_node (plain_scalar) @_name)
          value: (flow_node [(plain_scalar) @verbatim (double_quote_scalar) @name]))))) @body))) @symbol.struct @scope
  (#eq? @_kind "kind")
  (#eq? @_metadata "metadata")
  (#eq? @_name "name"))

; First level
(document (block_node (block_mapping
  (block_mapping_pair
    key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
    value: (block_node (block_mapping) @body)) @symbol.key @scope))
  (#match? @verbatim "^[\"']?[A-Za-z_$@./*][^ \n]{0,99}$"))
(document (block_node (block_mapping
  (block_mapping_pair
    key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
    value: [(flow_node) (block_node [(block_sequence) (block_scalar)] @body)]) @symbol.key))
  (#match? @verbatim "^[\"']?[A-Za-z_$@./*][^ \n]{0,99}$"))

; Second level
(document (block_node (block_mapping
  (block_mapping_pair
    value: (block_node (block_mapping
      (block_mapping_pair
        key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
        value: (block_node (block_mapping) @body)) @symbol.key @scope)))))
  (#match? @verbatim "^[\"']?[A-Za-z_$@./*][^ \n]{0,99}$")
  (#not-match? @verbatim ".@[0-9^~<>=*]|^[\"']?/.*/[0-9]+[.]"))
(document (block_node (block_mapping
  (block_mapping_pair
    value: (block_node (block_mapping
      (block_mapping_pair
        key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
        value: [(flow_node) (block_node [(block_sequence) (block_scalar)] @body)]) @symbol.key)))))
  (#match? @verbatim "^[\"']?[A-Za-z_$@./*][^ \n]{0,99}$")
  (#not-match? @verbatim ".@[0-9^~<>=*]|^[\"']?/.*/[0-9]+[.]"))

; Keys without a value
(document (block_node (block_mapping [
  (block_mapping_pair
    key: (flow_node (plain_scalar) @verbatim) !value) @symbol.key
  (block_mapping_pair
    value: (block_node (block_mapping
      (block_mapping_pair key: (flow_node (plain_scalar) @verbatim) !value) @symbol.key)))
]))
  (#match? @verbatim "^[A-Za-z_$@./*][^ \n]{0,99}$"))

; Third level
(document (block_node (block_mapping
  (block_mapping_pair
    value: (block_node (block_mapping
      (block_mapping_pair
        key: (_) @_second
        value: (block_node (block_mapping
          (block_mapping_pair
            key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
            value: (block_node (block_mapping) @body)) @symbol.key @scope))))))))
  (#match? @verbatim "^[\"']?[A-Za-z_$@./*][^ \n]{0,99}$")
  (#not-match? @_second ".@[0-9^~<>=*]|^[\"']?/.*/[0-9]+[.]"))

; What remains of a document with a syntax error, usually a template
(ERROR [
    (block_mapping_pair
      key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
      value: (block_node (block_mapping) @body)) @symbol.key @scope
    (block_mapping (block_mapping_pair
      key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
      value: (block_node (block_mapping) @body)) @symbol.key @scope)
    (block_mapping_pair
      value: (block_node (block_mapping
        (block_mapping_pair
          key: (flow_node [(plain_scalar) (double_quote_scalar) (single_quote_scalar)] @verbatim)
          value: (_)) @symbol.key @scope)))
  ]
  (#match? @verbatim "^[\"']?[A-Za-z_$@./*][^ \n]{0,99}$"))

; Anchors
((anchor (anchor_name) @verbatim) @symbol.variable
  (#match? @verbatim "^[A-Za-z_]"))

; Comments
(comment) @doc
