; Lua: logic blocks

[(for_statement) (while_statement) (repeat_statement)] @block.loop
(if_statement) @block.conditional
(do_statement) @block.block

; Protected calls
((function_call
  name: (identifier) @_name
  arguments: (arguments . (function_definition))) @block.try
  (#any-of? @_name "pcall" "xpcall"))
