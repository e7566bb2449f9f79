; CSS: rules are named by their selectors; nested rules are prefixed with the enclosing selectors

; Rules
(rule_set (selectors) @verbatim (block) @body) @symbol.rule @scope

; Animations
(keyframes_statement (keyframes_name) @verbatim (keyframe_block_list) @body) @symbol.rule

; Layers
((at_rule (at_keyword) @_layer (keyword_query) @verbatim . (block) @body) @symbol.namespace @scope
  (#eq? @_layer "@layer"))

; Rules with a name
((at_rule (at_keyword) @_keyword . (keyword_query) @verbatim . (block) @body) @symbol.rule @scope
  (#any-of? @_keyword "@utility" "@counter-style" "@font-palette-values" "@position-try" "@font-feature-values" "@color-profile" "@page"))

; Custom properties, custom media and custom selectors
((declaration (property_name) @verbatim) @symbol.variable
  (#match? @verbatim "^--"))
((at_rule (at_keyword) @_keyword . (keyword_query) @verbatim . (block)? @body) @symbol.variable
  (#any-of? @_keyword "@property" "@custom-media" "@custom-selector"))

; Comments
(comment) @doc
