; Scala: logic blocks

[(for_expression) (while_expression) (do_while_expression)] @block.loop
(if_expression) @block.conditional
(match_expression) @block.match
(call_expression arguments: (case_block) @block.match)
(try_expression) @block.try
(call_expression arguments: [(block) (colon_argument)] @block.block)
