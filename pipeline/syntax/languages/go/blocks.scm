; Go: logic blocks

(for_statement) @block.loop
(if_statement) @block.conditional
[(expression_switch_statement) (type_switch_statement) (select_statement)] @block.match
(func_literal) @block.block
