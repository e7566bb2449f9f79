; Julia: uses

; Imports
(using_statement [(identifier) (scoped_identifier) (import_path)] @name @ref.import)
(import_statement [(identifier) (import_path) (macro_identifier)] @name @ref.import)
(import_statement
  (scoped_identifier . (_) @owner . (_) @name .) @ref.import)
(selected_import
  .
  (_) @owner
  [(identifier) (operator) (macro_identifier)] @name @ref.import)
(selected_import
  .
  (_) @owner
  (import_alias . (_) @name . (_) @alias .) @ref.import)
(import_statement
  (import_alias . (_) @name . (_) @alias .) @ref.import)
(using_statement
  (import_alias . (_) @name . (_) @alias .) @ref.import)
(call_expression
  .
  (identifier) @_include
  (argument_list . (string_literal . (content) @name .) .)
  (#any-of? @_include "include" "includet")) @ref.import

; Supertypes
(type_head
  (binary_expression
    (operator) @_operator
    .
    [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
      (parametrized_type_expression . [
        (identifier) @verbatim
        (field_expression value: (_) @owner (identifier) @verbatim)
      ])
    ] @ref.inherit)
  (#eq? @_operator "<:")
  (#not-eq? @verbatim "Any"))

; Instances: calls of a name that looks like a type
(call_expression
  .
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
    (parametrized_type_expression . [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
    ])
  ]
  (#match? @verbatim "^[A-Z]")
  (#not-any-of? @verbatim
    "Int" "Int8" "Int16" "Int32" "Int64" "Int128" "UInt" "UInt8" "UInt16" "UInt32" "UInt64" "UInt128"
    "Float16" "Float32" "Float64" "Bool" "Char" "String" "Symbol" "Vector" "Matrix" "Array" "Dict" "Set"
    "Tuple" "NamedTuple" "Ref" "Pair" "Val")) @ref.instantiate

; Calls
(call_expression
  .
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ]
  (#not-any-of? @verbatim "include" "new")) @ref.call
(broadcast_call_expression
  .
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ]) @ref.call
(binary_expression
  (operator) @_pipe
  .
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ] @ref.call
  (#any-of? @_pipe "|>" ".|>"))

; Macro calls, except hints for the compiler
((macrocall_expression
  .
  (macro_identifier [
    (identifier) @verbatim
    (scoped_identifier . (_) @owner . (identifier) @verbatim .)
  ])) @ref.call
  (#not-any-of? @verbatim "doc" "inline" "noinline" "inbounds"))
(macrocall_expression
  .
  [(identifier) (field_expression)] @owner
  .
  (macro_identifier (identifier) @verbatim)) @ref.call

; Types: annotations, parameters, bounds and tests
((typed_expression
  "::"
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ] @ref.type)
  (#match? @verbatim "^[A-Z]\\w")
  (#not-any-of? @verbatim
    "Any" "Int" "Int8" "Int16" "Int32" "Int64" "UInt" "UInt8" "UInt16" "UInt32" "UInt64" "Float16"
    "Float32" "Float64" "Bool" "Char" "String" "AbstractString" "Symbol" "Nothing" "Vector" "Array" "Dict"
    "Function" "Type" "IO" "Integer" "Real" "Number" "Tuple" "Missing" "Cvoid" "Cint" "T1" "T2"))
((unary_typed_expression
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ] @ref.type)
  (#match? @verbatim "^[A-Z]\\w")
  (#not-any-of? @verbatim
    "Any" "Int" "Float64" "Bool" "String" "AbstractString" "Symbol" "Nothing" "Function" "Type" "IO"
    "Integer" "Real" "Number" "Missing"))
((parametrized_type_expression
  .
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ] @ref.type)
  (#match? @verbatim "^[A-Z]\\w")
  (#not-any-of? @verbatim
    "Union" "Type" "Vector" "Matrix" "Array" "Dict" "Set" "Tuple" "NamedTuple" "Ref" "Pair" "Val" "NTuple"))
((curly_expression
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
    (unary_expression [
      (identifier) @verbatim
      (field_expression value: (_) @owner (identifier) @verbatim)
    ])
  ] @ref.type)
  (#match? @verbatim "^[A-Z]\\w*[a-z]")
  (#not-any-of? @verbatim
    "Any" "Int" "Int8" "Int16" "Int32" "Int64" "UInt" "UInt8" "UInt16" "UInt32" "UInt64" "Float16"
    "Float32" "Float64" "Bool" "Char" "String" "AbstractString" "Symbol" "Nothing" "Vector" "Function" "Type"
    "Integer" "Real" "Number" "Missing" "Cvoid" "Cint"))
((binary_expression
  (operator) @_operator
  .
  [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ] @ref.type)
  (#any-of? @_operator "<:" ">:" "isa")
  (#match? @verbatim "^[A-Z]\\w")
  (#not-any-of? @verbatim
    "Any" "Int" "Float64" "Bool" "String" "AbstractString" "Symbol" "Nothing" "Function" "Type"
    "Integer" "Real" "Number" "Missing" "AbstractFloat"))

; Names that a module exports
(export_statement (identifier) @verbatim @ref.reference)
(public_statement (identifier) @verbatim @ref.reference)

; Functions passed as arguments, by a keyword, or composed
(call_expression
  .
  (identifier) @_function
  (argument_list . [
    (identifier) @verbatim
    (field_expression value: (_) @owner (identifier) @verbatim)
  ] @ref.reference)
  (#any-of? @_function
    "map" "map!" "foreach" "filter" "filter!" "reduce" "foldl" "foldr" "mapreduce" "mapfoldl" "any" "all"
    "count" "findfirst" "findlast" "findall" "sum" "broadcast" "pmap" "ntuple" "mapslices" "accumulate"))
(named_argument (operator) . (identifier) @verbatim @ref.reference)
(binary_expression
  .
  (identifier) @verbatim @ref.reference
  .
  (operator) @_operator
  (#eq? @_operator "∘"))
(binary_expression
  (operator) @_operator
  .
  (identifier) @verbatim @ref.reference
  (#eq? @_operator "∘"))

; Constants, and members of a module
((field_expression value: (identifier) @owner (identifier) @verbatim) @ref.reference
  (#match? @owner "^[A-Z]"))
((identifier) @verbatim @ref.reference
  (#match? @verbatim "^_*[A-Z][A-Z0-9]*_[A-Z0-9_]+$"))
