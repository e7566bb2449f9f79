; Bash: logic blocks

[(for_statement) (c_style_for_statement) (while_statement)] @block.loop
(if_statement) @block.conditional
(case_statement) @block.match
(subshell) @block.block
(redirected_statement body: (compound_statement) @block.block)
(pipeline (compound_statement) @block.block)
(list (compound_statement) @block.block)
