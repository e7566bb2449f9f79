; Protocol Buffers: uses

; Imports, also public and weak ones
(import path: (string) @name) @ref.import

; Extended messages
(extend (full_ident (identifier) @owner . (identifier) @name .) @ref.inherit)
(extend (full_ident . (identifier) @name .) @ref.inherit)

; Options that are extensions, and those inside their values
([
    (option "(" . (full_ident (identifier) @owner . (identifier) @name .) @ref.decorate)
    (field_option "(" . (full_ident (identifier) @owner . (identifier) @name .) @ref.decorate)
    (enum_value_option "(" . (full_ident (identifier) @owner . (identifier) @name .) @ref.decorate)
    (extension_name name: (full_ident (identifier) @owner . (identifier) @name .) @ref.decorate)
  ])
([
    (option "(" . (full_ident . (identifier) @name .) @ref.decorate)
    (field_option "(" . (full_ident . (identifier) @name .) @ref.decorate)
    (enum_value_option "(" . (full_ident . (identifier) @name .) @ref.decorate)
    (extension_name name: (full_ident . (identifier) @name .) @ref.decorate)
  ])
(extension_name type: (full_ident (identifier) @owner . (identifier) @name .) @ref.type)

; Enum values as defaults
(field_option
  (identifier) @_default
  (constant (full_ident . (identifier) @name .) @ref.reference)
  (#eq? @_default "default"))

; Messages and enums
(message_or_enum_type (identifier) @owner . (identifier) @name .) @ref.type
(message_or_enum_type . (identifier) @name .) @ref.type
