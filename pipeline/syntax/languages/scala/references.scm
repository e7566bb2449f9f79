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
([
    (case_class_pattern pattern: (identifier) @name @ref.reference)
    (tuple_pattern (identifier) @name @ref.reference)
    (infix_pattern left: (identifier) @name @ref.reference)
    (infix_pattern right: (identifier) @name @ref.reference)
    (capture_pattern pattern: (identifier) @name @ref.reference)
    (named_pattern (identifier) (identifier) @name @ref.reference)
  ]
  (#match? @name "^[A-Z`]")
  (#not-any-of? @name "None" "Nil"))
(stable_identifier (_) @owner . (identifier) @name .) @ref.reference

; Members without arguments: a field and a method look alike
((field_expression value: (_) @owner field: (identifier) @name) @ref.reference
  (#not-any-of? @name "this" "super"))
(postfix_expression . (_) @owner . (identifier) @name .) @ref.reference

; Types, except those of the prelude and short type parameters
((stable_type_identifier (_) @owner . (type_identifier) @name .) @ref.type
  (#match? @name "^[A-Z]"))
((type_identifier) @name @ref.type
  (#not-has-parent? @name annotation)
  (#match? @name "^[A-Z]")
  (#not-match? @name "^[A-Z]$")
  (#not-any-of? @name
    "Int" "Long" "Short" "Byte" "Double" "Float" "Boolean" "Char" "Unit" "String" "Any" "AnyRef" "AnyVal"
    "Nothing" "Null" "Option" "Some" "List" "Seq" "Map" "Set" "Array" "Vector" "Either" "Left" "Right"))

; Names in expressions. The left side of an assignment among arguments is the name of a parameter
((assignment_expression left: (identifier) @name @ref.reference) @_assignment
  (#not-has-parent? @_assignment arguments))
([
    (assignment_expression right: (identifier) @name @ref.reference)
    (case_clause body: (identifier) @name @ref.reference)
    (catch_clause body: (identifier) @name @ref.reference)
    (class_parameter default_value: (identifier) @name @ref.reference)
    (enumerator ["<-" "="] . (identifier) @name @ref.reference)
    (field_expression value: (identifier) @name @ref.reference)
    (function_definition body: (identifier) @name @ref.reference)
    (generic_function function: (identifier) @name @ref.reference)
    (given_definition body: (identifier) @name @ref.reference)
    (infix_expression left: (identifier) @name @ref.reference)
    (infix_expression right: (identifier) @name @ref.reference)
    (lambda_expression "=>" . (identifier) @name @ref.reference)
    (parameter default_value: (identifier) @name @ref.reference)
    (postfix_expression . (identifier) @name @ref.reference)
    (stable_identifier . (identifier) @name @ref.reference)
    (stable_type_identifier . (identifier) @name @ref.reference)
    (val_definition value: (identifier) @name @ref.reference)
    (var_definition value: (identifier) @name @ref.reference)
  ]
  (#not-any-of? @name
    "this" "super" "None" "Nil" "Some" "Left" "Right" "List" "Seq" "Map" "Set" "Vector" "Array" "Option" "Iterator"
    "Iterable"))
((identifier) @name @ref.reference
  (#has-parent? @name
    arguments ascription_expression block do_while_expression finally_clause for_expression guard if_expression
    indented_block interpolation macro_body match_expression method_value parenthesized_expression prefix_expression
    quote_expression return_expression singleton_type splice_expression throw_expression try_expression
    tuple_expression vararg while_expression)
  (#not-any-of? @name
    "this" "super" "None" "Nil" "Some" "Left" "Right" "List" "Seq" "Map" "Set" "Vector" "Array" "Option" "Iterator"
    "Iterable"))

; Local bindings
(function_definition (type_parameters name: (identifier) @local_type))
(function_declaration (type_parameters name: (identifier) @local_type))
(parameter name: (identifier) @local)
(binding name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(colon_argument lambda_start: (identifier) @local)
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
