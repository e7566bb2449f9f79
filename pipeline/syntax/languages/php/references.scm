; PHP: uses

; Imports: grouped, single, files
(namespace_use_declaration
  (namespace_name) @owner
  body: (namespace_use_group
    (namespace_use_clause . [(name) (qualified_name)] @name alias: (_)? @alias) @ref.import))
(namespace_use_declaration
  (namespace_use_clause . [(name) (qualified_name)] @name alias: (_)? @alias) @ref.import)
[
    (include_expression [
      [(string) (encapsed_string)] @name
      (binary_expression right: [(string) (encapsed_string)] @name)
      (parenthesized_expression [(string) (encapsed_string)] @name)
      (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @name))
    ])
    (include_once_expression [
      [(string) (encapsed_string)] @name
      (binary_expression right: [(string) (encapsed_string)] @name)
      (parenthesized_expression [(string) (encapsed_string)] @name)
      (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @name))
    ])
    (require_expression [
      [(string) (encapsed_string)] @name
      (binary_expression right: [(string) (encapsed_string)] @name)
      (parenthesized_expression [(string) (encapsed_string)] @name)
      (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @name))
    ])
    (require_once_expression [
      [(string) (encapsed_string)] @name
      (binary_expression right: [(string) (encapsed_string)] @name)
      (parenthesized_expression [(string) (encapsed_string)] @name)
      (parenthesized_expression (binary_expression right: [(string) (encapsed_string)] @name))
    ])
  ] @ref.import

; Base classes, base interfaces, traits, implemented interfaces
(base_clause [(name) (qualified_name) (relative_name)] @name @ref.inherit)
(use_declaration [(name) (qualified_name) (relative_name)] @name @ref.inherit)
(class_interface_clause [(name) (qualified_name) (relative_name)] @name @ref.implement)

; Attributes
(attribute . [(name) (qualified_name) (relative_name)] @name) @ref.decorate

