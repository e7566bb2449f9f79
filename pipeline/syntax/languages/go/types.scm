; Go: types of names

; Receivers, parameters, named results
(method_declaration
  receiver: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))
(method_declaration
  parameters: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))
(method_declaration
  result: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))
(function_declaration
  parameters: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))
(function_declaration
  result: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))
(func_literal
  parameters: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))
(func_literal
  result: (parameter_list (parameter_declaration name: (identifier) @typed type: (_) @type)))

; Result types; of several, the first
(method_declaration name: (_) @typed result: (_) @type
  (#not-match? @type "^\\("))
(method_declaration name: (_) @typed result: (parameter_list . (parameter_declaration type: (_) @type)))
(function_declaration name: (_) @typed result: (_) @type
  (#not-match? @type "^\\("))
(function_declaration name: (_) @typed result: (parameter_list . (parameter_declaration type: (_) @type)))
(method_elem name: (_) @typed result: (_) @type
  (#not-match? @type "^\\("))
(method_elem name: (_) @typed result: (parameter_list . (parameter_declaration type: (_) @type)))
(source_file
  (var_declaration
    (var_spec name: (_) @typed value: (expression_list . (func_literal result: (_) @type) .)))
  (#not-match? @type "^\\("))
(source_file
  (var_declaration
    (var_spec
      name: (_) @typed
      value: (expression_list
        .
        (func_literal result: (parameter_list . (parameter_declaration type: (_) @type)))
        .))))

; Fields, also of anonymous structs
(type_spec
  type: (struct_type
    (field_declaration_list (field_declaration name: (_) @typed type: (_) @type)))
  (#not-match? @type "^\\*?struct\\b"))
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        type: (struct_type
          (field_declaration_list (field_declaration name: (_) @typed type: (_) @type))))))
  (#not-match? @type "^\\*?struct\\b"))

; Embedded fields have the name of their type
(field_declaration
  !name
  type: [
    (type_identifier) @member
    (qualified_type name: (_) @member)
    (generic_type type: (type_identifier) @member)
    (generic_type type: (qualified_type name: (_) @member))
  ] @type)

; Aliases. A defined type is different: it has its own methods
(type_alias name: (_) @typed type: (_) @type)

; Variables and constants with a declared type
(var_spec name: (identifier) @typed type: (_) @type)
(const_spec name: (identifier) @typed type: (_) @type)

; By composite literal, conversion or type assertion
(var_spec
  .
  name: (identifier) @typed
  !type
  value: (expression_list
    .
    [
      (composite_literal type: (_) @type)
      (unary_expression operand: (composite_literal type: (_) @type))
      (type_assertion_expression type: (_) @type)
    ]))
(short_var_declaration
  left: (expression_list . (identifier) @typed)
  right: (expression_list
    .
    [
      (composite_literal type: (_) @type)
      (unary_expression operand: (composite_literal type: (_) @type))
      (type_assertion_expression type: (_) @type)
    ]))
(short_var_declaration
  left: (expression_list . (_) . (identifier) @typed)
  right: (expression_list
    .
    (_)
    .
    [
      (composite_literal type: (_) @type)
      (unary_expression operand: (composite_literal type: (_) @type))
      (type_assertion_expression type: (_) @type)
    ]))
(var_spec
  .
  name: (identifier) @typed
  !type
  value: (expression_list
    .
    (call_expression function: (identifier) @_made arguments: (argument_list . (_) @type)))
  (#any-of? @_made "make" "new"))
(short_var_declaration
  left: (expression_list . (identifier) @typed)
  right: (expression_list
    .
    (call_expression function: (identifier) @_made arguments: (argument_list . (_) @type)))
  (#any-of? @_made "make" "new"))

; Types of a type switch
(type_switch_statement
  alias: (expression_list (identifier) @typed)
  (type_case type: (_) @type))

; Other values; of several results, the first
(var_spec . name: (identifier) @typed !type value: (expression_list . (_) @value)
  (#not-match? @value "^(new|make)\\(|\\.\\([^()]*\\)$|^&?[\\w.]+\\{")
  (#not-eq? @typed "_"))
(var_spec
  .
  name: (_)
  .
  name: (identifier) @typed
  !type
  value: (expression_list . (_) . (_) @value)
  (#not-match? @value "^(new|make)\\(|\\.\\([^()]*\\)$|^&?[\\w.]+\\{")
  (#not-eq? @typed "_"))
(short_var_declaration
  left: (expression_list . (identifier) @typed)
  right: (expression_list . (_) @value)
  (#not-match? @value "^(new|make)\\(|\\.\\([^()]*\\)$|^&?[\\w.]+\\{")
  (#not-eq? @typed "_"))
(short_var_declaration
  left: (expression_list . (_) . (identifier) @typed)
  right: (expression_list . (_) . (_) @value)
  (#not-match? @value "^(new|make)\\(|\\.\\([^()]*\\)$|^&?[\\w.]+\\{")
  (#not-eq? @typed "_"))
(const_spec . name: (identifier) @typed !type value: (expression_list . (_) @value))

; Loops: the second name has the elements
(range_clause left: (expression_list . (_) . (identifier) @typed .) right: (_) @subscripted)

; Named collections
(type_spec name: (_) @typed type: [(slice_type) (array_type) (map_type) (channel_type)] @type)

; Type parameters by their bounds
(type_parameter_declaration name: (identifier) @typed type: (type_constraint . (_) @type .))
