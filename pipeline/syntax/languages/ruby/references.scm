; Ruby: uses

; Imports
(call
  method: (identifier) @_require
  arguments: (argument_list . (string . (string_content) @name .))
  (#any-of? @_require "require" "require_relative" "load" "require_dependency")) @ref.import
(call
  method: (identifier) @_autoload
  arguments: (argument_list . (simple_symbol) . (string . (string_content) @name .))
  (#eq? @_autoload "autoload")) @ref.import

; Base classes
(superclass
  [
    (constant) @name
    (scope_resolution scope: (_)? @owner name: (_) @name)
    (call receiver: (constant) @name)
    (call method: (constant) arguments: (argument_list . (constant) @name))
  ] @ref.inherit)
(call
  receiver: (constant) @_class
  method: (identifier) @_new
  arguments: (argument_list
    .
    [
      (constant) @name
      (scope_resolution scope: (_)? @owner name: (_) @name)
    ] @ref.inherit)
  (#eq? @_class "Class")
  (#eq? @_new "new"))

; Included modules
(call
  method: (identifier) @_include
  arguments: (argument_list
    [
      (constant) @name
      (scope_resolution scope: (_)? @owner name: (_) @name)
    ] @ref.inherit)
  (#any-of? @_include "include" "extend" "prepend" "using"))

; Instances
(call
  receiver: [
    (constant) @name
    (scope_resolution scope: (_)? @owner name: (_) @name)
  ]
  method: (identifier) @_new
  (#eq? @_new "new")
  (#not-any-of? @name "Class" "Module" "Struct")) @ref.instantiate

; Original names of aliased methods
(alias alias: [
  (identifier) @verbatim
  (constant) @verbatim
  (setter) @verbatim
  (operator) @verbatim
  (simple_symbol) @name
] @ref.reference)

; Calls, except those that import or define
(call
  receiver: (_) @owner
  method: [(identifier) (constant)] @verbatim
  (#not-eq? @verbatim "new")) @ref.call
(call
  !receiver
  method: [(identifier) (constant)] @verbatim
  (#not-any-of? @verbatim
    "require" "require_relative" "load" "autoload" "include" "extend" "prepend" "using" "refine"
    "attr" "attr_accessor" "attr_reader" "attr_writer" "alias_method" "define_method" "module_function"
    "private" "protected" "public" "private_class_method" "public_class_method" "private_constant"
    "lambda" "proc" "loop" "block_given?" "catch" "binding" "end")) @ref.call
; `list.map(&:speak)` calls a method of what the list has, and never one of the class around it
(call receiver: (_) @owner arguments: (argument_list (block_argument (simple_symbol) @name) @ref.call))
(block_argument (simple_symbol) @name) @ref.call

; Methods by name
(call
  receiver: (_) @owner
  method: (identifier) @_send
  arguments: (argument_list . (simple_symbol) @name @ref.call)
  (#any-of? @_send "send" "public_send" "__send__" "try" "method" "instance_method" "public_method"))
(call
  method: (identifier) @_send
  arguments: (argument_list . (simple_symbol) @name @ref.call)
  (#any-of? @_send "send" "public_send" "__send__" "try" "method" "instance_method" "public_method"))
(call
  method: (identifier) @_define
  arguments: (argument_list . (simple_symbol) . (simple_symbol) @name @ref.reference)
  (#any-of? @_define "alias_method" "alias_attribute"))
(body_statement
  (call !receiver arguments: (argument_list (simple_symbol) @name @ref.reference)))

; Exceptions
(exceptions
  [
    (constant) @name
    (scope_resolution scope: (_) @owner name: (_) @name)
  ] @ref.type)

; Names without arguments: calls where a variable would have no effect, elsewhere possibly variables
(body_statement (identifier) @verbatim @ref.call
  (#not-any-of? @verbatim
    "private" "protected" "public" "module_function" "private_class_method" "block_given?" "binding" "end"))
(then (identifier) @verbatim @ref.call)
(call receiver: (identifier) @verbatim @ref.reference)
(assignment right: (identifier) @verbatim @ref.reference)
(operator_assignment right: (identifier) @verbatim @ref.reference)
(optional_parameter value: (identifier) @verbatim @ref.reference)
(keyword_parameter value: (identifier) @verbatim @ref.reference)
(pair key: (hash_key_symbol) @name @ref.reference !value)
((identifier) @verbatim @ref.reference
  (#not-has-parent? @verbatim
    ERROR method singleton_method setter method_parameters block_parameters lambda_parameters optional_parameter
    keyword_parameter splat_parameter hash_splat_parameter block_parameter destructured_parameter
    assignment operator_assignment left_assignment_list destructured_left_assignment rest_assignment
    for exception_variable as_pattern array_pattern find_pattern in_clause keyword_pattern alternative_pattern
    alias undef call)
  (#not-any-of? @verbatim
    "private" "protected" "public" "module_function" "private_class_method" "block_given?" "binding" "end" "_"))

; Variables of a class or an object, global variables
(class_variable) @verbatim @ref.reference
(global_variable) @verbatim @ref.reference
(instance_variable) @verbatim @ref.reference

; Constants in capitals, and classes and modules
((scope_resolution scope: (_) @owner name: (constant) @name) @ref.reference
  (#match? @name "^[A-Z0-9_]+$"))
((constant) @name @ref.reference
  (#match? @name "^[A-Z][A-Z0-9_]+$"))
(scope_resolution scope: (_) @owner name: (constant) @name) @ref.type
(constant) @name @ref.type

; Local bindings
([
    (method_parameters [
      (identifier) @local
      (destructured_parameter (identifier) @local)
    ])
    (block_parameters [
      (identifier) @local
      (destructured_parameter (identifier) @local)
    ])
    (lambda_parameters [
      (identifier) @local
      (destructured_parameter (identifier) @local)
    ])
    (optional_parameter name: (identifier) @local)
    (keyword_parameter name: (identifier) @local)
    (splat_parameter name: (identifier) @local)
    (hash_splat_parameter name: (identifier) @local)
    (block_parameter name: (identifier) @local)
    (assignment left: (identifier) @local)
    (operator_assignment left: (identifier) @local)
    (left_assignment_list (identifier) @local)
    (destructured_left_assignment (identifier) @local)
    (rest_assignment (identifier) @local)
    (for pattern: (identifier) @local)
    (exception_variable (identifier) @local)
    (as_pattern name: (identifier) @local)
    (in_clause pattern: (identifier) @local)
    (keyword_pattern value: (identifier) @local)
    (keyword_pattern key: (hash_key_symbol) @local !value)
    (array_pattern (identifier) @local)
    (find_pattern (identifier) @local)
  ])
