; Rust: definitions

; impl blocks are scopes, not symbols; their name is the type, with or without a trait
(impl_item
  type: [
    (array_type element: (_) @name)
    (reference_type type: (array_type element: (_) @name))
  ]) @scope
(impl_item
  trait: (_) @name
  type: [(unit_type) (tuple_type) (never_type) (function_type)]) @scope
(impl_item type: (_) @name) @scope

; Modules with a body (`mod x;` is an import)
(mod_item (visibility_modifier)? @exported name: (identifier) @name body: (_)) @symbol.module @scope

; Types
(struct_item (visibility_modifier)? @exported name: (_) @name) @symbol.struct @scope
(union_item (visibility_modifier)? @exported name: (_) @name) @symbol.union @scope
(enum_item (visibility_modifier)? @exported name: (_) @name) @symbol.enum @scope
(trait_item (visibility_modifier)? @exported name: (_) @name) @symbol.trait @scope
(type_item (visibility_modifier)? @exported name: (_) @name) @symbol.type
(associated_type name: (_) @name) @symbol.type

; Enum members are as visible as their enum
(enum_item
  (visibility_modifier)? @exported
  body: (enum_variant_list (enum_variant name: (_) @name) @symbol.enum_member @scope))

; Fields
(field_declaration (visibility_modifier)? @exported name: (_) @name) @symbol.field

; Methods of a trait impl are as visible as the trait: the trait's name is captured as `@exported`
(impl_item
  trait: (_) @exported
  body: (declaration_list (function_item name: (_) @name) @symbol.method @scope))
(impl_item
  body: (declaration_list
    (function_item (visibility_modifier)? @exported name: (_) @name) @symbol.method @scope))

; Methods of a trait are as visible as the trait
(trait_item
  (visibility_modifier)? @exported
  body: (declaration_list
    [(function_item name: (_) @name) (function_signature_item name: (_) @name)] @symbol.method @scope))

; Tests: functions with a test attribute
((attribute_item
    (attribute [(identifier) @_test (scoped_identifier name: (identifier) @_test)]))
  .
  (attribute_item)*
  .
  (function_item (visibility_modifier)? @exported name: (_) @name) @symbol.test @scope
  (#any-of? @_test "test" "rstest" "test_case" "wasm_bindgen_test" "bench" "quickcheck"))

; Functions: free, nested, and foreign
(function_item (visibility_modifier)? @exported name: (_) @name) @symbol.function @scope
(function_signature_item (visibility_modifier)? @exported name: (_) @name) @symbol.function

; Constants and statics
(const_item (visibility_modifier)? @exported name: (_) @name) @symbol.constant
(static_item (visibility_modifier)? @exported name: (_) @name) @symbol.variable

; Macros
((attribute_item (attribute (identifier) @_export) @exported)
  .
  (attribute_item)*
  .
  (macro_definition name: (_) @name) @symbol.macro
  (#eq? @_export "macro_export"))
(macro_definition name: (_) @name) @symbol.macro

; Documentation and attributes before an item (`//!` and `/*!` document the enclosing item)
(line_comment !inner) @doc
(block_comment !inner) @doc
(attribute_item) @attribute
