; Ruby: types of names

; Variables and constants. `A.new` with a block or without parentheses has the type `A`
(assignment left: [(identifier) (constant) (global_variable)] @typed right: (_) @value
  (#not-match? @value "^(super\\b|(Struct|Class|Module|Data)\\.(new|define)\\b)"))
(operator_assignment left: [(identifier) (constant) (global_variable)] @typed operator: ["||=" "&&="] right: (_) @value)
(assignment left: [(identifier) (constant) (global_variable)] @typed right: (begin . (_) @value .))
(assignment
  left: [(identifier) (constant) (global_variable)] @typed
  right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new block: (_))
  (#eq? @_new "new")
  (#not-any-of? @type "Class" "Module" "Struct" "Data"))
(assignment
  left: [(identifier) (constant) (global_variable)] @typed
  right: (call
    receiver: [(constant) (scope_resolution)] @type
    method: (identifier) @_new
    arguments: (argument_list) @_arguments
    !block)
  (#eq? @_new "new")
  (#not-match? @_arguments "^\\(")
  (#not-any-of? @type "Class" "Module" "Struct" "Data"))

; Classes without a name, with the members of their base
([
    (assignment
      left: [(identifier) (constant) (global_variable)] @typed
      right: (call
        receiver: (constant) @_class
        method: (identifier) @_new
        arguments: (argument_list . [(constant) (scope_resolution)] @type)))
    (assignment
      left: [(instance_variable) (class_variable)] @member
      right: (call
        receiver: (constant) @_class
        method: (identifier) @_new
        arguments: (argument_list . [(constant) (scope_resolution)] @type)))
  ]
  (#eq? @_class "Class")
  (#eq? @_new "new"))
(call
  !receiver
  method: (identifier) @_let
  arguments: (argument_list . (simple_symbol) @typed .)
  block: [
    (block body: (block_body
      (call
        receiver: (constant) @_class
        method: (identifier) @_new
        arguments: (argument_list . [(constant) (scope_resolution)] @type)) .))
    (do_block body: (body_statement
      (call
        receiver: (constant) @_class
        method: (identifier) @_new
        arguments: (argument_list . [(constant) (scope_resolution)] @type)) .))
  ]
  (#any-of? @_let "let" "let!" "subject" "subject!")
  (#eq? @_class "Class")
  (#eq? @_new "new"))

; Parameters with a default value
(optional_parameter name: (identifier) @typed value: (_) @value)
(keyword_parameter name: (identifier) @typed value: (_) @value)

; Exceptions and patterns
(rescue
  exceptions: (exceptions [(constant) (scope_resolution)] @type)
  variable: (exception_variable (identifier) @typed))
(as_pattern value: [(constant) (scope_resolution)] @type name: (identifier) @typed)

; Assigned members of objects and classes
(assignment left: [(instance_variable) (class_variable)] @member right: (_) @value
  (#not-match? @value "^super\\b"))
(operator_assignment left: [(instance_variable) (class_variable)] @member operator: ["||=" "&&="] right: (_) @value)
([
    (assignment
      left: [(instance_variable) (class_variable)] @member
      right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new block: (_)))
    (operator_assignment
      left: [(instance_variable) (class_variable)] @member
      right: (call receiver: [(constant) (scope_resolution)] @type method: (identifier) @_new block: (_)))
  ]
  (#eq? @_new "new")
  (#not-any-of? @type "Class" "Module" "Struct" "Data"))
([
    (assignment left: [(instance_variable) (class_variable)] @member right: (begin (_) @value .))
    (operator_assignment left: [(instance_variable) (class_variable)] @member right: (begin (_) @value .))
  ])

; Returned expressions: the last one, the last of each branch, and those of `return`
([
    (method body: (body_statement (_) @returns .))
    (method body: (body_statement (_) @returns . [(rescue) (ensure) (else)]))
    (singleton_method body: (body_statement (_) @returns .))
    (singleton_method body: (body_statement (_) @returns . [(rescue) (ensure) (else)]))
    (method body: (body_statement (assignment right: (_) @returns) .))
    (singleton_method body: (body_statement (assignment right: (_) @returns) .))
    (method body: (body_statement (operator_assignment right: (_) @returns) .))
    (singleton_method body: (body_statement (operator_assignment right: (_) @returns) .))
    (method body: (body_statement (operator_assignment right: (begin (_) @returns .)) .))
    (singleton_method body: (body_statement (operator_assignment right: (begin (_) @returns .)) .))
    (method body: (body_statement (if consequence: (then (_) @returns .)) .))
    (method body: (body_statement (if alternative: (else (_) @returns .)) .))
    (method body: (body_statement (if alternative: (elsif consequence: (then (_) @returns .))) .))
    (method body: (body_statement (if alternative: (elsif alternative: (else (_) @returns .))) .))
    (method body: (body_statement (unless consequence: (then (_) @returns .)) .))
    (method body: (body_statement (case (when body: (then (_) @returns .))) .))
    (method body: (body_statement (case (else (_) @returns .)) .))
    (method body: (body_statement (conditional [consequence: (_) @returns alternative: (_) @returns]) .))
    (method body: (body_statement (begin (_) @returns .) .))
    (method body: (body_statement (begin (_) @returns . [(rescue) (ensure) (else)]) .))
    (singleton_method body: (body_statement (if consequence: (then (_) @returns .)) .))
    (singleton_method body: (body_statement (if alternative: (else (_) @returns .)) .))
    (singleton_method body: (body_statement (conditional [consequence: (_) @returns alternative: (_) @returns]) .))
    (return (argument_list . (_) @returns .))
  ]
  (#match? @returns "^[A-Za-z_@:$'\"\\[{0-9(]")
  (#not-match? @returns "^(if|unless|case|while|until|for|begin|return|raise|yield|super|puts|nil|not|def)\\b")
  (#not-match? @returns "^[@$]{0,2}[A-Za-z_]\\w*\\s*(\\|\\||&&)?=[^=~]"))
(method body: [
  (call) (identifier) (instance_variable) (class_variable) (constant) (scope_resolution) (self) (binary) (string)
  (array) (hash) (integer) (true) (false)
] @returns)
(singleton_method body: [
  (call) (identifier) (instance_variable) (class_variable) (constant) (scope_resolution) (self) (binary) (string)
  (array) (hash) (integer) (true) (false)
] @returns)

; Names defined in tests: `let`, `subject`
(call
  !receiver
  method: (identifier) @_let
  arguments: (argument_list . (simple_symbol) @typed .)
  block: [(block body: (block_body (_) @value .)) (do_block body: (body_statement (_) @value .))]
  (#any-of? @_let "let" "let!" "subject" "subject!" "given"))
(call
  !receiver
  method: (identifier) @typed
  !arguments
  block: [(block body: (block_body (_) @value .)) (do_block body: (body_statement (_) @value .))]
  (#eq? @typed "subject"))

; The class that a group of tests describes
((call
  receiver: (constant)?
  method: (identifier) @typed
  arguments: (argument_list . [(constant) (scope_resolution)] @type)
  block: (_))
  (#any-of? @typed "describe" "fdescribe" "xdescribe")
  (#set! typed "described_class"))

; Parts of arrays
(assignment left: (left_assignment_list (identifier) @typed) right: (_) @unpacked)

; Parameters without a declaration
(call
  receiver: (_) @iterated
  method: (identifier) @_method
  block: (_ !parameters body: (_ [
    (call receiver: (identifier) @typed)
    (call receiver: (call receiver: (identifier) @typed))
  ]))
  (#any-of? @_method
    "all?" "any?" "collect" "count" "delete_if" "detect" "drop_while" "each" "filter" "filter_map" "find" "find_all"
    "find_index" "flat_map" "group_by" "index_by" "map" "max_by" "min_by" "none?" "one?" "partition" "reject"
    "reverse_each" "select" "sort_by" "sum" "take_while" "uniq")
  (#any-of? @typed "_1" "it"))

; Loops, and blocks that a collection's method calls with each element, or with pairs of a key or number and an element
(for pattern: (identifier) @typed value: (in (_) @iterated))
(call
  receiver: (_) @iterated
  method: (identifier) @_method
  block: (_ parameters: (block_parameters . (identifier) @typed))
  (#any-of? @_method
    "all?" "any?" "collect" "count" "delete_if" "detect" "drop_while" "each_with_index" "each_with_object" "filter"
    "filter_map" "find" "find_all" "find_index" "flat_map" "group_by" "index_by" "map" "max_by" "min_by" "none?" "one?"
    "partition" "reject" "reverse_each" "select" "sort_by" "sum" "take_while" "uniq"))
(call
  receiver: (_) @iterated
  method: (identifier) @_method
  block: (_ parameters: (block_parameters . (identifier) @typed .))
  (#eq? @_method "each"))
(call
  receiver: (_) @subscripted
  method: (identifier) @_method
  block: (_ parameters: (block_parameters . (_) . (identifier) @typed .))
  (#any-of? @_method "each" "each_pair"))
(call
  receiver: (_) @subscripted
  method: (identifier) @_method
  block: (_ parameters: (block_parameters . (identifier) @typed .))
  (#any-of? @_method "each_value" "transform_values"))
(call
  receiver: (_) @iterated
  method: (identifier) @_method
  block: (_ parameters: (block_parameters . (_) . (identifier) @typed .))
  (#any-of? @_method "inject" "reduce"))
(call
  receiver: (_) @value
  method: (identifier) @_method
  block: (_ parameters: (block_parameters . (identifier) @typed .))
  (#any-of? @_method "tap" "then" "yield_self"))
