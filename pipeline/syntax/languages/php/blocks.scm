; PHP: logic blocks

[(for_statement) (foreach_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
[(switch_statement) (match_expression)] @block.match
(try_statement) @block.try
(anonymous_function) @block.block
