; HTML: scripts and style sheets in a page
; The patterns are mutually exclusive: a text that two of them match would be extracted twice.

; Scripts without a type
((script_element . (start_tag) @_tag (raw_text) @embedded)
  (#not-match? @_tag "(?i)\\s(type|lang)\\s*=")
  (#set! embedded "javascript"))

; Scripts whose type is JavaScript
((script_element . (start_tag) @_tag (raw_text) @embedded)
  (#match? @_tag "(?i)\\s(type|lang)\\s*=\\s*[\"']?(text/(babel|jsx|(x-)?(java|ecma)script[0-9.]*)|application/(x-)?(java|ecma)script|module|jsx?|[\"'])[\"'\\s;>]")
  (#not-match? @_tag "(?i)\\slang\\s*=\\s*[\"']?t")
  (#set! embedded "javascript"))

; TypeScript
((script_element . (start_tag) @_tag (raw_text) @embedded)
  (#match? @_tag "(?i)\\s(lang\\s*=\\s*[\"']?(ts|typescript)|type\\s*=\\s*[\"']?(text|application)/typescript)[\"'\\s>]")
  (#set! embedded "typescript"))
((script_element . (start_tag) @_tag (raw_text) @embedded)
  (#match? @_tag "(?i)\\slang\\s*=\\s*[\"']?tsx[\"'\\s>]")
  (#set! embedded "tsx"))

; Style sheets, except those of a preprocessor
((style_element . (start_tag) @_tag (raw_text) @embedded)
  (#not-match? @_tag "(?i)\\s(lang|type)\\s*=\\s*[\"']?(text/)?(scss|sass|less|styl)")
  (#set! embedded "css"))
