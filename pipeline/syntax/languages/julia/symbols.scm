; Julia: definitions
; A signature is a call, optionally with a result type and a `where` clause.

; Modules
(module_definition name: (identifier) @verbatim . (_)? @body) @symbol.module @scope

; Types
(struct_definition
  (type_head [
    (identifier) @verbatim
    (parametrized_type_expression . (identifier) @verbatim)
    (binary_expression . (identifier) @verbatim)
    (binary_expression . (parametrized_type_expression . (identifier) @verbatim))
  ])
  .
  (_)? @body) @symbol.struct @scope
[
  (abstract_definition (type_head [
    (identifier) @verbatim
    (parametrized_type_expression . (identifier) @verbatim)
    (binary_expression . (identifier) @verbatim)
    (binary_expression . (parametrized_type_expression . (identifier) @verbatim))
  ]))
  (primitive_definition (type_head [
    (identifier) @verbatim
    (parametrized_type_expression . (identifier) @verbatim)
    (binary_expression . (identifier) @verbatim)
    (binary_expression . (parametrized_type_expression . (identifier) @verbatim))
  ]))
] @symbol.type @scope

; Fields, plain or with a macro such as `@atomic`
(struct_definition [
  (identifier) @verbatim @symbol.field
  (typed_expression . (identifier) @verbatim) @symbol.field
  (assignment . [
    (identifier) @verbatim
    (typed_expression . (identifier) @verbatim)
  ]) @symbol.field
  (const_statement (assignment . [
    (identifier) @verbatim
    (typed_expression . (identifier) @verbatim)
  ])) @symbol.field
  (const_statement (assignment . (typed_expression . (typed_expression . (identifier) @verbatim)))) @symbol.field
  (macrocall_expression (macro_argument_list (typed_expression . (identifier) @verbatim))) @symbol.field
])

; The grammar lacks fields with `const` and without a value: these are what remains of them in the error
(struct_definition (ERROR [
  (typed_expression . (identifier) @verbatim) @symbol.field
  (typed_expression . (typed_expression . (identifier) @verbatim) @symbol.field)
  (typed_expression . (typed_expression . (typed_expression . (identifier) @verbatim) @symbol.field))
]))

; Enums and their members
(macrocall_expression
  (macro_identifier (identifier) @_macro)
  (macro_argument_list . [
    (identifier) @verbatim
    (typed_expression . (identifier) @verbatim)
  ])
  (#any-of? @_macro "enum" "enumx")) @symbol.enum @scope
(macrocall_expression
  (macro_identifier (identifier) @_macro)
  (macro_argument_list . (_) [
    (identifier) @verbatim @symbol.enum_member
    (assignment . (identifier) @verbatim) @symbol.enum_member
  ])
  (#any-of? @_macro "enum" "enumx"))
(macrocall_expression
  (macro_identifier (identifier) @_macro)
  (macro_argument_list . (_) . (compound_statement [
    (identifier) @verbatim @symbol.enum_member
    (assignment . (identifier) @verbatim) @symbol.enum_member
  ]))
  (#any-of? @_macro "enum" "enumx"))

; Macros
(macro_definition (signature (call_expression . [
  (identifier) @verbatim
  (operator) @verbatim
])) . (_)? @body) @symbol.macro @scope

; Tests
(macrocall_expression
  (macro_identifier (identifier) @_macro)
  (macro_argument_list
    [
      (string_literal . (content) @verbatim)
      (string_literal . (string_interpolation) . (content) @verbatim)
    ]
    .
    (_) @body)
  (#any-of? @_macro "testset" "safetestset" "testitem" "testcase")) @symbol.test @scope

; Constructors, inner and outer: a function with a name like a type counts as a constructor
(function_definition
  (signature [
    (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ])
    (typed_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ]))
    (where_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ]))
    (where_expression . (typed_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ])))
    (where_expression . (where_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ])))
  ])
  .
  (_)? @body
  (#match? @verbatim "^_*[A-Z]")) @symbol.constructor @scope
(assignment
  .
  [
    (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ])
    (typed_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ]))
    (where_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ]))
    (where_expression . (typed_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ])))
    (where_expression . (where_expression . (call_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ])))
  ]
  .
  (operator)
  .
  (_) @body
  (#match? @verbatim "^_*[A-Z]")) @symbol.constructor @scope

; Methods that make values of a type callable
(function_definition
  (signature [
    (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ])
    (typed_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ]))
    (where_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ]))
    (where_expression . (typed_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ])))
    (where_expression . (where_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ])))
  ])
  .
  (_)? @body) @symbol.method @scope
(assignment
  .
  [
    (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ])
    (typed_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ]))
    (where_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ]))
    (where_expression . (typed_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ])))
    (where_expression . (where_expression . (call_expression . [
      (parenthesized_expression . (typed_expression "::" [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
      (parenthesized_expression . (unary_typed_expression [
        (identifier) @verbatim
        (field_expression (identifier) @verbatim .)
        (parametrized_type_expression . [(identifier) @verbatim (field_expression (identifier) @verbatim .)])
      ]) .)
    ])))
  ]
  .
  (operator)
  .
  (_) @body) @symbol.method @scope

; Functions in long and short form, also nested ones and methods for functions of other modules
(function_definition
  (signature [
    (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ])
    (typed_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ]))
    (where_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ]))
    (where_expression . (typed_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ])))
    (where_expression . (where_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ])))
  ])
  .
  (_)? @body) @symbol.function @scope
