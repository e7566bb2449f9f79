; Protocol Buffers: definitions

; The package prefixes all names in the file
(source_file . (_) @body (package (full_ident) @name)) @symbol.namespace @scope

; Messages, also as groups
(message (message_name) @name (message_body) @body) @symbol.struct @scope
(group (message_name) @name (message_body) @body) @symbol.struct @scope

; Fields; those of a oneof belong to its message
[
  (field (identifier) @name)
  (map_field (identifier) @name)
  (oneof_field (identifier) @name)
] @symbol.field
(oneof (identifier) @name "{" @body) @symbol.union

; Enums
(enum (enum_name) @name (enum_body) @body) @symbol.enum @scope
(enum_field . (identifier) @name) @symbol.enum_member

; Services
(service (service_name) @name "{" @body) @symbol.interface @scope
(rpc (rpc_name) @name "{" @body) @symbol.method
(rpc (rpc_name) @name) @symbol.method

; Documentation
((comment) @doc
  (#not-match? @doc "^(//[-/=*_~# \t]*|/\\*[-=*_~# \t]*\\*/)$"))
((comment) @attribute
  (#match? @attribute "^(//[-/=*_~# \t]*|/\\*[-=*_~# \t]*\\*/)$"))
