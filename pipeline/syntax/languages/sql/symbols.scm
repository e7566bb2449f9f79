; SQL: definitions
; The schema before a name is its owner.

; Schemas, databases and extensions
(create_schema . (keyword_create) . (keyword_schema) . (identifier) @name) @symbol.namespace
(create_schema (keyword_exists) . (identifier) @name) @symbol.namespace
(create_database [(keyword_database) (keyword_exists)] . (identifier) @name) @symbol.namespace
(create_extension [(keyword_extension) (keyword_exists)] . (identifier) @name) @symbol.module

; Tables and views
(create_table
  [(keyword_table) (keyword_exists)]
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)
  [(column_definitions) (create_query)] @body) @symbol.struct @scope
(create_view
  [(keyword_view) (keyword_exists)]
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)
  (create_query) @body) @symbol.struct @scope
(create_materialized_view
  [(keyword_view) (keyword_exists)]
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)
  (create_query) @body) @symbol.struct @scope

; Types
(create_type
  (keyword_type)
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)
  (enum_elements) @body) @symbol.enum @scope
(create_type
  (keyword_type)
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)
  (column_definitions) @body) @symbol.struct @scope
(create_type
  (keyword_type)
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)) @symbol.type @scope
(enum_elements enum_element: (literal) @verbatim @symbol.enum_member)
(alter_type
  . (keyword_alter) . (keyword_type) . (identifier) @owner
  (keyword_value) . (literal) @verbatim @symbol.enum_member)

; Columns, also those added by `ALTER TABLE`
(create_table
  (column_definitions (column_definition name: (_) @name) @symbol.field))
(create_type
  (column_definitions (column_definition name: (_) @name) @symbol.field))
(create_table
  (table_partition (column_definitions (column_definition name: (_) @name) @symbol.field)))
(alter_table
  (object_reference) @owner
  (add_column (column_definition name: (_) @name)) @symbol.field)

; Named constraints
(create_table
  (column_definitions
    (constraints (constraint name: (identifier) @name) @symbol.property)))
(alter_table
  (object_reference) @owner
  (add_constraint (identifier) @name) @symbol.property)

; Indexes belong to their table
(create_index
  column: (identifier) @name
  (object_reference) @owner
  (index_fields) @body) @symbol.property

; Functions
(create_function
  (keyword_function)
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)
  (function_body) @body) @symbol.function @scope

; Triggers belong to their table
(create_trigger
  [(keyword_trigger) (keyword_exists)] . (object_reference) @name
  (keyword_on) . (object_reference) @owner) @symbol.function

; Sequences and roles
(create_sequence
  [(keyword_sequence) (keyword_exists)]
  . (object_reference schema: (identifier)? @owner name: (identifier) @name)) @symbol.variable
(create_role [(keyword_role) (keyword_user) (keyword_group)] . (identifier) @name) @symbol.variable

; Named queries
((cte
    . (identifier) @name
    (keyword_as)
    (statement [(select) (insert) (update) (delete) (set_operation)]) @body) @symbol.type @scope
  (#not-match? @name "^(?i:as|nowait|values|xmlnamespaces)$"))

; Documentation
((comment) @doc
  (#not-match? @doc "^--[-=*_~# \t]*$"))
((comment) @attribute
  (#match? @attribute "^--[-=*_~# \t]*$"))
(marginalia) @doc
