; Rust: uses

; Imports: the engine expands the tree of a use declaration
(use_declaration argument: (_) @name) @ref.import
((attribute_item (attribute (identifier) @_path value: (string_literal) @owner))
  .
  (attribute_item)*
  .
  (mod_item name: (identifier) @name !body) @ref.import
  (#eq? @_path "path"))
(mod_item name: (identifier) @name !body) @ref.import
(extern_crate_declaration name: (_) @name alias: (identifier)? @alias) @ref.import

; Implemented traits: @owner is the implementing type
(impl_item
  trait: [
    (type_identifier) @name
    (scoped_type_identifier name: (_) @name)
    (generic_type type: [
      (type_identifier) @name
      (scoped_type_identifier name: (_) @name)
    ])
  ] @ref.implement
  type: (_) @owner)

; Derived traits: @owner is the type behind the attributes
((attribute_item
    (attribute
      (identifier) @_derive
      arguments: (token_tree ["(" ","] . (identifier) @name @ref.implement . ["," ")"])))
  .
  [(attribute_item) (line_comment)]*
  .
  [(struct_item name: (_) @owner) (enum_item name: (_) @owner) (union_item name: (_) @owner)]
  (#eq? @_derive "derive"))
(attribute
  (identifier) @_derive
  arguments: (token_tree ["(" ","] . (identifier) @name @ref.implement . ["," ")"])
  (#eq? @_derive "derive"))
(attribute
  (identifier) @_derive
  arguments: (token_tree
    (identifier) @owner . "::" . (identifier) @name @ref.implement . ["," ")"])
  (#eq? @_derive "derive"))

; Supertraits
(trait_item
  bounds: (trait_bounds [
    (type_identifier) @name
    (scoped_type_identifier name: (_) @name)
    (generic_type type: [
      (type_identifier) @name
      (scoped_type_identifier name: (_) @name)
    ])
  ] @ref.inherit))

; Attributes, except built-in ones
(attribute
  [
    (identifier) @name
    (scoped_identifier path: (_) @owner name: (identifier) @name)
  ] @ref.decorate
  (#not-any-of? @name
    "allow" "cfg" "cfg_attr" "cold" "default" "deny" "deprecated" "derive" "doc" "expect" "forbid"
    "ignore" "inline" "link" "link_name" "macro_export" "macro_use" "must_use" "no_mangle" "non_exhaustive"
    "path" "repr" "should_panic" "test" "track_caller" "warn"))

; Struct expressions
(struct_expression
  name: [
    (type_identifier) @name
    (scoped_type_identifier path: (_) @owner name: (_) @name)
    (generic_type_with_turbofish type: [
      (type_identifier) @name
      (scoped_identifier path: (_) @owner name: (_) @name)
    ])
  ]
  (#not-eq? @name "Self")) @ref.instantiate

; Calls, except of variants in the prelude
((call_expression function: (identifier) @name) @ref.call
  (#not-any-of? @name "Some" "Ok" "Err"))
(call_expression function: (scoped_identifier path: (_)? @owner name: (_) @name)) @ref.call
(call_expression
  function: (field_expression value: (_) @owner field: (field_identifier) @name)) @ref.call
(call_expression
  function: (generic_function function: [
    (identifier) @name
    (scoped_identifier path: (_)? @owner name: (_) @name)
    (field_expression value: (_) @owner field: (field_identifier) @name)
  ])) @ref.call

; Macro invocations
(macro_invocation macro: (identifier) @name) @ref.call
(macro_invocation macro: (scoped_identifier path: (_)? @owner name: (_) @name)) @ref.call

; Calls inside the arguments of a macro, which are only tokens
(token_tree
  (identifier) @name @ref.reference
  .
  _ @_operator
  .
  (token_tree)
  (#any-of? @_operator
    "," ";" "=" "==" "!=" "<" ">" "<=" ">=" "=>" "->" "&&" "||"
    "+" "-" "*" "/" "%" "&" "|" "^" "<<" ">>" ".." "..=" "?" ":"))
(token_tree
  [(identifier) (self)] @owner
  .
  ["::" "."]
  .
  (identifier) @name @ref.call
  .
  (token_tree . "("))
(token_tree (identifier) @name @ref.call . "!" . (token_tree))
(token_tree
  (identifier) @name @ref.call
  .
  (token_tree . "(")
  (#not-any-of? @name "Some" "Ok" "Err" "in" "else" "move" "ref" "mut" "dyn"))

; Fields: of values, of struct expressions, of struct patterns
(field_expression value: (_) @owner field: (field_identifier) @name) @ref.reference
(struct_expression
  name: (_) @owner
  body: (field_initializer_list
    [
      (field_initializer field: (field_identifier) @name)
      (shorthand_field_initializer (identifier) @name)
    ] @ref.reference))
(struct_pattern type: (scoped_type_identifier path: (_) @owner name: (_) @name)) @ref.reference
(struct_pattern
  type: (_) @owner
  (field_pattern name: [(field_identifier) (shorthand_field_identifier)] @name) @ref.reference)

; Paths and names, wherever they are: values, patterns, the types and modules that paths begin with
((scoped_identifier path: (_) @owner name: (_) @name) @ref.reference
  (#not-has-ancestor? @ref.reference use_declaration attribute visibility_modifier))
([
    (scoped_identifier path: (identifier) @name @ref.reference)
    (scoped_type_identifier path: (identifier) @name @ref.reference)
  ]
  (#not-has-ancestor? @name use_declaration attribute visibility_modifier))
((identifier) @name @ref.reference
  (#not-has-parent? @name
    token_tree attribute use_declaration use_list use_as_clause use_wildcard scoped_use_list scoped_identifier
    scoped_type_identifier macro_invocation macro_definition token_binding_pattern token_repetition_pattern
    lifetime label mod_item extern_crate_declaration visibility_modifier)
  (#not-any-of? @name "None" "Some" "Ok" "Err" "_"))

; Types that a bound gives to the names of a trait
(generic_type
  type: [(type_identifier) @owner (scoped_type_identifier name: (_) @owner)]
  type_arguments: (type_arguments (type_binding name: (type_identifier) @name @ref.type)))

; Types, except `Self` and short type parameters
((scoped_type_identifier path: (_) @owner name: (_) @name) @ref.type
  (#not-match? @name "^([A-Z][0-9]?|Self)$"))
((type_identifier) @name @ref.type
  (#not-match? @name "^([A-Z][0-9]?|Self)$"))

; Local bindings
(parameter pattern: (identifier) @local)
(closure_parameters (identifier) @local)
(let_declaration pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
([
    (tuple_pattern (identifier) @local)
    (tuple_struct_pattern (identifier) @local)
    (slice_pattern (identifier) @local)
    (ref_pattern (identifier) @local)
    (mut_pattern (identifier) @local)
    (reference_pattern (identifier) @local)
    (captured_pattern . (identifier) @local)
    (or_pattern (identifier) @local)
    (field_pattern name: (shorthand_field_identifier) @local)
    (field_pattern pattern: (identifier) @local)
    (match_pattern . (identifier) @local)
    (let_condition pattern: (identifier) @local)
  ]
  (#match? @local "^_?[a-z]"))
