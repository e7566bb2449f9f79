"""What stands where in Python files, by syntax alone: the counterpart of places.js.

`places(text)` gives the bodies of functions, what is defined at which place, and how each name is used.
Lines count from 1, columns from 0 in bytes.
"""
import ast
import re

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = {"property", "cached_property", "abstractproperty", "setter", "getter", "deleter"}


def last_name(node):
    if isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def value_kind(node):
    """How a value is known: what its expression says of its type."""
    if isinstance(node, ast.Await):
        return "await"
    if isinstance(node, ast.Call):
        name = last_name(node)
        if name[:1].isupper():
            return "call of a class"
        return "call of a name" if isinstance(node.func, ast.Name) else "call of a member"
    if isinstance(node, ast.Lambda):
        return "lambda"
    if isinstance(node, ast.Attribute):
        return "attribute"
    return "other value"


class Scope:
    def __init__(self, node, parent):
        self.node, self.parent, self.names = node, parent, {}

    def add(self, name, kind, source=""):
        self.names.setdefault(name, (kind, source))


def bind(scope, statements, is_class=False):
    """What the statements of one scope bind, without the scopes inside of them."""
    where = "class variable" if is_class else "file's variable" if isinstance(scope.node, ast.Module) else "local variable"

    def target(node, kind):
        for one in ast.walk(node):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                scope.add(one.id, kind)

    def visit(node):
        if isinstance(node, FUNCTIONS):
            scope.add(node.name, "method" if is_class else "function")
            return
        if isinstance(node, ast.ClassDef):
            scope.add(node.name, "class")
            return
        if isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            if not isinstance(node, ast.Lambda):
                for generator in node.generators:
                    target(generator.target, "loop variable")
        elif isinstance(node, ast.Import):
            for one in node.names:
                scope.add(one.asname or one.name.split(".")[0], "import of a module", one.name)
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                scope.add(one.asname or one.name, "import of a name", "." * node.level + (node.module or ""))
        elif isinstance(node, ast.Assign):
            for one in node.targets:
                target(one, f"{where} = {value_kind(node.value)}" if isinstance(one, ast.Name) else f"{where}, taken apart")
        elif isinstance(node, ast.AnnAssign):
            target(node.target, f"{where} with type")
        elif isinstance(node, ast.NamedExpr):
            target(node.target, f"{where} = {value_kind(node.value)}")
        elif isinstance(node, (ast.For, ast.AsyncFor)):
            target(node.target, "loop variable")
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            for item in node.items:
                if item.optional_vars:
                    target(item.optional_vars, f"with {value_kind(item.context_expr)} as")
        elif isinstance(node, ast.ExceptHandler) and node.name:
            scope.add(node.name, "caught")
        for child in ast.iter_child_nodes(node):
            visit(child)

    for statement in statements:
        visit(statement)


def fields_of(node):
    """How a class's own attributes are set."""
    found = {}
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found.setdefault(statement.target.id, "field with type")
        elif isinstance(statement, FUNCTIONS):
            if any(last_name(one) in PROPERTIES for one in statement.decorator_list):
                found.setdefault(statement.name, "property with type" if statement.returns else "property without type")
            parameters = {one.arg: one.annotation for one in statement.args.posonlyargs + statement.args.args + statement.args.kwonlyargs}
            for one in ast.walk(statement):
                if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Attribute) and last_name(one.target.value) == "self":
                    found.setdefault(one.target.attr, "field with type")
                if isinstance(one, ast.Assign):
                    for to in one.targets:
                        if isinstance(to, ast.Attribute) and isinstance(to.value, ast.Name) and to.value.id == "self":
                            kind = value_kind(one.value)
                            if isinstance(one.value, ast.Name) and one.value.id in parameters:
                                kind = "parameter with type" if parameters[one.value.id] else "parameter without type"
                            found.setdefault(to.attr, "field = " + kind)
    return found