; Instances
((object_creation_expression [(name) (qualified_name) (relative_name)] @name) @ref.instantiate
  (#not-any-of? @name "self" "static" "parent"))

; Calls
((function_call_expression function: (name) @name) @ref.call
  (#not-any-of? @name "define" "compact" "extract" "isset" "empty" "array" "list"))
(function_call_expression
  function: [(qualified_name) (relative_name)] @name) @ref.call
(member_call_expression object: (variable_name (name) @owner) name: (name) @verbatim) @ref.call
(member_call_expression object: (_) @owner name: (name) @verbatim) @ref.call
(nullsafe_member_call_expression object: (variable_name (name) @owner) name: (name) @verbatim) @ref.call
(nullsafe_member_call_expression object: (_) @owner name: (name) @verbatim) @ref.call
(scoped_call_expression scope: (variable_name (name) @owner) name: (name) @verbatim) @ref.call
(scoped_call_expression scope: (_) @owner name: (name) @verbatim) @ref.call

; Method references: `[$this, 'f']`, `[C::class, 'f']`
(array_creation_expression
  .
  (array_element_initializer [
    (variable_name (name) @owner)
    (class_constant_access_expression . (_) @owner (name) @_class .)
  ])
  .
  (array_element_initializer (string . (string_content) @name .) @ref.reference)
  .
  (#match? @name "^[A-Za-z_]\\w*$"))

; Class literals (`C::class`), type tests (`instanceof`) and declared types
(class_constant_access_expression . [(name) (qualified_name) (relative_name)] @name . (name) @_class
  (#eq? @_class "class")
  (#not-any-of? @name "self" "static" "parent")) @ref.type
(binary_expression operator: "instanceof" right: [(name) (qualified_name) (relative_name)] @name @ref.type
  (#not-any-of? @name "self" "static" "parent"))
((named_type [(name) (qualified_name) (relative_name)] @name) @ref.type
  (#not-any-of? @name "self" "static" "parent"))

; Classes on which a member is accessed
([
    (class_constant_access_expression . [(name) (qualified_name) (relative_name)] @name . (name))
    (scoped_call_expression scope: [(name) (qualified_name) (relative_name)] @name)
    (scoped_property_access_expression scope: [(name) (qualified_name) (relative_name)] @name)
  ] @ref.type
  (#not-any-of? @name "self" "static" "parent"))

; Constants and enum members of a class
((class_constant_access_expression . (_) @owner . (name) @verbatim .) @ref.reference
  (#not-eq? @verbatim "class"))

; Properties of objects and of classes
(member_access_expression object: (variable_name (name) @owner) name: (name) @verbatim) @ref.reference
(member_access_expression object: (_) @owner name: (name) @verbatim) @ref.reference
(nullsafe_member_access_expression object: (variable_name (name) @owner) name: (name) @verbatim) @ref.reference
(nullsafe_member_access_expression object: (_) @owner name: (name) @verbatim) @ref.reference
(scoped_property_access_expression scope: (_) @owner name: (variable_name (name) @verbatim)) @ref.reference

; Constants. `$a[k]` in a string is no constant
([
    (argument !name [(name) (qualified_name)] @name)
    (argument name: (_) [(name) (qualified_name)] @name .)
    (array_element_initializer [(name) (qualified_name)] @name)
    (variadic_unpacking [(name) (qualified_name)] @name)
    (binary_expression [(name) (qualified_name)] @name)
    (return_statement [(name) (qualified_name)] @name)
    (assignment_expression right: [(name) (qualified_name)] @name)
    (augmented_assignment_expression right: [(name) (qualified_name)] @name)
    (const_element (name) . [(name) (qualified_name)] @name)
    (enum_case value: [(name) (qualified_name)] @name)
    (property_element default_value: [(name) (qualified_name)] @name)
    (simple_parameter default_value: [(name) (qualified_name)] @name)
    (property_promotion_parameter default_value: [(name) (qualified_name)] @name)
    (static_variable_declaration value: [(name) (qualified_name)] @name)
    (match_condition_list [(name) (qualified_name)] @name)
    (match_conditional_expression return_expression: [(name) (qualified_name)] @name)
    (match_default_expression return_expression: [(name) (qualified_name)] @name)
    (case_statement value: [(name) (qualified_name)] @name)
    (conditional_expression [(name) (qualified_name)] @name)
    (parenthesized_expression [(name) (qualified_name)] @name)
    (unary_op_expression [(name) (qualified_name)] @name)
    (cast_expression value: [(name) (qualified_name)] @name)
    (arrow_function body: [(name) (qualified_name)] @name)
    (foreach_statement . [(name) (qualified_name)] @name)
    (yield_expression [(name) (qualified_name)] @name)
    (throw_expression [(name) (qualified_name)] @name)
    (clone_expression [(name) (qualified_name)] @name)
    (print_intrinsic [(name) (qualified_name)] @name)
    (exit_statement [(name) (qualified_name)] @name)
    (sequence_expression [(name) (qualified_name)] @name)
    (echo_statement [(name) (qualified_name)] @name)
    (subscript_expression . [(name) (qualified_name)] @name)
  ] @ref.reference
  (#not-match? @name "^__[A-Z]+__$"))
((subscript_expression (_) . [(name) (qualified_name)] @name @ref.reference .)
  (#not-has-ancestor? @name encapsed_string heredoc_body))

; Local bindings, with `$`, which distinguishes them from functions and constants
(simple_parameter name: [(variable_name) @local (by_ref (variable_name) @local)])
(variadic_parameter name: [(variable_name) @local (by_ref (variable_name) @local)])
(property_promotion_parameter name: [(variable_name) @local (by_ref (variable_name) @local)])
(assignment_expression left: (variable_name) @local)
(static_variable_declaration name: (variable_name) @local)
(list_literal (variable_name) @local)
(foreach_statement (_) . [
  (variable_name) @local
  (by_ref (variable_name) @local)
  (pair (variable_name) @local)
  (pair (by_ref (variable_name) @local))
])
(catch_clause name: (variable_name) @local)
