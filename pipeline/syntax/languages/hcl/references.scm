; HCL: uses

; Imported modules, providers and configurations
((block
    . (identifier) @_word
    . (string_lit (template_literal) @alias)
    . (block_start)
    (body
        (attribute
          . (identifier) @_key
          . (expression . (literal_value (string_lit (template_literal) @name @ref.import))))))
  (#any-of? @_word "module" "dependency")
  (#any-of? @_key "source" "config_path"))
((block
    . (identifier) @_word
    . (block_start)
    (body
        (attribute
          . (identifier) @_key
          . (expression . (literal_value (string_lit (template_literal) @name @ref.import))))))
  (#any-of? @_word "terraform" "module")
  (#eq? @_key "source"))
((block
    . (identifier) @_word
    . (block_start)
    (body
        (attribute
          . (identifier) @alias
          . (expression . (collection_value (object
              (object_elem
                key: (expression . (variable_expr (identifier) @_key))
                val: (expression . (literal_value (string_lit (template_literal) @name @ref.import))))))))))
  (#any-of? @_word "required_providers" "required_plugins")
  (#eq? @_key "source"))

; Aliased provider configurations: `provider = aws.east`
(attribute
  . (identifier) @_key
  . (expression . (variable_expr (identifier) @owner) . (get_attr (identifier) @name @ref.reference))
  (#eq? @_key "provider"))
(attribute
  . (identifier) @_key
  . (expression . (collection_value (object
      (object_elem
        val: (expression
          . (variable_expr (identifier) @owner)
          . (get_attr (identifier) @name @ref.reference))))))
  (#eq? @_key "providers"))

; Names written as strings
(attribute
  . (identifier) @_key
  . (expression . (collection_value (tuple
      (expression . (literal_value (string_lit (template_literal) @name @ref.inherit))))))
  (#eq? @_key "inherits"))
(attribute
  . (identifier) @_key
  . (expression . (collection_value (tuple
      (expression . (literal_value (string_lit (template_literal) @name @ref.reference))))))
  (#any-of? @_key "depends_on" "sources" "targets"))

; `data.<type>.<name>`, `source.<type>.<name>`
(((variable_expr (identifier) @_word)
    . (get_attr (identifier) @owner)
    . (get_attr (identifier) @name @ref.reference))
  (#any-of? @_word "data" "ephemeral" "source"))

; `module.<name>` and its output
(((variable_expr (identifier) @_word)
    . (get_attr (identifier) @owner)
    . (index)?
    . (get_attr (identifier) @name @ref.reference))
  (#eq? @_word "module"))

; `var.<name>`, `local.<name>`, `<type>.<name>`
(((variable_expr (identifier) @owner) . (get_attr (identifier) @name @ref.reference))
  (#match? @owner "^(var|local|module|dependency|include|run|check|target|output|[a-z][a-z0-9-]*_[a-z0-9_-]*)$")
  (#not-any-of? @name "key" "value"))

; Variables without a prefix
((template_interpolation (expression . (variable_expr (identifier) @name @ref.reference) .))
  (#match? @name "^[A-Z][A-Z0-9_]+$"))

; Calls, except of type constructors
((function_call (identifier) @name) @ref.call
  (#not-any-of? @name "any" "list" "map" "object" "optional" "set" "tuple"))
