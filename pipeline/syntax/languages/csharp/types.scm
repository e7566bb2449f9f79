; C#: types of names

; Parameters. Those of records are properties, those of other types are visible in the whole type
(method_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(constructor_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(local_function_statement parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(operator_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(conversion_operator_declaration parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(lambda_expression parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(anonymous_method_expression parameters: (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(method_declaration parameters: (parameter_list type: (_) @type name: (identifier) @typed))
(constructor_declaration parameters: (parameter_list type: (_) @type name: (identifier) @typed))
(local_function_statement parameters: (parameter_list type: (_) @type name: (identifier) @typed))
(indexer_declaration
  parameters: (bracketed_parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @typed)))
(class_declaration (parameter_list (parameter type: (_) @type name: (identifier) @member)))
(struct_declaration (parameter_list (parameter type: (_) @type name: (identifier) @member)))

; Result types
(method_declaration returns: (_) @type name: (_) @typed)
(local_function_statement type: (_) @type name: (_) @typed)

; Properties, events
(property_declaration type: (_) @type name: (_) @typed)
(event_declaration type: (_) @type name: (_) @typed)

; Fields and variables with a declared type
(variable_declaration type: (_) @type (variable_declarator name: (identifier) @typed)
  (#not-eq? @type "var"))
(foreach_statement type: (_) @type left: (identifier) @typed
  (#not-eq? @type "var"))
(catch_declaration type: (_) @type name: (identifier) @typed)
(declaration_expression type: (_) @type name: (identifier) @typed
  (#not-eq? @type "var"))
(from_clause type: (_) @type name: (identifier) @typed)

; Patterns
(declaration_pattern type: (_) @type name: (identifier) @typed
  (#not-eq? @type "var"))
(recursive_pattern type: (_) @type name: (identifier) @typed)

; Variables without a declared type: by instantiation, cast or other value
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @typed
    .
    [
      (object_creation_expression type: (_) @type)
      (array_creation_expression type: (_) @type)
      (cast_expression type: (_) @type)
      (default_expression type: (_) @type)
    ]))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @typed
    .
    [
      (identifier)
      (invocation_expression)
      (member_access_expression)
      (conditional_access_expression)
      (element_access_expression)
      (postfix_unary_expression)
      (await_expression)
      (as_expression)
      (binary_expression operator: "??")
      (parenthesized_expression)
      "this"
      (string_literal)
      (interpolated_string_expression)
      (integer_literal)
    ] @value)
  (#not-match? @value "\\.ConfigureAwait\\(\\w+\\)$"))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @typed
    .
    (await_expression
      (invocation_expression function: (member_access_expression expression: (_) @value name: (identifier) @_wait))))
  (#eq? @_wait "ConfigureAwait"))
(variable_declaration
  type: (implicit_type)
  (variable_declarator
    name: (identifier) @typed
    .
    (conditional_expression [consequence: (_) @value alternative: (_) @value])))
(let_clause . (identifier) @typed . (_) @value)

; Loops
(foreach_statement type: (_) @_type left: (identifier) @typed right: (_) @iterated
  (#eq? @_type "var"))
(foreach_statement left: (tuple_pattern (identifier) @typed) right: (_) @iterated_parts)

; Parts of tuples
(variable_declarator . (tuple_pattern (identifier) @typed) . (_) @unpacked)
(assignment_expression
  left: (tuple_expression (argument (declaration_expression type: (implicit_type) name: (identifier) @typed)))
  right: (_) @unpacked)

; Variables that a call assigns to: an element of a collection, or what it takes there
(invocation_expression
  function: (member_access_expression expression: (_) @subscripted name: (identifier) @_method)
  arguments: (argument_list (argument (declaration_expression type: (implicit_type) name: (identifier) @typed)))
  (#any-of? @_method "TryDequeue" "TryGetValue" "TryPeek" "TryPop" "TryRemove" "TryTake"))
(argument (declaration_expression type: (implicit_type) name: (identifier) @typed))

; Type parameters by their bounds
(type_parameter_constraints_clause . (identifier) @typed . (type_parameter_constraint type: (_) @type))
