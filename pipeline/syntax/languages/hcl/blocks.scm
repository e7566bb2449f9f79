; HCL: logic blocks

; Nested blocks, and dynamic blocks for each element of a collection
((block (body (block . (identifier) @_word) @block.loop))
  (#eq? @_word "dynamic"))
((block (body (block . (identifier) @_word) @block.block))
  (#not-eq? @_word "dynamic"))

; Expressions
(for_expr) @block.loop
(template_for) @block.loop
(template_if) @block.conditional
(conditional) @block.conditional
