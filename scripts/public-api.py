#!/usr/bin/env python3
"""The public items of the crates that others build on, a line each, against docs/api/*.txt.

    scripts/public-api.py            compares, prints what differs, and fails if anything does
    scripts/public-api.py --renew    writes the files anew

A line that goes or changes breaks programs that use it; one that comes does not. The items are
those that rustdoc knows (`--output-format json`, which a stable one gives where RUSTC_BOOTSTRAP is
set).
"""

import difflib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# The form of rustdoc's JSON that this reads; it changes with some releases of Rust.
FORMAT = 57
CRATES = [
    "scheduler-client",
    "scheduler-core",
    "scheduler-worker",
    "scheduler-store",
    "scheduler-networks",
    "scheduler-conformance",
]


def document():
    """Has rustdoc write what it knows of every crate, and says into which folder."""
    # For rustdoc alone: cargo would build everything anew, for build scripts that read it.
    with tempfile.TemporaryDirectory() as folder:
        rustdoc = Path(folder) / "rustdoc"
        rustdoc.write_text(f'#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec {os.environ.get("RUSTDOC", "rustdoc")} "$@"\n')
        rustdoc.chmod(0o755)
        flags = f'{os.environ.get("RUSTDOCFLAGS", "")} -Z unstable-options --output-format json'
        env = {**os.environ, "RUSTDOC": str(rustdoc), "RUSTDOCFLAGS": flags.strip()}
        # All of the workspace, with the features that its documentation has.
        command = ["cargo", "doc", "--workspace", "--no-deps", "--quiet"]
        subprocess.run(command, cwd=ROOT, check=True, env=env)
    return ROOT / os.environ.get("CARGO_TARGET_DIR", "target") / "doc"


