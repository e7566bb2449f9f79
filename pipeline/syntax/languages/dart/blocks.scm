; Dart: logic blocks

[(for_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
[(switch_statement) (switch_expression)] @block.match
(try_statement) @block.try
(function_expression body: (function_expression_body (block))) @block.block
