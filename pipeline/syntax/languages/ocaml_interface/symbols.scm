; OCaml: definitions that interfaces and implementations have in common
; The extent of a single definition is the whole item; of several joined by `and`, only the binding.

; Modules and functors
(module_definition . (module_binding (module_name) @verbatim) .) @symbol.module @scope
(module_definition (module_binding (module_name) @verbatim) @symbol.module @scope)

; Module types
(module_type_definition (module_type_name) @verbatim) @symbol.interface @scope

; Types: records, variants, others. Extensions of a type are only scopes
(type_definition . (type_binding name: (type_constructor) @verbatim body: (record_declaration)) .) @symbol.struct @scope
(type_definition . (type_binding
  name: (type_constructor) @verbatim
  body: [(variant_declaration) (polymorphic_variant_type)]) .) @symbol.enum @scope
(type_definition . (type_binding name: (type_constructor) @verbatim) .) @symbol.type @scope
(type_definition (type_binding name: (type_constructor) @verbatim body: (record_declaration)) @symbol.struct @scope)
(type_definition (type_binding
  name: (type_constructor) @verbatim
  body: [(variant_declaration) (polymorphic_variant_type)]) @symbol.enum @scope)
(type_definition (type_binding name: (type_constructor) @verbatim) @symbol.type @scope)
(type_binding name: (type_constructor_path) @name) @scope

; Constructors, tags and fields: their documentation follows them
((constructor_declaration (constructor_name) @verbatim) @symbol.enum_member @scope
  .
  (comment) @doc
  (#match? @doc "^\\(\\*\\*"))
(variant_declaration
  (constructor_declaration (constructor_name) @verbatim) @symbol.enum_member @scope)
((tag_specification (tag) @name) @symbol.enum_member
  .
  (comment) @doc
  (#match? @doc "^\\(\\*\\*"))
(type_binding
  body: (polymorphic_variant_type
    (tag_specification (tag) @name) @symbol.enum_member))
((field_declaration (field_name) @verbatim) @symbol.field
  .
  (comment) @doc
  (#match? @doc "^\\(\\*\\*"))
(field_declaration (field_name) @verbatim) @symbol.field

; Exceptions
(exception_definition (constructor_declaration (constructor_name) @verbatim)) @symbol.struct @scope

; Classes, class types and their members
(class_definition . (class_binding (class_name) @verbatim) .) @symbol.class @scope
(class_definition (class_binding (class_name) @verbatim) @symbol.class @scope)
(class_type_definition . (class_type_binding (class_type_name) @verbatim) .) @symbol.interface @scope
(class_type_definition (class_type_binding (class_type_name) @verbatim) @symbol.interface @scope)
(method_definition (method_name) @verbatim) @symbol.method @scope
(method_specification (method_name) @verbatim) @symbol.method
[
  (instance_variable_definition (instance_variable_name) @verbatim)
  (instance_variable_specification (instance_variable_name) @verbatim)
] @symbol.field

; Values of a module: functions (by their type), then others
(external [
  (value_name) @verbatim
  (parenthesized_operator (_) @verbatim)
]) @symbol.function
(value_specification
  [
    (value_name) @verbatim
    (parenthesized_operator (_) @verbatim)
  ]
  type: [(function_type) (polymorphic_type type: (function_type))]) @symbol.function
(value_specification (parenthesized_operator (_) @verbatim)) @symbol.function
(value_specification (value_name) @verbatim) @symbol.constant
; Documentation
(comment) @doc
