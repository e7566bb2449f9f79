; Markdown: no logic blocks
