; JavaScript alone: definitions

; Class fields
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name
  value: [(arrow_function) (function_expression)]) @symbol.method @scope
(field_definition
  property: [(property_identifier) (private_property_identifier)] @name) @symbol.field
