; Haskell: definitions

; The module is not a scope: names remain unqualified
(header module: (_) @name exports: (_)? @body) @symbol.module

; Instances are scopes, not symbols; their name is the head of the first type that is not a variable
(instance
  patterns: (type_patterns
    .
    (variable)*
    .
    [
      (name) @verbatim
      (qualified id: (_) @verbatim)
      (prefix_id (_) @verbatim)
      (promoted (_) @verbatim)
      (list) @verbatim
      (tuple) @verbatim
      (unit) @verbatim
      (prefix_list) @verbatim
      (prefix_tuple) @verbatim
      (parens type: (name) @verbatim)
      (parens type: (list) @verbatim)
      (parens type: (tuple) @verbatim)
      (parens type: (function) @verbatim)
      (parens type: (infix operator: _ @verbatim))
      (parens
        type: (apply
          constructor: [
            (name) @verbatim
            (variable) @verbatim
            (qualified id: (_) @verbatim)
            (prefix_id (_) @verbatim)
            (prefix_tuple) @verbatim
            (apply
              constructor: [
                (name) @verbatim
                (variable) @verbatim
                (qualified id: (_) @verbatim)
                (prefix_id (_) @verbatim)
                (prefix_tuple) @verbatim
                (apply
                  constructor: [
                    (name) @verbatim
                    (qualified id: (_) @verbatim)
                    (prefix_id (_) @verbatim)
                    (prefix_tuple) @verbatim
                    (apply
                      constructor: [
                        (name) @verbatim
                        (qualified id: (_) @verbatim)
                        (prefix_id (_) @verbatim)
                        (prefix_tuple) @verbatim
                        (apply constructor: [(name) @verbatim (prefix_tuple) @verbatim (apply) @verbatim])
                      ])
                  ])
              ])
          ]))
    ])) @scope
(instance
  patterns: (type_patterns . [(variable) (parens type: (variable))]* . [(variable) (wildcard)] @verbatim .)) @scope
(instance . (infix operator: _ right_operand: [(name) (variable) (parens)] @verbatim)) @scope

; Data types: several constructors make an enum, one or none a struct
(data_type name: (_) @verbatim constructors: (data_constructors "|")) @symbol.enum @scope
(data_type name: (_) @verbatim constructors: (gadt_constructors)) @symbol.enum @scope
(data_type
  !name
  .
  [
    (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)])
    (parens (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)]))
  ]
  constructors: (data_constructors "|")) @symbol.enum @scope
(data_type name: (_) @verbatim) @symbol.struct @scope
(data_type
  !name
  .
  [
    (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)])
    (parens (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)]))
  ]) @symbol.struct @scope
(newtype name: (_) @verbatim) @symbol.struct @scope
(newtype
  !name
  .
  [
    (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)])
    (parens (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)]))
  ]) @symbol.struct @scope

