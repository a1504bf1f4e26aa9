"""One post on one network: publish, look, edit, read, remove. See scripts/live.sh.

    run.py BINARY FOLDER NETWORK imitation|live [EXPECTED]

Starts `BINARY serve` on the loopback, over the imitations or over the accounts of FOLDER, and does
each step by the command line, as a person would. Prints a line of JSON for each step, in which
nothing stands that is another at every run. With EXPECTED, a file of such lines, it prints what
differed from them instead, and the exit code tells whether anything did.
"""

import json
import os
import pathlib
import subprocess
import sys
import threading
import time

# What a post of each network needs besides its text: a file, and options.
NEEDS = {
    "instagram": ("picture", []),
    "pinterest": ("picture", ["pinterest.boardId={board}", "pinterest.title=A trial"]),
    "tiktok": ("video", ["tiktok.privacy=SELF_ONLY"]),
    "youtube": ("video", ["youtube.title=A trial", "youtube.privacy=private"]),
    "mastodon": (None, ["mastodon.visibility=unlisted"]),
}
TEXT = "A trial of a scheduler, which takes this down again at once."
AGAIN = "A trial of a scheduler, changed, which takes this down again at once."
# Seconds that a post may take to be live.
PATIENCE = 900


class Trial:
    def __init__(self, binary, folder, imitation):
        self.binary, self.folder = binary, folder
        self.environment = os.environ | {"SCHEDULER_DATA": folder}
        command = [binary, "serve", "--listen", "127.0.0.1:0"] + (["--sandbox"] if imitation or "SCHEDULER_SANDBOX_URL" in os.environ else [])
        self.server = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.server.stdout:
            if line.startswith("Listening on "):
                self.environment["SCHEDULER_URL"] = line.split()[2].rstrip("/")
                break
        else:
            sys.exit("the server did not start")
        threading.Thread(target=self.server.stdout.read, daemon=True).start()
        self.environment["SCHEDULER_API_KEY"] = os.environ.get("LIVE_API_KEY") or pathlib.Path(folder, "first-key").read_text().strip()

    def call(self, *arguments):
        """Runs a command; what it printed, and whether it was done."""
        ran = subprocess.run([self.binary, "--json", *arguments], env=self.environment, capture_output=True, text=True, timeout=PATIENCE)
        try:
            answer = json.loads(ran.stdout)
        except ValueError:
            answer = {"error": {"message": (ran.stderr or ran.stdout).strip()}}
        return ran.returncode == 0, answer

    def end(self):
        self.server.terminate()
        self.server.wait()


def target_of(answer):
    post = answer.get("data", answer)
    post = post.get("post", post)
    return post, (post.get("targets") or [{}])[0]


def why(answer):
    return answer.get("error", {}).get("code") or answer.get("error", {}).get("message")


def trial(binary, folder, network, imitation):
    it = Trial(binary, folder, imitation)
    steps = []

    def step(name, done, **more):
        steps.append({"step": name, "done": done} | {key: value for key, value in more.items() if value is not None})

    try:
        sheets = it.call("platforms", network)[1]
        sheet = sheets.get("data", sheets)
        sheet = sheet[0] if isinstance(sheet, list) else sheet
        kind, options = NEEDS.get(network, (None, []))
        arguments = ["post", TEXT, "--to", network, "--now"]
        if kind:
            file = os.environ.get(f"LIVE_{kind.upper()}")
            if not file and kind == "video":
                sys.exit(f"{network} takes videos: LIVE_VIDEO has to name one, of a few seconds")
            if not file:
                file = str(pathlib.Path(__file__).with_name("trial.jpg"))
            arguments += ["--media", file]
        for option in options:
            board = os.environ.get("LIVE_BOARD", "")
            if "{board}" in option and not board:
                found = it.call("channels", "boards", network)[1]
                boards = found.get("data") or [{}]
                board = str(boards[0].get("id", ""))
            arguments += ["--option", option.replace("{board}", board)]
        done, answer = it.call(*arguments)
        post, _ = target_of(answer)
        if not done:
            print(f"it was said: {json.dumps(answer)}", file=sys.stderr)
            step("publish", False, why=why(answer))
            return steps
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            post, target = target_of(it.call("posts", "show", post["id"])[1])
            if target.get("status") in ("published", "failed", "canceled"):
                break
            time.sleep(1)
        step("publish", target.get("status") == "published", code=target.get("errorCode"), id=bool(target.get("remoteId")), link=bool(target.get("remoteUrl")))
        if target.get("status") != "published":
            print(f"it was said: {target.get('error')}", file=sys.stderr)
            return steps
        # Figures of a private video of TikTok cannot be read: it has no link.
        if sheet.get("metricFields") and target.get("remoteUrl"):
            done, answer = it.call("metrics", post["id"], "--live")
            step("figures", done, why=None if done else why(answer))
        if sheet.get("canReadComments"):
            done, answer = it.call("comments", post["id"], network)
            step("comments", done, why=None if done else why(answer))
        if target.get("canEditRemote"):
            done, answer = it.call("posts", "edit-live", post["id"], network, "--text", AGAIN)
            step("edit", done, why=None if done else why(answer))
        if target.get("canDeleteRemote"):
            done, answer = it.call("posts", "take-down", post["id"], network, "--yes")
            step("remove", done, why=None if done else why(answer))
        else:
            print(f"{network} takes nothing down for applications: remove the post by hand", file=sys.stderr)
    finally:
        it.end()
    return steps


def main():
    binary, folder, network, how, *expected = sys.argv[1:]
    steps = trial(binary, folder, network, how == "imitation")
    lines = [json.dumps(one, sort_keys=True) for one in steps]
    for line in lines:
        print(line)
    if not expected:
        sys.exit(0 if steps and all(one["done"] for one in steps) else 1)
    wanted = pathlib.Path(expected[0]).read_text().splitlines()
    differs = 0
    for at in range(max(len(lines), len(wanted))):
        got = lines[at] if at < len(lines) else "nothing"
        want = wanted[at] if at < len(wanted) else "nothing"
        if got != want:
            differs += 1
            print(f"DIFFERS: {got}\n   from: {want}")
    print(f"live {network}: {len(lines)} steps, {differs} differ from the imitation")
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
