; Rust: items in the braces of a macro in item position
((source_file (macro_invocation (token_tree . "{") @embedded))
  (#set! embedded "rust"))
((mod_item body: (declaration_list (macro_invocation (token_tree . "{") @embedded)))
  (#set! embedded "rust"))
