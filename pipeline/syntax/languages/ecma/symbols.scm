; JavaScript and TypeScript in common: definitions
; An exported declaration comes before the plain one, because its extent is the export statement.

; Tests and groups of tests named by a string
((call_expression
    function: [(identifier) (member_expression) (call_expression)] @_test
    arguments: (arguments
      . [
        (string . (string_fragment) @verbatim .)
        (string (escape_sequence)) @verbatim
        (template_string . (string_fragment) @verbatim .)
        (template_string (template_substitution)) @verbatim
      ]
      [(arrow_function body: (_) @body) (function_expression body: (_) @body)])) @symbol.test @scope
  (#match? @_test "^((t|tap|Deno|QUnit|suite)\\.)?([fx]?(describe|it|context|specify)|x?test|suite|bench|module)(\\.[a-zA-Z.]+)?(\\(|`|$)"))

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

; Unnamed default exports are called `default`
(export_statement
  "default" @name
  value: [(arrow_function) (function_expression !name) (generator_function !name)]) @symbol.function @scope @exported
(export_statement "default" @name value: (class !name)) @symbol.class @scope @exported
(export_statement "default" @name value: (object)) @symbol.constant @scope @exported
(export_statement
  "default" @name
  value: (call_expression arguments: (arguments (object)))) @symbol.constant @scope @exported

; Functions assigned to a variable
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

; Functions assigned to a variable through one or two wrappers
(export_statement
  declaration: (lexical_declaration . (variable_declarator
    name: (identifier) @name
    value: (call_expression
      function: (_) @_wrapper
      arguments: (arguments . [
        (arrow_function body: (_) @body)
        (function_expression body: (_) @body)
        (call_expression arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
      ]))) .)
  (#match? @_wrapper "(^|\\.)(memo|forwardRef|observer|lazy|use(Callback|Event|EffectEvent)|debounce|throttle|memoize(One)?|once|cache|action|async_?[hH]andler|catchAsync|with[A-Z][a-zA-Z]*)$")) @symbol.function @scope @exported
(lexical_declaration . (variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: (_) @_wrapper
    arguments: (arguments . [
      (arrow_function body: (_) @body)
      (function_expression body: (_) @body)
      (call_expression arguments: (arguments . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
    ]))) .
  (#match? @_wrapper "(^|\\.)(memo|forwardRef|observer|lazy|use(Callback|Event|EffectEvent)|debounce|throttle|memoize(One)?|once|cache|action|async_?[hH]andler|catchAsync|with[A-Z][a-zA-Z]*)$")) @symbol.function @scope

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

(assignment_expression
  left: (member_expression) @exported
  right: (class name: (_) @name)
  (#eq? @exported "module.exports")) @symbol.class @scope
(assignment_expression
  left: (member_expression property: (_) @name) @exported
  right: (class !name)
  (#eq? @exported "module.exports")) @symbol.class @scope

; Members of an object assigned to `module.exports`
(assignment_expression
  left: (member_expression) @exported
  right: (object [
    (pair
      key: [(property_identifier) @name (string (string_fragment) @name)]
      value: [(arrow_function) (function_expression) (generator_function)]) @symbol.function
    (method_definition name: (property_identifier) @name) @symbol.function
    (pair
      key: [(property_identifier) @name (string (string_fragment) @name)]
      value: (object)) @symbol.constant
  ] @scope)
  (#eq? @exported "module.exports"))

; Properties defined by a call: `Object.defineProperty`
(call_expression
  function: (_) @_define
  arguments: (arguments . (identifier) @exported . (string (string_fragment) @name))
  (#match? @_define "(^|\\.)(defineProperty|defineGetter|defineLazyProperty)$")
  (#eq? @exported "exports")
  (#not-eq? @name "__esModule")) @symbol.property @scope
(call_expression
  function: (_) @_define
  arguments: (arguments
    . [
      (identifier) @owner
      (member_expression object: (_) @owner property: (property_identifier) @_prototype)
    ]
    . (string (string_fragment) @name))
  (#match? @_define "(^|\\.)(defineProperty|defineGetter|defineLazyProperty)$")
  (#not-eq? @owner "exports")
  (#eq? @_prototype "prototype")) @symbol.property @scope
(call_expression
  function: (_) @_define
  arguments: (arguments . (this) . (string (string_fragment) @name))
  (#match? @_define "(^|\\.)(defineProperty|defineGetter|defineLazyProperty)$")) @symbol.property @scope

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

; Named function expressions that are passed as arguments or returned
(export_statement
  "default"
  value: (call_expression
    arguments: (arguments . (function_expression name: (_) @name)))) @symbol.function @scope @exported
(arguments (function_expression name: (_) @name) @symbol.function @scope)
(return_statement (function_expression name: (_) @name) @symbol.function @scope)

; Classes and functions assigned to a variable, classes passed as arguments
(expression_statement
  (assignment_expression
    left: (identifier) @name
    right: [(arrow_function) (function_expression) (generator_function)]) @symbol.function @scope)
(assignment_expression
  left: [(identifier) (member_expression)]
  right: (class name: (_) @name)) @symbol.class @scope
(assignment_expression
  left: [
    (identifier) @name
    (member_expression object: (_) @owner property: (property_identifier) @name)
  ]
  right: (class !name)) @symbol.class @scope
[
  (return_statement (class name: (_) @name) @symbol.class @scope)
  (arguments (class name: (_) @name) @symbol.class @scope)
]

; Constructors are not scopes, so that what they assign to `this` belongs to the class
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

; The name of an object literal qualifies its members
(assignment_expression
  left: (member_expression object: (_) @name property: (_) @_prototype)
  right: [(object) (call_expression arguments: (arguments (object)))]
  (#eq? @_prototype "prototype")) @scope
(assignment_expression
  left: [(identifier) (member_expression object: (identifier))] @name
  right: [(object) (call_expression arguments: (arguments (object)))]
  (#not-match? @name "^(module\\.)?exports\\b|\\.prototype$")) @scope
(call_expression
  arguments: (arguments
    . (member_expression object: (_) @name property: (_) @_prototype)
    (object))
  (#eq? @_prototype "prototype")) @scope
(expression_statement
  (call_expression
    function: (member_expression object: (_) @name property: (_) @_extend)
    arguments: (arguments . (object) .))
  (#eq? @_extend "extend")) @scope
(pair
  key: [
    (property_identifier) @name
    (string (string_fragment) @name)
  ]
  value: (object)) @scope

; Variables of the module whose value is an object
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
; Exported constants and variables
(export_statement
  declaration: (lexical_declaration
    kind: "const" . (variable_declarator name: (identifier) @name) .)) @symbol.constant @scope @exported
(export_statement
  declaration: (lexical_declaration
    kind: "const" (variable_declarator name: (identifier) @name) @symbol.constant @scope)) @exported
(export_statement
  declaration: (_ (variable_declarator name: (identifier) @name) @symbol.variable @scope)) @exported
(export_statement
  declaration: (_ (variable_declarator name: [
    (object_pattern [
      (shorthand_property_identifier_pattern) @name
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
      (pair_pattern value: (identifier) @name)
    ] @symbol.constant)
    (array_pattern (identifier) @name @symbol.constant)
  ]))) @exported

; Constants and variables of the module. Results of `require` are imports
(program
  (lexical_declaration
    kind: "const" . (variable_declarator name: (identifier) @name value: (_) @_value) .) @symbol.constant @scope
  (#not-match? @_value "^(await +)?(require|import) *\\("))
(program
  (lexical_declaration
    kind: "const" (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.constant @scope)
  (#not-match? @_value "^(await +)?(require|import) *\\("))
(program
  [
    (lexical_declaration kind: "let" (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable @scope)
    (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable @scope)
  ]
  (#not-match? @_value "^(await +)?(require|import) *\\("))
(program
  [
    (lexical_declaration (variable_declarator name: (identifier) @name !value) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name !value) @symbol.variable)
  ])

; Variables of a module wrapped in a function that is called at once ...
([
    (parenthesized_expression [
      (function_expression body: (statement_block [
        (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
        (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
      ]))
      (arrow_function body: (statement_block [
        (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
        (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
      ]))
      (call_expression function: (function_expression body: (statement_block [
        (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
        (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
      ])))
    ])
    (unary_expression (call_expression function: (function_expression body: (statement_block [
        (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
        (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
      ]))))
  ]
  (#not-match? @_value "^(await +)?(require|import) *\\("))

; ... or passed to another function, which calls it
((call_expression
    function: [(identifier) (function_expression) (parenthesized_expression)] @_wrapper
    arguments: (arguments (function_expression body: (statement_block [
        (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
        (variable_declaration (variable_declarator name: (identifier) @name value: (_) @_value) @symbol.variable)
      ]))))
  (#match? @_wrapper "^(define|require|requirejs|\\(?function\\b[^}]*)")
  (#not-match? @_value "^(await +)?(require|import) *\\("))

; The name of a variable qualifies the members of its object, also of one passed to a call
(variable_declarator
  name: (identifier) @name
  value: [
    (object)
    (call_expression arguments: (arguments (object)))
  ]) @scope

; Documentation
(comment) @doc

; Exports apart from the definition
(export_statement !source (export_clause (export_specifier name: (identifier) @name)) @exported)
(export_statement value: (identifier) @name) @exported
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: [(identifier) @name (object (shorthand_property_identifier) @name)]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @exported
