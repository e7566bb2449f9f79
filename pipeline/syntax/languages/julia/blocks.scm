; Julia: logic blocks

[(for_statement) (while_statement)] @block.loop
(if_statement) @block.conditional
(try_statement) @block.try
[(let_statement) (quote_statement) (do_clause)] @block.block
