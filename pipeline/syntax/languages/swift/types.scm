; Swift: types of names
; The grammar uses the field `name` for types as well: of two adjacent names, the second is a type.

; Parameters; type parameters by their bounds
(parameter name: (simple_identifier) @typed name: (_) @type)
(lambda_parameter name: (simple_identifier) @typed name: (_) @type)
(function_declaration
  (type_parameters (type_parameter (type_identifier) @_parameter name: (_) @type))
  (parameter name: (simple_identifier) @typed name: (user_type (type_identifier) @_type))
  (#eq? @_parameter @_type))

(function_declaration
  (parameter name: (simple_identifier) @typed name: (user_type (type_identifier) @_type))
  (type_constraints
    (type_constraint
      (inheritance_constraint constrained_type: (identifier . (simple_identifier) @_parameter .) name: (_) @type)))
  (#eq? @_parameter @_type))

; Result types
(function_declaration name: (simple_identifier) @typed name: (_) @type)
(protocol_function_declaration name: (simple_identifier) @typed name: (_) @type)

; Properties, constants, variables
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @typed) . (type_annotation name: (_) @type))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @typed) . value: (_) @value
  (#not-match? @value "^\\{"))
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @typed)
  .
  value: (call_expression
    .
    (lambda_literal (statements . (control_transfer_statement result: (_) @value) .))))
(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @typed)
  (type_annotation name: (_) @type))
(capture_list_item name: (simple_identifier) @typed value: (_) @value)

; Bindings in conditions
(_ bound_identifier: (simple_identifier) @typed . condition: (type_annotation name: (_) @type))
(_ bound_identifier: (simple_identifier) @typed . condition: (_) @value
  (#not-eq? @typed "self")
  (#not-match? @value "^(let|var|:)"))
(pattern (pattern bound_identifier: (simple_identifier) @typed) name: (_) @type)

; Type aliases
(typealias_declaration name: (type_identifier) @typed name: (_) @type)

; Parameters without a declaration
((navigation_expression target: (simple_identifier) @typed)
  (#any-of? @typed "$0" "$1" "$2"))

; Names that are compared with types
(check_expression target: (simple_identifier) @narrowed name: (_) @type)

; Parts of tuples
(property_declaration name: (pattern (pattern . (simple_identifier) @typed .)) value: (_) @unpacked)

; Loops
(for_statement item: (pattern . bound_identifier: (simple_identifier) @typed .) collection: (_) @iterated)
(for_statement
  item: (pattern (pattern . (simple_identifier) @typed .))
  collection: (_) @iterated_parts)
