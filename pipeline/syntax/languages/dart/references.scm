; Dart: uses

; Imports: names after `show`, then files
(import_specification
  uri: (configurable_uri . (uri) @owner)
  (combinator "show" (identifier) @name @ref.import))
(library_export
  uri: (configurable_uri . (uri) @owner)
  (combinator "show" (identifier) @name @ref.import))
(import_specification uri: (configurable_uri . (uri) @name) alias: (identifier)? @alias) @ref.import
(import_specification uri: (uri) @name alias: (identifier)? @alias) @ref.import
(configuration_uri (uri) @name .) @ref.import
(library_export uri: (configurable_uri . (uri) @name)) @ref.import
(part_directive uri: (uri) @name) @ref.import
(part_of_directive [(uri) (dotted_identifier_list)] @name) @ref.import

; Base classes, mixins, and the constraints of a mixin (`on`)
(superclass type: (type (type_identifier) @name . (type_arguments)? .) @ref.inherit)
(mixins (type (type_identifier) @name . (type_arguments)? .) @ref.inherit)
(mixin_application . (type (type_identifier) @name . (type_arguments)? .) @ref.inherit)
(mixin_declaration "on" (type (type_identifier) @name . (type_arguments)? .) @ref.inherit)

; Implemented interfaces
(interfaces (type (type_identifier) @name . (type_arguments)? .) @ref.implement)

; Annotations, except built-in ones
((annotation name: [
    (identifier) @name
    (qualified_name (type_identifier) @owner . (identifier) @name .)
  ]) @ref.decorate
  (#not-any-of? @name
    "override" "deprecated" "Deprecated" "immutable" "protected" "visibleForTesting" "mustCallSuper"
    "internal" "nonVirtual" "optionalTypeArgs" "required" "sealed" "experimental" "doNotStore"
    "pragma" "redeclare"))

