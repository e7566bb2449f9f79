; OCaml: logic blocks

[(for_expression) (while_expression)] @block.loop
(if_expression) @block.conditional
[(match_expression) (function_expression)] @block.match
(try_expression) @block.try
