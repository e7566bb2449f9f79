; JSON: no logic blocks
