; JavaScript and TypeScript in common: definitions
; An exported declaration comes before the plain one: its extent is the export statement.

; Classes
(export_statement declaration: (class_declaration name: (_) @name)) @symbol.class @scope @exported
(class_declaration name: (_) @name) @symbol.class @scope
(export_statement
  declaration: (_ . (variable_declarator name: (identifier) @name value: (class)) .)) @symbol.class @scope @exported
(variable_declarator name: (identifier) @name value: (class)) @symbol.class @scope

; Functions
(export_statement
  declaration: [
    (function_declaration name: (_) @name)
    (generator_function_declaration name: (_) @name)
  ]) @symbol.function @scope @exported
[
  (function_declaration name: (_) @name)
  (generator_function_declaration name: (_) @name)
] @symbol.function @scope

; Nameless default exports are called `default`
(export_statement
  "default" @name
  value: [(arrow_function) (function_expression !name) (generator_function !name)]) @symbol.function @scope @exported
(export_statement "default" @name value: (class !name)) @symbol.class @scope @exported
(export_statement "default" @name value: (object)) @symbol.constant @scope @exported

; Functions held by a variable
(export_statement
  declaration: [
    (lexical_declaration . (variable_declarator
      name: (identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)]) .)
    (variable_declaration . (variable_declarator
      name: (identifier) @name
      value: [(arrow_function) (function_expression) (generator_function)]) .)
  ]) @symbol.function @scope @exported
[
  (lexical_declaration . (variable_declarator
    name: (identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)]) .)
  (variable_declaration . (variable_declarator
    name: (identifier) @name
    value: [(arrow_function) (function_expression) (generator_function)]) .)
] @symbol.function @scope
(variable_declarator
  name: (identifier) @name
  value: [(arrow_function) (function_expression) (generator_function)]) @symbol.function @scope

; Functions held by a variable by way of a wrapper
(export_statement
  declaration: (lexical_declaration . (variable_declarator
    name: (identifier) @name
    value: (call_expression
      function: (_) @_wrapper
      arguments: (arguments . [(arrow_function) (function_expression)]))) .)
  (#match? @_wrapper "(^|\\.)(memo|forwardRef|observer|useCallback)$")) @symbol.function @scope @exported
(lexical_declaration . (variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (_) @_wrapper
    arguments: (arguments . [(arrow_function) (function_expression)]))) .
  (#match? @_wrapper "(^|\\.)(memo|forwardRef|observer|useCallback)$")) @symbol.function @scope

; Functions assigned to `module.exports`, `exports.x`, `module.exports.x`
(assignment_expression
  left: (member_expression) @exported
  right: (function_expression name: (_) @name)
  (#eq? @exported "module.exports")) @symbol.function @scope
(assignment_expression
  left: (member_expression property: (_) @name) @exported
  right: [(arrow_function) (function_expression !name)]
  (#eq? @exported "module.exports")) @symbol.function @scope
(assignment_expression
  left: (member_expression object: (_) @exported property: (_) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#any-of? @exported "exports" "module.exports")) @symbol.function @scope
(assignment_expression
  left: (member_expression object: (_) @exported property: (_) @name)
  right: (class)
  (#any-of? @exported "exports" "module.exports")) @symbol.class @scope

; Constants assigned to `exports.x`
(assignment_expression
  left: (member_expression object: (_) @exported property: (_) @name)
  right: (object)
  (#any-of? @exported "exports" "module.exports")) @symbol.constant @scope
(assignment_expression
  left: (member_expression object: (_) @exported property: (_) @name)
  right: [(array) (call_expression) (new_expression) (number) (regex) (string) (template_string) (true) (false)]
  (#any-of? @exported "exports" "module.exports")) @symbol.constant

; Functions assigned to a prototype, to `this`, to another object
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @owner property: (_) @_prototype)
    property: (_) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#eq? @_prototype "prototype")) @symbol.method @scope
(assignment_expression
  left: (member_expression
    object: (member_expression object: (_) @owner property: (_) @_prototype)
    property: (_) @name)
  (#eq? @_prototype "prototype")) @symbol.property
(assignment_expression
  left: (member_expression object: (this) property: (_) @name)
  right: [(arrow_function) (function_expression) (generator_function)]) @symbol.method @scope
(assignment_expression
  left: (member_expression object: [(identifier) (member_expression)] @owner property: (_) @name)
  right: [(arrow_function) (function_expression) (generator_function)]
  (#not-any-of? @owner "module" "exports" "module.exports")) @symbol.method @scope

; Named function expressions that are handed on or given back
(arguments (function_expression name: (_) @name) @symbol.function @scope)
(return_statement (function_expression name: (_) @name) @symbol.function @scope)

; Constructors: no scopes, so that what they set on `this` belongs to the class
(class_body
  (method_definition name: (property_identifier) @name) @symbol.constructor
  (#eq? @name "constructor"))

; Accessors and methods, of classes and of object literals
(method_definition ["get" "set"] name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
]) @symbol.property @scope
(method_definition name: [
  (property_identifier) @name
  (private_property_identifier) @name
  (string (string_fragment) @name)
  (computed_property_name (member_expression property: (_) @name))
  (computed_property_name (identifier) @name)
]) @symbol.method @scope
(pair
  key: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]
  value: [(arrow_function) (function_expression) (generator_function)]) @symbol.method @scope

; Object literals lend their name to what is in them
(assignment_expression
  left: (member_expression object: (_) @name property: (_) @_prototype)
  right: (object)
  (#eq? @_prototype "prototype")) @scope
(assignment_expression
  left: [(identifier) (member_expression object: (identifier))] @name
  right: (object)
  (#not-match? @name "^(module\\.)?exports\\b")) @scope
(pair
  key: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]
  value: (object)) @scope

; Variables of the module that hold an object
(export_statement
  declaration: (lexical_declaration
    kind: "const" . (variable_declarator name: (identifier) @name value: (object)) .)) @symbol.constant @scope @exported
(program
  (lexical_declaration
    kind: "const" . (variable_declarator name: (identifier) @name value: (object)) .) @symbol.constant @scope)
(program
  (lexical_declaration . (variable_declarator name: (identifier) @name value: (object)) .) @symbol.variable @scope)
(program
  (variable_declaration . (variable_declarator name: (identifier) @name value: (object)) .) @symbol.variable @scope)
(variable_declarator name: (identifier) @name value: (object)) @scope

; Exported constants and variables
(export_statement
  declaration: (lexical_declaration
    kind: "const" . (variable_declarator name: (identifier) @name) .)) @symbol.constant @exported
(export_statement
  declaration: (lexical_declaration
    kind: "const" (variable_declarator name: (identifier) @name) @symbol.constant)) @exported
(export_statement
  declaration: (_ (variable_declarator name: (identifier) @name) @symbol.variable)) @exported
(export_statement
  declaration: (_ (variable_declarator
    name: (object_pattern [
      (shorthand_property_identifier_pattern) @name
      (pair_pattern value: (identifier) @name)
    ]) @symbol.constant))) @exported

; Constants and variables of the module; what `require` gives is an import
(program
  (lexical_declaration
    kind: "const" . (variable_declarator name: (identifier) @name value: (_) @_value) .) @symbol.constant
  (#not-match? @_value "^(await +)?(require|import) *\\("))
(program
  (lexical_declaration
    kind: "const" (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.constant)
  (#not-match? @_value "^(await +)?(require|import) *\\("))
(program
  [
    (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
  ]
  (#not-match? @_value "^(await +)?(require|import) *\\("))
(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name !value) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name !value) @symbol.variable)
  ])

; Documentation
(comment) @doc
