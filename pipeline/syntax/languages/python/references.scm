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

; Functions and values passed as arguments or assigned
(argument_list
  [
    (identifier) @name
    (keyword_argument value: (identifier) @name)
  ] @ref.reference
  (#not-any-of? @name "self" "cls"))
(argument_list
  [
    (attribute object: (identifier) @owner attribute: (_) @name)
    (keyword_argument value: (attribute object: (identifier) @owner attribute: (_) @name))
  ] @ref.reference
  (#any-of? @owner "self" "cls"))
[
  (pair value: [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (list [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (tuple [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (set [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (raise_statement [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (return_statement [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (yield [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (assignment right: [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (default_parameter value: [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (typed_default_parameter value: [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (comparison_operator [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (boolean_operator [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (conditional_expression [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (lambda body: [(identifier) @name (attribute object: (identifier) @owner attribute: (_) @name)])
  (argument_list (attribute object: (identifier) @owner attribute: (_) @name))
  (argument_list (keyword_argument value: (attribute object: (identifier) @owner attribute: (_) @name)))
  (argument_list (list_splat (identifier) @name))
] @ref.reference

; The receiver of a member access: a class, a module constant
((attribute object: (identifier) @name) @ref.reference
  (#not-any-of? @name "self" "cls"))
(subscript value: (identifier) @name @ref.reference)

; Members of a class or enum: the owner begins with a capital letter
((attribute object: (identifier) @owner attribute: (_) @name) @ref.reference
  (#match? @owner "^[A-Z]"))

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
])
(assignment left: [
  (identifier) @local
  (pattern_list (identifier) @local)
  (tuple_pattern (identifier) @local)
])
(named_expression name: (identifier) @local)
(for_statement left: [
  (identifier) @local
  (pattern_list (identifier) @local)
  (tuple_pattern (identifier) @local)
])
(for_in_clause left: [
  (identifier) @local
  (pattern_list (identifier) @local)
  (tuple_pattern (identifier) @local)
])
(as_pattern alias: (as_pattern_target (identifier) @local))
