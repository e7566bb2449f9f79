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
  (#not-eq? @name "nameof"))

; Functions and values passed as arguments or assigned
(argument (identifier) @name @ref.reference .)
(assignment_expression operator: ["+=" "-="] right: (identifier) @name @ref.reference)
(arrow_expression_clause (identifier) @name @ref.reference)

; Members of a class or enum: the owner begins with a capital letter
((member_access_expression expression: (identifier) @owner name: (identifier) @name) @ref.reference
  (#match? @owner "^[A-Z]"))

; Type tests, and constants in patterns
((is_pattern_expression pattern: [
    (constant_pattern (identifier) @name)
    (negated_pattern (constant_pattern (identifier) @name))
  ] @ref.type)
  (#match? @name "^[A-Z]"))
(constant_pattern (identifier) @name @ref.reference)

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
(join_clause . (identifier) @local)
(join_into_clause (identifier) @local)
