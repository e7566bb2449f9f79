; Haskell: uses

; Imports. The names in the list of a qualified one are no names of the file. With `hiding`, the rest of the module is
; imported
(import
  "qualified"
  module: (_) @owner
  names: (import_list
    name: (import_name
      [
        type: (name) @name
        variable: (_) @name
        operator: (prefix_id (_) @verbatim)
      ]))) @ref.reference
((import module: (_) @owner
    names: (import_list
      name: (import_name
        [
          type: (name) @name
          variable: (_) @name
          operator: (prefix_id (_) @verbatim)
        ]))) @ref.import @_import
  (#not-match? @_import "\\shiding\\s*\\("))
((import module: (_) @owner
    names: (import_list
      name: (import_name
        children: (children
          element: [
            (constructor) @name
            (variable) @name
            (prefix_id (_) @verbatim)
          ])))) @ref.import @_import
  (#not-match? @_import "\\shiding\\s*\\("))
(import module: (_) @name alias: (_) @alias) @ref.import
(import module: (_) @name !names) @ref.import
(import module: (_) @name names: (import_list !name)) @ref.import
(import module: (_) @name "hiding") @ref.import

; Exports
(export [
  variable: (variable) @name
  type: (name) @name
]) @ref.reference

; Superclasses
(class
  context: (context
    context: [
      (apply
        constructor: [
          (name) @name
          (qualified module: (module (module_id) @owner .) id: (_) @name)
          (apply constructor: (name) @name)
        ])
      (parens
        (apply
          constructor: [
            (name) @name
            (qualified module: (module (module_id) @owner .) id: (_) @name)
            (apply constructor: (name) @name)
          ]))
      (tuple
        (apply
          constructor: [
            (name) @name
            (qualified module: (module (module_id) @owner .) id: (_) @name)
            (apply constructor: (name) @name)
          ]))
    ] @ref.inherit))

; Instances: @owner is the implementing type, the first that is not a variable
(instance
  name: [(name) @name (qualified id: (_) @name)]
  patterns: (type_patterns
    .
    (variable)*
    .
    [
      (name) @owner
      (qualified) @owner
      (list) @owner
      (tuple) @owner
      (unit) @owner
      (prefix_list) @owner
      (parens type: (infix) @owner)
      (parens type: (list) @owner)
      (parens type: (function) @owner)
      (parens
        type: (apply
          constructor: [
            (name) @owner
            (qualified) @owner
            (apply
              constructor: [
                (name) @owner
                (qualified) @owner
                (apply constructor: [(name) @owner (apply constructor: (name) @owner)])
              ])
          ]))
    ])) @ref.implement
(deriving_instance
  name: [(name) @name (qualified id: (_) @name)]
  patterns: (type_patterns
    .
    (variable)*
    .
    [
      (name) @owner
      (qualified) @owner
      (parens
        type: (apply
          constructor: [
            (name) @owner
            (apply constructor: [(name) @owner (apply constructor: (name) @owner)])
          ]))
    ])) @ref.implement
(instance name: [(name) @name (qualified id: (_) @name)]) @ref.implement
(deriving_instance name: [(name) @name (qualified id: (_) @name)]) @ref.implement

; Derived classes
([
    (data_type
      name: (_) @owner
      deriving: (deriving
        classes: [
          (name) @name
          (qualified id: (name) @name)
          (parens [(name) @name (qualified id: (name) @name)])
          (tuple [(name) @name (qualified id: (name) @name)])
        ] @ref.implement))
    (newtype
      name: (_) @owner
      deriving: (deriving
        classes: [
          (name) @name
          (qualified id: (name) @name)
          (parens [(name) @name (qualified id: (name) @name)])
          (tuple [(name) @name (qualified id: (name) @name)])
        ] @ref.implement))
  ])

; Constructors in patterns
((constructor) @name @ref.reference
  (#has-ancestor? @name patterns pattern_synonym)
  (#not-any-of? @name "Just" "Nothing" "Left" "Right" "True" "False" "LT" "EQ" "GT"))
([
    (alternative pattern: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]))
    (alternative pattern: (apply function: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])))
    (alternative pattern: (apply function: (apply function: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]))))
    (bind pattern: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]))
    (bind pattern: (parens pattern: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])))
    (generator pattern: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]))
    (pattern_guard pattern: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]))
    (pattern_guard pattern: (apply function: (apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])))
    (record constructor: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
  ] @ref.reference
  (#not-any-of? @name "Just" "Nothing" "Left" "Right" "True" "False" "LT" "EQ" "GT"))

; Applied constructors and record construction
((apply function: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]) @ref.instantiate
  (#not-any-of? @name "Just" "Nothing" "Left" "Right" "True" "False" "LT" "EQ" "GT"))
(record expression: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)]) @ref.instantiate

