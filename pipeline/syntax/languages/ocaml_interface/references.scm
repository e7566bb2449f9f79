; OCaml: uses that interfaces and implementations have in common

; Opened modules and module aliases
(open_module module: (module_path) @name) @ref.import
(open_module_signature module: (extended_module_path) @name) @ref.import
(local_open_expression (module_path) @name @ref.import)
(module_binding
  (module_name) @alias
  body: [(module_path) (extended_module_path)] @name) @ref.import

; Included modules and signatures
(include_module module: [
  (module_path (module_path)? @owner (module_name) @verbatim)
  (module_application functor: (module_path (module_path)? @owner (module_name) @verbatim))
]) @ref.inherit
(include_module_type module_type: [
  (module_type_path (extended_module_path)? @owner (module_type_name) @verbatim)
  (module_type_constraint module_type: (module_type_path (extended_module_path)? @owner (module_type_name) @verbatim))
  (module_type_of module: (module_path (module_path)? @owner (module_name) @verbatim))
]) @ref.inherit

; Signatures of modules
(module_binding
  (module_name) @owner
  module_type: [
    (module_type_path (module_type_name) @verbatim)
    (module_type_constraint module_type: (module_type_path (module_type_name) @verbatim))
  ] @ref.implement)

; Other uses of module types
(module_type_path (extended_module_path)? @owner (module_type_name) @verbatim) @ref.type

; Applied functors, modules passed as arguments
(module_application
  functor: (module_path (module_path)? @owner (module_name) @verbatim)) @ref.instantiate
(module_application
  argument: (parenthesized_module_expression
    (module_path (module_path)? @owner (module_name) @verbatim))) @ref.reference
(package_expression module: (module_path (module_path)? @owner (module_name) @verbatim)) @ref.reference

; Base classes, objects
(inheritance_definition class: [
  (class_path (module_path)? @owner (class_name) @verbatim)
  (class_application class: (class_path (module_path)? @owner (class_name) @verbatim))
  (instantiated_class (class_path (module_path)? @owner (class_name) @verbatim))
  (class_application class: (instantiated_class (class_path (module_path)? @owner (class_name) @verbatim)))
]) @ref.inherit
(inheritance_specification class_type: [
  (class_type_path (extended_module_path)? @owner (class_type_name) @verbatim)
  (instantiated_class_type (class_type_path (extended_module_path)? @owner (class_type_name) @verbatim))
]) @ref.inherit
(new_expression (class_path (module_path)? @owner (class_name) @verbatim)) @ref.instantiate
(class_type_path (extended_module_path)? @owner (class_type_name) @verbatim) @ref.type

; Derived code: `[@@deriving sexp, compare]`
(item_attribute
  (attribute_id) @_deriving
  (attribute_payload
    (expression_item [
      (value_path (value_name) @verbatim)
      (tuple_expression (value_path (value_name) @verbatim))
      (tuple_expression (tuple_expression (value_path (value_name) @verbatim)))
      (tuple_expression (tuple_expression (tuple_expression (value_path (value_name) @verbatim))))
      (application_expression function: (value_path (value_name) @verbatim))
    ] @ref.decorate))
  (#any-of? @_deriving "deriving" "deriving_inline"))

; Constructors, except built-in ones
((constructor_path (module_path)? @owner (constructor_name) @verbatim) @ref.reference
  (#not-any-of? @verbatim "Some" "None" "Ok" "Error" "Not_found" "Invalid_argument" "Failure" "Exit"))

; Types, except built-in ones
((type_constructor_path (extended_module_path)? @owner (type_constructor) @verbatim) @ref.type
  (#not-any-of? @verbatim
    "int" "string" "bool" "float" "unit" "char" "bytes" "list" "option" "array" "exn" "ref" "result" "int32"
    "int64" "nativeint" "lazy_t" "format"))
