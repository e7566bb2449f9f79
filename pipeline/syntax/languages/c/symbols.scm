; C: definitions (also used by C++, after its own)

; Structs, unions and enums named only by a typedef
(type_definition
  type: (struct_specifier !name body: (_))
  declarator: (type_identifier) @name) @symbol.struct @scope
(type_definition
  type: (union_specifier !name body: (_))
  declarator: (type_identifier) @name) @symbol.union @scope
(type_definition
  type: (enum_specifier !name body: (_))
  declarator: (type_identifier) @name) @symbol.enum @scope

; Structs, unions and enums with a body
(struct_specifier name: (_) @name body: (_)) @symbol.struct @scope
(union_specifier name: (_) @name body: (_)) @symbol.union @scope
(enum_specifier name: (_) @name body: (_)) @symbol.enum @scope

; Members of enums
(enumerator name: (_) @name) @symbol.enum_member

; Other typedefs, also of pointers, arrays and functions
(type_definition
  declarator: [
    (type_identifier) @name
    (_ declarator: [
      (type_identifier) @name
      (parenthesized_declarator [
        (type_identifier) @name
        (pointer_declarator declarator: (type_identifier) @name)
      ])
      (_ declarator: [
        (type_identifier) @name
        (parenthesized_declarator [
          (type_identifier) @name
          (pointer_declarator declarator: (type_identifier) @name)
        ])
      ])
    ])
  ]) @symbol.type

; Fields. The name of a field with an unnamed struct or union qualifies the members of that type
(field_declaration
  type: [
    (struct_specifier !name body: (_))
    (union_specifier !name body: (_))
  ]
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
  ]) @symbol.field @scope
(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: [
      (field_identifier) @name
      (_ declarator: [
        (field_identifier) @name
        (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @name))
      ])
    ])
    (array_declarator declarator: [
      (field_identifier) @name
      (array_declarator declarator: (field_identifier) @name)
    ])
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: [
          (field_identifier) @name
          (array_declarator declarator: (field_identifier) @name)
        ])))
  ]) @symbol.field

