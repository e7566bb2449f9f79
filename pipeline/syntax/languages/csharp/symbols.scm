; C#: definitions

; A namespace without a block: the rest of the file is its sibling in the tree, so the file is the scope
(compilation_unit (file_scoped_namespace_declaration name: (_) @name)) @scope
(namespace_declaration name: (_) @name) @symbol.namespace @scope @exported

; Types: the name directly follows the keyword, otherwise there is an error between them
(class_declaration "class" . name: (_) @name) @symbol.class @scope
(struct_declaration "struct" . name: (_) @name) @symbol.struct @scope
(record_declaration "struct" name: (_) @name) @symbol.struct @scope
(record_declaration name: (_) @name) @symbol.class @scope
(interface_declaration "interface" . name: (_) @name) @symbol.interface @scope
(enum_declaration "enum" . name: (_) @name) @symbol.enum @scope
(delegate_declaration name: (_) @name) @symbol.type

; What is left of a type after a syntax error
(ERROR
  .
  (modifier)*
  .
  ["class" "struct" "interface" "record"]
  .
  (identifier) @name
  "{" @body) @symbol.class @scope

; Enum members are as visible as their enum
(enum_declaration
  (modifier ["public" "protected" "internal"]) @exported
  body: (enum_member_declaration_list (enum_member_declaration name: (_) @name) @symbol.enum_member))
(enum_member_declaration name: (_) @name) @symbol.enum_member

; The parameters of a record are its properties
(record_declaration
  (parameter_list (parameter name: (identifier) @name) @symbol.property @exported))

; Members of an interface are as visible as the interface. Accessors without code are not a body
(interface_declaration
  (modifier ["public" "protected" "internal"])? @exported
  body: (declaration_list (method_declaration name: (_) @name) @symbol.method @scope))
(interface_declaration
  (modifier ["public" "protected" "internal"])? @exported
  body: (declaration_list
    [
      (property_declaration name: (_) @name)
      (indexer_declaration "this" @name)
      (event_declaration name: (_) @name)
      (event_field_declaration
        (variable_declaration type: (_) . (variable_declarator name: (identifier) @name) .))
    ] @symbol.property @scope))

; Constructors and finalizers
(constructor_declaration name: (_) @name) @symbol.constructor @scope
(destructor_declaration name: (_) @name) @symbol.method @scope

; Methods. The interface before an explicit interface member is not an owner
(method_declaration name: (_) @name) @symbol.method @scope

; Local functions, also of top-level statements
((local_function_statement name: (_) @name) @symbol.function @scope
  (#not-any-of? @name "catch" "for" "foreach" "if" "lock" "switch" "using" "while"))

; Operators and conversions
(operator_declaration operator: _ @verbatim) @symbol.method @scope
(conversion_operator_declaration ["implicit" "explicit"] @verbatim) @symbol.method @scope

; Properties, indexers, events
(property_declaration name: (_) @name [accessors: (_) value: (arrow_expression_clause)] @body) @symbol.property @scope
(indexer_declaration "this" @name [accessors: (_) value: (_)] @body) @symbol.property @scope
(event_declaration name: (_) @name accessors: (_)? @body) @symbol.property @scope
(event_field_declaration
  (variable_declaration type: (_) . (variable_declarator name: (identifier) @name) .)) @symbol.property
(event_field_declaration
  (modifier ["public" "protected" "internal"]) @exported
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.property))
(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.property))

; Constants. Several in one declaration each have their own extent
(field_declaration
  [
    (modifier "const")
    ((modifier "static") . (modifier "readonly"))
  ]
  (variable_declaration type: (_) . (variable_declarator name: (identifier) @name) .)) @symbol.constant
(field_declaration
  (modifier ["public" "protected" "internal"]) @exported
  [
    (modifier "const")
    ((modifier "static") . (modifier "readonly"))
  ]
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.constant))
(field_declaration
  [
    (modifier "const")
    ((modifier "static") . (modifier "readonly"))
  ]
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.constant))

; Fields
(field_declaration
  (variable_declaration type: (_) . (variable_declarator name: (identifier) @name) .)) @symbol.field
(field_declaration
  (modifier ["public" "protected" "internal"]) @exported
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.field))
(field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name) @symbol.field))

; Documentation
(comment) @doc
