; HTML: no logic blocks
