; SQL: uses

; Extensions
(create_extension [(keyword_extension) (keyword_exists)] . (identifier) @name) @ref.import

; Calls, except of functions that every dialect has
(invocation
  (object_reference schema: (identifier) @owner name: (identifier) @name)) @ref.call
(invocation
  (object_reference !schema name: (identifier) @name)
  (#not-match? @name
    "^(?i:abs|avg|cast|ceil|ceiling|char_length|coalesce|concat|concat_ws|convert|count|date|date_add|date_format|date_part|date_trunc|dateadd|datediff|datepart|datename|day|dense_rank|exp|extract|first_value|floor|format|getdate|greatest|group_concat|if|ifnull|iif|isnull|lag|last_value|lead|least|left|len|length|ln|log|lower|lpad|ltrim|max|min|mod|month|now|nullif|nvl|position|power|rand|random|rank|replace|right|round|row_number|rpad|rtrim|sign|sqrt|string_agg|strpos|substr|substring|sum|sysdate|to_char|to_date|to_number|to_timestamp|trim|trunc|upper|values|varchar|year)$")) @ref.call

; Functions that triggers run
(create_trigger
  [(keyword_function) (keyword_procedure)]
  . (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.call)
(drop_function
  (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.reference)
(comment_statement
  (keyword_function)
  . (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.reference)

; Columns qualified by a table
(comment_statement
  (keyword_column)
  . (object_reference (object_reference name: (identifier) @owner) name: (identifier) @name) @ref.reference)

; Tables, views and types
([
    (relation (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (insert (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (from (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (statement (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (constraint (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (column_definition
      (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (function_argument
      (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (cast (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (create_index (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (alter_table (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (alter_view (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (alter_sequence (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (drop_table (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (drop_view (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (drop_type (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (comment_statement
      (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (create_trigger
      (keyword_on)
      . (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
    (create_function
      (keyword_returns)
      . (keyword_setof)?
      . (object_reference schema: (identifier)? @owner name: (identifier) @name) @ref.type)
  ])