; Named constructors, which look like types of a library
([
    (new_expression type: (type . (type_identifier) @owner . (type_identifier) @name .))
    (const_object_expression type: (type . (type_identifier) @owner . (type_identifier) @name .))
    (redirecting_factory_constructor_signature
      target: (type . (type_identifier) @owner . (type_identifier) @name .))
  ] @ref.call
  (#match? @owner "^_?[A-Z]"))
([
    (new_expression
      type: (type (type_identifier) @owner . (type_arguments)? .) constructor: (identifier) @name)
    (const_object_expression
      type: (type (type_identifier) @owner . (type_arguments)? .) constructor: (identifier) @name)
    (constructor_invocation type: (type_identifier) @owner constructor: (identifier) @name)
  ] @ref.call)

; Instances
([
    (new_expression type: (type (type_identifier) @name . (type_arguments)? .))
    (const_object_expression type: (type (type_identifier) @name . (type_arguments)? .))
    (constructor_invocation type: (type_identifier) @name)
  ] @ref.instantiate
  (#match? @name "^_?[A-Z]"))
((call_expression function: [
    (identifier) @name
    (instantiation_expression function: (identifier) @name)
    (member_expression object: (identifier) @owner property: (identifier) @name)
    (instantiation_expression
      function: (member_expression object: (identifier) @owner property: (identifier) @name))
  ]) @ref.instantiate
  (#match? @name "^_?[A-Z]"))
(enum_entry name: (identifier) @owner "." . (identifier) @name) @ref.call

; Calls
(call_expression function: [
  (identifier) @name
  (instantiation_expression function: (identifier) @name)
  (member_expression object: _ @owner property: (identifier) @name)
  (null_aware_member_expression object: _ @owner property: (identifier) @name)
  (instantiation_expression function: [
    (member_expression object: _ @owner property: (identifier) @name)
    (null_aware_member_expression object: _ @owner property: (identifier) @name)
  ])
  (static_member_shorthand (identifier) @name)
]) @ref.call
(cascade . (_) @owner (cascade_section (cascade_call_expression property: (identifier) @name) @ref.call))
(cascade_call_expression property: (identifier) @name) @ref.call
(cascade_call_expression function: [
  (cascade_member_expression object: _ @owner property: (identifier) @name)
  (cascade_null_aware_member_expression object: _ @owner property: (identifier) @name)
]) @ref.call
(initializer_list_entry "super" @owner "." . (identifier) @name) @ref.call
(initializer_list_entry "this" @owner "." . (identifier) @name) @ref.call
(redirection "this" @owner "." . (identifier) @name) @ref.call

; Members, with the receiver
[
  (member_expression object: _ @owner property: (identifier) @name)
  (null_aware_member_expression object: _ @owner property: (identifier) @name)
  (assignable_expression object: _ @owner property: (identifier) @name)
  (cascade_member_expression object: _ @owner property: (identifier) @name)
  (cascade_null_aware_member_expression object: _ @owner property: (identifier) @name)
  (field_formal_parameter "this" @owner name: (identifier) @name)
] @ref.reference
(cascade_selector "[" . (identifier) @name @ref.reference)
(cascade
  .
  (_) @owner
  (cascade_section [
    (cascade_selector (identifier) @name @ref.reference)
    (cascade_member_expression object: (cascade_selector (identifier) @name @ref.reference))
  ]))

; Members that a constructor initialises
(class_declaration
  name: (identifier) @owner
  body: (class_body
    (member_declaration [
      (declaration
        (initializers (initializer_list_entry (field_initializer name: (identifier) @name @ref.reference))))
      (method_declaration
        signature: (method_signature
          (initializers (initializer_list_entry (field_initializer name: (identifier) @name @ref.reference)))))
    ])))
(field_initializer name: (identifier) @name @ref.reference)

; Members in patterns
(object_pattern (type_identifier) @owner (label (identifier) @name @ref.reference))
(object_pattern
  (type_identifier) @owner
  ":"
  .
  (variable_pattern name: (identifier) @name @ref.reference))
(constant_pattern (identifier) @owner "." . (identifier) @name) @ref.reference
(constant_pattern (qualified_name (type_identifier) @owner . (identifier) @name .)) @ref.reference
((constant_pattern . (identifier) @name .) @ref.reference
  (#not-eq? @name "_"))
(static_member_shorthand (identifier) @name) @ref.reference
(constructor_tearoff (type_identifier) @name "." . "new") @ref.reference

; Types, except those of the prelude and short type parameters
((type . (type_identifier) @owner . (type_identifier) @name) @ref.type
  (#match? @name "^_?[A-Z]"))
((type (type_identifier) @name @ref.type)
  (#match? @name "^_?[A-Z]")
  (#not-match? @name "^([A-Z][0-9]?|String|Object|Function|Never|Null)$"))
((object_pattern (type_identifier) @name @ref.type)
  (#match? @name "^_?[A-Z]"))

; Names in expressions
(template_substitution (identifier_dollar_escaped) @name @ref.reference)
([
    (assignment_expression right: (identifier) @name @ref.reference)
    (cascade . (identifier) @name @ref.reference)
    (cascade_index_expression index: (identifier) @name @ref.reference)
    (cascade_null_aware_index_expression index: (identifier) @name @ref.reference)
    (field_initializer value: (identifier) @name @ref.reference)
    (for_element [
      body: (identifier) @name @ref.reference
      condition: (identifier) @name @ref.reference
      value: (identifier) @name @ref.reference
    ])
    (for_statement [
      condition: (identifier) @name @ref.reference
      value: (identifier) @name @ref.reference
    ])
    (initialized_identifier value: (identifier) @name @ref.reference)
    (initialized_variable_declaration value: (identifier) @name @ref.reference)
    (instantiation_expression function: (identifier) @name @ref.reference)
    (member_expression object: (identifier) @name @ref.reference)
    (null_aware_member_expression object: (identifier) @name @ref.reference)
    (assignable_expression object: (identifier) @name @ref.reference)
    (static_final_declaration value: (identifier) @name @ref.reference)
  ]
  (#not-eq? @name "_"))
((identifier) @name @ref.reference
  (#not-eq? @name "_")
  (#has-parent? @name
    additive_expression annotation_arguments arguments assertion assignable_expression await_expression
    bitwise_and_expression bitwise_or_expression bitwise_xor_expression cascade_section conditional_expression
    constant_pattern equality_expression expression_statement function_body function_expression_body if_element
    if_null_expression if_statement index_expression list_literal logical_and_expression logical_or_expression
    map_element multiplicative_expression named_argument null_assertion_expression null_aware_expression_element
    null_aware_index_expression null_aware_map_element optional_formal_parameters parenthesized_expression
    pattern_assignment pattern_variable_declaration record_field relational_expression return_statement
    set_or_map_literal shift_expression spread_element switch_expression_case switch_statement_case
    template_substitution throw_expression type_cast_expression type_test_expression unary_expression
    yield_each_statement yield_statement))

; Local bindings, except parameters that initialise fields
(formal_parameter name: (identifier) @local)
(formal_parameter . (identifier) @local .)
(super_formal_parameter name: (identifier) @local)
(initialized_variable_declaration name: (identifier) @local)
(initialized_variable_declaration (initialized_identifier name: (identifier) @local))
(for_statement name: (identifier) @local)
(for_element name: (identifier) @local)
(catch_clause [exception: (identifier) @local stack_trace: (identifier) @local])
(variable_pattern name: (identifier) @local)
