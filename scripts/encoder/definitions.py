"""The definitions of one file with their documentation, found by tree-sitter."""

import re

import layout
from documentation import comment_above, python_doc
from languages import DOUBLE_COLON, FUNCTIONS, GRAMMARS, LAYOUT, SCOPES, SHORT_TYPES, TYPES

MAX_CODE = 4000
_parsers = {}


def parser(grammar):
    if grammar not in _parsers:
        from tree_sitter import Language, Parser

        module, function = GRAMMARS[grammar]
        _parsers[grammar] = Parser(Language(getattr(__import__(module), function)()))
    return _parsers[grammar]


def text_of(node):
    return node.text.decode("utf-8", "replace")


def field_text(node, field):
    child = node.child_by_field_name(field)
    return text_of(child) if child else ""


def plain_type(text):
    text = re.sub(r"<.*", "", text, flags=re.S).strip().lstrip("&*")
    return text.split("::")[-1].split(" ")[-1]


def js_function(node):
    """(name, the function node) for the forms in which JavaScript binds a function."""
    if node.type in ("function_declaration", "generator_function_declaration", "method_definition"):
        return field_text(node, "name"), node
    left, right = {
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "pair": ("key", "value"),
    }[node.type]
    value = node.child_by_field_name(right)
    if value is None or value.type not in ("function_expression", "arrow_function", "generator_function"):
        return None, None
    name = field_text(node, left)
    name = name.replace(".prototype.", ".").removeprefix("this.").removeprefix("exports.").removeprefix("module.exports.")
    return (name, value) if re.fullmatch(r"[\w$.]+", name) else (None, None)


def c_name(node):
    """The function declarator inside C's declarators, and its name."""
    d = node.child_by_field_name("declarator")
    while d is not None and d.type != "function_declarator":
        d = d.child_by_field_name("declarator") or next(
            (c for c in d.named_children if c.type.endswith("declarator")), None
        )
    if d is None:
        return ""
    inner = d.child_by_field_name("declarator")
    name = text_of(inner) if inner is not None else ""
    name = re.sub(r"<[^<>]*>", "", name)
    return name if re.fullmatch(r"[\w~:]+( *operator.*)?", name) else ""


def go_definition(node, is_type):
    if is_type:
        specs = [c for c in node.named_children if c.type == "type_spec"]
        if len(specs) != 1:
            return "", None
        body = specs[0].child_by_field_name("type")
        known = body is not None and body.type in ("struct_type", "interface_type")
        return field_text(specs[0], "name"), body if known else None
    name = field_text(node, "name")
    receiver = re.findall(r"\w+", field_text(node, "receiver")) if node.type == "method_declaration" else []
    if receiver:
        name = receiver[min(1, len(receiver) - 1)] + "." + name
    return name, node.child_by_field_name("body")


def lua_definition(node):
    if node.type == "function_declaration":
        return field_text(node, "name").replace(":", "."), node.child_by_field_name("body")
    left, right = node.named_children[0], node.named_children[-1]
    value = right.named_children[0] if len(right.named_children) == 1 else None
    if value is None or value.type != "function_definition":
        return "", None
    return text_of(left).replace(":", "."), value.child_by_field_name("body")


def definition(language, node, is_type):
    """(name, body) of a node that may define something."""
    kind = node.type
    if language == "javascript" and not is_type:
        name, target = js_function(node)
        return name, target.child_by_field_name("body") if target is not None else None
    if language == "go":
        return go_definition(node, is_type)
    if language in ("c", "cpp") and not is_type:
        return c_name(node), node.child_by_field_name("body")
    if language == "lua":
        return lua_definition(node)
    name, body = field_text(node, "name"), node.child_by_field_name("body")
    if language == "kotlin":
        body = next((c for c in node.children if c.type in ("function_body", "class_body", "enum_class_body")), None)
    elif kind == "property_declaration":
        body = node.child_by_field_name("accessors") or node.child_by_field_name("computed_value")
        body = body or (node.child_by_field_name("value") if language == "csharp" else None)
    elif kind == "init_declaration":
        name = "init"
    elif kind == "operator_declaration":
        name = "operator " + field_text(node, "operator")
    elif language == "scala" and is_type and body is None:
        return "", None
    return name, body


