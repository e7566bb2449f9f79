; CSS: uses

; Other style sheets
(import_statement . [
  (string_value (string_content) @name)
  (call_expression (arguments [
    (string_value (string_content) @name)
    (plain_value) @name
  ]))
]) @ref.import

; Custom properties
((call_expression
    (function_name) @_var
    (arguments . (plain_value) @verbatim)) @ref.reference
  (#eq? @_var "var"))

; Animations
((declaration
    (property_name) @_animation
    (plain_value) @verbatim) @ref.reference
  (#match? @_animation "^(-[a-z]+-)?animation(-name)?$")
  (#not-match? @verbatim "^(none|initial|inherit|unset|revert|infinite|normal|reverse|alternate|alternate-reverse|forwards|backwards|both|running|paused|linear|ease|ease-in|ease-out|ease-in-out|step-start|step-end|auto|-.*)$"))

; Classes and identifiers of a page
(class_selector (class_name) @verbatim) @ref.reference
(id_selector (id_name) @verbatim) @ref.reference
