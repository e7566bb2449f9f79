; TSX only: uses

; JSX elements of a component
([
    (jsx_opening_element name: (identifier) @name)
    (jsx_self_closing_element name: (identifier) @name)
  ] @ref.instantiate
  (#match? @name "^[A-Z]"))
[
  (jsx_opening_element name: (member_expression object: (_) @owner property: (_) @name))
  (jsx_self_closing_element name: (member_expression object: (_) @owner property: (_) @name))
] @ref.instantiate
