; OCaml: uses only in implementations; those in common with interfaces are in `ocaml_interface`

; Calls: by application, by a pipe, by an operator
(application_expression
  function: [
    (value_path (module_path)? @owner (value_name) @verbatim)
    (value_path (module_path)? @owner (parenthesized_operator (_) @verbatim))
    (field_get_expression record: (_) @owner field: (field_path (field_name) @verbatim))
  ]
  (#not-any-of? @verbatim "raise" "failwith" "invalid_arg" "not" "ignore" "fst" "snd" "ref")) @ref.call
(infix_expression
  operator: (rel_operator) @_pipe
  right: (value_path (module_path)? @owner (value_name) @verbatim) @ref.call
  (#any-of? @_pipe "|>" ">>|" ">>=" ">|="))
(infix_expression
  left: (value_path (module_path)? @owner (value_name) @verbatim) @ref.call
  operator: (concat_operator) @_apply
  (#eq? @_apply "@@"))
(method_invocation object: (_) @owner method: (method_name) @verbatim) @ref.call
((infix_expression operator: (_) @verbatim) @ref.call
  (#not-any-of? @verbatim
    "+" "-" "*" "/" "+." "-." "*." "/." "**" "=" "<>" "==" "!=" "<" ">" "<=" ">=" "&&" "||" "&" "or" "^" "@"
    "@@" "|>" ":=" "mod" "land" "lor" "lxor" "lsl" "lsr" "asr"))
((prefix_expression operator: (_) @verbatim) @ref.call
  (#not-any-of? @verbatim "!"))
(value_definition [(let_operator) (let_and_operator)] @verbatim @ref.call)

; Values of another module, functions passed as arguments
(value_path (module_path) @owner (value_name) @verbatim) @ref.reference
(labeled_argument expression: (value_path . (value_name) @verbatim .)) @ref.reference
(application_expression
  function: (value_path (module_path) (value_name) @_function)
  .
  argument: (value_path . (value_name) @verbatim .) @ref.reference
  (#match? @_function "^(rev_|concat_|filter_)?(map|iter|fold|filter|exists|for_all|find|partition|sort|init|bind)"))
