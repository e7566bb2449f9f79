; C++: definitions, before those of C
; A template comes before the plain form: its extent includes `template<...>`.

; Namespaces
(namespace_definition name: (_) @name) @symbol.namespace @scope

; Classes, structs, unions and enums with a body
(template_declaration (class_specifier name: (_) @name body: (_))) @symbol.class @scope
(class_specifier name: (_) @name body: (_)) @symbol.class @scope
(template_declaration (struct_specifier name: (_) @name body: (_))) @symbol.struct @scope
(template_declaration (union_specifier name: (_) @name body: (_))) @symbol.union @scope

; Type aliases and concepts
(template_declaration (alias_declaration name: (_) @name)) @symbol.type
(alias_declaration name: (_) @name) @symbol.type
(template_declaration (concept_definition name: (_) @name)) @symbol.type
(concept_definition name: (_) @name) @symbol.type

; Constructors outside the class: `A::A`
(template_declaration
  (function_definition
    declarator: (function_declarator
      declarator: (qualified_identifier
        scope: [(namespace_identifier) @_class (template_type name: (_) @_class)]
        name: (identifier) @_constructor) @name))
  (#eq? @_class @_constructor)) @symbol.constructor @scope
(function_definition
  declarator: (function_declarator
    declarator: (qualified_identifier
      scope: [(namespace_identifier) @_class (template_type name: (_) @_class)]
      name: (identifier) @_constructor) @name)
  (#eq? @_class @_constructor)) @symbol.constructor @scope

; Constructors in the class
(field_declaration_list
  (template_declaration
    [
      (function_definition !type declarator: (function_declarator declarator: (identifier) @name))
      (declaration !type declarator: (function_declarator declarator: (identifier) @name))
    ]) @symbol.constructor)
(field_declaration_list
  [
    (function_definition !type declarator: (function_declarator declarator: (identifier) @name))
    (declaration !type declarator: (function_declarator declarator: (identifier) @name))
  ] @symbol.constructor)

; Methods outside the class: the whole qualified name, also through pointers and references
(template_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: (qualified_identifier) @name)
      (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name)))
      (reference_declarator (function_declarator declarator: (qualified_identifier) @name))
    ])) @symbol.method @scope
(function_definition
  declarator: [
    (function_declarator declarator: (qualified_identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier) @name)))
    (reference_declarator (function_declarator declarator: (qualified_identifier) @name))
  ]) @symbol.method @scope
(function_definition declarator: (qualified_identifier name: (operator_cast)) @name) @symbol.method @scope
(function_definition
  declarator: (qualified_identifier name: (qualified_identifier name: (operator_cast))) @name) @symbol.method @scope

; Methods in the class
(field_declaration_list
  (template_declaration
    [
      (function_definition declarator: [
        (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name)
        (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name))
        (pointer_declarator
          declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name)))
        (reference_declarator (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name))
      ])
      (declaration declarator: [
        (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name)
        (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name))
        (pointer_declarator
          declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name)))
        (reference_declarator (function_declarator declarator: [(field_identifier) (identifier) (operator_name)] @name))
      ])
    ]) @symbol.method @scope)
(field_declaration_list
  (function_definition declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)))
    (reference_declarator (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
    (operator_cast) @name
  ]) @symbol.method @scope)
(field_declaration_list
  (field_declaration declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name)))
    (reference_declarator (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)] @name))
  ]) @symbol.method)
(field_declaration_list
  (declaration declarator: [
    (function_declarator declarator: [(destructor_name) (operator_name)] @name)
    (operator_cast) @name
  ]) @symbol.method)

; Functions
(template_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
      (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
    ])) @symbol.function @scope
(function_definition
  declarator: [
    (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
    (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
    (reference_declarator (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
  ]) @symbol.function @scope

; Prototypes of templates and of operators, and such as return a reference
(template_declaration
  (declaration
    declarator: [
      (function_declarator declarator: [(identifier) (operator_name)] @name)
      (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: [(identifier) (operator_name)] @name)))
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    ])) @symbol.function
(translation_unit
  (declaration
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    ]) @symbol.function)
(preproc_if
  (declaration
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    ]) @symbol.function)
(preproc_ifdef
  (declaration
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    ]) @symbol.function)
(preproc_else
  (declaration
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    ]) @symbol.function)
(declaration_list
  (declaration
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (reference_declarator (function_declarator declarator: [(identifier) (operator_name)] @name))
    ]) @symbol.function)

; Variables of namespaces and classes: references, and definitions of static members
(translation_unit
  (declaration
    declarator: (init_declarator declarator: (qualified_identifier) @name)) @symbol.variable)
(declaration_list
  (declaration
    declarator: [
      (init_declarator declarator: (qualified_identifier) @name)
      (init_declarator declarator: (reference_declarator (identifier) @name))
    ]) @symbol.variable)

; Constants of classes
(field_declaration
  (type_qualifier) @_qualifier
  declarator: [
    (field_identifier) @name
    (array_declarator declarator: (field_identifier) @name)
  ]
  (#eq? @_qualifier "constexpr")) @symbol.constant

; Fields that are references
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @symbol.field
