; C: logic blocks (C++ takes these too, after its own)

[(for_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
(switch_statement) @block.match
(seh_try_statement) @block.try
