"""Names the errors: as fine as the syntax tells, and by what would have to be known."""
import os
import re


def same_class(ours, truth, place, symbols):
    """Whether what is meant stands in the class of the use, by the lines of our types."""
    for symbol in symbols:
        for path, line, _ in truth.defined.get(symbol, ()):
            for id in ours.at.get((path, line), ()):
                owner = ours.symbols["container_id"][id]
                if owner is not None and path == place[0] and ours.symbols["start_line"][owner] <= place[1] <= ours.symbols["end_line"][owner]:
                    return True
    return False


def plain_situation(use):
    """What the reference looks like, where the compiler's front end has said it."""
    form, receiver, _ = use or ("not known", "not known", "")
    return form, f"plain name: {receiver[6:]}" if receiver.startswith("none: ") else f"member of: {receiver}"


def situation(ours, truth, place, symbols, use):
    """What the reference looks like: its form, and how what stands before the name is known."""
    if not use:
        return "in a formatted string or the like", "not known"
    role, receiver, source = use
    if receiver in ("self", "cls", "super", "this"):
        receiver += "" if same_class(ours, truth, place, symbols) else ", of a base or elsewhere"
    if "import" in receiver or "require" in receiver:
        stem = [part for part in re.sub(r"\.[cm]?[jt]sx?$", "", source).replace("/", ".").split(".") if part]
        inside = [symbol for symbol in symbols if truth.defined.get(symbol)]
        if inside:
            ends = {end for symbol in inside for path, _, _ in truth.defined[symbol] for end in module_ends(path)}
            receiver += "" if (stem[-1:] and stem[-1] in ends) or not stem else ", re-exported"
        if not source.startswith("."):
            receiver += ", by a package's name"
    if receiver.startswith("none: "):
        return role, f"plain name: {receiver[6:]}"
    return role, f"member of: {receiver}"


def module_ends(path):
    folder, name = os.path.split(path)
    stem = name.split(".")[0]
    return {os.path.basename(folder)} if stem in ("index", "__init__") else {stem}



LOCALS = ("parameter", "local variable", "file's variable", "class variable", "variable", "loop variable", "with ",
          "caught", "type parameter")


def false_group(tier, kind, receiver, is_external):
    """What would have to be known for a false fact not to be one."""
    how, _, what = receiver.partition(": ")
    if kind == "test":
        return "false: a test's title is taken for a definition"
    if how == "plain name":
        if what.startswith(LOCALS):
            return f"false: the name is bound by a parameter or variable nearer by ({'the same file' if tier == 'scope' else 'another file'} was said)"
        if "import" in what or "require" in what:
            return "false: the name is imported, and was found elsewhere"
        return "false: a name that is global or built in" if is_external else "false: another definition of the file"
    if what.startswith(("self", "cls", "super", "this")):
        return "false: member of self, this or super, or of their fields"
    if how == "member of":
        return f"false: member of an unknown receiver, truly {'external' if is_external else 'another of the project'}"
    return "false: other"


def missing_group(outcome, form, receiver):
    """What would have to be known for a missing reference to be found."""
    how, _, what = receiver.partition(": ")
    if outcome == "no edge":
        return "missing: no edge where the name is " + {
            "receiver": "what stands before a member (`Name.x`)", "returned": "returned", "assigned": "assigned",
            "argument": "an argument of this form",
        }.get(form, "in another place: " + form)
    if "require" in what:
        return "missing: CommonJS, `module.exports = f`"
    if "import" in what:
        kind = "package, alias or absolute name" if "package's" in what else "relative module"
        return f"missing: import from a {kind}{', re-exported' if 're-exported' in what else ''}"
    if how == "plain name":
        return "missing: plain name: " + what
    if what.startswith(("self, of a base", "cls, of a base", "super", "this, of a base")):
        return "missing: inherited member of self, this or super"
    if what.startswith(("self, ", "field of this")):
        return "missing: receiver is a field of self or this"
    if "await" not in what and what.startswith((
            "local variable = new", "local variable = call of a class", "with call of a class", "file's variable = new",
            "file's variable = call of a class", "new", "result of a call of a class")):
        return "missing: receiver is made by a constructor"
    if "with type" in what:
        return "missing: receiver has a written type"
    if "call of" in what or "result of a call" in what or "await" in what:
        return "missing: receiver is what a call returns"
    return "missing: member of: " + what
