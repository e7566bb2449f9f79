; Scala: definitions

; Packages with a body, and package objects
(package_clause name: (_) @name body: (_)) @symbol.namespace @scope
(package_object name: (_) @verbatim) @symbol.namespace @scope

; Types. An object counts as a class; a companion has the name of its class
(class_definition name: (_) @verbatim) @symbol.class @scope
(object_definition name: (_) @verbatim) @symbol.class @scope
(trait_definition name: (_) @verbatim) @symbol.trait @scope
(enum_definition name: (_) @verbatim) @symbol.enum @scope
(type_definition name: (_) @verbatim) @symbol.type

; Enum members
(simple_enum_case name: (_) @verbatim) @symbol.enum_member
(full_enum_case name: (_) @verbatim) @symbol.enum_member @scope

; Constructor parameters that are fields
(class_definition (class_parameters (class_parameter name: (_) @verbatim) @symbol.field))
(full_enum_case
  (class_parameters (class_parameter name: (_) @verbatim) @symbol.field))
(class_parameter ["val" "var"] name: (_) @verbatim) @symbol.field

; Extensions are scopes, not symbols; their name is the extended type
(extension_definition
  .
  parameters: (parameters
    .
    (parameter
      type: [
        (type_identifier) @name
        (stable_type_identifier (type_identifier) @name .)
        (generic_type
          type: [
            (type_identifier) @name
            (stable_type_identifier (type_identifier) @name .)
          ])
        (tuple_type) @verbatim
        (function_type) @verbatim
        (infix_type) @verbatim
        (compound_type) @verbatim
        (singleton_type) @verbatim
        (projected_type) @verbatim
      ]))) @scope
(extension_definition
  .
  type_parameters: (_)
  .
  parameters: (parameters
    .
    (parameter
      type: [
        (type_identifier) @name
        (stable_type_identifier (type_identifier) @name .)
        (generic_type
          type: [
            (type_identifier) @name
            (stable_type_identifier (type_identifier) @name .)
          ])
        (tuple_type) @verbatim
        (function_type) @verbatim
        (infix_type) @verbatim
        (compound_type) @verbatim
        (singleton_type) @verbatim
        (projected_type) @verbatim
      ]))) @scope

; Givens. With a body they are like objects; unnamed ones have the name of their type
(given_definition
  name: (_) @verbatim
  body: [(with_template_body) (template_body)]) @symbol.class @scope
(given_definition name: (_) @verbatim) @symbol.constant
(given_definition
  !name
  return_type: [
    (type_identifier) (stable_type_identifier) (generic_type) (annotated_type) (applied_constructor_type)
    (compound_type) (structural_type) (infix_type)
  ] @verbatim
  body: [(with_template_body) (template_body)]) @symbol.class @scope
(given_definition
  !name
  return_type: [
    (type_identifier) (stable_type_identifier) (generic_type) (annotated_type) (applied_constructor_type)
    (compound_type) (structural_type) (infix_type)
  ] @verbatim) @symbol.constant

