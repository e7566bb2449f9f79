; Rust: the arguments of macros are only tokens in the tree

; Items in the braces of a macro in item position
(source_file (macro_invocation (token_tree . "{") @code.items))
(declaration_list (macro_invocation (token_tree . "{") @code.items))

; Expressions and statements
(macro_invocation (token_tree) @code.expressions)

; Macros of the file that define something by the name that they are given
(macro_definition) @code.rules
(source_file (macro_invocation (token_tree) @code.named))
(source_file (expression_statement (macro_invocation (token_tree) @code.named)))
(declaration_list (macro_invocation (token_tree) @code.named))
