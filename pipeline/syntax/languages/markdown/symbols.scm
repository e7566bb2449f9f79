; Markdown: a section is a heading and what stands below it
; A heading that is underlined opens no section of its own in the grammar: it stands alone.

(section . (atx_heading heading_content: (inline) @verbatim)) @symbol.section @scope
(section . (setext_heading heading_content: (paragraph (inline) @verbatim))) @symbol.section @scope
(setext_heading heading_content: (paragraph (inline) @verbatim)) @symbol.section
