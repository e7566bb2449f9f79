; Python: types of names

; Parameters and results
(typed_parameter . (identifier) @typed type: (_) @type)
(typed_default_parameter name: (identifier) @typed type: (_) @type)
(default_parameter name: (identifier) @typed value: (_) @value)
(function_definition name: (_) @typed return_type: (_) @type)
(function_definition !return_type body: (block (return_statement (_) @returns)))
(function_definition !return_type body: (block (_ (block (return_statement (_) @returns)))))

; Variables of functions, classes and modules
(assignment left: (identifier) @typed type: (_) @type)
(assignment left: (identifier) @typed !type right: (_) @value)
(named_expression name: (identifier) @typed value: (_) @value)

; Assigned members of objects
(assignment
  left: (attribute object: (identifier) @_self attribute: (_) @member) type: (_) @type
  (#eq? @_self "self"))
(assignment
  left: (attribute object: (identifier) @_self attribute: (_) @member) !type right: (_) @value
  (#eq? @_self "self"))

; `with`: a context manager usually returns itself. `except`: the caught type
(with_item value: (as_pattern . (_) @value alias: (as_pattern_target (identifier) @typed)))
(except_clause (as_pattern . (_) @type alias: (as_pattern_target (identifier) @typed)))
