; JSON: uses

; References in a schema (`$ref`)
((pair
    key: (string . (string_content) @_ref .)
    value: (string . (string_content) @verbatim .)) @ref.reference
  (#eq? @_ref "$ref"))

; Base configurations (`extends`)
(document . (comment)* . (object
  (pair
    key: (string . (string_content) @_extends .)
    value: [
      (string (string_content) @name)
      (array (string (string_content) @name))
    ]) @ref.import)
  (#eq? @_extends "extends"))
