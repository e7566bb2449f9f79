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

; Other constructors
(explicit_constructor_invocation constructor: [(this) (super)] @name) @ref.call

; Method references
(method_reference . (_) @owner (identifier) @name .) @ref.reference

; Fields, constants, enum members
(field_access object: (_) @owner field: (identifier) @name) @ref.reference

; Types of patterns
(record_pattern . (identifier) @name) @ref.type

; Types, except those of the prelude, short type parameters and segments of packages
((scoped_type_identifier (_) @owner . (type_identifier) @name .) @ref.type
  (#match? @name "^[A-Z]"))
((type_identifier) @name @ref.type
  (#match? @name "^[A-Z]")
  (#not-match? @name "^([A-Z]|String|Object|Integer|Long|Boolean)$"))

; Names where the parent may also bind one
(variable_declarator value: (identifier) @name @ref.reference)
(lambda_expression body: (identifier) @name @ref.reference)
(element_value_pair value: (identifier) @name @ref.reference)
(annotation_type_element_declaration value: (identifier) @name @ref.reference)
(enhanced_for_statement value: (identifier) @name @ref.reference)
(resource value: (identifier) @name @ref.reference)
(resource . (identifier) @name @ref.reference .)
(instanceof_expression left: (identifier) @name @ref.reference)

; Names, wherever they are
((identifier) @name @ref.reference
  (#not-has-parent? @name
    ERROR package_declaration import_declaration scoped_identifier marker_annotation annotation
    class_declaration record_declaration interface_declaration annotation_type_declaration enum_declaration
    enum_constant constructor_declaration compact_constructor_declaration method_declaration
    annotation_type_element_declaration variable_declarator formal_parameter catch_formal_parameter
    inferred_parameters lambda_expression element_value_pair enhanced_for_statement resource
    instanceof_expression type_pattern record_pattern record_pattern_component
    labeled_statement break_statement continue_statement
    module_declaration requires_module_directive exports_module_directive opens_module_directive
    uses_module_directive provides_module_directive)
  (#not-eq? @name "_"))

; Local bindings
(method_declaration type_parameters: (_ (type_parameter . (type_identifier) @local_type)))
(constructor_declaration type_parameters: (_ (type_parameter . (type_identifier) @local_type)))
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
