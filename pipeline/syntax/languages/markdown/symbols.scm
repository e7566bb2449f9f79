; Markdown: a section is a heading and the text below it
; In the grammar, an underlined heading does not open a section: its symbol is the heading alone.

(section . (atx_heading heading_content: (inline) @verbatim)) @symbol.section @scope
(section . (setext_heading heading_content: (paragraph (inline) @verbatim))) @symbol.section @scope
(setext_heading heading_content: (paragraph (inline) @verbatim)) @symbol.section
