; TOML: tables, and the keys directly in them
; The packages of a lock file are excluded.

; Tables. A name with a quoted segment is not split
((table . [
    (bare_key) @verbatim
    (quoted_key) @verbatim
    (dotted_key (quoted_key)) @verbatim
    (dotted_key (dotted_key (quoted_key))) @verbatim
  ] . (comment)* . (pair)? @body) @symbol.key @scope)
((table . (dotted_key) @name . (comment)* . (pair)? @body) @symbol.key @scope
  (#not-match? @name "^package[.](dependencies|extras|source|optional-dependencies|dev-dependencies|metadata|metadata[.]requires-d.*)$"))

; Tables of a list are named by the value of their first key, if that is `name` or `id`
((table_array_element . [(bare_key) (dotted_key)] @owner . (comment)* .
    (pair . (bare_key) @_name . (string) @name) @body) @symbol.key @scope
  (#not-eq? @owner "package")
  (#any-of? @_name "name" "id")
  (#match? @name "^\"[A-Za-z0-9_-]+\"$"))
((table_array_element . [(bare_key) (dotted_key)] @owner . (comment)* .
    (pair . (bare_key) @_name . (string) @verbatim) @body) @symbol.key @scope
  (#not-eq? @owner "package")
  (#any-of? @_name "name" "id")
  (#not-match? @verbatim "^\"[A-Za-z0-9_-]+\"$"))
((table_array_element . [(bare_key) (dotted_key)] @name . (comment)* .
    (pair . (_) @_name) @body) @symbol.key @scope
  (#not-any-of? @name "package" "projects" "metadata.files")
  (#not-any-of? @_name "name" "id"))

; Keys of a table
(document (pair . [(bare_key) @verbatim (quoted_key) @verbatim (dotted_key (quoted_key)) @verbatim (dotted_key (dotted_key (quoted_key))) @verbatim (dotted_key) @name]) @symbol.key)
((table . (_) @_table (pair . [(bare_key) @verbatim (quoted_key) @verbatim (dotted_key (quoted_key)) @verbatim (dotted_key (dotted_key (quoted_key))) @verbatim (dotted_key) @name]) @symbol.key)
  (#not-match? @_table "^package[.](dependencies|extras|source|optional-dependencies|dev-dependencies|metadata|metadata[.]requires-d.*)$|^metadata[.]files"))

; Comments
(comment) @doc
