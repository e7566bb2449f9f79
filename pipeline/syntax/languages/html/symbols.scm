; HTML: elements that a page, a script or a link can name
; Identifiers are unique in a page: elements lend no name to what is in them.

; Elements with an identifier, unless a template fills it in
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

; Elements that have nothing in them: their own end is that of their tag
((element .
    (start_tag (attribute
      (attribute_name) @_id
      [(attribute_value) @verbatim (quoted_attribute_value (attribute_value) @verbatim)])) @symbol.element .)
  (#match? @_id "^[Ii][Dd]$")
  (#not-match? @verbatim "[{}<>$]"))

; Anchors that are named as they once were
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
