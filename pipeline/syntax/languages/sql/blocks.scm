; SQL: logic blocks

[(transaction) (block)] @block.block
(case) @block.conditional
(subquery) @block.block
