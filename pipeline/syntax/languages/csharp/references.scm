; C#: uses

; Imports
(using_directive
  name: (identifier) @alias
  "="
  [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
  ]) @ref.import
(using_directive !name [(identifier) (qualified_name) (alias_qualified_name)] @name) @ref.import
((using_directive "static") @name) @ref.import
(extern_alias_directive name: (identifier) @name) @ref.import

; Base types: those of an interface, those of a struct,
; and those of a class, where a name like that of an interface counts as one
(interface_declaration (base_list [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
  ] @ref.inherit))
(struct_declaration (base_list [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
  ] @ref.implement))
(base_list
  [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
    (primary_constructor_base_type type: [
      (identifier) @name
      (generic_name (identifier) @name)
      (qualified_name qualifier: (_) @owner name: (identifier) @name)
      (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
      (alias_qualified_name alias: (_) @owner name: (identifier) @name)
      (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
    ])
  ] @ref.implement
  (#match? @name "^I[A-Z]"))
(base_list
  [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
    (primary_constructor_base_type type: [
      (identifier) @name
      (generic_name (identifier) @name)
      (qualified_name qualifier: (_) @owner name: (identifier) @name)
      (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
      (alias_qualified_name alias: (_) @owner name: (identifier) @name)
      (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
    ])
  ] @ref.inherit)

; Attributes, except those for the compiler
(attribute
  name: [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
  ]
  (#not-any-of? @name
    "AssemblyCompany" "AssemblyCopyright" "AssemblyDescription" "AssemblyProduct" "AssemblyTitle"
    "AssemblyVersion" "CLSCompliant" "Conditional" "DebuggerDisplay" "DebuggerStepThrough" "EditorBrowsable"
    "ExcludeFromCodeCoverage" "Flags" "MethodImpl" "NotNull" "NotNullWhen" "Obsolete" "Serializable"
    "SuppressMessage" "ThreadStatic")) @ref.decorate

; Instances
(object_creation_expression
  type: [
    (identifier) @name
    (generic_name (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (identifier) @name)
    (qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (alias_qualified_name alias: (_) @owner name: (generic_name (identifier) @name))
    (nullable_type type: (identifier) @name)
  ]) @ref.instantiate

; Calls
((invocation_expression
  function: [
    (identifier) @name
    (generic_name (identifier) @name)
    (member_access_expression expression: _ @owner name: (identifier) @name)
    (member_access_expression expression: _ @owner name: (generic_name (identifier) @name))
    (alias_qualified_name alias: (_) @owner name: (identifier) @name)
    (parenthesized_expression (identifier) @name)
    (conditional_access_expression
      condition: (_) @owner
      (member_binding_expression name: (identifier) @name))
    (conditional_access_expression
      condition: (_) @owner
      (member_binding_expression name: (generic_name (identifier) @name)))
  ]) @ref.call
  (#not-any-of? @name "nameof" "var"))

; What is assigned to a member, or added to an event. `value` is the parameter of an accessor
((assignment_expression
    left: [
      (identifier) @alias
      (member_access_expression name: (identifier) @alias)
    ]
    right: [
      (identifier) @name @ref.reference
      (member_access_expression expression: _ @owner name: (identifier) @name) @ref.reference
    ])
  (#not-any-of? @name "_" "value"))

; Calls of events and other delegates: `Changed?.Invoke(a)`
((invocation_expression
    function: [
      (member_access_expression
        expression: [
          (identifier) @name @ref.call
          (member_access_expression expression: _ @owner name: (identifier) @name) @ref.call
        ]
        name: (identifier) @_invoke)
      (conditional_access_expression
        condition: [
          (identifier) @name @ref.call
          (member_access_expression expression: _ @owner name: (identifier) @name) @ref.call
        ]
        (member_binding_expression name: (identifier) @_invoke))
    ])
  (#eq? @_invoke "Invoke"))

; Members, with the receiver
(member_access_expression expression: _ @owner name: (identifier) @name) @ref.reference
(conditional_access_expression
  condition: (_) @owner
  (member_binding_expression name: (identifier) @name)) @ref.reference

; Members set by an initializer, where the type is written
(object_creation_expression
  type: (_) @owner
  initializer: (initializer_expression (assignment_expression left: (identifier) @name @ref.reference)))
(variable_declaration
  type: (_) @owner
  (variable_declarator
    (implicit_object_creation_expression
      (initializer_expression (assignment_expression left: (identifier) @name @ref.reference)))))
(property_declaration
  type: (_) @owner
  value: (implicit_object_creation_expression
    (initializer_expression (assignment_expression left: (identifier) @name @ref.reference))))
(property_declaration
  type: (_) @owner
  value: (arrow_expression_clause
    (implicit_object_creation_expression
      (initializer_expression (assignment_expression left: (identifier) @name @ref.reference)))))
(method_declaration
  returns: (_) @owner
  body: (arrow_expression_clause
    (implicit_object_creation_expression
      (initializer_expression (assignment_expression left: (identifier) @name @ref.reference)))))
(with_expression . (_) @owner (with_initializer . (identifier) @name @ref.reference))

; Members in patterns: of the type, or of the value that is tested
(recursive_pattern
  type: (_) @owner
  (property_pattern_clause (subpattern . (identifier) @name @ref.reference)))
(is_pattern_expression
  expression: (_) @owner
  pattern: (recursive_pattern !type
    (property_pattern_clause (subpattern . (identifier) @name @ref.reference))))
(switch_expression
  .
  (_) @owner
  (switch_expression_arm
    .
    (recursive_pattern !type
      (property_pattern_clause (subpattern . (identifier) @name @ref.reference)))))

; Type tests, and constants in patterns
((is_pattern_expression pattern: [
    (constant_pattern (identifier) @name)
    (negated_pattern (constant_pattern (identifier) @name))
  ] @ref.type)
  (#match? @name "^[A-Z]"))

; Types, except those of the prelude and type parameters
([
    (as_expression right: (identifier) @name)
    (is_expression right: (identifier) @name)
    (type_argument_list (identifier) @name)
    (explicit_interface_specifier (identifier) @name)
    (method_declaration returns: (identifier) @name)
    (function_pointer_type returns: (identifier) @name)
  ] @ref.type
  (#not-match? @name "^(T([A-Z0-9].*)?|[A-Z]|String|Object|Int32|Int64|Boolean)$"))
[
  (as_expression right: (qualified_name qualifier: (_) @owner name: (identifier) @name))
  (is_expression right: (qualified_name qualifier: (_) @owner name: (identifier) @name))
  (type_argument_list (qualified_name qualifier: (_) @owner name: (identifier) @name))
  (explicit_interface_specifier (qualified_name qualifier: (_) @owner name: (identifier) @name))
  (method_declaration returns: (qualified_name qualifier: (_) @owner name: (identifier) @name))
] @ref.type
(type: (identifier) @name @ref.type
  (#not-match? @name "^(T([A-Z0-9].*)?|[A-Z]|String|Object|Int32|Int64|Boolean)$"))
type: (qualified_name qualifier: (_) @owner name: (identifier) @name) @ref.type
(qualified_name qualifier: (_) @owner name: (generic_name (identifier) @name)) @ref.type
(generic_name (identifier) @name) @ref.type

; Names in expressions. First those whose node also has names that are no uses.
; `value` is the parameter of an accessor
([
    (assignment_expression left: (identifier) @name @ref.reference)
    (assignment_expression left: (parenthesized_expression (identifier) @name @ref.reference))
  ] @_assignment
  (#not-any-of? @name "_" "value")
  (#not-has-parent? @_assignment initializer_expression))
([
    (argument (identifier) @name @ref.reference .)
    (attribute_argument (identifier) @name @ref.reference .)
    (assignment_expression right: (identifier) @name @ref.reference)
    (variable_declarator "=" (identifier) @name @ref.reference)
    (parameter "=" (identifier) @name @ref.reference)
    (enum_member_declaration value: (identifier) @name @ref.reference)
    (property_declaration value: (identifier) @name @ref.reference)
    (lambda_expression body: (identifier) @name @ref.reference)
    (cast_expression value: (identifier) @name @ref.reference)
    (as_expression left: (identifier) @name @ref.reference)
    (is_expression left: (identifier) @name @ref.reference)
    (foreach_statement right: (identifier) @name @ref.reference)
    (goto_statement "case" (identifier) @name @ref.reference)
    (with_initializer (identifier) (identifier) @name @ref.reference)
    (anonymous_object_creation_expression
      ["{" "," "="]
      .
      (identifier) @name @ref.reference
      .
      ["," "}"])
    (from_clause "in" . (identifier) @name @ref.reference)
    (join_clause ["in" "on" "equals"] . (identifier) @name @ref.reference)
    (let_clause "=" . (identifier) @name @ref.reference)
  ]
  (#not-any-of? @name "_" "value"))
((identifier) @name @ref.reference
  (#not-any-of? @name "_" "nameof" "value")
  (#not-has-parent? @name
    accessor_declaration alias_qualified_name anonymous_object_creation_expression argument array_type as_expression
    assignment_expression attribute attribute_argument base_list bracketed_parameter_list calling_convention
    cast_expression catch_declaration class_declaration constructor_declaration conversion_operator_declaration
    declaration_expression declaration_pattern default_expression delegate_declaration destructor_declaration
    enum_declaration enum_member_declaration event_declaration explicit_interface_specifier extern_alias_directive
    file_scoped_namespace_declaration foreach_statement from_clause function_pointer_parameter function_pointer_type
    generic_name goto_statement indexer_declaration interface_declaration is_expression join_clause
    join_into_clause labeled_statement lambda_expression let_clause list_pattern local_function_statement
    member_binding_expression method_declaration namespace_declaration nullable_type object_creation_expression
    operator_declaration parameter parameter_list parenthesized_variable_designation pointer_type preproc_elif
    preproc_if preproc_if_in_attribute_list preproc_pragma primary_constructor_base_type property_declaration
    qualified_name query_expression record_declaration recursive_pattern ref_type refvalue_expression
    scoped_type sizeof_expression struct_declaration subpattern tuple_element tuple_pattern type_argument_list
    type_parameter type_parameter_constraint type_parameter_constraints_clause type_pattern typeof_expression
    using_directive var_pattern variable_declaration variable_declarator with_initializer))
(accessor_declaration
  name: "get"
  body: [
    (arrow_expression_clause (identifier) @name @ref.reference)
    (block (return_statement (identifier) @name @ref.reference))
  ])
([
    (argument (identifier) @name @ref.reference .)
    (assignment_expression (identifier) @name @ref.reference)
  ]
  (#eq? @name "value")
  (#not-has-ancestor? @name accessor_declaration initializer_expression))
((identifier) @name @ref.reference
  (#eq? @name "value")
  (#not-has-ancestor? @name accessor_declaration)
  (#has-parent? @name
    binary_expression return_statement member_access_expression interpolation element_access_expression
    conditional_expression prefix_unary_expression postfix_unary_expression parenthesized_expression
    arrow_expression_clause await_expression if_statement switch_statement switch_expression
    conditional_access_expression is_pattern_expression))

; Local bindings
(method_declaration parameters: (parameter_list (parameter name: (identifier) @local)))
(constructor_declaration parameters: (parameter_list (parameter name: (identifier) @local)))
(local_function_statement parameters: (parameter_list (parameter name: (identifier) @local)))
(operator_declaration parameters: (parameter_list (parameter name: (identifier) @local)))
(conversion_operator_declaration parameters: (parameter_list (parameter name: (identifier) @local)))
(lambda_expression parameters: (parameter_list (parameter name: (identifier) @local)))
(anonymous_method_expression parameters: (parameter_list (parameter name: (identifier) @local)))
(indexer_declaration parameters: (bracketed_parameter_list (parameter name: (identifier) @local)))
(method_declaration parameters: (parameter_list name: (identifier) @local))
(constructor_declaration parameters: (parameter_list name: (identifier) @local))
(local_function_statement parameters: (parameter_list name: (identifier) @local))
(implicit_parameter) @local
(variable_declarator name: (identifier) @local)
(tuple_pattern name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(recursive_pattern name: (identifier) @local)
(list_pattern name: (identifier) @local)
(var_pattern name: (identifier) @local)
(parenthesized_variable_designation name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local)
(join_clause (identifier) @local . "in")
(query_expression "into" . (identifier) @local)
(join_into_clause (identifier) @local)

; Other constructors
(constructor_initializer ["base" "this"] @name) @ref.call
