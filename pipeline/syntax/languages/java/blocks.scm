; Java: logic blocks

[(for_statement) (enhanced_for_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
(switch_expression) @block.match
[(try_statement) (try_with_resources_statement)] @block.try
(synchronized_statement) @block.with
[(static_initializer) (lambda_expression body: (block))] @block.block
