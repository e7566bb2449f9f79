; Kotlin: logic blocks

[(for_statement) (while_statement) (do_while_statement)] @block.loop
(if_expression) @block.conditional
(when_expression) @block.match
(try_expression) @block.try
((call_expression
    (navigation_expression (identifier) @_name .)
    (annotated_lambda)) @block.with
  (#any-of? @_name "use" "withLock" "withPermit"))
[(anonymous_initializer) (lambda_literal) (getter (function_body (block))) (setter (function_body (block)))] @block.block
