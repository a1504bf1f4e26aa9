"""The table of attack.sh: runs the tests, and holds what they tell against docs/security.md."""

import json
import re
import subprocess
import sys

TESTS, FORM, ONLY = sys.argv[1:4]
COLUMNS = ("attack", "database", "figure", "bound", "holds")


def wanted():
    """The rows of the page, each with the databases that it is attacked on."""
    with open("docs/security.md", encoding="utf-8") as page:
        lines = page.read().split("\n## Taking more than a share\n")[1].split("\n## ")[0].splitlines()
    rows = [line.strip("|").split("|")[0].strip() for line in lines if line.startswith("| ")][1:]
    both = {"SQLite", "PostgreSQL"}
    return {row: {"PostgreSQL"} if "PostgreSQL" in row else both for row in rows}


def attack():
    """Runs the tests one after the other; their figures, and whether all went well."""
    command = [TESTS, f"attack::{ONLY}", "--test-threads=1", "--nocapture"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    figures = []
    for line in process.stdout:
        # The runner begins a line with the name of the test.
        found = re.search(r"attack: (\{.*\})", line)
        if found:
            figures.append(json.loads(found[1]))
        else:
            print(line, end="", file=sys.stderr)
    return figures, process.wait() == 0


def main():
    figures, all_went_well = attack()
    lines = [COLUMNS] + [[str(row[name]) for name in COLUMNS[:4]] + ["yes" if row["holds"] else "NO"]
                         for row in figures]
    widths = [max(len(line[column]) for line in lines) for column in range(len(COLUMNS))]
    for line in lines:
        print(" | ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
    # In the short form times are told and not judged.
    wrong = [f"beyond its bound: {row['attack']}, {row['database']}, {row['figure']}"
             for row in figures if not row["holds"] and FORM == "long"]
    for attack_, databases in wanted().items():
        on = {row["database"] for row in figures if row["attack"] == attack_}
        # In the short form, what has nothing to do with the database is attacked on one of them.
        missing = databases - on if FORM == "long" else set() if on else databases
        if not ONLY:
            wrong += [f"missing: {attack_}, {database}" for database in sorted(missing)]
    if not all_went_well:
        wrong.append("a test has failed; see above")
    for line in wrong:
        print(f"WRONG: {line}")
    print(f"{len(figures)} figures, {len(wrong)} wrong")
    return 1 if wrong else 0


sys.exit(main())
