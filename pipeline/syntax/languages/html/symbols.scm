; HTML: elements that a page, a script or a link can refer to
; Identifiers are unique in a page, so elements do not qualify the names inside them.

; Elements with an identifier, unless it contains a template
([
    (element . (start_tag (attribute
      (attribute_name) @_id
      [(attribute_value) @verbatim (quoted_attribute_value (attribute_value) @verbatim)])) . (_) @body)
    (element . (self_closing_tag (attribute
      (attribute_name) @_id
      [(attribute_value) @verbatim (quoted_attribute_value (attribute_value) @verbatim)])))
    (script_element . (start_tag (attribute
      (attribute_name) @_id
      [(attribute_value) @verbatim (quoted_attribute_value (attribute_value) @verbatim)])) . (_) @body)
    (style_element . (start_tag (attribute
      (attribute_name) @_id
      [(attribute_value) @verbatim (quoted_attribute_value (attribute_value) @verbatim)])) . (_) @body)
  ] @symbol.element
  (#match? @_id "^[Ii][Dd]$")
  (#not-match? @verbatim "[{}<>$]"))

; Void elements, which end with their tag
((element .
    (start_tag (attribute
      (attribute_name) @_id
      [(attribute_value) @verbatim (quoted_attribute_value (attribute_value) @verbatim)])) @symbol.element .)
  (#match? @_id "^[Ii][Dd]$")
  (#not-match? @verbatim "[{}<>$]"))

; Anchors in the old form: `<a name="...">`
((element . (start_tag
    (tag_name) @_tag
    (attribute
      (attribute_name) @_name
      (quoted_attribute_value (attribute_value) @verbatim))) . (_) @body) @symbol.element
  (#match? @_tag "^[Aa]$")
  (#match? @_name "^[Nn][Aa][Mm][Ee]$")
  (#not-match? @verbatim "[{}<>$]"))

; Comments
(comment) @doc
