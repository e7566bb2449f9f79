; C: logic blocks (also used by C++, after its own)

[(for_statement) (while_statement) (do_statement)] @block.loop
(if_statement) @block.conditional
(switch_statement) @block.match
(seh_try_statement) @block.try
