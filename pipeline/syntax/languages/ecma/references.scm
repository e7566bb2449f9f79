; JavaScript and TypeScript in common: uses

; Imports: `import {a as b} from 'm'`
(import_statement
  (import_clause
    (named_imports (import_specifier name: (_) @name alias: (_)? @alias) @ref.import))
  source: (string (string_fragment) @owner))

; `import a from 'm'`: the default export, with a local name
(import_statement
  (import_clause (identifier) @name @alias @ref.import)
  source: (string (string_fragment) @owner))

; `import * as a from 'm'` and `import 'm'`
(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @name)) @ref.import
(import_statement . source: (string (string_fragment) @name)) @ref.import

; Re-exports: `export {a as b} from 'm'`, `export * as a from 'm'`, `export * from 'm'`
(export_statement
  (export_clause (export_specifier name: (_) @name alias: (_)? @alias) @ref.import)
  source: (string (string_fragment) @owner))
(export_statement
  (namespace_export (_) @alias)
  source: (string (string_fragment) @name)) @ref.import
(export_statement
  "*" @name
  source: (string (string_fragment) @owner)) @ref.import

; CommonJS: `const a = require('m')`, `const {a, b: c} = require('m')`, `const a = require('m').b`
(variable_declarator
  name: (identifier) @alias
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string (string_fragment) @name)))
  (#eq? @_require "require")) @ref.import
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (pair_pattern key: (property_identifier) @name value: (identifier) @alias)
  ] @ref.import)
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string (string_fragment) @owner)))
  (#eq? @_require "require"))
(variable_declarator
  name: (identifier) @alias
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string (string_fragment) @owner)))
    property: (property_identifier) @name)
  (#eq? @_require "require")) @ref.import
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string (string_fragment) @name))
  (#eq? @_require "require")) @ref.import

; `define(['a', 'b'], function (a, b) {})`
((call_expression
    function: (identifier) @_define
    arguments: [
      (arguments . (array (string (string_fragment) @name) @ref.import))
      (arguments . (string) . (array (string (string_fragment) @name) @ref.import))
    ])
  (#any-of? @_define "define" "require" "requirejs"))

; `import('m')`
(call_expression
  function: (import)
  arguments: (arguments . (string (string_fragment) @name))) @ref.import

; Decorators
(decorator
  [
    (identifier) @name
    (member_expression object: (_) @owner property: (_) @name)
    (call_expression function: (identifier) @name)
    (call_expression function: (member_expression object: (_) @owner property: (_) @name))
  ] @ref.decorate)

; Instances
(new_expression
  constructor: [
    (identifier) @name
    (member_expression object: (_) @owner property: (_) @name)
  ]) @ref.instantiate

; Calls
((call_expression function: (identifier) @name) @ref.call
  (#not-eq? @name "require"))
(call_expression
  function: (member_expression object: (_) @owner property: (_) @name)) @ref.call

; Exports of definitions elsewhere in the file
(export_statement
  !source
  (export_clause (export_specifier name: (identifier) @name) @ref.reference))
(export_statement value: (identifier) @name @ref.reference)
(assignment_expression
  left: (member_expression) @_exports
  right: [
    (identifier) @name @ref.reference
    (object (shorthand_property_identifier) @name @ref.reference)
  ]
  (#eq? @_exports "module.exports"))

(assignment_expression
  left: (member_expression object: (_) @_exports)
  right: (identifier) @name @ref.reference
  (#any-of? @_exports "exports" "module.exports"))

; Functions and values passed as arguments or assigned
(arguments (identifier) @name @ref.reference)
(arguments
  (member_expression object: (this) @owner property: (_) @name) @ref.reference)
(pair value: (identifier) @name @ref.reference)
(array (identifier) @name @ref.reference)
(object (shorthand_property_identifier) @name @ref.reference)
(return_statement (identifier) @name @ref.reference)
(arrow_function body: (identifier) @name @ref.reference)
(variable_declarator value: (identifier) @name @ref.reference)
(assignment_expression right: (identifier) @name @ref.reference)
(assignment_pattern right: (identifier) @name @ref.reference)
(binary_expression [left: (identifier) @name right: (identifier) @name] @ref.reference)
(ternary_expression [consequence: (identifier) @name alternative: (identifier) @name] @ref.reference)
(unary_expression argument: (identifier) @name @ref.reference)
(spread_element (identifier) @name @ref.reference)
(template_substitution (identifier) @name @ref.reference)
(arguments (member_expression object: (identifier) @owner property: (_) @name) @ref.reference)
(pair value: (member_expression object: (identifier) @owner property: (_) @name) @ref.reference)
(array (member_expression object: (identifier) @owner property: (_) @name) @ref.reference)
(return_statement (member_expression object: (identifier) @owner property: (_) @name) @ref.reference)
(variable_declarator value: (member_expression object: (identifier) @owner property: (_) @name) @ref.reference)
(assignment_expression right: (member_expression object: (identifier) @owner property: (_) @name) @ref.reference)

; Type tests: `instanceof`
(binary_expression
  operator: "instanceof"
  right: [
    (identifier) @name
    (member_expression object: (_) @owner property: (_) @name)
  ] @ref.type)

; Members of a class, enum or namespace: the owner begins with a capital letter
((member_expression object: (identifier) @owner property: (_) @name) @ref.reference
  (#match? @owner "^[A-Z]")
  (#not-eq? @name "prototype"))

; The receiver of a member access: a class, an enum, an object of the module
(member_expression object: (identifier) @name @ref.reference)
(subscript_expression object: (identifier) @name @ref.reference)

; Local bindings
(arrow_function parameter: (identifier) @local)
(assignment_pattern left: (identifier) @local)
(rest_pattern (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(variable_declarator name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
