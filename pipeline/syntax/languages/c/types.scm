; C: types of names (also used by C++, after its own)

; Parameters
(parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @typed
    (array_declarator declarator: (identifier) @typed)
    (pointer_declarator declarator: [
      (identifier) @typed
      (array_declarator declarator: (identifier) @typed)
      (pointer_declarator declarator: (identifier) @typed)
    ])
  ]
  (#not-any-of? @type "auto" "void"))

; Result types
([
    (function_definition type: (_) @type declarator: [
      (function_declarator declarator: (identifier) @typed)
      (pointer_declarator declarator: [
        (function_declarator declarator: (identifier) @typed)
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @typed))
      ])
    ])
    (declaration type: (_) @type declarator: [
      (function_declarator declarator: (identifier) @typed)
      (pointer_declarator declarator: [
        (function_declarator declarator: (identifier) @typed)
        (pointer_declarator declarator: (function_declarator declarator: (identifier) @typed))
      ])
    ])
  ]
  (#not-any-of? @type "auto" "void"))

; Fields and variables
(field_declaration
  type: (_) @type
  declarator: [
    (field_identifier) @typed
    (array_declarator declarator: [
      (field_identifier) @typed
      (array_declarator declarator: (field_identifier) @typed)
    ])
    (pointer_declarator declarator: [
      (field_identifier) @typed
      (array_declarator declarator: (field_identifier) @typed)
      (pointer_declarator declarator: (field_identifier) @typed)
    ])
  ]
  (#not-any-of? @type "auto" "void"))
(declaration
  type: (_) @type
  declarator: [
    (identifier) @typed
    (array_declarator declarator: [
      (identifier) @typed
      (array_declarator declarator: (identifier) @typed)
    ])
    (pointer_declarator declarator: [
      (identifier) @typed
      (array_declarator declarator: (identifier) @typed)
      (pointer_declarator declarator: (identifier) @typed)
    ])
    (init_declarator declarator: [
      (identifier) @typed
      (array_declarator declarator: [
        (identifier) @typed
        (array_declarator declarator: (identifier) @typed)
      ])
      (pointer_declarator declarator: [
        (identifier) @typed
        (array_declarator declarator: (identifier) @typed)
        (pointer_declarator declarator: (identifier) @typed)
      ])
    ])
  ]
  (#not-match? @type "^(auto|void|decltype\\b.*|__auto_type)$"))

; Type aliases
(type_definition
  type: [
    (type_identifier) @type
    (struct_specifier name: (_) @type)
    (union_specifier name: (_) @type)
    (enum_specifier name: (_) @type)
  ]
  declarator: [
    (type_identifier) @typed
    (pointer_declarator declarator: (type_identifier) @typed)
  ]
  (#not-eq? @type @typed))
