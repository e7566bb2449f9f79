; HCL: definitions
; A block is named by its labels, prefixed as in the language's references to it:
; `aws_instance.web`, `data.aws_ami.base`, `module.network`.

; Blocks with two labels, except resources, are prefixed with the block type
((block . (identifier) @name . (string_lit) . (string_lit)) @scope
  (#not-eq? @name "resource"))

; Resources, data sources, image sources: type and name
(block
  . (identifier)
  . (string_lit (template_literal) @owner)
  . (string_lit (template_literal) @verbatim)
  . (block_start) (body)? @body) @symbol.struct @scope

; Inputs, local values, outputs
(config_file (body
  (block
    . (identifier) @_word
    . [(identifier) @verbatim (string_lit (template_literal) @verbatim)]
    . (block_start) (body)? @body) @symbol.variable)
  (#eq? @_word "variable")
  (#set! owner "var"))
(config_file (body
  (block
    . (identifier) @_word
    . (block_start)
    (body (attribute . (identifier) @name) @symbol.variable)))
  (#eq? @_word "variables")
  (#set! owner "var"))
(config_file (body
  (block
    . (identifier) @owner
    . (string_lit (template_literal) @verbatim)
    . (block_start) (body)? @body) @symbol.constant)
  (#eq? @owner "local"))
(config_file (body
  (block
    . (identifier) @_word
    . (block_start)
    (body (attribute . (identifier) @name) @symbol.constant)))
  (#eq? @_word "locals")
  (#set! owner "local"))
(config_file (body
  (block
    . (identifier) @owner
    . (string_lit (template_literal) @verbatim)
    . (block_start) (body)? @body) @symbol.property)
  (#eq? @owner "output"))

; Tests and functions
(config_file (body
  (block
    . (identifier) @owner
    . (string_lit (template_literal) @verbatim)
    . (block_start) (body)? @body) @symbol.test)
  (#any-of? @owner "run" "check"))
(config_file (body
  (block
    . (identifier) @_word
    . (string_lit (template_literal) @verbatim)
    . (block_start) (body)? @body) @symbol.function)
  (#eq? @_word "function"))

; Aliased provider configurations
(config_file (body
  (block
    . (identifier) @_word
    . (string_lit)
    . (block_start)
    (body
        (attribute
          . (identifier) @_alias
          . (expression . (literal_value (string_lit (template_literal) @verbatim)))) @symbol.field)))
  (#eq? @_word "provider")
  (#eq? @_alias "alias"))

; Other blocks with a label: modules, providers, jobs, services
(config_file (body
  (block
    . (identifier) @owner
    . [(identifier) @verbatim (string_lit (template_literal) @verbatim)]
    . (block_start) (body)? @body) @symbol.struct @scope))

; Blocks without a label
(config_file (body
  (block . (identifier) @name . (block_start) (body)? @body) @symbol.struct)
  (#not-any-of? @name "locals" "variables" "moved" "removed" "import"))

; Parts of a job
(block (body
  (block
    . (identifier) @_word
    . (string_lit (template_literal) @verbatim)
    . (block_start) (body)? @body) @symbol.struct @scope)
  (#any-of? @_word "group" "task" "volume" "port"))

; Settings of a file without blocks
(config_file (body (attribute . (identifier) @name) @symbol.key))

; Documentation
((comment) @doc
  (#not-match? @doc "^(#|//)[-/=*_~# \t]*$"))
((comment) @attribute
  (#match? @attribute "^(#|//)[-/=*_~# \t]*$"))
