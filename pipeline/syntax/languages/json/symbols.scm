; JSON: the keys of the first two levels, in some files of three
; Only the first value of a file is used: further values are records. Lists have no keys.
; Keys that are prose, numbers, hashes or paths in a lock file are not symbols.

; First level
(document . (comment)* . (object
  (pair
    key: (string . (string_content) @verbatim .)
    value: (object) @body) @symbol.key @scope)
  (#match? @verbatim "^[A-Za-z_$@./*][^ ]{0,99}$"))
(document . (comment)* . (object
  (pair key: (string . (string_content) @verbatim .)) @symbol.key)
  (#match? @verbatim "^[A-Za-z_$@./*][^ ]{0,99}$"))

; Second level
(document . (comment)* . (object
  (pair
    key: (string . (string_content) @_first)
    value: (object
      (pair
        key: (string . (string_content) @verbatim .)
        value: (object) @body) @symbol.key @scope)))
  (#match? @verbatim "^[A-Za-z_$@./*][^ ]{0,99}$")
  (#not-match? @verbatim "node_modules/|.@[0-9^~<>=*]|^.*/[0-9]+[.]")
  (#not-any-of? @_first "dependencies" "packages" "npm" "jsr" "messages" "strings" "translations"))
(document . (comment)* . (object
  (pair
    key: (string . (string_content) @_first)
    value: (object
      (pair
        key: (string . (string_content) @verbatim .)
        value: [(string) (number) (true) (false) (null) (array)]) @symbol.key)))
  (#match? @verbatim "^[A-Za-z_$@./*][^ ]{0,99}$")
  (#not-match? @verbatim "node_modules/|.@[0-9^~<>=*]|^.*/[0-9]+[.]")
  (#not-any-of? @_first "packages" "specifiers" "messages" "strings" "translations"))

; Third level: the schemas and paths of an interface description, the targets of a workspace
(document . (comment)* . (object
  (pair
    key: (string . (string_content) @_first)
    value: (object
      (pair
        value: (object
          (pair
            key: (string . (string_content) @verbatim .)
            value: (object) @body) @symbol.key @scope)))))
  (#any-of? @_first "components" "paths" "projects")
  (#match? @verbatim "^[A-Za-z_$@./*][^ ]{0,99}$"))

; Comments
(comment) @doc
