; Java: uses

; Imports
(import_declaration (_) @owner . (asterisk) @name) @ref.import
(import_declaration [(scoped_identifier) (identifier)] @name .) @ref.import

; Base classes, base interfaces, implemented interfaces
(superclass
  [
    (type_identifier) @name
    (scoped_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type . (type_identifier) @name)
    (generic_type . (scoped_type_identifier (_) @owner . (type_identifier) @name .))
  ] @ref.inherit)
(extends_interfaces
  (type_list [
    (type_identifier) @name
    (scoped_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type . (type_identifier) @name)
    (generic_type . (scoped_type_identifier (_) @owner . (type_identifier) @name .))
  ] @ref.inherit))
(super_interfaces
  (type_list [
    (type_identifier) @name
    (scoped_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type . (type_identifier) @name)
    (generic_type . (scoped_type_identifier (_) @owner . (type_identifier) @name .))
  ] @ref.implement))

; Annotations, except built-in ones
([
    (marker_annotation name: (identifier) @name)
    (marker_annotation name: (scoped_identifier scope: (_) @owner name: (_) @name))
    (annotation name: (identifier) @name)
    (annotation name: (scoped_identifier scope: (_) @owner name: (_) @name))
  ] @ref.decorate
  (#not-any-of? @name
    "Override" "Deprecated" "SuppressWarnings" "FunctionalInterface" "SafeVarargs"))

; Instances
(object_creation_expression
  type: [
    (type_identifier) @name
    (scoped_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type . (type_identifier) @name)
    (generic_type . (scoped_type_identifier (_) @owner . (type_identifier) @name .))
  ]) @ref.instantiate
(method_reference . (identifier) @name "new") @ref.instantiate

; Calls
(method_invocation object: (_) @owner name: (_) @name) @ref.call
(method_invocation !object name: (_) @name) @ref.call

; Method references
(method_reference . (_) @owner (identifier) @name .) @ref.reference

; Values passed as arguments or assigned
(argument_list (identifier) @name @ref.reference)

; Members of a class or enum: the owner begins with a capital letter
((field_access object: (identifier) @owner field: (identifier) @name) @ref.reference
  (#match? @owner "^[A-Z]"))
(switch_label (identifier) @name @ref.reference)

; Types, except those of the prelude, short type parameters and segments of packages
((scoped_type_identifier (_) @owner . (type_identifier) @name .) @ref.type
  (#match? @name "^[A-Z]"))
((type_identifier) @name @ref.type
  (#match? @name "^[A-Z]")
  (#not-match? @name "^([A-Z][0-9]?|String|Object|Integer|Long|Boolean)$"))

; The receiver of a member access: a class, a constant
(method_invocation object: (identifier) @name @ref.reference)
(field_access object: (identifier) @name @ref.reference)
(method_reference . (identifier) @name @ref.reference)
(method_reference . (_) @owner (identifier) @name .) @ref.reference

; Local bindings
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(catch_formal_parameter name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(instanceof_expression name: (identifier) @local)
(type_pattern (identifier) @local .)
(record_pattern_component (identifier) @local .)
