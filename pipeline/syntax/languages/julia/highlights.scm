; Julia: classes of highlighting. The grammar's crate does not offer its own.

[(line_comment) (block_comment)] @comment
[(string_literal) (prefixed_string_literal) (command_literal) (prefixed_command_literal) (character_literal)] @string
(string_interpolation) @embedded
(escape_sequence) @escape
[(integer_literal) (float_literal)] @number
(boolean_literal) @constant

(macro_identifier) @macro
(module_definition name: (identifier) @module)
(type_head [
  (identifier) @type
  (binary_expression . (identifier) @type)
  (parametrized_type_expression . (identifier) @type)
])
(parametrized_type_expression . (identifier) @type)
(typed_expression (_) (identifier) @type .)
(unary_typed_expression (identifier) @type)
(call_expression . (identifier) @function)
(call_expression . (field_expression (identifier) @function .))
(broadcast_call_expression . (identifier) @function)
(field_expression (_) (identifier) @property .)

[
  "abstract" "baremodule" "begin" "catch" "const" "do" "else" "elseif" "end" "export" "finally" "for" "function"
  "global" "if" "import" "let" "local" "macro" "module" "mutable" "primitive" "public" "quote" "return" "struct" "try"
  "type" "using" "where" "while"
] @keyword
[(break_statement) (continue_statement)] @keyword
