; TypeScript: names, wherever they are. Last, because every other pattern goes before it
((identifier) @name @ref.reference
  (#not-has-parent? @name
    ERROR import_specifier import_clause namespace_import export_statement export_specifier namespace_export
    variable_declarator function_declaration generator_function_declaration function_expression generator_function
    class_declaration class enum_declaration internal_module module function_signature import_require_clause
    import_alias nested_identifier nested_type_identifier required_parameter optional_parameter index_signature
    type_predicate asserts
    formal_parameters arrow_function assignment_pattern rest_pattern array_pattern pair_pattern
    catch_clause for_in_statement)
  (#not-any-of? @name "require" "arguments" "undefined"))
