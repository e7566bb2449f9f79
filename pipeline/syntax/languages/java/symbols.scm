; Java: definitions
; A public declaration comes before the plain one.

; Types
(class_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.class @scope
(class_declaration name: (_) @name) @symbol.class @scope
(record_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.class @scope
(record_declaration name: (_) @name) @symbol.class @scope
(interface_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.interface @scope
(interface_declaration name: (_) @name) @symbol.interface @scope
(annotation_type_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.interface @scope
(annotation_type_declaration name: (_) @name) @symbol.interface @scope
(enum_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.enum @scope
(enum_declaration name: (_) @name) @symbol.enum @scope
(module_declaration name: (_) @name) @symbol.module

; Enum members are as visible as their enum
(enum_declaration
  (modifiers "public" @exported)
  body: (enum_body (enum_constant name: (_) @name) @symbol.enum_member @scope))
(enum_constant name: (_) @name) @symbol.enum_member @scope

; Record components
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (identifier) @name) @symbol.property))

; Constructors
(constructor_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.constructor @scope
(constructor_declaration name: (_) @name) @symbol.constructor @scope
(compact_constructor_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.constructor @scope
(compact_constructor_declaration name: (_) @name) @symbol.constructor @scope

; Methods: those of an interface are as visible as the interface
(interface_declaration
  (modifiers "public" @exported)
  body: (interface_body (method_declaration name: (_) @name) @symbol.method @scope))
(method_declaration
  (modifiers "public" @exported)
  name: (_) @name) @symbol.method @scope
(method_declaration name: (_) @name) @symbol.method @scope
(annotation_type_element_declaration name: (_) @name) @symbol.method

; Constants: static and final
(field_declaration
  (modifiers "public" @exported) @_modifiers
  declarator: (variable_declarator name: (identifier) @name)
  (#match? @_modifiers "\\bstatic\\b")
  (#match? @_modifiers "\\bfinal\\b")) @symbol.constant
(field_declaration
  (modifiers) @_modifiers
  declarator: (variable_declarator name: (identifier) @name)
  (#match? @_modifiers "\\bstatic\\b")
  (#match? @_modifiers "\\bfinal\\b")) @symbol.constant
(interface_declaration
  (modifiers "public" @exported)
  body: (interface_body
    (constant_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.constant))
(constant_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.constant

; Fields
(field_declaration
  (modifiers "public" @exported)
  declarator: (variable_declarator name: (identifier) @name)) @symbol.field
(field_declaration declarator: (variable_declarator name: (identifier) @name)) @symbol.field

; Documentation
[(block_comment) (line_comment)] @doc
