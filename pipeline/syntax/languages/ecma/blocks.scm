; JavaScript and TypeScript in common: logic blocks

[(for_statement) (for_in_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
(switch_statement) @block.match
(try_statement) @block.try
(with_statement) @block.with
(arguments
  [
    (arrow_function body: (statement_block))
    (function_expression)
  ] @block.block)
