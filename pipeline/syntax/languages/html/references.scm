; HTML: uses

; Scripts and style sheets
((script_element . (start_tag (attribute
    (attribute_name) @_src
    [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))) @ref.import
  (#match? @_src "^[Ss][Rr][Cc]$")
  (#not-match? @name "[{<]"))
((element . [
    (start_tag
      (tag_name) @_link
      (attribute
        (attribute_name) @_href
        [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
    (self_closing_tag
      (tag_name) @_link
      (attribute
        (attribute_name) @_href
        [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)]))
  ]) @ref.import
  (#match? @_link "^[Ll][Ii][Nn][Kk]$")
  (#match? @_href "^[Hh][Rr][Ee][Ff]$")
  (#not-match? @name "[{<]"))

; Custom elements and components
([
    (start_tag (tag_name) @verbatim)
    (self_closing_tag (tag_name) @verbatim)
  ] @ref.instantiate
  (#match? @verbatim "^([A-Z][A-Za-z0-9.]*[a-z][A-Za-z0-9.]*|[a-z][a-z0-9]*-[a-z0-9-]+)$"))

; References to elements by their identifier
((attribute
    (attribute_name) @_for
    (quoted_attribute_value (attribute_value) @verbatim)) @ref.reference
  (#any-of? @_for "for" "list" "form" "headers" "aria-controls" "aria-labelledby" "aria-describedby" "aria-owns" "popovertarget" "commandfor")
  (#match? @verbatim "^[A-Za-z_][A-Za-z0-9_.:-]*$"))
