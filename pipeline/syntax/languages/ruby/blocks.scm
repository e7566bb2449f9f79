; Ruby: logic blocks

[(while) (until) (for)] @block.loop
[(if) (unless)] @block.conditional
[(case) (case_match)] @block.match
(begin [(rescue) (ensure)]) @block.try
(call
  method: (identifier) @_each
  block: [(do_block) (block body: (block_body (_) . (_)))]
  (#any-of? @_each
    "loop" "each" "each_with_index" "each_pair" "each_key" "each_value" "each_with_object" "times" "upto" "downto"
    "step" "find_each")) @block.loop
(do_block) @block.block
(block body: (block_body (_) . (_))) @block.block
