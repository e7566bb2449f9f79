; Python: uses

; Imports
(import_statement name: (dotted_name) @name @ref.import)
(import_statement
  name: (aliased_import name: (_) @name alias: (_) @alias) @ref.import)
(import_from_statement
  module_name: (_) @owner
  name: (dotted_name) @name @ref.import)
(import_from_statement
  module_name: (_) @owner
  name: (aliased_import name: (_) @name alias: (_) @alias) @ref.import)
(import_from_statement
  module_name: (_) @owner
  (wildcard_import) @name @ref.import)
(future_import_statement
  "__future__" @owner
  name: (dotted_name) @name @ref.import)

; Base classes
(class_definition
  superclasses: (argument_list [
    (identifier) @name
    (attribute object: (_) @owner attribute: (_) @name)
    (subscript value: (identifier) @name)
    (subscript value: (attribute object: (_) @owner attribute: (_) @name))
    (keyword_argument value: (identifier) @name)
  ] @ref.inherit))

; Decorators, except those that only mark the kind of method
(decorator
  [
    (identifier) @name
    (attribute object: (_) @owner attribute: (_) @name)
    (call function: (identifier) @name)
    (call function: (attribute object: (_) @owner attribute: (_) @name))
  ] @ref.decorate
  (#not-any-of? @name "property" "staticmethod" "classmethod" "setter" "getter" "deleter"))

; Calls
(call function: (identifier) @name) @ref.call
(call function: (attribute object: (_) @owner attribute: (_) @name)) @ref.call

; Types in annotations, except built-in ones
(type [
    (identifier) @name
    (generic_type . (identifier) @name)
    (attribute object: (_) @owner attribute: (_) @name)
    (subscript value: (identifier) @name)
    (subscript value: (attribute object: (_) @owner attribute: (_) @name))
    (subscript subscript: (identifier) @name)
    (binary_operator (identifier) @name)
    (binary_operator (attribute object: (_) @owner attribute: (_) @name))
    (binary_operator (subscript value: (identifier) @name))
    (binary_operator (binary_operator (identifier) @name))
  ] @ref.type
  (#not-any-of? @name
    "int" "str" "float" "bool" "bytes" "bytearray" "complex" "object" "list" "dict" "set"
    "frozenset" "tuple" "type" "range" "memoryview")
  (#not-match? @name "^[A-Z][0-9]?$"))
(except_clause
  value: [
    (identifier) @name
    (attribute object: (_) @owner attribute: (_) @name)
    (tuple (identifier) @name)
    (tuple (attribute object: (_) @owner attribute: (_) @name))
    (as_pattern . (identifier) @name)
    (as_pattern . (attribute object: (_) @owner attribute: (_) @name))
    (as_pattern . (tuple (identifier) @name))
    (as_pattern . (tuple (attribute object: (_) @owner attribute: (_) @name)))
  ] @ref.type)

; Class patterns in `case`
(class_pattern (dotted_name . (identifier) @name .)) @ref.type
(class_pattern (dotted_name (identifier) @owner . (identifier) @name .)) @ref.type

; Members, and those in `case`
((attribute object: (_) @owner attribute: (_) @name) @ref.reference
  (#not-has-parent? @ref.reference decorator))
(class_pattern
  (dotted_name) @owner
  (case_pattern (keyword_pattern (identifier) @name @ref.reference)))
(case_pattern (dotted_name (identifier) @owner . (identifier) @name .) @ref.reference)
(union_pattern (dotted_name (identifier) @owner . (identifier) @name .) @ref.reference)
([
    (class_pattern (dotted_name . (identifier) @name @ref.reference . (identifier)))
    (case_pattern (dotted_name . (identifier) @name @ref.reference . (identifier)))
    (union_pattern (dotted_name . (identifier) @name @ref.reference . (identifier)))
  ])

; What is assigned to a member
(assignment
  left: (attribute attribute: (identifier) @alias)
  right: [
    (identifier) @name @ref.reference
    (attribute object: (_) @owner attribute: (identifier) @name) @ref.reference
  ])

; Names where the parent may also bind one or name a member
([
    (attribute object: (identifier) @name @ref.reference)
    (keyword_argument value: (identifier) @name @ref.reference)
    (default_parameter value: (identifier) @name @ref.reference)
    (typed_default_parameter value: (identifier) @name @ref.reference)
    (assignment right: (identifier) @name @ref.reference)
    (named_expression value: (identifier) @name @ref.reference)
    (for_statement right: (identifier) @name @ref.reference)
    (for_in_clause right: (identifier) @name @ref.reference)
    (as_pattern . (identifier) @name @ref.reference)
  ]
  (#not-any-of? @name "self" "cls"))

; Names, wherever they are
((identifier) @name @ref.reference
  (#not-has-parent? @name
    ERROR dotted_name aliased_import function_definition class_definition decorator type generic_type
    parameters lambda_parameters default_parameter typed_parameter typed_default_parameter
    list_splat_pattern dictionary_splat_pattern splat_pattern keyword_pattern
    keyword_argument global_statement nonlocal_statement assignment named_expression
    pattern_list tuple_pattern list_pattern for_statement for_in_clause as_pattern as_pattern_target attribute)
  (#not-any-of? @name
    "self" "cls" "_" "int" "str" "float" "bool" "bytes" "bytearray" "complex" "object" "list" "dict" "set"
    "frozenset" "tuple" "type" "range" "memoryview"))

; Local bindings
(parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
  (typed_parameter . (identifier) @local)
  (typed_default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
  (typed_parameter (list_splat_pattern (identifier) @local))
  (typed_parameter (dictionary_splat_pattern (identifier) @local))
])
(lambda_parameters [
  (identifier) @local
  (default_parameter name: (identifier) @local)
  (list_splat_pattern (identifier) @local)
  (dictionary_splat_pattern (identifier) @local)
])
(assignment left: (identifier) @local)
(named_expression name: (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(pattern_list [(identifier) @local (list_splat_pattern (identifier) @local)])
(tuple_pattern [(identifier) @local (list_splat_pattern (identifier) @local)])
(list_pattern [(identifier) @local (list_splat_pattern (identifier) @local)])
(as_pattern_target [
  (identifier) @local
  (tuple (identifier) @local)
  (list (identifier) @local)
])
(as_pattern (case_pattern) (identifier) @local)
(case_pattern (dotted_name . (identifier) @local .))
(keyword_pattern (dotted_name . (identifier) @local .))
(splat_pattern (identifier) @local)
