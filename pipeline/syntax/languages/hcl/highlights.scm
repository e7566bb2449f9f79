; HCL: classes of highlighting. The grammar's crate has none.

(comment) @comment
[(string_lit) (template_literal) (quoted_template_start) (quoted_template_end) (heredoc_start)] @string
(numeric_lit) @number
[(bool_lit) (null_lit)] @constant

(body (block . (identifier) @keyword))
(attribute . (identifier) @property)
(function_call . (identifier) @function)
(get_attr (identifier) @property)
["else" "endfor" "endif" "for" "if" "in"] @keyword