def find(language, data, path):
    """Yields (kind, name, signature, documentation, all of it, code) of one file's definitions.

    The second documentation still has what a docstring says of its parameters.
    """
    if language in LAYOUT:
        yield from layout.find(language, data.decode("utf-8", "replace"), path)
        return
    grammar = language
    if language == "javascript" and path.endswith((".ts", ".tsx")):
        grammar = "tsx" if path.endswith(".tsx") else "typescript"
    tree = parser(grammar).parse(data)
    lines = data.decode("utf-8", "replace").split("\n")
    functions, types, scopes = FUNCTIONS[language], TYPES[language], SCOPES[language]
    separator = "::" if language in DOUBLE_COLON else "."
    if language in ("python", "rust", "go"):
        yield from whole_file(language, tree.root_node, lines, data, path, functions | types)
    stack = [(tree.root_node, ())]
    while stack:
        node, scope = stack.pop()
        kind = node.type
        inner_scope = scope
        if kind in scopes:
            name = plain_type(field_text(node, scopes[kind]))
            if name:
                inner_scope = scope + (name,)
        descend = True
        if kind in functions or kind in types:
            is_type = kind in types
            name, body = definition(language, node, is_type)
            if name and body is not None:
                if language == "python":
                    raw, full, code = python_doc(body, data)
                else:
                    raw = full = comment_above(lines, node.start_point[0], language)
                    code = data[body.start_byte : body.end_byte].decode("utf-8", "replace")
                signature = data[node.start_byte : body.start_byte].decode("utf-8", "replace")
                whole = separator.join(scope[-2:] + (name,)) if scope else name
                if is_type and language in SHORT_TYPES:
                    code = code[:1500]
                yield (
                    "type" if is_type else "function", whole, " ".join(signature.split())[:400], raw, full,
                    code[:MAX_CODE],
                )
                descend = is_type or language == "javascript"
        elif language in ("c", "cpp") and kind in ("declaration", "field_declaration"):
            name = c_name(node)
            if name:
                raw = comment_above(lines, node.start_point[0], language)
                if raw:
                    whole = separator.join(scope[-2:] + (name,)) if scope else name
                    yield "declaration", whole, "", raw, raw, ""
        if descend:
            for child in reversed(node.named_children):
                stack.append((child, inner_scope))


def whole_file(language, root, lines, data, path, definitions):
    """What a file says of itself, over its first definitions; kind "file"."""
    raw = ""
    if language == "python":
        raw = python_doc(root, data)[0]
    elif language == "rust":
        block = []
        for line in lines[:60]:
            s = line.strip()
            if s.startswith("//!"):
                block.append(s[3:])
            elif block:
                break
        raw = "\n".join(block)
    else:
        clause = next((c for c in root.named_children if c.type == "package_clause"), None)
        if clause is not None:
            raw = re.sub(r"^\s*Package \w+ (is (a|the) )?", "", comment_above(lines, clause.start_point[0], language))
    if not raw:
        return
    for child in root.named_children:
        inner = {child.type} | {c.type for c in child.named_children}
        if inner & definitions:
            code = data[child.start_byte : child.start_byte + MAX_CODE].decode("utf-8", "replace")
            yield "file", file_name(path), "", raw, raw, code
            return


def file_name(path):
    """What a file is known by: its stem, or its folder's name where every folder has such a file."""
    parts = path.split("/")
    stem = parts[-1].split(".")[0]
    return parts[-2] if len(parts) > 1 and stem in ("mod", "lib", "main", "__init__", "doc", "index") else stem