; Constructors as values: operands, arguments, elements
([
    (infix [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (apply argument: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (list element: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (tuple element: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (field_update expression: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (match expression: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (alternative pattern: [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
    (conditional [(constructor) @name (qualified module: (module (module_id) @owner .) id: (constructor) @name)])
  ] @ref.reference
  (#not-any-of? @name "Just" "Nothing" "Left" "Right" "True" "False" "LT" "EQ" "GT"))

; Calls: by juxtaposition, by an operator, in backquotes, or as a statement.
; Names of one letter are local
([
    (apply function: [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)])
    (exp [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)])
    (bind expression: [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)])
    (view_pattern expression: [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)])
  ] @ref.call
  (#not-match? @name "^.'?$"))
((infix left_operand: [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)] operator: (operator) @_apply) @ref.call
  (#any-of? @_apply "$" "$!" "<$>" "<$!>" "." "=<<" "<=<" ">=>" ">>>" "<<<" ">>=" ">>" "*>" "<*" "<*>")
  (#not-match? @name "^.'?$"))
((infix operator: (operator) @_apply right_operand: [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)]) @ref.call
  (#any-of? @_apply "." "&" "<&>" ">>=" "=<<" "<=<" ">=>" ">>>" "<<<" ">>" "*>" "<*" "<*>")
  (#not-match? @name "^.'?$"))
(infix_id [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)]) @ref.call
((infix operator: [(operator) (constructor_operator)] @verbatim) @ref.call @_infix
  (#not-has-parent? @_infix
    function function_head_parens data_constructor data_type newtype type_synonym class type_family data_family
    equation)
  (#not-any-of? @verbatim
    "$" "$!" "." "<$>" "<$" "$>" "<&>" "<*>" "*>" "<*" "<|>" ">>=" "=<<" ">>" ">=>" "<=<" "<>" "&" "++" "!!"
    "+" "-" "*" "/" "^" "^^" "**" "==" "/=" "<" "<=" ">" ">=" "&&" "||" ":" "!" "~"))
(quasiquote quoter: (quoter [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)])) @ref.call
(splice expression: [(variable) @name (qualified module: (module (module_id) @owner .) id: (variable) @name)]) @ref.call

; Names quoted for Template Haskell, names exported to C, fields in record updates and patterns
(th_quoted_name
  [
    name: [(variable) (constructor)] @name
    type: (name) @name
  ]) @ref.reference
(foreign_export signature: (signature name: (variable) @name)) @ref.reference
[
  (field_update field: (field_name (variable) @name))
  (field_pattern field: (field_name (variable) @name))
  (projection field: (field_name (variable) @name))
] @ref.reference

; Functions and values passed as arguments, except short names, which are local
([
    (apply argument: (variable) @name)
    (match expression: (variable) @name)
    (list element: (variable) @name)
    (field_update expression: (variable) @name)
    (right_section right_operand: (variable) @name)
  ] @ref.reference
  (#match? @name "^.{3}"))
((infix operator: (_) @_operator right_operand: (variable) @name) @ref.reference @_infix
  (#match? @name "^.{3}")
  (#not-eq? @_operator ":")
  (#not-has-parent? @_infix function function_head_parens data_type newtype type_synonym class equation))
(qualified module: (module (module_id) @owner .) id: (variable) @name) @ref.reference

; Other uses of constructors
(qualified module: (module (module_id) @owner .) id: (constructor) @name) @ref.reference
((constructor) @name @ref.reference
  (#not-has-parent? @name children prefix newtype_constructor gadt_constructor binding_list pattern_synonym)
  (#not-any-of? @name "Just" "Nothing" "Left" "Right" "True" "False" "LT" "EQ" "GT"))

; Types and constraints, except those of the Prelude
(qualified module: (module (module_id) @owner .) id: (name) @name) @ref.type
((name) @name @ref.type
  (#not-has-parent? @name import_name export associated_type kind_signature equation role_annotation)
  (#not-any-of? @name
    "Int" "Integer" "Word" "Bool" "Char" "String" "Double" "Float" "Rational" "IO" "Maybe" "Either" "Ordering"
    "Eq" "Ord" "Show" "Read" "Enum" "Bounded" "Num" "Integral" "Functor" "Applicative" "Monad" "MonadFail"
    "Foldable" "Traversable" "Semigroup" "Monoid" "Type" "Constraint"))
