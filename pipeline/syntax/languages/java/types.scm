; Java: types of names

; Parameters, also of lambdas, and record components
(formal_parameter type: (_) @type name: (identifier) @typed !dimensions)

; Result types
(method_declaration type: (_) @type name: (_) @typed !dimensions)
(annotation_type_element_declaration type: (_) @type name: (_) @typed !dimensions)

; Fields
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @typed !dimensions))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @typed !dimensions))

; Variables with a declared type
(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @typed !dimensions)
  (#not-eq? @type "var"))
(enhanced_for_statement type: (_) @type name: (identifier) @typed !dimensions
  (#not-eq? @type "var"))
(resource type: (_) @type name: (identifier) @typed !dimensions
  (#not-eq? @type "var"))
(catch_formal_parameter (catch_type) @type name: (identifier) @typed)

; Patterns
(instanceof_expression right: (_) @type name: (identifier) @typed)
(type_pattern (_) @type . (identifier) @typed .
  (#not-eq? @type "var"))
(record_pattern_component (_) @type . (identifier) @typed .
  (#not-eq? @type "var"))

; Variables without a declared type: by instantiation, cast or other value
(local_variable_declaration
  type: (_) @_var
  declarator: (variable_declarator
    name: (identifier) @typed
    value: [
      (object_creation_expression type: (_) @type)
      (array_creation_expression type: (_) dimensions: (_) @type)
      (cast_expression type: (_) @type)
    ])
  (#eq? @_var "var"))
(local_variable_declaration
  type: (_) @_var
  declarator: (variable_declarator
    name: (identifier) @typed
    value: [
      (method_invocation) (identifier) (field_access) (this) (array_access) (parenthesized_expression)
      (string_literal) (decimal_integer_literal)
    ] @value)
  (#eq? @_var "var"))
(resource type: (_) @_var name: (identifier) @typed value: (object_creation_expression type: (_) @type)
  (#eq? @_var "var"))
(resource
  type: (_) @_var
  name: (identifier) @typed
  value: [(method_invocation) (identifier) (field_access) (parenthesized_expression)] @value
  (#eq? @_var "var"))

; Loops, and functions that a collection's method calls with each element
(enhanced_for_statement type: (_) @_type name: (identifier) @typed value: (_) @iterated
  (#eq? @_type "var"))
(method_invocation
  object: (_) @iterated
  name: (identifier) @_method
  arguments: (argument_list
    .
    [
      (lambda_expression parameters: (identifier) @typed)
      (lambda_expression parameters: (inferred_parameters . (identifier) @typed .))
    ]
    .)
  (#any-of? @_method
    "allMatch" "anyMatch" "dropWhile" "filter" "flatMap" "forEach" "forEachOrdered" "ifPresent" "map" "mapToInt"
    "mapToLong" "mapToObj" "noneMatch" "peek" "removeIf" "takeWhile" "thenAccept" "thenApply" "thenCompose"))

; Names that are compared with types
(instanceof_expression left: (identifier) @narrowed right: (_) @type !name)

; Objects of types without a name
(object_creation_expression type: (_) @type (class_body) @object_body)

; Type parameters by their bounds
(type_parameter (type_identifier) @typed (type_bound . (_) @type))
