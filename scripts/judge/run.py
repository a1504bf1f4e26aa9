"""Has each judge read the requests of the adapters, and first a request that is wrong on purpose.

    run.py CACHE REQUESTS NETWORK…

Prints the violations and a line for each network. What known.json names is counted apart: a
difference that has a reason. The exit code tells whether there is any other, or a judge that finds
nothing wrong with what is.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
IN_NODE = {"bluesky", "discord", "mastodon", "telegram"}


def judge(cache, requests, network):
    """Runs one judge: the violations, and how many requests it has judged."""
    if network in IN_NODE:
        command = ["node", f"{cache}/node/judge.mjs", requests, network, f"{cache}/node"]
    else:
        command = [f"{cache}/python/bin/python", str(HERE / "judge.py"), requests, network]
    ran = subprocess.run(command, capture_output=True, text=True)
    if ran.returncode != 0:
        raise RuntimeError((ran.stderr.strip().splitlines() or ["no word"])[-1])
    *found, last = ran.stdout.splitlines()
    return [line.strip() for line in found], int(last.split()[1])


def main():
    cache, requests, *networks = sys.argv[1:]
    known = json.loads((HERE / "known.json").read_text())
    planted = json.loads((HERE / "planted.json").read_text())
    bad = total = judged_all = 0
    for network in networks:
        try:
            with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
                json.dump([request for request in planted if request["network"] == network], file)
                file.flush()
                if not judge(cache, file.name, network)[0]:
                    raise RuntimeError("the judge finds nothing wrong with a request that is wrong on purpose")
            found, judged = judge(cache, requests, network)
            if not judged:
                raise RuntimeError("no request was judged")
        except RuntimeError as error:
            print(f"FAILED  {network:10}{error}")
            bad += 1
            continue
        new = [one for one in found if not any(one.startswith(name) for name in known)]
        print(f"{'DIFFERS' if new else 'ok':8}{network:10}{judged} requests, {len(new)} violations, {len(found) - len(new)} known", flush=True)
        for one in new:
            print(f"          {one}")
        total += len(new)
        judged_all += judged
    print(f"judge: {len(networks)} networks, {judged_all} requests, {total} violations")
    sys.exit(1 if bad or total else 0)


if __name__ == "__main__":
    main()