; Secondary constructors
((function_definition name: (_) @verbatim) @symbol.constructor @scope
  (#eq? @verbatim "this"))

; Functions of a package with a body
(package_clause
  body: (template_body (function_definition name: (_) @verbatim) @symbol.function @scope))

; Values of objects and of the file
(object_definition
  (template_body
    [
      (val_definition
        pattern: [
          (identifier) @verbatim
          (operator_identifier) @verbatim
          (identifiers (identifier) @verbatim)
          (tuple_pattern (identifier) @verbatim)
          (case_class_pattern (identifier) @verbatim)
          (capture_pattern name: (identifier) @verbatim)
        ]) @symbol.constant
      (val_declaration (identifier) @verbatim) @symbol.constant
      (var_definition
        pattern: [
          (identifier) @verbatim
          (identifiers (identifier) @verbatim)
          (tuple_pattern (identifier) @verbatim)
        ]) @symbol.variable
    ]))
(package_object
  (template_body
    [
      (val_definition pattern: [(identifier) (operator_identifier)] @verbatim) @symbol.constant
      (var_definition pattern: (identifier) @verbatim) @symbol.variable
    ]))
(compilation_unit
  [
    (val_definition
      pattern: [
        (identifier) @verbatim
        (operator_identifier) @verbatim
        (identifiers (identifier) @verbatim)
        (tuple_pattern (identifier) @verbatim)
        (case_class_pattern (identifier) @verbatim)
        (capture_pattern name: (identifier) @verbatim)
      ]) @symbol.constant
    (var_definition
      pattern: [
        (identifier) @verbatim
        (identifiers (identifier) @verbatim)
        (tuple_pattern (identifier) @verbatim)
      ]) @symbol.variable
  ])

; Methods and values of classes, traits, enums, givens and extensions
(template_body
  [
    (function_definition name: (_) @verbatim) @symbol.method @scope
    (function_declaration name: (_) @verbatim) @symbol.method @scope
    (val_definition
      pattern: [
        (identifier) @verbatim
        (operator_identifier) @verbatim
        (identifiers (identifier) @verbatim)
        (tuple_pattern (identifier) @verbatim)
        (case_class_pattern (identifier) @verbatim)
        (capture_pattern name: (identifier) @verbatim)
      ]) @symbol.field
    (var_definition
      pattern: [
        (identifier) @verbatim
        (identifiers (identifier) @verbatim)
        (tuple_pattern (identifier) @verbatim)
      ]) @symbol.field
    (val_declaration (identifier) @verbatim) @symbol.field
    (var_declaration (identifier) @verbatim) @symbol.field
  ])
(with_template_body
  [
    (function_definition name: (_) @verbatim) @symbol.method @scope
    (function_declaration name: (_) @verbatim) @symbol.method @scope
    (val_definition pattern: [(identifier) (operator_identifier)] @verbatim) @symbol.field
    (var_definition pattern: (identifier) @verbatim) @symbol.field
  ])
(enum_body
  [
    (function_definition name: (_) @verbatim) @symbol.method @scope
    (function_declaration name: (_) @verbatim) @symbol.method @scope
    (val_definition pattern: [(identifier) (operator_identifier)] @verbatim) @symbol.field
    (var_definition pattern: (identifier) @verbatim) @symbol.field
  ])
(extension_definition
  [
    (function_definition name: (_) @verbatim)
    (function_declaration name: (_) @verbatim)
  ] @symbol.method @scope)

; Functions: of the file, and nested ones
(function_definition name: (_) @verbatim) @symbol.function @scope
(compilation_unit (function_declaration name: (_) @verbatim) @symbol.function)

; Tests: `test("...") { }`, `describe("...") { }`, `property("...") = `
(call_expression
  function: (call_expression
    function: (identifier) @_test
    arguments: (arguments
      .
      [
        (string) @verbatim
        (call_expression function: (field_expression value: (string) @verbatim))
        (infix_expression left: (string) @verbatim)
      ]))
  (#any-of? @_test
    "test" "testAsync" "testM" "suite" "suiteAll" "suiteM" "describe" "it" "they" "ignore" "feature"
    "scenario" "Feature" "Scenario" "property")) @symbol.test @scope
(assignment_expression
  left: (call_expression
    function: (identifier) @_test
    arguments: (arguments . (string) @verbatim))
  (#eq? @_test "property")) @symbol.test
(infix_expression
  left: (infix_expression
    operator: (identifier) @_verb
    right: (string) @verbatim)
  operator: (identifier) @_in
  (#any-of? @_verb "should" "must" "can" "when")
  (#any-of? @_in "in" "ignore" "is")) @symbol.test @scope
(infix_expression
  left: (string) @verbatim
  operator: (identifier) @_in
  right: [(block) (call_expression) (case_block)]
  (#any-of? @_in "in" "ignore")) @symbol.test @scope
(infix_expression
  left: (string) @verbatim
  operator: (identifier) @_in
  right: (block)
  (#any-of? @_in "should" "must" "can" "when" "which" "that")) @symbol.test @scope

; Documentation
[(comment) (block_comment)] @doc
