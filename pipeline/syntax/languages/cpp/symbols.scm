; C++: definitions, before those of C
; A template comes before the plain form, because its extent includes `template<...>`.

; Namespaces
(namespace_definition name: (_) @name) @symbol.namespace @scope

; Classes, structs, unions and enums with a body
(template_declaration (class_specifier name: (_) @name body: (_))) @symbol.class @scope
(class_specifier name: (_) @name body: (_)) @symbol.class @scope
(template_declaration (struct_specifier name: (_) @name body: (_))) @symbol.struct @scope
(template_declaration (union_specifier name: (_) @name body: (_))) @symbol.union @scope

; Classes with a macro before the name, which the grammar parses as functions
(template_declaration
  (function_definition
    type: (class_specifier !body)
    declarator: (identifier) @name)) @symbol.class @scope
(function_definition
  type: (class_specifier !body)
  declarator: (identifier) @name) @symbol.class @scope
(function_definition
  type: (struct_specifier !body)
  declarator: (identifier) @name) @symbol.struct @scope

; Members of such classes
(function_definition
  type: [(class_specifier !body) (struct_specifier !body)]
  declarator: (identifier) @_class
  body: (compound_statement [
    (_ declarator: (function_declarator declarator: (identifier) @name)) @symbol.constructor
    (labeled_statement
      (_ declarator: (function_declarator declarator: (identifier) @name)) @symbol.constructor)
  ])
  (#eq? @_class @name))
(function_definition
  type: [(class_specifier !body) (struct_specifier !body)]
  declarator: (identifier)
  body: (compound_statement [
    (_ declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)))
    ]) @symbol.method @scope
    (labeled_statement
      (_ declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (destructor_name)] @name)))
    ]) @symbol.method @scope)
    (template_declaration
      (_ declarator: [
      (function_declarator declarator: [(identifier) (operator_name)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name)] @name)))
    ])) @symbol.method @scope
    (ERROR (function_declarator declarator: (destructor_name) @name) @symbol.method)
  ])
  (#not-match? @name "^[A-Z][A-Z0-9]*_[A-Z0-9_]*$"))
(function_definition
  type: [(class_specifier !body) (struct_specifier !body)]
  declarator: (identifier)
  body: (compound_statement [
    (declaration declarator: [
      (identifier) @name
      (_ declarator: (identifier) @name)
      (_ declarator: (_ declarator: (identifier) @name))
    ]) @symbol.field
    (labeled_statement
      (declaration declarator: [
        (identifier) @name
        (_ declarator: (identifier) @name)
      ]) @symbol.field)
  ]))

; Type aliases and concepts
(template_declaration (alias_declaration name: (_) @name)) @symbol.type
(alias_declaration name: (_) @name) @symbol.type
(template_declaration (concept_definition name: (_) @name)) @symbol.type
(concept_definition name: (_) @name) @symbol.type

; Tests of the usual frameworks: `TEST(Suite, Name) {`, `BOOST_AUTO_TEST_CASE(name) {`, `TEST_CASE("name") {`
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list
      .
      (parameter_declaration type: (type_identifier) @owner)
      .
      (parameter_declaration type: (type_identifier) @name)
      .))
  (#match? @_macro "^([A-Z0-9]+_)*TEST(_[A-Z]|_BEGIN|_CASE[A-Z_]*|_METHOD)?$")) @symbol.test @scope
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_macro
    parameters: (parameter_list . (parameter_declaration type: (type_identifier) @name) .))
  (#match? @_macro "^([A-Z0-9]+_)*TEST(_[A-Z]|_BEGIN|_CASE[A-Z_]*|_METHOD)?$")) @symbol.test @scope
(function_definition
  !type
  declarator: (function_declarator declarator: (identifier) @name @scope)
  (#match? @name "^([A-Z0-9]+_)*TEST(_[A-Z]|_BEGIN|_CASE[A-Z_]*|_METHOD)?$"))
(translation_unit
  (expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . (string_literal (string_content) @verbatim))))
  .
  (compound_statement) @symbol.test @body
  (#match? @_macro "^(TEST_CASE[A-Z_]*|SCENARIO)$"))

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

; Constructors in the class, except macro calls with arguments, which look alike
(field_declaration_list
  [
    (template_declaration
      (_ !type declarator: (function_declarator declarator: (identifier) @name)))
    (function_definition !type declarator: (function_declarator declarator: (identifier) @name))
    (declaration !type declarator: (function_declarator declarator: (identifier) @name))
  ] @symbol.constructor
  (#not-match? @name "^[A-Z][A-Z0-9]*_[A-Z0-9_]*$"))

; Methods outside the class: the whole qualified name, also through pointers and references
(template_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: (qualified_identifier) @name)
      (_ (function_declarator declarator: (qualified_identifier) @name))
      (_ (_ (function_declarator declarator: (qualified_identifier) @name)))
    ])) @symbol.method @scope
(function_definition
  declarator: [
      (function_declarator declarator: (qualified_identifier) @name)
      (_ (function_declarator declarator: (qualified_identifier) @name))
      (_ (_ (function_declarator declarator: (qualified_identifier) @name)))
    ]) @symbol.method @scope
(template_declaration
  (function_definition declarator: (qualified_identifier name: (operator_cast)) @name)) @symbol.method @scope
(function_definition declarator: (qualified_identifier name: (operator_cast)) @name) @symbol.method @scope
(function_definition
  declarator: (qualified_identifier name: (qualified_identifier name: (operator_cast))) @name) @symbol.method @scope

; Methods in the class
(field_declaration_list
  (template_declaration
    (_ declarator: [
      (function_declarator declarator: [(identifier) (operator_name)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name)] @name)))
    ]))
  @symbol.method @scope)
