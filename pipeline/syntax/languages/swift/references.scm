; Swift: uses

; Imports: one declaration of a module, or a whole module
(import_declaration
  ["typealias" "struct" "class" "enum" "protocol" "let" "var" "func"]
  (identifier . (simple_identifier) @owner . (simple_identifier) @name .)) @ref.import
((import_declaration (identifier) @name) @ref.import
  (#not-match? @ref.import "import\\s+(typealias|struct|class|enum|protocol|let|var|func)\\s"))

; Protocols added by an extension: @owner is the extended type
(class_declaration
  declaration_kind: "extension"
  name: (_) @owner
  (inheritance_specifier
    inherits_from: (user_type (type_identifier) @name . (type_arguments)? .)) @ref.implement)

; The first type after a class may be its base class. Protocols have base protocols
(class_declaration
  declaration_kind: "class"
  ":"
  .
  (inheritance_specifier
    inherits_from: (user_type (type_identifier) @name . (type_arguments)? .)) @ref.inherit)
(protocol_declaration
  (inheritance_specifier
    inherits_from: (user_type (type_identifier) @name . (type_arguments)? .)) @ref.inherit)
(inheritance_specifier
  inherits_from: (user_type (type_identifier) @name . (type_arguments)? .)) @ref.implement
(associatedtype_declaration
  must_inherit: (user_type (type_identifier) @name . (type_arguments)? .) @ref.inherit)

; Attributes, except built-in ones
((attribute (user_type (type_identifier) @name .)) @ref.decorate
  (#not-any-of? @name
    "available" "autoclosure" "backDeployed" "convention" "discardableResult" "dynamicCallable"
    "dynamicMemberLookup" "escaping" "frozen" "inlinable" "inline" "main" "nonobjc" "objc" "objcMembers"
    "preconcurrency" "propertyWrapper" "resultBuilder" "retroactive" "rethrows" "testable" "unchecked"
    "unknown" "usableFromInline" "warn_unqualified_access" "IBAction" "IBOutlet" "IBDesignable"
    "IBInspectable" "NSCopying" "NSManaged" "GKInspectable" "UIApplicationMain" "NSApplicationMain"
    "Sendable" "_exported" "_spi" "_implementationOnly" "_disfavoredOverload" "_documentation"
    "_transparent" "_alwaysEmitIntoClient" "_silgen_name" "_semantics" "_specialize" "attached"
    "freestanding"))

; Functions passed as arguments
(selector_expression [
  (simple_identifier) @name
  (navigation_expression
    target: (_) @owner
    suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_expression . (simple_identifier) @name)
  (call_expression
    . (navigation_expression
        target: (_) @owner
        suffix: (navigation_suffix suffix: (simple_identifier) @name)))
]) @ref.reference

; Instances: the name of the call begins with a capital letter
((call_expression . (simple_identifier) @name) @ref.instantiate
  (#match? @name "^_?[A-Z]"))
((call_expression
    . (navigation_expression
        target: (_) @owner
        suffix: (navigation_suffix suffix: (simple_identifier) @name))) @ref.instantiate
  (#match? @name "^_?[A-Z]"))
(constructor_expression
  constructed_type: (user_type (type_identifier) @name . (type_arguments)? .)) @ref.instantiate

; Calls, except subscripts, which have brackets
((call_expression
    . (simple_identifier) @name
    (call_suffix . [(value_arguments . "(") (lambda_literal)])) @ref.call
  (#not-eq? @name "defer"))
(call_expression
  . (navigation_expression
      target: (_) @owner
      suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix . [(value_arguments . "(") (lambda_literal)])) @ref.call

; Members of the type that their place expects: of a declared name, of what they are compared with, of an argument
(property_declaration
  (type_annotation (_) @owner)
  value: [
    (prefix_expression operation: "." target: (simple_identifier) @name @ref.reference)
    (call_expression . (prefix_expression operation: "." target: (simple_identifier) @name @ref.call))
  ])
(property_declaration
  (type_annotation (array_type (_) @owner))
  value: (array_literal element: [
    (prefix_expression operation: "." target: (simple_identifier) @name @ref.reference)
    (call_expression . (prefix_expression operation: "." target: (simple_identifier) @name @ref.call))
  ]))
(function_declaration
  (parameter name: (_) name: (_) @owner)
  .
  default_value: [
    (prefix_expression operation: "." target: (simple_identifier) @name @ref.reference)
    (call_expression . (prefix_expression operation: "." target: (simple_identifier) @name @ref.call))
  ])
(init_declaration
  (parameter name: (_) name: (_) @owner)
  .
  default_value: [
    (prefix_expression operation: "." target: (simple_identifier) @name @ref.reference)
    (call_expression . (prefix_expression operation: "." target: (simple_identifier) @name @ref.call))
  ])
(equality_expression
  lhs: (_) @owner
  rhs: (prefix_expression operation: "." target: (simple_identifier) @name @ref.reference))
(assignment
  target: (directly_assignable_expression (_) @owner)
  result: [
    (prefix_expression operation: "." target: (simple_identifier) @name @ref.reference)
    (call_expression . (prefix_expression operation: "." target: (simple_identifier) @name @ref.call))
  ])
(switch_statement
  expr: (_) @owner
  (switch_entry (switch_pattern (pattern "." . (simple_identifier) @name @ref.reference))))
(call_expression
  . (prefix_expression operation: "." target: (simple_identifier) @name) @expected) @ref.call
(macro_invocation . "#" . (simple_identifier) @name) @ref.call

; Members whose type is omitted, those of a type in a pattern and those of key paths
((prefix_expression operation: "." target: (simple_identifier) @name) @ref.reference @expected)
(pattern (user_type) @owner . "." . (simple_identifier) @name) @ref.reference
(pattern "." . (simple_identifier) @name) @ref.reference
(if_statement (user_type) @owner . "." . (simple_identifier) @name @ref.reference)
(guard_statement (user_type) @owner . "." . (simple_identifier) @name @ref.reference)
(while_statement (user_type) @owner . "." . (simple_identifier) @name @ref.reference)
(if_statement "." . (simple_identifier) @name @ref.reference)
(guard_statement "." . (simple_identifier) @name @ref.reference)
(while_statement "." . (simple_identifier) @name @ref.reference)
(navigation_expression
  target: (key_path_expression (type_identifier) @owner)
  suffix: (navigation_suffix suffix: (simple_identifier) @name)) @ref.reference
(navigation_expression
  target: (key_path_expression)
  suffix: (navigation_suffix suffix: (simple_identifier) @name)) @ref.reference

; Members, with the receiver
((navigation_expression
    target: (_) @owner
    suffix: (navigation_suffix suffix: (simple_identifier) @name)) @ref.reference
  (#not-any-of? @name "init" "self" "Type" "Protocol"))

; Types, except those of the prelude and short type parameters
((user_type (type_identifier) @owner . (type_identifier) @name) @ref.type
  (#not-match? @name "^[A-Z]$"))
((user_type (type_identifier) @name @ref.type)
  (#match? @name "^_?[A-Z]")
  (#not-match? @name
    "^([A-Z]|Self|Any|AnyObject|String|Int|Bool|Double|Void|Never|IB[A-Z][A-Za-z]+|NSManaged|NSCopying)$"))
((key_path_expression (type_identifier) @name @ref.type)
  (#not-match? @name "^[A-Z]$"))
((navigation_expression
    target: (simple_identifier) @name @ref.type
    suffix: (navigation_suffix suffix: (simple_identifier) @_self))
  (#match? @name "^_?[A-Z]")
  (#any-of? @_self "self" "Type"))

; Names in expressions. Values of setters and observers, and the error of a `catch`, have implicit names
([
    (tuple_expression value: (simple_identifier) @name @ref.reference)
    (control_transfer_statement "return" result: (simple_identifier) @name @ref.reference)
    (control_transfer_statement (throw_keyword) . (simple_identifier) @name @ref.reference)
    (attribute ["(" "," ":"] . (simple_identifier) @name @ref.reference . ["," ")"])
    (enum_entry raw_value: (simple_identifier) @name @ref.reference)
    (property_declaration value: (simple_identifier) @name @ref.reference)
    (function_declaration default_value: (simple_identifier) @name @ref.reference)
    (init_declaration default_value: (simple_identifier) @name @ref.reference)
    (subscript_declaration default_value: (simple_identifier) @name @ref.reference)
    (protocol_function_declaration default_value: (simple_identifier) @name @ref.reference)
    (switch_pattern (pattern . (simple_identifier) @name @ref.reference .))
    (capture_list_item name: (simple_identifier) @name @ref.reference !value)
    (capture_list_item value: (simple_identifier) @name @ref.reference)
  ]
  (#not-match? @name "^([$].*|[A-Z]|_|error|newValue|oldValue|self)$"))
((simple_identifier) @name @ref.reference
  (#not-match? @name "^([$].*|[A-Z]|_|defer|error|newValue|oldValue|self)$")
  (#has-parent? @name
    additive_expression array_literal as_expression assignment await_expression bitwise_operation call_expression
    check_expression comparison_expression conjunction_expression consume_expression dictionary_literal
    directly_assignable_expression disjunction_expression equality_expression for_statement guard_statement
    if_statement infix_expression interpolated_expression multiplicative_expression navigation_expression
    nil_coalescing_expression open_end_range_expression open_start_range_expression postfix_expression
    prefix_expression range_expression repeat_while_statement statements switch_entry switch_statement
    ternary_expression try_expression unsafe_expression value_argument where_clause while_statement))
([
    (tuple_expression value: (simple_identifier) @name @ref.reference)
    (control_transfer_statement "return" result: (simple_identifier) @name @ref.reference)
  ]
  (#eq? @name "error")
  (#not-has-ancestor? @name catch_block))
((simple_identifier) @name @ref.reference
  (#eq? @name "error")
  (#not-has-ancestor? @name catch_block)
  (#has-parent? @name
    as_expression assignment await_expression call_expression comparison_expression conjunction_expression
    directly_assignable_expression disjunction_expression equality_expression guard_statement if_statement
    interpolated_expression navigation_expression nil_coalescing_expression postfix_expression prefix_expression
    statements switch_statement ternary_expression value_argument))

; Local bindings. In `if let a`, the value is the previous `a`
(function_declaration (type_parameters (type_parameter . (type_identifier) @local_type)))
(init_declaration (type_parameters (type_parameter . (type_identifier) @local_type)))
(protocol_function_declaration (type_parameters (type_parameter . (type_identifier) @local_type)))
(parameter name: (simple_identifier) @local)
(lambda_parameter name: (simple_identifier) @local)
(capture_list_item name: (simple_identifier) @local value: (_))
(pattern bound_identifier: (simple_identifier) @local)
(pattern (pattern (simple_identifier) @local) @_pattern
  (#eq? @_pattern @local))
(if_statement condition: (pattern (simple_identifier) @local) @_pattern
  (#eq? @_pattern @local))
(guard_statement condition: (pattern (simple_identifier) @local) @_pattern
  (#eq? @_pattern @local))
(_ bound_identifier: (simple_identifier) @local . condition: (_) @_value
  (#not-any-of? @_value "let" "var"))
