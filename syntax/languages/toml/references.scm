; TOML: no uses
