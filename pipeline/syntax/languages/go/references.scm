; Go: uses

; Imports
(import_spec
  name: (_)? @alias
  path: [
    (interpreted_string_literal (interpreted_string_literal_content) @name)
    (raw_string_literal (raw_string_literal_content) @name)
  ]) @ref.import

; Embedded structs
(field_declaration
  !name
  type: [
    (type_identifier) @name
    (qualified_type package: (_) @owner name: (_) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (qualified_type package: (_) @owner name: (_) @name))
  ] @ref.inherit)

; Embedded interfaces
(interface_type
  (type_elem . [
    (type_identifier) @name
    (qualified_type package: (_) @owner name: (_) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (qualified_type package: (_) @owner name: (_) @name))
  ] @ref.inherit .)
  (#not-any-of? @name "any" "comparable"))

; Interfaces asserted to be implemented: `var _ I = (*T)(nil)`, `var _ I = &T{}`, `var _ I = T{}`
(var_spec
  name: (identifier) @_blank
  type: [
    (type_identifier) @name
    (qualified_type name: (_) @name)
  ] @ref.implement
  value: (expression_list [
    (call_expression
      function: (parenthesized_expression (unary_expression operand: (identifier) @owner)))
    (unary_expression operand: (composite_literal type: (type_identifier) @owner))
    (composite_literal type: (type_identifier) @owner)
  ])
  (#eq? @_blank "_"))

; Composite literals
(composite_literal
  type: [
    (type_identifier) @name
    (qualified_type package: (_) @owner name: (_) @name)
    (generic_type type: (type_identifier) @name)
    (generic_type type: (qualified_type package: (_) @owner name: (_) @name))
  ]) @ref.instantiate

; Calls, except of built-in functions. With type arguments they are conversions for the grammar
(type_conversion_expression
  type: (generic_type
    type: [
      (type_identifier) @name
      (qualified_type package: (_) @owner name: (_) @name)
    ])) @ref.call
(call_expression
  function: (selector_expression operand: (_) @owner field: (_) @name)) @ref.call
(call_expression
  function: [
    (identifier) @name
    (index_expression operand: (identifier) @name)
    (type_instantiation_expression type: (type_identifier) @name)
    (parenthesized_expression (identifier) @name)
  ]
  (#not-any-of? @name
    "append" "cap" "clear" "close" "complex" "copy" "delete" "imag" "len" "make" "max" "min" "new"
    "panic" "print" "println" "real" "recover"
    "bool" "byte" "complex64" "complex128" "error" "float32" "float64" "int" "int8" "int16" "int32"
    "int64" "rune" "string" "uint" "uint8" "uint16" "uint32" "uint64" "uintptr")) @ref.call

; Fields of values, members of packages
(selector_expression operand: (_) @owner field: (_) @name) @ref.reference

; Fields in literals of a type, and of elements whose type the literal of a slice, array or map has
(composite_literal
  type: [(type_identifier) (qualified_type)] @owner
  body: (literal_value (keyed_element key: (literal_element (identifier) @name @ref.reference))))
(composite_literal
  type: (generic_type type: (_) @owner)
  body: (literal_value (keyed_element key: (literal_element (identifier) @name @ref.reference))))
(composite_literal
  type: [
    (slice_type element: [
      (type_identifier) @owner
      (qualified_type) @owner
      (pointer_type [(type_identifier) (qualified_type)] @owner)
    ])
    (array_type element: [
      (type_identifier) @owner
      (qualified_type) @owner
      (pointer_type [(type_identifier) (qualified_type)] @owner)
    ])
    (implicit_length_array_type element: [
      (type_identifier) @owner
      (qualified_type) @owner
      (pointer_type [(type_identifier) (qualified_type)] @owner)
    ])
  ]
  body: (literal_value [
    (literal_element
      (literal_value (keyed_element key: (literal_element (identifier) @name @ref.reference))))
    (keyed_element
      value: (literal_element
        (literal_value (keyed_element key: (literal_element (identifier) @name @ref.reference)))))
  ]))
(composite_literal
  type: (map_type value: [
    (type_identifier) @owner
    (qualified_type) @owner
    (pointer_type [(type_identifier) (qualified_type)] @owner)
  ])
  body: (literal_value
    (keyed_element
      value: (literal_element
        (literal_value (keyed_element key: (literal_element (identifier) @name @ref.reference)))))))

; What a field is given
(keyed_element
  key: (literal_element (identifier) @alias)
  value: (literal_element [
    (identifier) @name @ref.reference
    (selector_expression operand: (_) @owner field: (_) @name) @ref.reference
  ]))
(assignment_statement
  left: (expression_list . (selector_expression field: (_) @alias) .)
  right: (expression_list . [
    (identifier) @name @ref.reference
    (selector_expression operand: (_) @owner field: (_) @name) @ref.reference
  ] .))

; Names where the parent may also bind one or name a field
([
    (composite_literal
      type: [(map_type) (slice_type) (array_type) (implicit_length_array_type)]
      body: (literal_value (keyed_element key: (literal_element (identifier) @name @ref.reference))))
    (keyed_element value: (literal_element (identifier) @name @ref.reference))
    (literal_value (literal_element (identifier) @name @ref.reference))
    (short_var_declaration right: (expression_list (identifier) @name @ref.reference))
    (assignment_statement (expression_list (identifier) @name @ref.reference))
    (var_spec value: (expression_list (identifier) @name @ref.reference))
    (const_spec value: (expression_list (identifier) @name @ref.reference))
    (return_statement (expression_list (identifier) @name @ref.reference))
    (expression_case value: (expression_list (identifier) @name @ref.reference))
  ]
  (#not-eq? @name "_"))

; Names, wherever they are
((identifier) @name @ref.reference
  (#not-has-parent? @name
    ERROR expression_list literal_element function_declaration parameter_declaration variadic_parameter_declaration
    type_parameter_declaration const_spec var_spec)
  (#not-any-of? @name
    "_" "append" "cap" "clear" "close" "complex" "copy" "delete" "imag" "len" "make" "max" "min" "new"
    "panic" "print" "println" "real" "recover"
    "bool" "byte" "complex64" "complex128" "error" "float32" "float64" "int" "int8" "int16" "int32"
    "int64" "rune" "string" "uint" "uint8" "uint16" "uint32" "uint64" "uintptr"))

; Types, except built-in ones and short type parameters
(qualified_type package: (_) @owner name: (_) @name) @ref.type
((type_identifier) @name @ref.type
  (#not-match? @name "^[A-Z]$")
  (#not-any-of? @name
    "any" "bool" "byte" "comparable" "complex64" "complex128" "error" "float32" "float64" "int"
    "int8" "int16" "int32" "int64" "rune" "string" "uint" "uint8" "uint16" "uint32" "uint64"
    "uintptr"))

; Local bindings
(function_declaration type_parameters: (_ (type_parameter_declaration name: (identifier) @local_type)))
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @local)))
(method_declaration
  parameters: (parameter_list [
    (parameter_declaration name: (identifier) @local)
    (variadic_parameter_declaration name: (identifier) @local)
  ]))
(method_declaration result: (parameter_list (parameter_declaration name: (identifier) @local)))
(function_declaration
  parameters: (parameter_list [
    (parameter_declaration name: (identifier) @local)
    (variadic_parameter_declaration name: (identifier) @local)
  ]))
(function_declaration result: (parameter_list (parameter_declaration name: (identifier) @local)))
(func_literal
  parameters: (parameter_list [
    (parameter_declaration name: (identifier) @local)
    (variadic_parameter_declaration name: (identifier) @local)
  ]))
(func_literal result: (parameter_list (parameter_declaration name: (identifier) @local)))
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
(const_spec (identifier) @local)
