; C#: logic blocks

[(for_statement) (foreach_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
[(switch_statement) (switch_expression)] @block.match
(try_statement) @block.try
[(using_statement) (lock_statement) (fixed_statement)] @block.with
[
  (lambda_expression body: (block))
  (anonymous_method_expression)
  (accessor_declaration body: (block))
  (checked_statement)
  (unsafe_statement)
] @block.block
