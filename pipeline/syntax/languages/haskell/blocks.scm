; Haskell: logic blocks

[(conditional) (multi_way_if)] @block.conditional
[(case) (lambda_case) (lambda_cases)] @block.match
[(do) (let_in)] @block.block
(match guards: (_)) @block.conditional
