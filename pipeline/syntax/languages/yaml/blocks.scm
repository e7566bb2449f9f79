; YAML: no logic blocks
