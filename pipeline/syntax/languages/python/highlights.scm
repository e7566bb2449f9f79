; Python: what the grammar's crate says before more general patterns. Of several patterns for one node, the last counts.

(function_definition name: (identifier) @function)
(call function: (identifier) @function)
(call function: (attribute attribute: (identifier) @function))
