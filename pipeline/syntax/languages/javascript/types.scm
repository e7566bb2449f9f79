; JavaScript only: types of names

; Fields with a value
(field_definition property: [(property_identifier) (private_property_identifier)] @typed value: (_) @value)
