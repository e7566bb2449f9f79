; C: uses (also used by C++, after its own)

; Imports
(preproc_include path: (string_literal (string_content) @name)) @ref.import
(preproc_include path: (system_lib_string) @name) @ref.import

; Calls
(call_expression function: (identifier) @name) @ref.call
(call_expression function: (parenthesized_expression (identifier) @name)) @ref.call
(call_expression
  function: (field_expression argument: (_) @owner field: (field_identifier) @name)) @ref.call

; Members, with the receiver
(field_expression argument: (_) @owner field: (field_identifier) @name) @ref.reference

; Members of an initializer, where the type is written
(compound_literal_expression
  type: (type_descriptor type: [
    (type_identifier) @owner
    (struct_specifier name: (_) @owner)
    (union_specifier name: (_) @owner)
  ])
  value: [
    (initializer_list
      (initializer_pair designator: (field_designator (field_identifier) @name @ref.reference)))
    (initializer_list
      (initializer_list
        (initializer_pair designator: (field_designator (field_identifier) @name @ref.reference))))
    (initializer_list
      (initializer_pair
        designator: (subscript_designator)
        value: (initializer_list
          (initializer_pair designator: (field_designator (field_identifier) @name @ref.reference)))))
  ])
(declaration
  type: [
    (type_identifier) @owner
    (struct_specifier name: (_) @owner)
    (union_specifier name: (_) @owner)
  ]
  declarator: (init_declarator
    value: [
      (initializer_list
        (initializer_pair . designator: (field_designator (field_identifier) @name @ref.reference)))
      (initializer_list
        (initializer_list
          (initializer_pair . designator: (field_designator (field_identifier) @name @ref.reference))))
      (initializer_list
        (initializer_pair
          designator: (subscript_designator)
          value: (initializer_list
            (initializer_pair . designator: (field_designator (field_identifier) @name @ref.reference)))))
    ]))
(offsetof_expression
  type: (type_descriptor type: [
    (type_identifier) @owner
    (struct_specifier name: (_) @owner)
    (union_specifier name: (_) @owner)
  ])
  member: (field_identifier) @name) @ref.reference

; Macros that a condition asks for
(preproc_ifdef name: (identifier) @name @ref.reference)
(preproc_defined (identifier) @name @ref.reference)

; What is assigned to a member
(initializer_pair
  designator: (field_designator (field_identifier) @alias)
  value: [
    (identifier) @name @ref.reference
    (pointer_expression argument: (identifier) @name @ref.reference)
  ])
(assignment_expression
  left: (field_expression field: (field_identifier) @alias)
  right: [
    (identifier) @name @ref.reference
    (pointer_expression argument: (identifier) @name @ref.reference)
  ])

; Names in expressions
(array_declarator size: (identifier) @name @ref.reference)
(enumerator value: (identifier) @name @ref.reference)
(init_declarator value: (identifier) @name @ref.reference)
((identifier) @name @ref.reference
  (#has-parent? @name
    abstract_array_declarator alignas_qualifier argument_list assignment_expression binary_expression bitfield_clause
    case_statement cast_expression comma_expression concatenated_string conditional_expression expression_statement
    extension_expression field_expression for_statement generic_expression gnu_asm_input_operand
    gnu_asm_output_operand initializer_list initializer_pair parenthesized_expression pointer_expression preproc_elif
    preproc_if return_statement sizeof_expression subscript_designator subscript_expression
    subscript_range_designator unary_expression update_expression))

; Types
((type_identifier) @name @ref.type
  (#not-match? @name "^[A-Z][0-9]?$"))

; Local bindings
(parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator declarator: [
    (identifier) @local
    (pointer_declarator declarator: (identifier) @local)
  ])
  (array_declarator declarator: (identifier) @local)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))
])
((declaration declarator: [
    (identifier) @local
    (pointer_declarator declarator: [
      (identifier) @local
      (pointer_declarator declarator: (identifier) @local)
    ])
    (array_declarator declarator: [
      (identifier) @local
      (array_declarator declarator: (identifier) @local)
    ])
    (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
    (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))
    (init_declarator declarator: [
      (identifier) @local
      (pointer_declarator declarator: [
        (identifier) @local
        (pointer_declarator declarator: (identifier) @local)
      ])
      (array_declarator declarator: [
        (identifier) @local
        (array_declarator declarator: (identifier) @local)
      ])
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @local))
      (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @local)))
    ])
  ]) @_declaration
  (#not-match? @_declaration "^extern"))
