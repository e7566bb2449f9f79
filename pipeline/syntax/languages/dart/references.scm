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

; Functions and values passed as arguments or assigned
(arguments (identifier) @name @ref.reference)
(named_argument (label) . (identifier) @name @ref.reference)

; Members of a class or enum: the owner begins with a capital letter or is omitted
((member_expression object: (identifier) @owner property: (identifier) @name) @ref.reference
  (#match? @owner "^_?[A-Z]"))
((assignable_expression object: (identifier) @owner property: (identifier) @name) @ref.reference
  (#match? @owner "^_?[A-Z]"))
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

; Local bindings, except parameters that initialise fields
(formal_parameter name: (identifier) @local)
(formal_parameter . (identifier) @local .)
(super_formal_parameter name: (identifier) @local)
(initialized_variable_declaration name: (identifier) @local)
(initialized_variable_declaration (initialized_identifier name: (identifier) @local))
(for_statement name: (identifier) @local)
(catch_clause [exception: (identifier) @local stack_trace: (identifier) @local])
(variable_pattern name: (identifier) @local)
