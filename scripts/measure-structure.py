#!/usr/bin/env python3
"""Measures how much there is to read, and what hangs together: lines of production code, methods of
the store's ports, crates that a build takes, and files that import each other in a circle.

    scripts/measure-structure.py [ROOT]      another checkout than this one, to compare with

Production code is every .rs file below a crate's src but those of tests, without modules for tests;
lines that are blank or only comments count too. The sandbox is the outside world and left out.
"""

import pathlib
import re
import subprocess
import sys

CRATES = ("core", "networks", "store", "worker", "http", "cli", "media")
# Another form of what an embedding program takes: the rules, the engine and SQLite.
CORE_AND_SQLITE = ("scheduler-core", "scheduler-store", "scheduler-worker")


def production(path):
    """The lines of a file that are not for tests."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("#[cfg(test)]") and any(
                following.startswith("mod ") and following.endswith("{")
                for following in lines[number + 1:number + 4]):
            return lines[:number]
    return lines


def is_test(path):
    return path.name == "tests.rs" or path.name.endswith("_tests.rs") or "tests" in path.parts[-3:-1]


def sources(root, crate):
    folder = root / f"scheduler-{crate}" / "src"
    return sorted(path for path in folder.rglob("*.rs") if not is_test(path.relative_to(root)))


def store_methods(root):
    """Methods of the traits that make a store, and those of them that have no default."""
    ports = root / "scheduler-core" / "src" / "ports"
    methods, needed = 0, 0
    for path in sorted(ports.rglob("*.rs")):
        text = "\n".join(line for line in production(path) if not line.lstrip().startswith("//"))
        for trait in re.finditer(r"pub trait \w*(?:Store|Queue)\b[^{]*\{(.*?)\n\}", text, re.S):
            for signature in re.split(r"\n    (?:async )?fn ", trait[1])[1:]:
                methods += 1
                needed += re.search(r"[;{]", signature)[0] == ";"
    return methods, needed


def crates(root, packages):
    """Crates that are compiled for these packages."""
    command = ["cargo", "tree", "--quiet", "--edges", "normal,build", "--prefix", "none",
               "--format", "{p}", "--manifest-path", str(root / "Cargo.toml")]
    for package in packages:
        command += ["--package", package]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return len({" ".join(line.split()[:2]) for line in told.splitlines() if line.strip()})


def modules(files, src):
    """The files of a crate by the paths of their modules."""
    found = {}
    for path in files:
        parts = list(path.relative_to(src).with_suffix("").parts)
        if parts[-1] in ("mod", "lib", "main"):
            parts.pop()
        found[tuple(parts)] = path
    return found


def flattened(tree):
    """The paths of a use declaration, its braces resolved."""
    if "{" not in tree:
        return [tree.split(" as ")[0].strip()]
    before, inner = tree.split("{", 1)
    parts, depth, part = [], 0, ""
    for letter in inner[:inner.rindex("}")]:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return [before.strip() + path for part in [*parts, part] if part.strip()
            for path in flattened(part.strip())]


def imports(lines, module, known):
    """The modules that a file takes something from."""
    text = "\n".join(line for line in lines if not line.lstrip().startswith("//"))
    # Who may see an item is no import.
    text = re.sub(r"\bpub\(in [^)]*\)", "", text)
    declared = re.findall(r"\buse ((?:crate|super|self)\b[^;]*);", text)
    paths = [path for tree in declared for path in flattened(tree)]
    rest = re.sub(r"\buse [^;]*;", "", text)
    paths += re.findall(r"\b(?:crate|super)(?:::\w+)+", rest)
    # A module of its own is named without a beginning.
    children = {name for name in re.findall(r"\bmod (\w+);", text) if (*module, name) in known}
    paths += [f"self::{name}" for name in set(re.findall(r"(?<![:\w])(\w+)::", rest)) & children]
    for path in paths:
        parts = [part.strip() for part in path.split("::")]
        base = list(module)
        if parts[0] == "crate":
            base = []
        while parts and parts[0] in ("crate", "super", "self"):
            if parts.pop(0) == "super":
                base = base[:-1]
        wanted = (*base, *parts)
        while wanted and wanted not in known:
            wanted = wanted[:-1]
        if wanted != module:
            yield wanted


def circles(root, crate):
    """The sizes of the sets of files that all lead to each other by imports, the largest first."""
    src = root / f"scheduler-{crate}" / "src"
    known = modules(sources(root, crate), src)
    edges = {module: {to for to in imports(production(path), module, known) if to in known}
             for module, path in known.items()}
    index, low, stack, sizes = {}, {}, [], []

    def visit(start):
        work = [(start, iter(edges[start]))]
        index[start] = low[start] = len(index)
        stack.append(start)
        while work:
            module, left = work[-1]
            for to in left:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    work.append((to, iter(edges[to])))
                    break
                if to in stack:
                    low[module] = min(low[module], index[to])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[module])
                if low[module] == index[module]:
                    size = len(stack) - stack.index(module)
                    del stack[-size:]
                    if size > 1:
                        sizes.append(size)

    for module in edges:
        if module not in index:
            visit(module)
    return sorted(sizes, reverse=True)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    total = 0
    print("crate      lines  files  above 500  circles of files")
    for crate in CRATES:
        files = sources(root, crate)
        sizes = [len(production(path)) for path in files]
        total += sum(sizes)
        above = sum(1 for path in files if len(path.read_text(encoding="utf-8").splitlines()) > 500)
        shown = ", ".join(map(str, circles(root, crate)[:4])) or "none"
        print(f"{crate:8} {sum(sizes):7} {len(files):6} {above:10}  {shown}")
    print(f"{'all':8} {total:7}")
    methods, needed = store_methods(root)
    print(f"methods of a store: {methods}, of which needed: {needed}")
    print(f"crates of core, SQLite and worker: {crates(root, CORE_AND_SQLITE)}")
    print(f"crates of the program: {crates(root, ['scheduler-cli'])}")


main()
