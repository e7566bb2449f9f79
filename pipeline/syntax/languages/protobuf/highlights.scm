; Protocol Buffers: classes of highlighting. The grammar's crate does not offer its own.

(comment) @comment
(string) @string
(escape_sequence) @escape
[(int_lit) (float_lit)] @number
[(true) (false)] @constant

[(message_name) (enum_name) (service_name) (message_or_enum_type)] @type
[(type) (key_type)] @type
(rpc_name) @function
(enum_field . (identifier) @constant)
(package (full_ident) @module)

[
  "edition" "enum" "export" "extend" "extensions" "group" "import" "local" "map" "max" "message" "oneof" "option"
  "optional" "package" "public" "repeated" "required" "reserved" "returns" "rpc" "service" "stream" "syntax" "to" "weak"
] @keyword
