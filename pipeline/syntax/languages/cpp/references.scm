; C++: uses, before those of C

; Imports
(using_declaration [(qualified_identifier) (identifier)] @name) @ref.import
(namespace_alias_definition
  name: (_) @alias
  [(nested_namespace_specifier) (namespace_identifier)] @name .) @ref.import

; Base classes
(base_class_clause
  [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (template_type name: (_) @name)))
  ] @ref.inherit)

; Instances
(new_expression
  type: [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (template_type name: (_) @name)))
  ]) @ref.instantiate
(declaration
  type: [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (type_identifier) @name))
  ]
  declarator: (init_declarator
    declarator: (identifier)
    value: [(argument_list) (initializer_list)])) @ref.instantiate
(compound_literal_expression
  type: [
    (type_identifier) @name
    (template_type name: (_) @name)
    (qualified_identifier scope: (_)? @owner name: (type_identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_type name: (_) @name))
  ]) @ref.instantiate

; Calls, except casts
(call_expression
  function: [
    (template_function name: (identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (identifier) @name)
    (qualified_identifier scope: (_)? @owner name: (template_function name: (_) @name))
    (qualified_identifier
      name: (qualified_identifier scope: (_) @owner name: (identifier) @name))
    (qualified_identifier
      name: (qualified_identifier scope: (_) @owner name: (template_function name: (_) @name)))
    (qualified_identifier
      name: (qualified_identifier
        name: (qualified_identifier scope: (_) @owner name: (identifier) @name)))
    (field_expression argument: (_) @owner field: (template_method name: (_) @name))
    (field_expression argument: (_) @owner field: (dependent_name (template_method name: (_) @name)))
    (field_expression argument: (_) @owner field: (qualified_identifier name: (_) @name))
  ]
  (#not-any-of? @name "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast")) @ref.call

; Members, with the receiver; those of C are in its queries
(field_expression
  argument: (_) @owner
  field: [
    (qualified_identifier name: [(field_identifier) (identifier)] @name)
    (template_method name: (_) @name)
    (dependent_name (template_method name: (_) @name))
  ]) @ref.reference

; Members that a constructor initialises, unless it is the base class
([
    (class_specifier
      name: [(type_identifier) @owner (template_type name: (_) @owner)]
      body: (field_declaration_list
        (function_definition
          (field_initializer_list (field_initializer (field_identifier) @name @ref.reference)))))
    (struct_specifier
      name: [(type_identifier) @owner (template_type name: (_) @owner)]
      body: (field_declaration_list
        (function_definition
          (field_initializer_list (field_initializer (field_identifier) @name @ref.reference)))))
    (function_definition
      declarator: (function_declarator
        declarator: [
          (qualified_identifier
            scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
            name: (identifier))
          (qualified_identifier
            name: (qualified_identifier
              scope: [(namespace_identifier) @owner (template_type name: (_) @owner)]
              name: (identifier)))
        ])
      (field_initializer_list (field_initializer (field_identifier) @name @ref.reference)))
  ]
  (#not-match? @name "^[A-Z]"))
(field_initializer (field_identifier) @name @ref.reference)

; Members of an initializer, where the type is written
(compound_literal_expression
  type: [
    (type_identifier) @owner
    (qualified_identifier) @owner
    (template_type name: (_) @owner)
  ]
  value: (initializer_list
    (initializer_pair designator: (field_designator (field_identifier) @name @ref.reference))))
(declaration
  type: [(qualified_identifier) @owner (template_type name: (_) @owner)]
  declarator: (init_declarator
    value: (initializer_list
      (initializer_pair designator: (field_designator (field_identifier) @name @ref.reference)))))
(offsetof_expression
  type: (type_descriptor type: [(qualified_identifier) @owner (template_type name: (_) @owner)])
  member: (field_identifier) @name) @ref.reference

; Qualified names, except those of definitions
([
    (qualified_identifier
      scope: (_) @owner
      name: [(identifier) @name (template_function name: (_) @name)])
    (qualified_identifier
      name: (qualified_identifier
        scope: (_) @owner
        name: [(identifier) @name (template_function name: (_) @name)]))
    (qualified_identifier
      name: (qualified_identifier
        name: (qualified_identifier
          scope: (_) @owner
          name: [(identifier) @name (template_function name: (_) @name)])))
  ] @ref.reference
  (#not-has-parent? @ref.reference
    array_declarator declaration function_declarator init_declarator parenthesized_declarator pointer_declarator
    qualified_identifier reference_declarator template_instantiation using_declaration))
(init_declarator
  value: [
    (qualified_identifier scope: (_) @owner name: (identifier) @name)
    (qualified_identifier name: (qualified_identifier scope: (_) @owner name: (identifier) @name))
  ] @ref.reference)
(declaration
  value: (qualified_identifier scope: (_) @owner name: (identifier) @name) @ref.reference)
(array_declarator
  size: (qualified_identifier scope: (_) @owner name: (identifier) @name) @ref.reference)
((template_function name: (identifier) @name) @ref.reference
  (#not-any-of? @name "static_cast" "dynamic_cast" "const_cast" "reinterpret_cast"))

; Types before their members. A name in lower case is most likely a namespace, and says nothing if it leads nowhere
((qualified_identifier scope: (namespace_identifier) @name @ref.type)
  (#match? @name "^[A-Z].*[a-z]"))
((qualified_identifier scope: (namespace_identifier) @name @ref.reference)
  (#not-eq? @name "std"))

; Names in expressions that C lacks
(for_range_loop right: (identifier) @name @ref.reference)
(declaration value: (identifier) @name @ref.reference)
(declaration default_value: (identifier) @name @ref.reference)
(field_declaration default_value: (identifier) @name @ref.reference)
(optional_parameter_declaration default_value: (identifier) @name @ref.reference)
(lambda_capture_initializer right: (identifier) @name @ref.reference)
((identifier) @name @ref.reference
  (#has-parent? @name
    co_await_expression co_return_statement co_yield_statement compound_requirement condition_clause
    constraint_conjunction constraint_disjunction decltype delete_expression explicit_function_specifier
    fold_expression new_declarator noexcept parameter_pack_expansion requires_clause simple_requirement
    static_assert_declaration subscript_argument_list template_argument_list throw_statement))

; Types
(qualified_identifier scope: (_) @owner name: (type_identifier) @name) @ref.type
(qualified_identifier
  scope: (_) @owner
  name: (template_type name: (type_identifier) @name)) @ref.type

; Local bindings
(parameter_declaration declarator: (reference_declarator (identifier) @local))
(parameter_declaration declarator: (pointer_declarator declarator: (reference_declarator (identifier) @local)))
(optional_parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
])
(variadic_parameter_declaration declarator: [
  (variadic_declarator (identifier) @local)
  (reference_declarator (variadic_declarator (identifier) @local))
])
(declaration declarator: [
  (reference_declarator (identifier) @local)
  (init_declarator declarator: (reference_declarator (identifier) @local))
])
(declaration
  declarator: (init_declarator declarator: (pointer_declarator declarator: (reference_declarator (identifier) @local))))
(structured_binding_declarator (identifier) @local)
(for_range_loop declarator: [
  (identifier) @local
  (pointer_declarator declarator: (identifier) @local)
  (reference_declarator (identifier) @local)
])
(lambda_capture_initializer left: (identifier) @local)
((declaration declarator: (function_declarator declarator: (identifier) @local)) @_declaration
  (#has-parent? @_declaration compound_statement case_statement))
