; Zig: logic blocks

[(for_statement) (while_statement) (for_expression) (while_expression)] @block.loop
[(if_statement) (if_expression)] @block.conditional
(switch_expression) @block.match
(catch_expression (block)) @block.try
[(defer_statement (block)) (errdefer_statement (block))] @block.with
[(comptime_declaration) (comptime_statement (block)) (labeled_statement (block))] @block.block
