; C: definitions (C++ takes these too, after its own)

; Structs, unions and enums that a typedef alone names
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
    (pointer_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (type_identifier) @name))
    (array_declarator declarator: (type_identifier) @name)
    (function_declarator declarator: (type_identifier) @name)
    (pointer_declarator declarator: (function_declarator declarator: (type_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (type_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator declarator: (type_identifier) @name))))
  ]) @symbol.type

; Fields; one of a struct or union without a name lends its own
(field_declaration
  type: [
    (struct_specifier !name body: (_))
    (union_specifier !name body: (_))
  ]
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (field_identifier) @name)
  ]) @symbol.field @scope
(field_declaration
  declarator: [
    (field_identifier) @name
    (pointer_declarator declarator: (field_identifier) @name)
    (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @name))
    (array_declarator declarator: (field_identifier) @name)
    (array_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @name))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (field_identifier) @name)))
    (pointer_declarator
      declarator: (function_declarator
        declarator: (parenthesized_declarator
          (pointer_declarator declarator: (field_identifier) @name))))
  ]) @symbol.field

; Functions, also such as return pointers
(function_definition
  declarator: [
    (function_declarator declarator: (identifier) @name)
    (function_declarator declarator: (parenthesized_declarator (identifier) @name))
    (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
    (pointer_declarator
      declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    (function_declarator
      declarator: (parenthesized_declarator
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))))
  ]) @symbol.function @scope

; Prototypes outside function bodies
(translation_unit
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)
(preproc_if
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)
(preproc_ifdef
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)
(preproc_else
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)
(preproc_elif
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)
(declaration_list
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)
(linkage_specification
  (declaration
    declarator: [
      (function_declarator declarator: (identifier) @name)
      (function_declarator declarator: (parenthesized_declarator (identifier) @name))
      (pointer_declarator declarator: (function_declarator declarator: (identifier) @name))
      (pointer_declarator
        declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @name)))
    ]) @symbol.function)

; Constants outside function bodies
(translation_unit
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))
(preproc_if
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))
(preproc_ifdef
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))
(preproc_else
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))
(preproc_elif
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))
(declaration_list
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))
(linkage_specification
  (declaration
    (type_qualifier) @_qualifier
    declarator: (init_declarator
      declarator: [
        (identifier) @name
        (array_declarator declarator: (identifier) @name)
      ])) @symbol.constant
  (#any-of? @_qualifier "const" "constexpr"))

; Variables outside function bodies
(translation_unit
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)
(preproc_if
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)
(preproc_ifdef
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)
(preproc_else
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)
(preproc_elif
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)
(declaration_list
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)
(linkage_specification
  (declaration
    declarator: [
      (identifier) @name
      (pointer_declarator declarator: (identifier) @name)
      (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
      (array_declarator declarator: (identifier) @name)
      (array_declarator declarator: (array_declarator declarator: (identifier) @name))
      (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
      (function_declarator
        declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
      (pointer_declarator
        declarator: (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      (init_declarator declarator: [
        (identifier) @name
        (pointer_declarator declarator: (identifier) @name)
        (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @name))
        (array_declarator declarator: (identifier) @name)
        (array_declarator declarator: (array_declarator declarator: (identifier) @name))
        (pointer_declarator declarator: (array_declarator declarator: (identifier) @name))
        (function_declarator
          declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name)))
        (pointer_declarator
          declarator: (function_declarator
            declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @name))))
      ])
    ]) @symbol.variable)

; Macros, but not the guards of headers
(preproc_function_def name: (_) @name) @symbol.macro
(preproc_def name: (_) @name value: (_)) @symbol.macro
((preproc_def name: (_) @name !value) @symbol.macro
  (#not-match? @name "(_H|_HH|_HPP|_HXX|_H_|_INCLUDED|_GUARD)_*$"))

; Documentation
(comment) @doc