; Constructors; a comment after them takes precedence
(data_constructors
  (data_constructor
    constructor: [
      (prefix name: [(constructor) @verbatim (prefix_id (_) @verbatim)])
      (record name: (_) @verbatim)
    ]) @symbol.enum_member
  .
  (haddock) @doc
  (#match? @doc "^(--+|\\{-)\\s*\\^"))
(data_constructors
  (data_constructor
    constructor: [
      (prefix name: [(constructor) @verbatim (prefix_id (_) @verbatim)])
      (record name: (_) @verbatim)
      (infix operator: [(constructor_operator) @verbatim (infix_id (_) @verbatim)])
    ]) @symbol.enum_member
  .
  [(haddock) (comment)]*
  .
  "|")
(data_constructors
  "|"
  .
  [(haddock) (comment)]*
  .
  (data_constructor
    constructor: [
      (prefix name: [(constructor) @verbatim (prefix_id (_) @verbatim)])
      (record name: (_) @verbatim)
      (infix operator: [(constructor_operator) @verbatim (infix_id (_) @verbatim)])
    ]) @symbol.enum_member)
(data_constructor
  constructor: [
    (prefix name: [(constructor) @verbatim (prefix_id (_) @verbatim)])
    (record name: (_) @verbatim)
    (infix operator: [(constructor_operator) @verbatim (infix_id (_) @verbatim)])
  ]) @symbol.constructor
(newtype_constructor name: [(constructor) @verbatim (prefix_id (_) @verbatim)]) @symbol.constructor
(gadt_constructor
  [
    name: (constructor) @verbatim
    name: (prefix_id (_) @verbatim)
    names: (binding_list name: [(constructor) @verbatim (prefix_id (_) @verbatim)])
  ]) @symbol.enum_member

; Fields; a comment directly after or before them takes precedence
((fields
  (haddock) @doc
  .
  (field name: (field_name (variable) @verbatim)) @symbol.field
  (#match? @doc "^(--+|\\{-)\\s*\\|"))
(field name: (field_name (variable) @verbatim)) @symbol.field
  .
  (haddock) @doc
  (#match? @doc "^(--+|\\{-)\\s*\\^"))
(fields
  (haddock) @doc
  .
  (field name: (field_name (variable) @verbatim)) @symbol.field
  (#match? @doc "^(--+|\\{-)\\s*\\|"))
(field name: (field_name (variable) @verbatim)) @symbol.field

; Other types
(type_synonym name: (_) @verbatim) @symbol.type
(type_synonym
  !name
  .
  [
    (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)])
    (parens (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)]))
  ]) @symbol.type
(type_family name: (_) @verbatim) @symbol.type
(type_family
  !name
  .
  (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)])) @symbol.type
(data_family name: (_) @verbatim) @symbol.type
(type_instance name: [(name) @verbatim (qualified id: (_) @verbatim)]) @symbol.type

; Classes
(class name: (_) @verbatim) @symbol.trait @scope
(class !name (infix operator: [(operator) @verbatim (constructor_operator) @verbatim (infix_id (_) @verbatim)])) @symbol.trait @scope

; Methods of classes and instances
(class_declarations
  [
    (signature
      [
        name: (variable) @verbatim
        name: (prefix_id (_) @verbatim)
        names: (binding_list name: [(variable) @verbatim (prefix_id (_) @verbatim)])
      ]) @symbol.method
    (function
      [
        name: (variable) @verbatim
        name: (prefix_id (_) @verbatim)
        (infix operator: [(operator) @verbatim (infix_id (_) @verbatim)])
        parens: (function_head_parens
          [
            name: (_) @verbatim
            (infix operator: [(operator) @verbatim (infix_id (_) @verbatim)])
          ])
      ]
      match: (_) @body) @symbol.method @scope
    (bind name: [(variable) @verbatim (prefix_id (_) @verbatim)] match: (_) @body) @symbol.method @scope
  ])
(instance_declarations
  [
    (signature name: [(variable) @verbatim (prefix_id (_) @verbatim)])
    (function
      [
        name: (variable) @verbatim
        name: (prefix_id (_) @verbatim)
        (infix operator: [(operator) @verbatim (infix_id (_) @verbatim)])
        parens: (function_head_parens
          [
            name: (_) @verbatim
            (infix operator: [(operator) @verbatim (infix_id (_) @verbatim)])
          ])
      ]
      match: (_) @body)
    (bind name: [(variable) @verbatim (prefix_id (_) @verbatim)] match: (_) @body)
  ] @symbol.method @scope)

; Properties and cases that test runners find by name
([
    (signature name: (variable) @verbatim)
    (function name: (variable) @verbatim match: (_) @body)
    (bind name: (variable) @verbatim match: (_) @body)
  ] @symbol.test
  (#match? @verbatim "^(prop|hprop|test|unit|spec)_")
  (#not-has-parent? @symbol.test local_binds class_declarations instance_declarations default_signature))

; Constants: a signature without arguments, and the binding directly after it
(declarations
  (signature name: (variable) @verbatim type: [(name) (qualified) (list)] @_type) @symbol.constant
  .
  (bind name: (variable) @_bound)
  (#eq? @verbatim @_bound)
  (#not-any-of? @_type "Spec" "TestTree" "Test"))
(declarations
  (signature name: (variable) @_typed type: [(name) (qualified) (list)] @_type)
  .
  (bind name: (variable) @verbatim match: (_) @body) @symbol.constant
  (#eq? @verbatim @_typed)
  (#not-any-of? @_type "Spec" "TestTree" "Test"))

; Functions: a signature and the equations after it are one symbol
((signature name: [(variable) @verbatim (prefix_id (_) @verbatim)]) @symbol.function
  (#not-has-parent? @symbol.function local_binds default_signature foreign_import foreign_export))
((bind name: [(variable) @verbatim (prefix_id (_) @verbatim)] match: (_) @body) @symbol.function
  (#not-has-parent? @symbol.function local_binds default_signature foreign_import foreign_export))
(declarations
  (bind pattern: [(tuple (variable) @verbatim) (strict pattern: (variable) @verbatim)]) @symbol.constant)
(foreign_import signature: (signature name: (variable) @verbatim)) @symbol.function

; Local functions: those with arguments
(local_binds
  [
    (signature name: (variable) @verbatim type: [(function) (forall) (context)])
    (bind name: (variable) @verbatim match: (match expression: [(lambda) (lambda_case)]) @body)
  ] @symbol.function)
(local_binds
  (signature name: (variable) @_typed type: [(function) (forall) (context)])
  .
  (bind name: (variable) @verbatim match: (_) @body) @symbol.function
  (#eq? @verbatim @_typed))

; Equations of top-level and local functions
(function
    [
      name: (variable) @verbatim
      name: (prefix_id (_) @verbatim)
      (infix operator: [(operator) @verbatim (infix_id (_) @verbatim)])
      parens: (function_head_parens
        [
          name: (_) @verbatim
          (infix operator: [(operator) @verbatim (infix_id (_) @verbatim)])
        ])
    ]
    match: (_) @body) @symbol.function

; Pattern synonyms
(pattern_synonym
  [
    (signature synonym: [(constructor) @verbatim (prefix_id (_) @verbatim)])
    (equation
      synonym: [
        (constructor) @verbatim
        (infix operator: [(constructor_operator) @verbatim (infix_id (_) @verbatim)])
        (record constructor: (constructor) @verbatim)
        (apply
          function: [
            (constructor) @verbatim
            (apply
              function: [
                (constructor) @verbatim
                (apply function: [(constructor) @verbatim (apply function: (constructor) @verbatim)])
              ])
          ])
      ])
  ]) @symbol.constructor

; Tests of hspec, tasty and HUnit
(infix
  left_operand: (apply
    function: [(variable) @_test (qualified id: (_) @_test)]
    argument: (literal (string) @verbatim))
  operator: (operator) @_apply
  (#any-of? @_test
    "describe" "context" "it" "specify" "prop" "xdescribe" "xcontext" "xit" "fdescribe" "fcontext" "fit"
    "testCase" "testGroup" "testProperty" "testCaseSteps" "testSpec" "test")
  (#eq? @_apply "$")) @symbol.test @scope
(apply
  function: (apply
    function: [(variable) @_test (qualified id: (_) @_test)]
    argument: (literal (string) @verbatim))
  (#any-of? @_test
    "describe" "context" "it" "specify" "prop" "xdescribe" "xcontext" "xit" "fdescribe" "fcontext" "fit"
    "testCase" "testGroup" "testProperty" "testCaseSteps" "testSpec" "test")) @symbol.test @scope

; Documentation; pragmas and kind signatures before a definition
((haddock) @doc
  (#not-match? @doc "^(--+|\\{-)\\s*\\^"))
(comment) @doc
[(pragma) (kind_signature)] @attribute