(template_declaration (_ declarator: (operator_cast) @name)) @symbol.method @scope
(field_declaration_list
  (function_definition
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (_ (function_declarator declarator: (operator_name) @name))
      (_ (_ (function_declarator declarator: (operator_name) @name)))
    ]) @symbol.method @scope)
(function_definition declarator: (operator_cast) @name) @symbol.method @scope
(function_definition
  declarator: [
      (function_declarator declarator: [(field_identifier) (destructor_name)] @name)
      (_ (function_declarator declarator: [(field_identifier) (destructor_name)] @name))
      (_ (_ (function_declarator declarator: [(field_identifier) (destructor_name)] @name)))
    ]) @symbol.method @scope
(field_declaration
  declarator: [
      (function_declarator declarator: [(field_identifier) (operator_name)] @name)
      (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name))
      (_ (_ (function_declarator declarator: [(field_identifier) (operator_name)] @name)))
    ]
  (#not-match? @name "^[A-Z][A-Z0-9]*_[A-Z0-9_]*$")) @symbol.method
(declaration declarator: [
  (function_declarator declarator: (destructor_name) @name)
  (operator_cast) @name
]) @symbol.method
(field_declaration_list
  (declaration declarator: [
      (function_declarator declarator: (operator_name) @name)
      (_ (function_declarator declarator: (operator_name) @name))
      (_ (_ (function_declarator declarator: (operator_name) @name)))
    ]) @symbol.method)

; Functions
(template_declaration
  (function_definition
    declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
    ])) @symbol.function @scope
(function_definition
  declarator: [
      (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name) (template_function)] @name)))
    ]
  (#not-any-of? @name "if" "for" "while" "switch" "return" "else" "defined")) @symbol.function @scope

; Deduction guides belong to a class that has a symbol already
(template_declaration
  (declaration
    !type
    declarator: (function_declarator declarator: (identifier) @name @scope (trailing_return_type))))

; Prototypes of templates, of operators, and of functions that return a reference
(template_declaration
  (declaration
    declarator: [
      (function_declarator declarator: [(identifier) (operator_name)] @name)
      (_ (function_declarator declarator: [(identifier) (operator_name)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name)] @name)))
    ])) @symbol.function
((declaration
    declarator: [
      (function_declarator declarator: (operator_name) @name)
      (_ (function_declarator declarator: [(identifier) (operator_name)] @name))
      (_ (_ (function_declarator declarator: [(identifier) (operator_name)] @name)))
    ]) @symbol.function
  (#has-parent? @symbol.function translation_unit preproc_if preproc_ifdef preproc_else preproc_elif declaration_list
    linkage_specification))

; Variables of namespaces and classes: references, templates, and definitions of static members
(template_declaration
  (declaration declarator: (init_declarator declarator: (identifier) @name))) @symbol.variable
(translation_unit
  (declaration declarator: (init_declarator declarator: (qualified_identifier) @name)) @symbol.variable)
(declaration_list
  (declaration
    declarator: (init_declarator declarator: [
      (qualified_identifier) @name
      (reference_declarator (identifier) @name)
    ])) @symbol.variable)

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