(assignment
  .
  [
    (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ])
    (typed_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ]))
    (where_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ]))
    (where_expression . (typed_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ])))
    (where_expression . (where_expression . (call_expression . [
      (identifier) @verbatim
      (operator) @verbatim
      (parenthesized_expression . (operator) @verbatim .)
      (field_expression value: (_) @owner [
        (identifier) @verbatim
        (quote_expression [
          (operator) @verbatim
          (parenthesized_expression (operator) @verbatim)
        ])
      ])
    ])))
  ]
  .
  (operator)
  .
  (_) @body) @symbol.function @scope

; Functions without methods
(function_definition (signature (identifier) @verbatim)) @symbol.function

; Operators defined in infix position: `a ⊕ b = ...`. In the arguments of a macro, this is a test
[
  (source_file (assignment . (binary_expression (operator) @verbatim) . (operator) . (_) @body) @symbol.function @scope)
  (module_definition (assignment . (binary_expression (operator) @verbatim) . (operator) . (_) @body) @symbol.function @scope)
]

; Functions assigned to a name of the module
(const_statement
  (assignment
    .
    (identifier) @verbatim
    .
    (operator)
    .
    [(arrow_function_expression) (function_definition (signature (argument_list)))] @body)) @symbol.function @scope
(source_file
  (assignment
    .
    (identifier) @verbatim
    .
    (operator)
    .
    [(arrow_function_expression) (function_definition (signature (argument_list)))] @body) @symbol.function @scope)
(module_definition
  (assignment
    .
    (identifier) @verbatim
    .
    (operator)
    .
    [(arrow_function_expression) (function_definition (signature (argument_list)))] @body) @symbol.function @scope)

; Type aliases
(const_statement
  (assignment . (parametrized_type_expression . (identifier) @verbatim) . (operator))) @symbol.type
(assignment
  .
  (parametrized_type_expression . (identifier) @verbatim)
  .
  (operator)) @symbol.type
(const_statement
  (assignment
    .
    (identifier) @verbatim
    .
    (operator)
    .
    [(parametrized_type_expression) (where_expression (parametrized_type_expression))])
  (#match? @verbatim "^[A-Z]")) @symbol.type
(const_statement
  (assignment
    .
    (identifier) @verbatim
    .
    (operator)
    .
    [(identifier) (field_expression)] @_value)
  (#match? @verbatim "^[A-Z]\\w*[a-z]")
  (#match? @_value "(^|\\.)[A-Z]\\w*[a-z]\\w*$")) @symbol.type

; Constants and variables of the module
(const_statement
  (assignment . [
    (identifier) @verbatim
    (typed_expression . (identifier) @verbatim)
  ])) @symbol.constant
(const_statement
  (assignment . [
    (tuple_expression (identifier) @verbatim @symbol.constant)
    (open_tuple (identifier) @verbatim @symbol.constant)
  ]))
(source_file
  [
    (assignment . [
      (identifier) @verbatim
      (typed_expression . (identifier) @verbatim)
    ])
    (global_statement (assignment . [
      (identifier) @verbatim
      (typed_expression . (identifier) @verbatim)
    ]))
  ] @symbol.variable)
(module_definition
  [
    (assignment . [
      (identifier) @verbatim
      (typed_expression . (identifier) @verbatim)
    ])
    (global_statement (assignment . [
      (identifier) @verbatim
      (typed_expression . (identifier) @verbatim)
    ]))
  ] @symbol.variable)

; Docstrings and comments before a definition
[
  (source_file (string_literal . (content) @doc .) @attribute)
  (module_definition (string_literal . (content) @doc .) @attribute)
  (struct_definition (string_literal . (content) @doc .) @attribute)
  (compound_statement (string_literal . (content) @doc .) @attribute)
  (if_statement (string_literal . (content) @doc .) @attribute)
]
[
  (source_file (string_literal [(escape_sequence) (string_interpolation)]) @doc)
  (module_definition (string_literal [(escape_sequence) (string_interpolation)]) @doc)
  (struct_definition (string_literal [(escape_sequence) (string_interpolation)]) @doc)
]
[
  (source_file (prefixed_string_literal prefix: (identifier) . (content) @doc .) @attribute)
  (module_definition (prefixed_string_literal prefix: (identifier) . (content) @doc .) @attribute)
]
(macrocall_expression
  (macro_identifier (identifier) @_macro)
  (macro_argument_list . [
    (string_literal . (content) @doc)
    (prefixed_string_literal prefix: (identifier) . (content) @doc)
  ])
  (#eq? @_macro "doc")) @attribute
[(line_comment) (block_comment)] @doc
