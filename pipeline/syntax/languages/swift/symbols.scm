; Swift: definitions
; `private(set)` hides only the setter, so it does not make a property private.

; Types
(class_declaration declaration_kind: "struct" name: (type_identifier) @name) @symbol.struct @scope
(class_declaration declaration_kind: ["class" "actor"] name: (type_identifier) @name) @symbol.class @scope
(class_declaration declaration_kind: "enum" name: (type_identifier) @name) @symbol.enum @scope
(protocol_declaration name: (type_identifier) @name) @symbol.interface @scope
(typealias_declaration name: (type_identifier) @name) @symbol.type
(associatedtype_declaration name: (type_identifier) @name) @symbol.type
(precedence_group_declaration . (simple_identifier) @name) @symbol.type

; Extensions are scopes, not symbols: their members belong to the extended type
(class_declaration declaration_kind: "extension" name: (_) @name) @scope

; Enum members. Several in one `case` each have their own extent
(enum_entry "," . name: (simple_identifier) @name @symbol.enum_member)
(enum_entry name: (simple_identifier) @name @symbol.enum_member . (enum_type_parameters)? . ",")
(enum_entry name: (simple_identifier) @name) @symbol.enum_member

; Initializers, deinitializers, subscripts
(init_declaration name: "init" @name) @symbol.constructor @scope
(deinit_declaration "deinit" @name) @symbol.method @scope
(subscript_declaration "subscript" @name (computed_property) @body) @symbol.method @scope

; Methods and functions, free and nested; operators have no letters in their names
((class_declaration
    body: (_ (function_declaration "func" . name: _ @name) @symbol.method @scope))
  (#match? @name "[\\w`]"))
((class_declaration
    body: (_ (function_declaration "func" . name: _ @verbatim) @symbol.method @scope))
  (#not-match? @verbatim "[\\w`]"))
((protocol_function_declaration "func" . name: _ @name) @symbol.method @scope
  (#match? @name "[\\w`]"))
((protocol_function_declaration "func" . name: _ @verbatim) @symbol.method @scope
  (#not-match? @verbatim "[\\w`]"))
((function_declaration "func" . name: _ @name) @symbol.function @scope
  (#match? @name "[\\w`]"))
((function_declaration "func" . name: _ @verbatim) @symbol.function @scope
  (#not-match? @verbatim "[\\w`]"))

; Macros
(macro_declaration "macro" . (simple_identifier) @name) @symbol.macro

; Requirements of a protocol
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.property

; Several names in one declaration: each has its own extent
(class_declaration
  body: (_ (property_declaration
    "," . name: (pattern bound_identifier: (simple_identifier) @name) @symbol.property)))
(class_declaration
  body: (_ (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name) @symbol.property ",")))
(source_file
  (property_declaration
    (value_binding_pattern mutability: "let")
    "," . name: (pattern bound_identifier: (simple_identifier) @name) @symbol.constant))
(source_file
  (property_declaration
    (value_binding_pattern mutability: "let")
    name: (pattern bound_identifier: (simple_identifier) @name) @symbol.constant ","))
(source_file
  (property_declaration
    "," . name: (pattern bound_identifier: (simple_identifier) @name) @symbol.variable))
(source_file
  (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name) @symbol.variable ","))

; Constants of a type
(class_declaration
  body: (_ (property_declaration
    (modifiers (property_modifier "static"))
    (value_binding_pattern mutability: "let")
    name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant @scope))

; Properties, stored and computed
(class_declaration
  body: (_ (property_declaration
    (modifiers (visibility_modifier "set") @exported)
    name: (pattern bound_identifier: (simple_identifier) @name)
    computed_value: (computed_property)? @body) @symbol.property @scope))
(class_declaration
  body: (_ (property_declaration
    name: (pattern bound_identifier: (simple_identifier) @name)
    computed_value: (computed_property)? @body) @symbol.property @scope))

; Constants and variables of the file
(source_file
  (property_declaration
    (value_binding_pattern mutability: "let")
    name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant @scope)
(source_file
  (property_declaration
    (value_binding_pattern mutability: "var")
    name: (pattern bound_identifier: (simple_identifier) @name)
    computed_value: (computed_property)? @body) @symbol.variable @scope)

; Documentation, except directives for tools and section headings
((comment) @doc
  (#not-match? @doc "^// ?(MARK|swiftlint|swift-format|sourcery|TODO|FIXME)\\b"))
((comment) @attribute
  (#match? @attribute "^// ?(swiftlint|swift-format|sourcery)\\b"))
(multiline_comment) @doc
