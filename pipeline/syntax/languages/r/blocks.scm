; R: logic blocks

[(for_statement) (while_statement) (repeat_statement)] @block.loop
(if_statement) @block.conditional

; Calls that are statements in other languages
((call function: (identifier) @_name) @block.match
  (#eq? @_name "switch"))
((call function: (identifier) @_name) @block.try
  (#any-of? @_name "tryCatch" "try" "withCallingHandlers" "try_fetch"))
((call function: (identifier) @_name arguments: (arguments (argument value: (braced_expression)))) @block.with
  (#any-of? @_name "with" "within" "suppressWarnings" "suppressMessages" "with_options" "with_dir" "with_envvar"))
((call function: (identifier) @_name arguments: (arguments . (argument value: (braced_expression)))) @block.block
  (#any-of? @_name "local" "isolate" "observe" "reactive"))
