; Python: definitions
; A decorated definition comes before the plain one, because its extent includes the decorators.

; Enums
(decorated_definition
  definition: (class_definition
    name: (_) @name
    superclasses: (argument_list [(identifier) (attribute)] @_base)
    body: (block . (expression_statement (string) @doc)?))
  (#match? @_base "(Enum|Flag)$")) @symbol.enum @scope
(class_definition
  name: (_) @name
  superclasses: (argument_list [(identifier) (attribute)] @_base)
  body: (block . (expression_statement (string) @doc)?)
  (#match? @_base "(Enum|Flag)$")) @symbol.enum @scope
(class_definition
  superclasses: (argument_list [(identifier) (attribute)] @_base)
  body: (block (expression_statement (assignment left: (identifier) @name)) @symbol.enum_member)
  (#match? @_base "(Enum|Flag)$")
  (#not-match? @name "^_"))

; Classes
(decorated_definition
  definition: (class_definition
    name: (_) @name
    body: (block . (expression_statement (string) @doc)?))) @symbol.class @scope
(class_definition
  name: (_) @name
  body: (block . (expression_statement (string) @doc)?)) @symbol.class @scope

; Properties: getters, setters and cached ones
(decorated_definition
  (decorator [
    (identifier) @_decorator
    (attribute attribute: (_) @_decorator)
  ])
  definition: (function_definition
    name: (_) @name
    body: (block . (expression_statement (string) @doc)?))
  (#any-of? @_decorator
    "property" "cached_property" "abstractproperty" "getter" "setter" "deleter")) @symbol.property @scope

; Constructors are not scopes, so that what they assign to `self` belongs to the class
(class_definition
  body: (block
    [
      (decorated_definition
        definition: (function_definition
          name: (_) @name
          body: (block . (expression_statement (string) @doc)?)))
      (function_definition
        name: (_) @name
        body: (block . (expression_statement (string) @doc)?))
    ] @symbol.constructor)
  (#eq? @name "__init__"))

; Methods
(class_definition
  body: (block
    (decorated_definition
      definition: (function_definition
        name: (_) @name
        body: (block . (expression_statement (string) @doc)?))) @symbol.method @scope))
(class_definition
  body: (block
    (function_definition
      name: (_) @name
      body: (block . (expression_statement (string) @doc)?)) @symbol.method @scope))

; Functions, also nested and conditional ones
(decorated_definition
  definition: (function_definition
    name: (_) @name
    body: (block . (expression_statement (string) @doc)?))) @symbol.function @scope
(function_definition
  name: (_) @name
  body: (block . (expression_statement (string) @doc)?)) @symbol.function @scope

; Type aliases and types defined by a call
(type_alias_statement
  left: (type [
    (identifier) @name
    (generic_type (identifier) @name)
  ])) @symbol.type
((expression_statement
    (assignment
      left: (identifier) @name
      type: (type [(identifier) @_type (attribute attribute: (_) @_type)]))) @symbol.type
  (#eq? @_type "TypeAlias"))
(module
  (expression_statement
    (assignment
      left: (identifier) @name
      right: (call function: [(identifier) @_maker (attribute attribute: (_) @_maker)]))) @symbol.class
  (#any-of? @_maker "namedtuple" "NamedTuple" "TypedDict"))
((expression_statement
    (assignment
      left: (identifier) @name
      right: (call function: [(identifier) @_maker (attribute attribute: (_) @_maker)]))) @symbol.type
  (#any-of? @_maker "NewType" "TypeVar" "ParamSpec" "TypeVarTuple"))

; Lambdas assigned to a name
(module
  (expression_statement
    (assignment left: (identifier) @name right: (lambda))) @symbol.function)

; Constants and variables of the module
(module
  (expression_statement (assignment left: (identifier) @name)) @symbol.constant
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(module
  (expression_statement
    (assignment [
      left: (identifier) @name
      left: (pattern_list (identifier) @name)
      right: (assignment left: (identifier) @name)
    ])) @symbol.variable)

; The same one level down, in `if` and `try`
(module
  (if_statement
    [
      (block (expression_statement (assignment left: (identifier) @name)) @symbol.variable)
      (else_clause
        body: (block (expression_statement (assignment left: (identifier) @name)) @symbol.variable))
    ]))
(module
  (try_statement
    [
      (block (expression_statement (assignment left: (identifier) @name)) @symbol.variable)
      (except_clause
        (block (expression_statement (assignment left: (identifier) @name)) @symbol.variable))
    ]))

; Constants and fields of a class
(class_definition
  body: (block
    (expression_statement (assignment left: (identifier) @name)) @symbol.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))
(class_definition
  body: (block
    (expression_statement
      (assignment left: [(identifier) @name (pattern_list (identifier) @name)])) @symbol.field))

; Fields assigned in the constructor
(class_definition
  body: (block
    (function_definition
      name: (_) @_init
      body: (block
        (expression_statement
          (assignment
            left: [
              (attribute object: (identifier) @_self attribute: (_) @name) @symbol.field
              (pattern_list (attribute object: (identifier) @_self attribute: (_) @name) @symbol.field)
              (tuple_pattern (attribute object: (identifier) @_self attribute: (_) @name) @symbol.field)
            ])))))
  (#eq? @_init "__init__")
  (#eq? @_self "self"))

; Documentation
(comment) @doc
