; Markdown: embedded languages

; Fenced blocks with a language, except data
((fenced_code_block
    (info_string (language) @embedded.language)
    (code_fence_content) @embedded)
  (#not-match? @embedded.language "(?i)^(json[c5l]?|ya?ml|toml)$"))

; Front matter
((minus_metadata) @embedded
  (#set! embedded "yaml"))
((plus_metadata) @embedded
  (#set! embedded "toml"))
