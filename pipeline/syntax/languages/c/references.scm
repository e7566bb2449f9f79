; C: uses (also used by C++, after its own)

; Imports
(preproc_include path: (string_literal (string_content) @name)) @ref.import
(preproc_include path: (system_lib_string) @name) @ref.import

; Calls
(call_expression function: (identifier) @name) @ref.call
(call_expression function: (parenthesized_expression (identifier) @name)) @ref.call
(call_expression
  function: (field_expression argument: (_) @owner field: (field_identifier) @name)) @ref.call

; Functions and values passed as arguments or stored in tables
(argument_list (identifier) @name @ref.reference)
(argument_list (pointer_expression argument: (identifier) @name) @ref.reference)
(initializer_list (identifier) @name @ref.reference)
(initializer_list (pointer_expression argument: (identifier) @name) @ref.reference)
(initializer_pair value: (identifier) @name @ref.reference)
(initializer_pair value: (pointer_expression argument: (identifier) @name) @ref.reference)
(case_statement value: (identifier) @name @ref.reference)

; Types
((type_identifier) @name @ref.type
  (#not-match? @name "^[A-Z][0-9]?$"))
