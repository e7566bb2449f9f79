; Scala: uses

; Imports and exports: the engine expands the tree
(import_declaration) @name @ref.import
(export_declaration) @name @ref.import

; Base classes and traits
(extends_clause
  [
    (type_identifier) @name
    (stable_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type
      type: [
        (type_identifier) @name
        (stable_type_identifier (_) @owner . (type_identifier) @name .)
      ])
    (compound_type
      [
        (type_identifier) @name
        (generic_type type: (type_identifier) @name)
        (applied_constructor_type . [(type_identifier) @name (generic_type type: (type_identifier) @name)])
      ])
  ] @ref.inherit)

; Type classes: derived, and given instances of them
(derives_clause
  [
    (type_identifier) @name
    (stable_type_identifier (_) @owner . (type_identifier) @name .)
  ] @ref.implement)
(given_definition
  return_type: [
    (type_identifier) @name
    (generic_type
      type: [
        (type_identifier) @name
        (stable_type_identifier (_) @owner . (type_identifier) @name .)
      ])
    (stable_type_identifier (_) @owner . (type_identifier) @name .)
  ] @ref.implement)

; Annotations, except built-in ones
(annotation
  name: [
    (type_identifier) @name
    (stable_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type type: (type_identifier) @name)
    (applied_constructor_type . (type_identifier) @name)
  ]
  (#not-any-of? @name
    "deprecated" "tailrec" "inline" "noinline" "switch" "unchecked" "volatile" "transient" "throws" "native"
    "specialized" "nowarn" "SerialVersionUID" "implicitNotFound" "main" "unused" "targetName" "uncheckedVariance"
    "static" "experimental" "showAsInfix")) @ref.decorate

; Instances
(instance_expression
  [
    (type_identifier) @name
    (stable_type_identifier (_) @owner . (type_identifier) @name .)
    (generic_type
      type: [
        (type_identifier) @name
        (stable_type_identifier (_) @owner . (type_identifier) @name .)
      ])
    (compound_type
      base: [
        (type_identifier) @name
        (stable_type_identifier (_) @owner . (type_identifier) @name .)
        (generic_type type: (type_identifier) @name)
        (applied_constructor_type
          .
          [
            (type_identifier) @name
            (stable_type_identifier (_) @owner . (type_identifier) @name .)
            (generic_type type: (type_identifier) @name)
          ])
      ])
  ]) @ref.instantiate

; Calls. A name with a capital letter is a companion object, of a case class or the like
((call_expression
  function: [
    (identifier) @name
    (field_expression value: (_) @owner field: (_) @name)
    (generic_function
      function: [
        (identifier) @name
        (field_expression value: (_) @owner field: (_) @name)
      ])
  ]) @ref.instantiate
  (#match? @name "^[A-Z]")
  (#not-any-of? @name
    "Some" "Left" "Right" "List" "Seq" "Map" "Set" "Vector" "Array" "Option" "Nil" "Iterator" "Iterable"))
((call_expression
  function: [
    (identifier) @name
    (field_expression value: (_) @owner field: (_) @name)
    (generic_function
      function: [
        (identifier) @name
        (field_expression value: (_) @owner field: (_) @name)
      ])
  ]) @ref.call
  (#not-match? @name "^[A-Z]")
  (#not-any-of? @name "this" "super"))
((infix_expression left: (_) @owner operator: (identifier) @name) @ref.call
  (#not-any-of? @name
    "should" "must" "can" "in" "when" "which" "that" "to" "until" "by" "eq" "ne" "ignore" "shouldBe" "mustBe"))
((infix_expression operator: (operator_identifier) @verbatim) @ref.call
  (#not-any-of? @verbatim
    "+" "-" "*" "/" "%" "==" "!=" "<" ">" "<=" ">=" "&&" "||" "&" "|" "^" "<<" ">>" ">>>" "->" "::" ":::"
    "++" "+=" "-=" "*=" "/=" "++=" "|=" "&=" ":+" "+:" "--" "~" "%%" "%%%" ":="))
((interpolated_string_expression interpolator: (identifier) @name) @ref.call
  (#not-any-of? @name "s" "f" "raw"))

; Patterns
(case_class_pattern
  type: [
    (type_identifier) @name
    (stable_type_identifier (_) @owner . (type_identifier) @name .)
  ] @ref.reference
  (#not-any-of? @name "Some" "Left" "Right" "List" "Seq" "Array" "Vector"))
(case_clause
  pattern: [
    (identifier) @name
    (alternative_pattern (identifier) @name)
  ] @ref.reference
  (#match? @name "^[A-Z`]")
  (#not-any-of? @name "None" "Nil"))
(stable_identifier (_) @owner . (identifier) @name .) @ref.reference

; Members without arguments: a field and a method look alike
(field_expression value: (_) @owner field: (identifier) @name) @ref.reference

; Functions and values passed as arguments, except short names, which are local
(arguments
  [
    (identifier) @name
    (assignment_expression right: (identifier) @name)
  ] @ref.reference
  (#match? @name "^.{3}")
  (#not-any-of? @name "this" "None" "Nil"))
((infix_expression right: (identifier) @name @ref.reference)
  (#match? @name "^.{3}")
  (#not-any-of? @name "this" "None" "Nil"))

; Types, except those of the prelude and short type parameters
((stable_type_identifier (_) @owner . (type_identifier) @name .) @ref.type
  (#match? @name "^[A-Z]"))
((type_identifier) @name @ref.type
  (#not-has-parent? @name annotation)
  (#match? @name "^[A-Z]")
  (#not-match? @name "^[A-Z][0-9]?$")
  (#not-any-of? @name
    "Int" "Long" "Short" "Byte" "Double" "Float" "Boolean" "Char" "Unit" "String" "Any" "AnyRef" "AnyVal"
    "Nothing" "Null" "Option" "Some" "List" "Seq" "Map" "Set" "Array" "Vector" "Either" "Left" "Right"))

; Local bindings
(parameter name: (identifier) @local)
(binding name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
([
    (block (val_definition pattern: [(identifier) @local (identifiers (identifier) @local)]))
    (block (var_definition pattern: [(identifier) @local (identifiers (identifier) @local)]))
    (indented_block (val_definition pattern: [(identifier) @local (identifiers (identifier) @local)]))
    (indented_block (var_definition pattern: [(identifier) @local (identifiers (identifier) @local)]))
    (case_clause (val_definition pattern: (identifier) @local))
    (case_clause (var_definition pattern: (identifier) @local))
    (lambda_expression (val_definition pattern: (identifier) @local))
  ])
(enumerator . (identifier) @local)

; In patterns, if they begin with a lower-case letter
([
    (case_clause pattern: (identifier) @local)
    (case_class_pattern pattern: (identifier) @local)
    (tuple_pattern (identifier) @local)
    (infix_pattern left: (identifier) @local)
    (infix_pattern right: (identifier) @local)
    (capture_pattern name: (identifier) @local)
    (typed_pattern pattern: (identifier) @local)
    (named_pattern (identifier) (identifier) @local)
  ]
  (#match? @local "^[a-z_]"))
