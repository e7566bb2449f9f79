; Rust: logic blocks

[(for_expression) (while_expression) (loop_expression)] @block.loop
(if_expression) @block.conditional
(match_expression) @block.match
(try_block) @block.try
[(unsafe_block) (async_block) (gen_block) (const_block)] @block.block
(closure_expression body: (block)) @block.block
