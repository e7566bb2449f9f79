"""Prints what was counted as Markdown."""


def share(part, whole):
    return f"{part / whole:.3f}" if whole else "-"


def table(head, rows, hidden=()):
    shown = [at for at, name in enumerate(head) if name not in hidden]
    print("| " + " | ".join(head[at] for at in shown) + " |")
    print("|---|" + "---:|" * (len(shown) - 1))
    for row in rows:
        print("| " + " | ".join(str(row[at]) for at in shown) + " |")
    print()


# Columns of languages with overloads only.
OVERLOADS = ("another overload", "precision with overloads as one", "recall with overloads as one")
FACTS = ("checked", "right", "another overload", "wrong", "external", "not known", "precision", "precision with overloads as one")
OUTCOMES = ("right", "another overload", "wrong", "among the ambiguous", "not among the ambiguous", "unresolved", "no edge")
REFERENCES = ("references", *OUTCOMES, "recall", "recall with overloads as one", "with candidates")


def facts(count, where, what, value):
    """The columns of FACTS, by name."""
    parts = [count.precision[where, what, value, verdict] for verdict in FACTS[1:5]]
    unknown = sum(count.precision[where, what, value, verdict] for verdict in ("not known", "at a definition"))
    return dict(zip(FACTS, (sum(parts), *parts, unknown, share(parts[0], sum(parts)), share(parts[0] + parts[1], sum(parts)))))


def references(count, where, wanted, what, value):
    """The columns of REFERENCES, by name."""
    parts = [count.recall[where, wanted, what, value, outcome] for outcome in OUTCOMES]
    return dict(zip(REFERENCES, (sum(parts), *parts, share(parts[0], sum(parts)), share(parts[0] + parts[1], sum(parts)),
                                 share(parts[0] + parts[3], sum(parts)))))


def project(count):
    """One row of the table of projects."""
    inside, wanted = facts(count, "body", "all", ""), references(count, "body", "wanted", "all", "")
    return {"files": count.totals["files"], "not seen": count.totals["files not seen"], "left out": count.totals["left out"],
            **{name: {**inside, **wanted}[name] for name in (
                "precision", "precision with overloads as one", "recall", "recall with overloads as one", "with candidates")},
            "facts checked": inside["checked"], "references": wanted["references"],
            "facts outside of bodies: precision": facts(count, "outside", "all", "")["precision"],
            "recall there": references(count, "outside", "wanted", "all", "")["recall"]}


def report(counts, total, errors, examples):
    """Prints the counts of each project, by name, and of all; `errors` is how many kinds of error, `examples` how many of each."""
    hidden = () if any(verdict == "another overload" for *_, verdict in total.precision) else OVERLOADS
    every = [(name, project(count)) for name, count in [*counts.items(), *([("all", total)] if len(counts) > 1 else [])]]
    print("Projects, inside of bodies:\n")
    table(["project", *every[0][1]], [[name, *row.values()] for name, row in every], hidden)
    for what in ("tier", "kind"):
        print(f"Facts inside of bodies, by {what}:\n")
        values = sorted({key[2] for key in total.precision if key[1] == what})
        table([what, *FACTS], [[value, *facts(total, "body", what, value).values()] for value in values], hidden)
    for what, title in (("kind", "what they lead to"), ("form", "what they look like"), ("receiver", "what stands before the name")):
        print(f"References inside of bodies, by {title}:\n")
        values = sorted({key[3] for key in total.recall if key[:3] == ("body", "wanted", what)},
                        key=lambda value: (-references(total, "body", "wanted", what, value)["references"], value))
        rows = [[value, *references(total, "body", "wanted", what, value).values()] for value in values[:24]]
        if what == "kind":
            beside = sorted({key[3] for key in total.recall if key[:3] == ("body", "beside", what)})
            rows += [[f"({value}, not counted)", *references(total, "body", "beside", what, value).values()] for value in beside]
        table([what, *REFERENCES], rows, hidden)
    print("Right references by the tier that found them:\n")
    table(["tier", "references"], [[tier, total.recall["body", "wanted", "tier", tier, "right"]]
          for tier in sorted({key[3] for key in total.recall if key[:3] == ("body", "wanted", "tier")})])
    for title, found in (("Most frequent errors, by what would have to be known", total.groups),
                         ("Most frequent errors, as fine as the syntax tells", total.errors)):
        print(f"{title}:\n")
        for name, number in found.most_common(errors):
            print(f"- {number} {name}")
            step = max(1, len(total.examples[name]) // max(1, examples))
            for one in total.examples[name][::step][:examples]:
                print(f"  - {one['project']} `{one['at']}` `{one['name']}`: ours {one['ours']}; true {one['true']}")
        print()
