; TOML: no logic blocks
