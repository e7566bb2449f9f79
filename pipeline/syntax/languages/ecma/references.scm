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

; The constructor of the base
(call_expression function: (super) @name) @ref.call

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

; What is assigned to a member: `a.onclose = b`, `a.onclose = this.b.bind(this)`
(assignment_expression
  left: (member_expression property: (property_identifier) @alias)
  right: (identifier) @name @ref.reference)
((assignment_expression
    left: (member_expression property: (property_identifier) @alias)
    right: (member_expression object: (_) @owner property: (property_identifier) @name) @ref.reference)
  (#not-eq? @owner "module"))
((assignment_expression
    left: (member_expression property: (property_identifier) @alias)
    right: (call_expression
      function: (member_expression
        object: (member_expression object: (_) @owner property: (property_identifier) @name) @ref.reference
        property: (property_identifier) @_bind)))
  (#eq? @_bind "bind"))

; Type tests: `instanceof`
(binary_expression
  operator: "instanceof"
  right: [
    (identifier) @name
    (member_expression object: (_) @owner property: (_) @name)
  ] @ref.type)

; Members, also those that a pattern takes out of a value
((member_expression object: (_) @owner property: (_) @name) @ref.reference
  (#not-any-of? @ref.reference "module.exports")
  (#not-eq? @name "prototype"))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @name
    (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
    (pair_pattern key: (property_identifier) @name)
  ] @ref.reference)
  value: [(identifier) (this) (member_expression) (call_expression)] @owner)

; Names where the parent may also bind one; the folders `names` have the others
(object (shorthand_property_identifier) @name @ref.reference)
(variable_declarator value: (identifier) @name @ref.reference)
(assignment_pattern right: (identifier) @name @ref.reference)
(arrow_function body: (identifier) @name @ref.reference)
(for_in_statement right: (identifier) @name @ref.reference)
(for_in_statement !kind left: (identifier) @name @ref.reference)

; Local bindings
(arrow_function parameter: (identifier) @local)
(assignment_pattern left: (identifier) @local)
(rest_pattern (identifier) @local)
(shorthand_property_identifier_pattern) @local
(pair_pattern value: (identifier) @local)
(array_pattern (identifier) @local)
(variable_declarator name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement kind: _ left: (identifier) @local)