class Places(ast.NodeVisitor):
    def __init__(self, text):
        self.lines = text.split("\n")
        self.bodies, self.definitions, self.uses = [], [], []
        self.scope, self.classes = None, []
        self.roles = {}

    # Where a name is in `def name` and `class name`.
    def named(self, node, kind):
        line = self.lines[node.lineno - 1].encode()
        found = re.compile(rb"(?:async\s+)?(?:def|class)\s+").match(line, node.col_offset)
        if found:
            self.definitions.append((node.lineno, found.end(), kind, node.name))

    def role(self, node, role):
        self.roles.setdefault(node, role)

    def resolve(self, name):
        scope, first = self.scope, True
        while scope:
            # The names of a class are seen in its own body only.
            if name in scope.names and (first or not isinstance(scope.node, ast.ClassDef)):
                return scope.names[name]
            scope, first = scope.parent, False
        return ("not in the file", "")

    def receiver(self, node):
        if isinstance(node, ast.Name):
            if node.id in ("self", "cls"):
                return (node.id, "")
            return self.resolve(node.id)
        if isinstance(node, ast.Call):
            if last_name(node) == "super" and isinstance(node.func, ast.Name):
                return ("super", "")
            return ("result of a call of a class" if last_name(node)[:1].isupper() else "result of a call", "")
        if isinstance(node, ast.Await):
            return ("await", "")
        if isinstance(node, ast.Subscript):
            return ("element of", "")
        if isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"):
                return ("self, " + (self.classes[-1].get(node.attr, "inherited or unknown field") if self.classes else "?"), "")
            root = node
            while isinstance(root, ast.Attribute):
                root = root.value
            kind, source = self.resolve(root.id) if isinstance(root, ast.Name) else ("", "")
            return ("member of an import", source) if kind.startswith("import") else ("longer chain", "")
        return ("other expression", "")

    def visit_Module(self, node):
        self.scope = Scope(node, None)
        bind(self.scope, node.body)
        self.generic_visit(node)

    def function(self, node):
        decorators = [last_name(one) for one in node.decorator_list]
        in_class = isinstance(self.scope.node, ast.ClassDef)
        kind = "property" if in_class and PROPERTIES & set(decorators) else "constructor" if in_class and node.name == "__init__" else "method" if in_class else "function"
        self.named(node, kind)
        first, last = node.body[0], node.body[-1]
        self.bodies.append((first.lineno, first.col_offset, last.end_lineno, last.end_col_offset))
        for one in node.decorator_list:
            self.role(one.func if isinstance(one, ast.Call) else one, "decorator")
            self.visit(one)
        arguments = node.args
        every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs + [one for one in (arguments.vararg, arguments.kwarg) if one]
        for one in [arg.annotation for arg in every] + [node.returns]:
            if one:
                self.annotation(one)
        for one in arguments.defaults + [one for one in arguments.kw_defaults if one]:
            self.visit(one)
        outer, self.scope = self.scope, Scope(node, self.scope)
        for one in every:
            self.scope.add(one.arg, "parameter with type" if one.annotation else "parameter without type")
        bind(self.scope, node.body)
        for one in node.body:
            self.visit(one)
        self.scope = outer

    visit_FunctionDef = visit_AsyncFunctionDef = function

    def visit_Lambda(self, node):
        outer, self.scope = self.scope, Scope(node, self.scope)
        for one in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
            self.scope.add(one.arg, "parameter without type")
        self.generic_visit(node)
        self.scope = outer

    def visit_ClassDef(self, node):
        self.named(node, "class")
        for one in node.decorator_list:
            self.role(one.func if isinstance(one, ast.Call) else one, "decorator")
            self.visit(one)
        for one in node.bases:
            self.role(one, "base")
            self.visit(one)
        for one in node.keywords:
            self.visit(one)
        outer, self.scope = self.scope, Scope(node, self.scope)
        bind(self.scope, node.body, True)
        self.classes.append(fields_of(node))
        for one in node.body:
            self.visit(one)
        self.classes.pop()
        self.scope = outer

    def annotation(self, node):
        for one in ast.walk(node):
            if isinstance(one, (ast.Name, ast.Attribute)):
                self.role(one, "type")
        self.visit(node)

    def visit_AnnAssign(self, node):
        self.annotation(node.annotation)
        self.visit(node.target)
        if node.value:
            self.role(node.value, "assigned")
            self.visit(node.value)

    def generic_visit(self, node):
        if isinstance(node, ast.Call):
            self.role(node.func, "call")
            for one in node.args + [keyword.value for keyword in node.keywords]:
                self.role(one, "argument")
        elif isinstance(node, ast.Return):
            self.role(node.value, "returned")
        elif isinstance(node, ast.Assign):
            self.role(node.value, "assigned")
        elif isinstance(node, ast.Raise):
            self.role(node.exc, "raised")
        elif isinstance(node, ast.ExceptHandler) and node.type:
            for one in [node.type, *getattr(node.type, "elts", [])]:
                self.role(one, "caught type")
        elif isinstance(node, ast.Attribute):
            self.role(node.value, "receiver")
        elif isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            for one in node.elts:
                self.role(one, "element of a list")
        elif isinstance(node, ast.Dict):
            for one in node.values:
                self.role(one, "value of a dictionary")
        elif isinstance(node, ast.Subscript):
            self.role(node.value, "indexed")
        elif isinstance(node, (ast.Compare, ast.BoolOp, ast.BinOp)):
            for one in ast.iter_child_nodes(node):
                self.role(one, "operand")
        super().generic_visit(node)

    def visit_Name(self, node):
        kind, source = self.resolve(node.id)
        self.uses.append((node.lineno, node.col_offset, self.roles.get(node, "other use"), "none: " + kind, source))

    def visit_Attribute(self, node):
        column = node.end_col_offset - len(node.attr.encode())
        kind, source = self.receiver(node.value)
        role = "assigned to" if isinstance(node.ctx, ast.Store) else self.roles.get(node, "other use")
        self.uses.append((node.end_lineno, column, role, kind, source))
        self.generic_visit(node)


def places(text):
    visitor = Places(text)
    visitor.visit(ast.parse(text))
    return visitor.bodies, visitor.definitions, visitor.uses