class Api:
    def __init__(self, doc):
        self.index = doc["index"]
        self.paths = doc["paths"]
        self.lines = set()
        # Modules and enums on the way, so that a name that leads back to itself ends.
        self.within = []
        self.item(self.get(doc["root"]), "")

    def get(self, key):
        return self.index.get(str(key))

    # Types as they are written.

    def type(self, ty):
        if ty is None:
            return "()"
        ((kind, of),) = ty.items()
        if kind == "resolved_path":
            return self.path(of)
        if kind in ("generic", "primitive"):
            return "!" if of == "never" else of
        if kind == "tuple":
            return "(" + ", ".join(map(self.type, of)) + ")"
        if kind == "slice":
            return f"[{self.type(of)}]"
        if kind == "array":
            return f"[{self.type(of['type'])}; {of['len']}]"
        if kind == "borrowed_ref":
            lifetime = f"{of['lifetime']} " if of.get("lifetime") else ""
            return f"&{lifetime}{'mut ' if of['is_mutable'] else ''}{self.type(of['type'])}"
        if kind == "raw_pointer":
            return f"*{'mut' if of['is_mutable'] else 'const'} {self.type(of['type'])}"
        if kind == "impl_trait":
            return "impl " + self.bounds(of)
        if kind == "dyn_trait":
            traits = [self.path(one["trait"]) for one in of["traits"]]
            return "dyn " + " + ".join(traits + ([of["lifetime"]] if of.get("lifetime") else []))
        if kind == "qualified_path":
            of_type = self.type(of["self_type"])
            of_trait = of.get("trait")
            owner = f"<{of_type} as {self.path(of_trait)}>" if of_trait and of_trait["path"] else of_type
            return f"{owner}::{of['name']}{self.args(of.get('args'))}"
        if kind == "function_pointer":
            return "fn" + self.signature(of["sig"])
        return "_"

    def path(self, of):
        """A path by the last of its names: where it was imported from is no part of the surface."""
        name = of["path"].rsplit("::", 1)[-1]
        return name + self.args(of.get("args"))

    def args(self, args):
        if not args:
            return ""
        ((kind, of),) = args.items() if isinstance(args, dict) else (("", None),)
        if kind == "angle_bracketed":
            shown = [self.arg(one) for one in of["args"]]
            shown += [self.constraint(one) for one in of["constraints"]]
            return f"<{', '.join(shown)}>" if shown else ""
        if kind == "parenthesized":
            output = of.get("output")
            inputs = ", ".join(map(self.type, of["inputs"]))
            return f"({inputs})" + (f" -> {self.type(output)}" if output else "")
        return ""

    def arg(self, arg):
        if arg == "infer":
            return "_"
        ((kind, of),) = arg.items()
        if kind == "type":
            return self.type(of)
        return of if kind == "lifetime" else str(of.get("expr", of))

    def constraint(self, of):
        ((kind, binding),) = of["binding"].items()
        if kind == "constraint":
            return f"{of['name']}: {self.bounds(binding)}"
        ((what, term),) = binding.items()
        return f"{of['name']} = {self.type(term) if what == 'type' else term.get('expr', '_')}"

    def bounds(self, bounds):
        shown = []
        for bound in bounds:
            ((kind, of),) = bound.items()
            if kind == "trait_bound":
                mark = {"maybe": "?", "maybe_const": "~const "}.get(of["modifier"], "")
                shown.append(mark + self.path(of["trait"]))
            elif kind == "outlives":
                shown.append(of)
        return " + ".join(shown)

    def generics(self, generics):
        shown = []
        for param in generics["params"]:
            ((kind, of),) = param["kind"].items()
            # What `impl Trait` makes stands in the signature already.
            if kind == "type" and of["is_synthetic"]:
                continue
            if kind == "const":
                shown.append(f"const {param['name']}: {self.type(of['type'])}")
            elif kind == "type" and of["bounds"]:
                shown.append(f"{param['name']}: {self.bounds(of['bounds'])}")
            else:
                shown.append(param["name"])
        return f"<{', '.join(shown)}>" if shown else ""

    def where(self, generics):
        shown = []
        for one in generics["where_predicates"]:
            ((kind, of),) = one.items()
            if kind == "bound_predicate":
                shown.append(f"{self.type(of['type'])}: {self.bounds(of['bounds'])}")
        return f" where {', '.join(shown)}" if shown else ""

    def signature(self, sig):
        inputs = ", ".join(self.input(name, ty) for name, ty in sig["inputs"])
        output = sig.get("output")
        return f"({inputs})" + (f" -> {self.type(output)}" if output else "")

    def input(self, name, ty):
        if name == "self":
            shown = self.type(ty)
            return {"Self": "self", "&Self": "&self", "&mut Self": "&mut self"}.get(shown, f"self: {shown}")
        return self.type(ty)

    # Items.

    def say(self, item, text):
        marks = json.dumps(item["attrs"])
        if "non_exhaustive" in marks:
            text += " (non_exhaustive)"
        if item.get("deprecation"):
            text += " (deprecated)"
        self.lines.add(text)

    def is_hidden(self, item):
        return "doc(hidden)" in json.dumps(item["attrs"])

    def item(self, item, prefix):
        if item is None or self.is_hidden(item) or item["id"] in self.within:
            return
        ((kind, of),) = item["inner"].items()
        name = f"{prefix}::{item['name']}" if prefix else item["name"]
        self.within.append(item["id"])
        handler = getattr(self, f"of_{kind}", None)
        if handler:
            handler(item, of, name, prefix)
        self.within.pop()

    def public(self, keys, name):
        for key in keys:
            item = self.get(key)
            if item is not None and item["visibility"] == "public":
                self.item(item, name)

    def of_module(self, item, of, name, _):
        self.say(item, f"mod {name}")
        self.public(of["items"], name)

    def of_use(self, item, of, _name, prefix):
        target = self.get(of["id"]) if of.get("id") is not None else None
        if target is None:
            self.say(item, f"use {prefix}::{of['name']} = {of['source']}")
            return
        ((kind, inner),) = target["inner"].items()
        if of["is_glob"]:
            if kind == "module":
                self.public(inner["items"], prefix)
            elif kind == "enum":
                for key in inner["variants"]:
                    self.item(self.get(key), prefix)
            return
        self.item({**target, "name": of["name"]}, prefix)

    def of_struct(self, item, of, name, _):
        text = f"struct {name}{self.generics(of['generics'])}{self.where(of['generics'])}"
        ((kind, fields),) = of["kind"].items() if isinstance(of["kind"], dict) else ((of["kind"], None),)
        if kind == "tuple":
            shown = [self.field(key) for key in fields]
            text += "(" + ", ".join(shown) + ")"
        elif kind == "plain" and fields["has_stripped_fields"]:
            text += " { .. }"
        self.say(item, text)
        if kind == "plain":
            self.public(fields["fields"], name)
        self.impls(of["impls"], name)

    def field(self, key):
        item = self.get(key) if key is not None else None
        if item is None or item["visibility"] not in ("public", "default"):
            return "_"
        return self.type(item["inner"]["struct_field"])

    def of_struct_field(self, item, of, name, _):
        self.say(item, f"field {name}: {self.type(of)}")

    def of_enum(self, item, of, name, _):
        self.say(item, f"enum {name}{self.generics(of['generics'])}{self.where(of['generics'])}")
        for key in of["variants"]:
            self.item(self.get(key), name)
        self.impls(of["impls"], name)

    def of_variant(self, item, of, name, _):
        kind = of["kind"]
        text = f"variant {name}"
        if isinstance(kind, dict) and "tuple" in kind:
            text += "(" + ", ".join(map(self.field, kind["tuple"])) + ")"
        elif isinstance(kind, dict) and "struct" in kind:
            fields = [self.get(key) for key in kind["struct"]["fields"]]
            shown = [f"{one['name']}: {self.type(one['inner']['struct_field'])}" for one in fields if one]
            text += " { " + ", ".join(shown) + " }"
        self.say(item, text)

    def of_function(self, item, of, name, _):
        header = of["header"]
        marks = "".join(f"{word} " for word in ("const", "async", "unsafe") if header[f"is_{word}"])
        # A method of a trait that an implementation may leave out.
        default = " { .. }" if of["has_body"] and self.in_trait() else ""
        text = f"{marks}fn {name}{self.generics(of['generics'])}{self.signature(of['sig'])}"
        self.say(item, text + self.where(of["generics"]) + default)

    def in_trait(self):
        outer = self.get(self.within[-2]) if len(self.within) > 1 else None
        return outer is not None and "trait" in outer["inner"]

    def of_trait(self, item, of, name, _):
        bounds = self.bounds(of["bounds"])
        text = f"trait {name}{self.generics(of['generics'])}" + (f": {bounds}" if bounds else "")
        self.say(item, text + self.where(of["generics"]))
        for key in of["items"]:
            self.item(self.get(key), name)

    def of_constant(self, item, of, name, _):
        self.say(item, f"const {name}: {self.type(of['type'])}")

    def of_static(self, item, of, name, _):
        self.say(item, f"static {name}: {self.type(of['type'])}")

    def of_assoc_const(self, item, of, name, _):
        self.say(item, f"const {name}: {self.type(of['type'])}")

    def of_assoc_type(self, item, of, name, _):
        bounds = self.bounds(of["bounds"])
        self.say(item, f"type {name}" + (f": {bounds}" if bounds else ""))

    def of_type_alias(self, item, of, name, _):
        self.say(item, f"type {name}{self.generics(of['generics'])} = {self.type(of['type'])}")

    def of_macro(self, item, _of, name, _):
        self.say(item, f"macro {name}!")

    def of_proc_macro(self, item, _of, name, _):
        self.say(item, f"macro {name}!")

    def impls(self, keys, name):
        for key in keys:
            item = self.get(key)
            of = item["inner"]["impl"] if item else None
            if of is None or of["is_synthetic"] or of.get("blanket_impl"):
                continue
            if of["trait"] is None:
                self.public(of["items"], name)
            elif "automatically_derived" in json.dumps(item["attrs"]) or not of["is_negative"]:
                trait = self.path(of["trait"])
                # What derives expand to besides the trait's own name.
                if trait != "StructuralPartialEq":
                    self.lines.add(f"impl {trait} for {name}")


