; Elixir: logic blocks

(call target: (identifier) @_block (do_block) (#eq? @_block "for")) @block.loop
(call target: (identifier) @_block (do_block) (#any-of? @_block "if" "unless" "cond")) @block.conditional
(call target: (identifier) @_block (do_block) (#any-of? @_block "case" "receive")) @block.match
(call target: (identifier) @_block (do_block) (#eq? @_block "try")) @block.try
(call target: (identifier) @_block (do_block) (#eq? @_block "with")) @block.with
(call target: (identifier) @_block (do_block) (#any-of? @_block "quote" "setup" "setup_all" "scope" "pipeline")) @block.block
(anonymous_function) @block.block
