; C++: logic blocks, before those of C

(for_range_loop) @block.loop
(try_statement) @block.try
(lambda_expression) @block.block
