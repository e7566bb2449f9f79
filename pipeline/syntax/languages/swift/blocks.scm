; Swift: logic blocks

[(for_statement) (while_statement) (repeat_while_statement)] @block.loop
[(if_statement) (guard_statement)] @block.conditional
(switch_statement) @block.match
(do_statement) @block.try
(lambda_literal) @block.block
