; YAML: uses

; Aliases: mappings merged with `<<`, and other anchored values
((block_mapping_pair
    key: (flow_node (plain_scalar) @_merge)
    value: (flow_node (alias (alias_name) @verbatim))) @ref.inherit
  (#eq? @_merge "<<"))
((alias (alias_name) @verbatim) @ref.reference
  (#match? @verbatim "^[A-Za-z_]"))

; References in a schema (`$ref`)
((block_mapping_pair
    key: (flow_node (plain_scalar) @_ref)
    value: (flow_node [(single_quote_scalar) (double_quote_scalar) (plain_scalar)] @verbatim)) @ref.reference
  (#eq? @_ref "$ref"))

; Actions, workflows and included files
((block_mapping_pair
    key: (flow_node (plain_scalar) @_uses)
    value: (flow_node (plain_scalar) @name)) @ref.import
  (#any-of? @_uses "uses" "include_tasks" "import_tasks" "import_playbook" "include_role" "import_role"))
