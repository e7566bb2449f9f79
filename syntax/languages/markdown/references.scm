; Markdown: no uses
