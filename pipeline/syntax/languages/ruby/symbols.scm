; Ruby: definitions

; Types created by a call and assigned to a constant
(assignment
  left: [(constant) (scope_resolution)] @name @exported
  right: (call
    receiver: [(constant) (scope_resolution)] @_maker
    method: (identifier) @_make
    block: (_)? @body)
  (#any-of? @_maker "Struct" "Data" "::Struct" "::Data")
  (#any-of? @_make "new" "define")) @symbol.struct @scope
(assignment
  left: [(constant) (scope_resolution)] @name @exported
  right: (call
    receiver: [(constant) (scope_resolution)] @_maker
    method: (identifier) @_make
    block: (_)? @body)
  (#any-of? @_maker "Class" "DelegateClass" "::Class")
  (#eq? @_make "new")) @symbol.class @scope
(assignment
  left: [(constant) (scope_resolution)] @name @exported
  right: (call
    receiver: [(constant) (scope_resolution)] @_maker
    method: (identifier) @_make
    block: (_)? @body)
  (#any-of? @_maker "Module" "::Module")
  (#eq? @_make "new")) @symbol.module @scope

; Classes and modules
(class name: [
  (constant) @name
  (scope_resolution !scope name: (_) @name)
  (scope_resolution scope: (_) @owner name: (_) @name)
] @exported) @symbol.class @scope
(module name: [
  (constant) @name
  (scope_resolution !scope name: (_) @name)
  (scope_resolution scope: (_) @owner name: (_) @name)
] @exported) @symbol.module @scope

; Reopened classes: `class << Other`, `Other.class_eval do`, `refine Other do`
(singleton_class value: [(constant) (scope_resolution)] @name) @scope
(call
  receiver: [(constant) (scope_resolution)] @name
  method: (identifier) @_eval
  block: (_)
  (#any-of? @_eval "class_eval" "module_eval" "class_exec" "module_exec" "instance_eval")) @scope
(call
  method: (identifier) @_refine
  arguments: (argument_list . [(constant) (scope_resolution)] @name)
  block: (_)
  (#eq? @_refine "refine")) @scope

; Fields of a struct
(call
  receiver: [(constant) (scope_resolution)] @_maker
  method: (identifier) @_make
  arguments: (argument_list (simple_symbol) @name @exported @symbol.field)
  (#any-of? @_maker "Struct" "Data" "::Struct" "::Data")
  (#any-of? @_make "new" "define"))

; Tests of a test case
(class
  superclass: (superclass) @_case
  body: (body_statement (method name: (identifier) @verbatim @exported) @symbol.test)
  (#match? @_case "Test|Spec")
  (#match? @verbatim "^test_"))

; Constructors
((method name: (identifier) @name @exported) @symbol.constructor
  (#eq? @name "initialize"))

; Private methods: after `private`, or below it
(call
  method: (identifier) @_private
  arguments: (argument_list . [(method name: (_) @verbatim) (singleton_method name: (_) @verbatim)])
  (#any-of? @_private "private" "protected" "private_class_method")) @symbol.method
(body_statement
  (identifier) @_private
  (method name: (_) @verbatim) @symbol.method
  (#any-of? @_private "private" "protected"))

; Functions and methods
(program (method name: (_) @verbatim @exported) @symbol.function)
(method name: (_) @verbatim @exported) @symbol.method

; Methods of an object: `def Other.f` within Other itself is `def self.f`
(class
  name: (constant) @_class
  body: (body_statement (singleton_method object: (constant) @_object name: (_) @verbatim @exported) @symbol.method)
  (#eq? @_class @_object))
(module
  name: (constant) @_class
  body: (body_statement (singleton_method object: (constant) @_object name: (_) @verbatim @exported) @symbol.method)
  (#eq? @_class @_object))
(singleton_method object: (self) name: (_) @verbatim @exported) @symbol.method
(singleton_method object: (_) @owner name: (_) @verbatim @exported) @symbol.method

; Methods defined by a call
(call
  !receiver
  method: (identifier) @_define
  arguments: (argument_list . [(simple_symbol) @name @exported (string . (string_content) @verbatim @exported .)])
  block: (_)? @body
  (#any-of? @_define "define_method" "define_singleton_method" "alias_method" "scope")) @symbol.method
(call
  !receiver
  method: (identifier) @_delegate
  arguments: (argument_list (simple_symbol) @name @exported @symbol.method)
  (#eq? @_delegate "delegate"))
(call
  !receiver
  method: (identifier) @_delegate
  arguments: (argument_list . (_) (simple_symbol) @name @exported @symbol.method)
  (#any-of? @_delegate "def_delegators" "def_instance_delegators"))
(call
  !receiver
  method: (identifier) @_delegate
  arguments: (argument_list . (_) . (_)? . (simple_symbol) @name @exported .)
  (#any-of? @_delegate "def_delegator" "def_instance_delegator")) @symbol.method
(alias
  name: [
    (identifier) @verbatim
    (constant) @verbatim
    (setter) @verbatim
    (operator) @verbatim
    (simple_symbol) @name
  ] @exported) @symbol.method

; Attributes. A single one has the extent of the call, several each have their own
(call
  !receiver
  method: (identifier) @_attribute
  arguments: (argument_list . (simple_symbol) @name @exported .)
  (#any-of? @_attribute
    "attr" "attr_accessor" "attr_reader" "attr_writer" "attr_internal" "attr_internal_accessor" "attr_internal_reader"
    "cattr_accessor" "cattr_reader" "cattr_writer" "class_attribute" "mattr_accessor" "mattr_reader" "mattr_writer"
    "thread_mattr_accessor" "thread_cattr_accessor")) @symbol.property
(call
  !receiver
  method: (identifier) @_attribute
  arguments: (argument_list (simple_symbol) @name @exported @symbol.property)
  (#any-of? @_attribute
    "attr" "attr_accessor" "attr_reader" "attr_writer" "attr_internal" "attr_internal_accessor" "attr_internal_reader"
    "cattr_accessor" "cattr_reader" "cattr_writer" "class_attribute" "mattr_accessor" "mattr_reader" "mattr_writer"
    "thread_mattr_accessor" "thread_cattr_accessor"))

; Attributes and associations of a record
(call
  !receiver
  method: (identifier) @_association
  arguments: (argument_list . (simple_symbol) @name @exported)
  (#any-of? @_association
    "attribute" "belongs_to" "embedded_in" "embeds_many" "embeds_one" "has_and_belongs_to_many" "has_many"
    "has_many_attached" "has_one" "has_one_attached" "has_rich_text")) @symbol.property

; What a group of examples defines for them
(call
  !receiver
  method: (identifier) @_let
  arguments: (argument_list . (simple_symbol) @name .)
  block: (_) @body
  (#any-of? @_let "let" "let!" "subject" "subject!")) @symbol.function
(call
  !receiver
  method: (identifier) @verbatim
  !arguments
  block: (_) @body
  (#eq? @verbatim "subject")) @symbol.function

; Constants. The name of one created with a block qualifies the definitions in the block
(assignment
  left: [(constant) (scope_resolution)] @name @exported
  right: (call
    receiver: [(constant) (scope_resolution)]
    method: (identifier) @_new
    block: (_) @body)
  (#eq? @_new "new")) @symbol.constant @scope
(assignment left: [(constant) (scope_resolution)] @name @exported) @symbol.constant
(operator_assignment left: [(constant) (scope_resolution)] @name @exported) @symbol.constant
(assignment left: (left_assignment_list (constant) @name @exported @symbol.constant))

; Class variables and global variables
(body_statement
  (assignment left: (class_variable) @verbatim) @symbol.variable)
(class body: (body_statement (assignment left: (instance_variable) @verbatim) @symbol.variable))
(module body: (body_statement (assignment left: (instance_variable) @verbatim) @symbol.variable))
(singleton_class body: (body_statement (assignment left: (instance_variable) @verbatim) @symbol.variable))
(program
  (assignment left: (global_variable) @verbatim @exported) @symbol.variable)

; Variables of an object: the first assignment in a class defines them
(assignment left: (instance_variable) @verbatim @symbol.field)
(operator_assignment left: (instance_variable) @verbatim @symbol.field)
(assignment left: (left_assignment_list (instance_variable) @verbatim @symbol.field))
(program
  (operator_assignment left: (global_variable) @verbatim @exported) @symbol.variable)

; Tasks
(call
  !receiver
  method: (identifier) @_task
  arguments: (argument_list
    .
    [
      (simple_symbol) @name
      (string . (string_content) @verbatim .)
      (pair key: [(hash_key_symbol) (simple_symbol)] @name)
      (pair key: (string . (string_content) @verbatim .))
    ] @exported)
  block: (_) @body
  (#any-of? @_task "task" "multitask")) @symbol.function
(call
  !receiver
  method: (identifier) @_namespace
  arguments: (argument_list . [(simple_symbol) @name (string . (string_content) @verbatim .)] @exported)
  block: (_) @body
  (#eq? @_namespace "namespace")) @symbol.namespace @scope

; Tests named by a string
(call
  method: (identifier) @_group
  arguments: (argument_list
    .
    [
      (string . (string_content) @verbatim .)
      (string [(interpolation) (escape_sequence)]) @verbatim
      (chained_string) @verbatim
      (constant) @verbatim
      (scope_resolution) @verbatim
      (simple_symbol) @verbatim
    ] @exported)
  block: (_) @body
  (#any-of? @_group
    "describe" "context" "feature" "fdescribe" "xdescribe" "fcontext" "xcontext" "shared_examples"
    "shared_examples_for" "shared_context" "example_group")) @symbol.test @scope
(call
  !receiver
  method: (identifier) @_test
  arguments: (argument_list
    .
    [
      (string . (string_content) @verbatim .)
      (string [(interpolation) (escape_sequence)]) @verbatim
      (chained_string) @verbatim
    ] @exported)
  block: (_) @body
  (#any-of? @_test
    "it" "test" "specify" "example" "scenario" "should" "its" "fit" "xit" "fspecify" "xspecify" "property")) @symbol.test

; Documentation
(comment) @doc
