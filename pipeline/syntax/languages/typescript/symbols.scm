; TypeScript only: definitions
; An exported declaration comes before the plain one, because its extent is the export statement.

; Abstract classes and ambient ones
(export_statement
  declaration: [
    (abstract_class_declaration name: (_) @name)
    (ambient_declaration (class_declaration name: (_) @name))
    (ambient_declaration (abstract_class_declaration name: (_) @name))
  ]) @symbol.class @scope @exported
[
  (ambient_declaration (class_declaration name: (_) @name))
  (ambient_declaration (abstract_class_declaration name: (_) @name))
  (abstract_class_declaration name: (_) @name)
] @symbol.class @scope

; Interfaces
(export_statement
  declaration: [
    (interface_declaration name: (_) @name)
    (ambient_declaration (interface_declaration name: (_) @name))
  ]) @symbol.interface @scope @exported
(interface_declaration name: (_) @name) @symbol.interface @scope

; Type aliases
(export_statement
  declaration: [
    (type_alias_declaration name: (_) @name)
    (ambient_declaration (type_alias_declaration name: (_) @name))
  ]) @symbol.type @scope @exported
(type_alias_declaration name: (_) @name) @symbol.type @scope

; Enums and their members
(export_statement
  declaration: [
    (enum_declaration name: (_) @name)
    (ambient_declaration (enum_declaration name: (_) @name))
  ]) @symbol.enum @scope @exported
(enum_declaration name: (_) @name) @symbol.enum @scope
(enum_body (enum_assignment name: [
  (property_identifier) @name
  (string (string_fragment) @name)
]) @symbol.enum_member)
(enum_body name: [
  (property_identifier) @name
  (string (string_fragment) @name)
] @symbol.enum_member)

; Namespaces and modules
(export_statement
  declaration: [
    (internal_module name: (_) @name)
    (ambient_declaration (internal_module name: (_) @name))
  ]) @symbol.namespace @scope @exported
[
  (ambient_declaration (internal_module name: (_) @name))
  (internal_module name: (_) @name)
] @symbol.namespace @scope
(ambient_declaration (module name: (string (string_fragment) @name))) @symbol.module @scope
(module name: [
  (string (string_fragment) @name)
  (identifier) @name
  (nested_identifier) @name
]) @symbol.module @scope

; Function signatures: overloads and ambient functions
(export_statement
  declaration: [
    (function_signature name: (_) @name)
    (ambient_declaration (function_signature name: (_) @name))
  ]) @symbol.function @exported
[
  (ambient_declaration (function_signature name: (_) @name))
  (function_signature name: (_) @name)
] @symbol.function

; Method signatures of classes and interfaces
(class_body
  (method_signature name: (property_identifier) @name) @symbol.constructor
  (#eq? @name "constructor"))
(class_body
  [
    (method_signature name: [(property_identifier) (private_property_identifier)] @name)
    (abstract_method_signature name: [(property_identifier) (private_property_identifier)] @name)
  ] @symbol.method)
(interface_body (method_signature name: [
  (property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (_) @name))
]) @symbol.method)
(interface_body (construct_signature "new" @name) @symbol.constructor)
(type_alias_declaration
  value: (object_type (method_signature name: (property_identifier) @name) @symbol.method))

; Properties of interfaces and of named object types
(interface_body (property_signature name: [
  (property_identifier) @name
  (string (string_fragment) @name)
]) @symbol.property)
(type_alias_declaration
  value: (object_type (property_signature name: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]) @symbol.property))

(type_alias_declaration
  value: (intersection_type (object_type [
    (property_signature name: (property_identifier) @name) @symbol.property
    (method_signature name: (property_identifier) @name) @symbol.method
  ])))

; Class fields, and parameters that declare a field
(public_field_definition
  name: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @symbol.method @scope
(public_field_definition name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
]) @symbol.field
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @symbol.field
(required_parameter "readonly" pattern: (identifier) @name) @symbol.field
(optional_parameter (accessibility_modifier) pattern: (identifier) @name) @symbol.field

; Ambient variables
(export_statement
  declaration: (ambient_declaration
    (_ . (variable_declarator name: (identifier) @name) .))) @symbol.variable @exported
(ambient_declaration (_ . (variable_declarator name: (identifier) @name) .)) @symbol.variable

(ambient_declaration
  "global"
  (statement_block (_ (variable_declarator name: (identifier) @name) @symbol.variable)))

; An unnamed default export with a type assertion
(export_statement
  "default" @name
  value: [
    (as_expression (object))
    (satisfies_expression (object))
    (satisfies_expression (call_expression arguments: (arguments (object))))
  ]) @symbol.constant @scope @exported

; Constants and variables of a namespace
(module
  body: (statement_block
    (lexical_declaration (variable_declarator name: (identifier) @name !value)) @symbol.variable))
(internal_module
  body: (statement_block
    (lexical_declaration
      kind: "const" (variable_declarator name: (identifier) @name value: [
        (string) (number) (array) (object) (call_expression) (new_expression) (as_expression)
        (identifier) (member_expression) (template_string) (true) (false) (unary_expression)
        (binary_expression) (satisfies_expression)
      ]) @symbol.constant @scope)))
(internal_module
  body: (statement_block [
    (lexical_declaration kind: "const" (variable_declarator name: (identifier) @name !value) @symbol.constant)
    (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
  ]))

; Decorators precede the method or field to which they belong
(class_body (decorator) @attribute)