; Functions, also those that return pointers, but not statements that a syntax error turns into functions
(function_definition
  declarator: [
    (function_declarator declarator: [
      (identifier) @name
      (parenthesized_declarator [
        (identifier) @name
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      ])
    ])
    (pointer_declarator declarator: [
      (function_declarator declarator: [
        (identifier) @name
        (parenthesized_declarator (identifier) @name)
      ])
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    ])
  ]
  (#not-any-of? @name "if" "for" "while" "switch" "return" "else" "defined")) @symbol.function @scope

; Functions and tests whose head is a macro: `PHP_FUNCTION(name) {`, `SYSCALL_DEFINE2(name, ...) {`
(function_definition
  type: (type_identifier) @_macro
  declarator: (parenthesized_declarator (identifier) @name)
  (#match? @_macro "^([A-Z0-9]+_)*TEST(_[A-Z]|_BEGIN|_CASE[A-Z_]*|_METHOD)?$")) @symbol.test @scope
(function_definition
  type: (type_identifier)
  declarator: (parenthesized_declarator (identifier) @name)) @symbol.function @scope
(translation_unit
  (expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . (identifier) @owner . (identifier) @name .)))
  .
  (compound_statement) @symbol.test @scope @body
  (#match? @_macro "^([A-Z0-9]+_)*TEST(_[A-Z]|_BEGIN|_CASE[A-Z_]*|_METHOD)?$"))
(translation_unit
  (expression_statement
    (call_expression function: (identifier) @_macro arguments: (argument_list . (identifier) @name)))
  .
  (compound_statement) @symbol.function @scope @body
  (#match? @_macro "^([A-Z_]*DEFINE[0-9X]*|BPF_[A-Z]+(_[0-9])?|[A-Z]+_(FUNCTION|METHOD))$"))
(translation_unit
  (expression_statement (call_expression function: (identifier) @_macro)) @attribute
  .
  (compound_statement)
  (#match? @_macro "^([A-Z_]*DEFINE[0-9X]*|BPF_[A-Z]+(_[0-9])?|[A-Z]+_(FUNCTION|METHOD)|([A-Z0-9]+_)*TEST(_[A-Z]|_BEGIN|_CASE[A-Z_]*|_METHOD)?|SCENARIO)$"))

; Variables declared by a macro: `DEFINE_MUTEX(name);`, `static DEFINE_MUTEX(name);`
((expression_statement
    (call_expression
      function: (identifier) @_macro
      arguments: (argument_list . (identifier) @name))) @symbol.variable
  (#match? @_macro "^(DEFINE|DECLARE)_")
  (#not-any-of? @name "static" "extern" "const")
  (#not-has-ancestor? @symbol.variable compound_statement ERROR)
  (#has-parent? @symbol.variable translation_unit preproc_if preproc_ifdef preproc_else))
(declaration
  type: (type_identifier) @_macro
  declarator: (parenthesized_declarator (identifier) @name)
  (#match? @_macro "^[A-Z][A-Z0-9_]+$")) @symbol.variable

; Not a name, though before a parameter list: a type after a macro
(function_declarator declarator: (function_declarator declarator: (identifier) @name @scope))

; Prototypes with the name in parentheses after a macro: `LUA_API void (lua_close) (lua_State *L);`
(declaration
  type: (type_identifier)
  declarator: (function_declarator
    declarator: (function_declarator
      declarator: (identifier)
      parameters: (parameter_list . (parameter_declaration . type: (type_identifier) @name .) .)))) @symbol.function

; Prototypes outside function bodies
((declaration
  declarator: [
    (function_declarator declarator: [
      (identifier) @name
      (parenthesized_declarator (identifier) @name)
    ])
    (_ declarator: [
      (function_declarator declarator: [
        (identifier) @name
        (parenthesized_declarator (identifier) @name)
      ])
      (_ declarator: (function_declarator declarator: (identifier) @name))
    ])
  ]) @symbol.function
  (#not-has-ancestor? @symbol.function compound_statement)
  (#has-parent? @symbol.function translation_unit preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef declaration_list
    linkage_specification ERROR))

; Constants outside function bodies
((declaration
  (type_qualifier) @_qualifier
  declarator: (init_declarator
    declarator: [
      (identifier) @name
      (array_declarator declarator: (identifier) @name)
    ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr")
  (#not-has-ancestor? @symbol.constant compound_statement ERROR)
  (#has-parent? @symbol.constant translation_unit preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef declaration_list
    linkage_specification))

; Variables outside function bodies
((declaration
  declarator: [
    (identifier) @name
    (_ declarator: [
      (identifier) @name
      (parenthesized_declarator (_ declarator: [(identifier) @name (_ declarator: (identifier) @name)]))
      (_ declarator: [
        (identifier) @name
        (parenthesized_declarator (_ declarator: (identifier) @name))
        (_ declarator: [
          (identifier) @name
          (parenthesized_declarator (_ declarator: (identifier) @name))
        ])
      ])
    ])
  ]) @symbol.variable
  (#not-has-ancestor? @symbol.variable compound_statement ERROR)
  (#has-parent? @symbol.variable translation_unit preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef declaration_list
    linkage_specification))

; A variable with an unnamed struct or union: its name qualifies the members of that type
((declaration
  type: [
    (struct_specifier !name body: (_))
    (union_specifier !name body: (_))
  ]
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
  ]) @symbol.variable @scope
  (#not-has-ancestor? @symbol.variable compound_statement ERROR)
  (#has-parent? @symbol.variable translation_unit preproc_if preproc_ifdef preproc_else preproc_elif preproc_elifdef declaration_list
    linkage_specification))

; Macros, except include guards
(preproc_function_def name: (_) @name) @symbol.macro
(preproc_def name: (_) @name value: (_)) @symbol.macro
((preproc_def name: (_) @name !value) @symbol.macro
  (#not-match? @name "(_H|_HH|_HPP|_HXX|_H_|_INCLUDED|_GUARD)_*$"))

; Documentation
(comment) @doc
