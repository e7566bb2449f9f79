; Go: definitions
; A declaration with one spec comes before the spec alone, because its extent begins at the keyword.

; Structs
(type_declaration . (type_spec name: (_) @name type: (struct_type)) .) @symbol.struct @scope
(type_spec name: (_) @name type: (struct_type)) @symbol.struct @scope

; Interfaces
(type_declaration . (type_spec name: (_) @name type: (interface_type)) .) @symbol.interface @scope
(type_spec name: (_) @name type: (interface_type)) @symbol.interface @scope

; Other types and aliases
(type_declaration . [(type_spec name: (_) @name) (type_alias name: (_) @name)] .) @symbol.type
[(type_spec name: (_) @name) (type_alias name: (_) @name)] @symbol.type

; Fields of named structs, and of anonymous structs inside them
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration name: (_) @name type: (struct_type)) @symbol.field @scope)))
(type_spec
  type: (struct_type
    (field_declaration_list (field_declaration name: (_) @name) @symbol.field)))
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        type: (struct_type
          (field_declaration_list (field_declaration name: (_) @name) @symbol.field))))))

; Embedded fields have the name of their type
(type_spec
  type: (struct_type
    (field_declaration_list
      (field_declaration
        !name
        type: [
          (type_identifier) @name
          (qualified_type name: (_) @name)
          (generic_type type: (type_identifier) @name)
          (generic_type type: (qualified_type name: (_) @name))
        ]) @symbol.field)))

; Methods of interfaces
(method_elem name: (_) @name) @symbol.method

; Methods and functions
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (_) @name) @symbol.method @scope
(function_declaration name: (_) @name) @symbol.function @scope

; Functions assigned to a package variable
(source_file
  (var_declaration
    (var_spec name: (_) @name value: (expression_list . (func_literal) .))) @symbol.function @scope)

; Constants. Those in a function body are dropped as local
(const_declaration . (const_spec (identifier) @name) .
  (#not-eq? @name "_")) @symbol.constant
((const_spec (identifier) @name) @symbol.constant
  (#not-eq? @name "_"))

; Variables of the package
(source_file
  (var_declaration (var_spec name: (identifier) @name)) @symbol.variable
  (#not-eq? @name "_"))
(source_file
  (var_declaration (var_spec_list (var_spec name: (identifier) @name) @symbol.variable))
  (#not-eq? @name "_"))

; Documentation
(comment) @doc
