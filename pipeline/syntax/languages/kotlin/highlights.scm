; Kotlin: classes of highlighting. The grammar's crate has none.

[(line_comment) (block_comment) (shebang)] @comment
[(string_literal) (multiline_string_literal) (character_literal)] @string
(interpolation (expression) @embedded)
(escape_sequence) @escape
[(number_literal) (float_literal)] @number

(annotation) @attribute
(label) @label
(user_type (identifier) @type)
(class_declaration name: (identifier) @type)
(object_declaration name: (identifier) @type)
(type_alias type: (identifier) @type)
(type_parameter (identifier) @type)
(function_declaration name: (identifier) @function)
(call_expression . (identifier) @function)
(call_expression . (navigation_expression (identifier) @function .))
(enum_entry (identifier) @constant)
(package_header (qualified_identifier) @module)
(import (qualified_identifier) @module)

[
  "abstract" "actual" "annotation" "as" "by" "catch" "class" "companion" "const" "constructor" "crossinline" "data"
  "do" "else" "enum" "expect" "external" "final" "finally" "for" "fun" "get" "if" "import" "in" "infix"
  "init" "inline" "inner" "interface" "internal" "is" "lateinit" "noinline" "object" "open" "operator" "out" "override"
  "package" "private" "protected" "public" "return" "sealed" "set" "suspend" "tailrec" "throw" "try" "typealias" "val"
  "value" "var" "vararg" "when" "where" "while"
] @keyword
[(this_expression) (super_expression)] @keyword
