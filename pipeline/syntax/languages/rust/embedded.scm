; Rust: items in the braces of a macro at the place of an item
((source_file (macro_invocation (token_tree . "{") @embedded))
  (#set! embedded "rust"))
((mod_item body: (declaration_list (macro_invocation (token_tree . "{") @embedded)))
  (#set! embedded "rust"))
