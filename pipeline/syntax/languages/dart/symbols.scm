; Dart: definitions

; Types
(class_declaration name: (identifier) @name) @symbol.class @scope
(class_declaration (mixin_application_class . (identifier) @name)) @symbol.class @scope
(mixin_declaration name: (identifier) @name) @symbol.trait @scope
(enum_declaration name: (identifier) @name) @symbol.enum @scope
(extension_type_declaration name: [
  (extension_type_name . (identifier) @name)
  (identifier) @name
]) @symbol.class @scope
(type_alias (type_identifier) @name) @symbol.type
(library_name (dotted_identifier_list) @name) @symbol.module

; Members of a named extension belong to it, those of an unnamed one to the extended type
(extension_declaration name: (identifier) @name) @symbol.class @scope
(extension_declaration !name class: (type) @name) @scope

; Enum members
(enum_entry name: (identifier) @name) @symbol.enum_member

; Fields declared in the header of the type
(extension_type_representation name: (identifier) @name) @symbol.field

; Named constructors, then unnamed ones
(member_declaration [
  (method_declaration
    signature: (method_signature [
      (constructor_signature name: (identifier) . "." . name: (identifier) @name)
      (constructor_signature name: (identifier) . "." . name: "new" @name)
      (factory_constructor_signature name: (identifier) . "." . name: (identifier) @name)
      (factory_constructor_signature name: (identifier) . "." . name: "new" @name)
    ]))
  (declaration [
    (constructor_signature name: (identifier) . "." . name: (identifier) @name)
    (constructor_signature name: (identifier) . "." . name: "new" @name)
    (constant_constructor_signature name: (identifier) . "." . name: (identifier) @name)
    (constant_constructor_signature name: (identifier) . "." . name: "new" @name)
    (factory_constructor_signature name: (identifier) . "." . name: (identifier) @name)
    (redirecting_factory_constructor_signature name: (identifier) . "." . name: (identifier) @name)
  ])
]) @symbol.constructor @scope
(member_declaration [
  (method_declaration
    signature: (method_signature [
      (constructor_signature name: (identifier) @name . (formal_parameter_list))
      (factory_constructor_signature name: (identifier) @name . (formal_parameter_list))
    ]))
  (declaration [
    (constructor_signature name: (identifier) @name . (formal_parameter_list))
    (constant_constructor_signature name: (identifier) @name . (formal_parameter_list))
    (factory_constructor_signature name: (identifier) @name . (formal_parameter_list))
    (redirecting_factory_constructor_signature name: (identifier) @name . (formal_parameter_list))
  ])
]) @symbol.constructor @scope

; Getters, setters, operators, methods: with a body, without one
(member_declaration
  (method_declaration
    signature: (method_signature [
      (getter_signature name: (identifier) @name)
      (setter_signature name: (identifier) @name)
    ]))) @symbol.property @scope
(member_declaration
  (declaration [
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
  ])) @symbol.property
(member_declaration
  (method_declaration
    signature: (method_signature [
      (function_signature name: (identifier) @name)
      (operator_signature operator: _ @verbatim)
    ]))) @symbol.method @scope
(member_declaration
  (declaration [
    (function_signature name: (identifier) @name)
    (operator_signature operator: _ @verbatim)
  ])) @symbol.method

; Fields. Several in one declaration each have their own extent
(declaration
  (initialized_identifier_list "," . (initialized_identifier name: (identifier) @name) @symbol.field))
(declaration
  (static_final_declaration_list "," . (static_final_declaration name: (identifier) @name) @symbol.constant))
(declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name) @symbol.field . ","))
(declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name) @symbol.constant . ","))
(member_declaration
  (declaration
    (initialized_identifier_list (initialized_identifier name: (identifier) @name)))) @symbol.field @scope
(member_declaration
  (declaration
    (static_final_declaration_list
      (static_final_declaration name: (identifier) @name)))) @symbol.constant @scope
(member_declaration
  (declaration (identifier_list (identifier) @name))) @symbol.field

; Functions: of the library, foreign, local
(function_declaration
  signature: (function_signature name: (identifier) @name)) @symbol.function @scope
(external_function_declaration
  signature: (function_signature name: (identifier) @name)) @symbol.function
(local_function_declaration
  (function_signature name: (identifier) @name)) @symbol.function @scope
(getter_declaration signature: (getter_signature name: (identifier) @name)) @symbol.property @scope
(setter_declaration signature: (setter_signature name: (identifier) @name)) @symbol.property @scope
(external_getter_declaration signature: (getter_signature name: (identifier) @name)) @symbol.property
(external_setter_declaration signature: (setter_signature name: (identifier) @name)) @symbol.property

; Constants and variables of the library
(top_level_variable_declaration
  (static_final_declaration_list "," . (static_final_declaration name: (identifier) @name) @symbol.constant))
(top_level_variable_declaration
  (initialized_identifier_list "," . (initialized_identifier name: (identifier) @name) @symbol.variable))
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name) @symbol.constant . ","))
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name) @symbol.variable . ","))
(top_level_variable_declaration
  (static_final_declaration_list
    (static_final_declaration name: (identifier) @name))) @symbol.constant @scope
(top_level_variable_declaration
  (initialized_identifier_list
    (initialized_identifier name: (identifier) @name))) @symbol.variable @scope
(external_variable_declaration (identifier_list (identifier) @name)) @symbol.variable

; Tests: the name is one string, or a concatenation of several
(expression_statement
  (call_expression
    function: [
      (identifier) @_test
      (instantiation_expression function: (identifier) @_test)
    ]
    arguments: (arguments
      .
      (string_literal . [
        (_ . (_) @verbatim .)
        (_ . (_) . (_)) @verbatim
      ] .)
      .
      (_)? @body))
  (#any-of? @_test
    "test" "group" "testWidgets" "blocTest" "testGoldens" "goldenTest" "patrolTest" "patrolWidgetTest"
    "testWithGame" "testWithFlameGame")) @symbol.test @scope

; Documentation, except directives for tools
(documentation_comment) @doc
((comment) @doc
  (#not-match? @doc "^// ?(ignore|ignore_for_file|coverage):"))
((comment) @attribute
  (#match? @attribute "^// ?(ignore|coverage):"))
