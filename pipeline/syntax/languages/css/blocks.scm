; CSS: conditional rules

[(media_statement) (supports_statement)] @block.conditional
((at_rule (at_keyword) @_container (block)) @block.conditional
  (#any-of? @_container "@container" "@starting-style" "@variant"))
