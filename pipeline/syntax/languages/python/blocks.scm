; Python: logic blocks

[(for_statement) (while_statement)] @block.loop
(if_statement) @block.conditional
(match_statement) @block.match
(try_statement) @block.try
(with_statement) @block.with