def main():
    renew = sys.argv[1:] == ["--renew"]
    if sys.argv[1:] and not renew:
        sys.exit(__doc__)
    folder = ROOT / "docs" / "api"
    folder.mkdir(exist_ok=True)
    differs = False
    written = document()
    for crate in CRATES:
        doc = json.loads((written / f"{crate.replace('-', '_')}.json").read_text())
        if doc["format_version"] != FORMAT:
            print(f"LEFT OUT: rustdoc writes form {doc['format_version']} of its JSON, and this reads {FORMAT}")
            return
        lines = sorted(Api(doc).lines)
        path = folder / f"{crate}.txt"
        if renew:
            path.write_text("\n".join(lines) + "\n")
            print(f"{path.relative_to(ROOT)}: {len(lines)} items")
            continue
        known = path.read_text().splitlines() if path.exists() else []
        changes = [
            line
            for line in difflib.unified_diff(known, lines, lineterm="", n=0)
            if line[:1] in "+-" and line[:3] not in ("+++", "---")
        ]
        if changes:
            differs = True
            gone = sum(line.startswith("-") for line in changes)
            print(f"{crate}: {gone} items of the public surface gone or changed, {len(changes) - gone} new:")
            print("\n".join(f"  {line}" for line in changes))
        else:
            print(f"{crate}: {len(lines)} items, as {path.relative_to(ROOT)} says")
    if differs:
        sys.exit("If this is meant, run scripts/public-api.py --renew, and tell of it in CHANGELOG.md.")


if __name__ == "__main__":
    main()
