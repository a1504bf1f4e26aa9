"""What is measured on: the built programs, databases, servers, and the tools that load them."""

import contextlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from benchmarks import copies

# How many connections ask at once.
CONNECTIONS = 16
# What lets a key ask as fast as it is answered.
UNLIMITED = {
    "SCHEDULER_RATE_LIMIT_PER_MINUTE": "1000000",
    "SCHEDULER_RATE_LIMIT_BURST": "100000",
    "SCHEDULER_BATCHES_PER_MINUTE": "1000",
}


class Machine:
    """Owns a folder, a PostgreSQL cluster and every process that is started; all end with it."""

    def __init__(self, short, posts):
        self.short = short
        self.posts = posts
        self.pairs = 1 if short else 7
        self.seconds = 1 if short else 3
        self._stack = contextlib.ExitStack()
        self._names = 0
        self._cluster = None

    def __enter__(self):
        self.folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="bench-")))
        for tool in ("wrk", "psql", "pgbench"):
            if not shutil.which(tool):
                raise SystemExit(f"{tool} is needed: install it, such as by apt-get install {tool}")
        self.binary = os.environ.get("BENCH_BINARY") or built("--bin", "scheduler")
        # The engine beside a server of the same build.
        self.engine = os.environ.get("BENCH_ENGINE") or built("--example", "measure_engine")
        return self

    def __exit__(self, *failure):
        return self._stack.__exit__(*failure)

    def description(self):
        """The machine, as far as figures depend on it."""
        model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        memory = int(re.search(r"MemTotal:\s*(\d+)", Path("/proc/meminfo").read_text())[1]) >> 20
        cores = os.cpu_count()
        return f"{cores} cores ({model[1] if model else platform.machine()}), {memory} GiB, {self.pairs} pairs"

    def new_name(self, what):
        self._names += 1
        return f"{what}{self._names}"

    def cluster(self):
        """The folder of the socket of a PostgreSQL of its own, durable as it comes."""
        if self._cluster:
            return self._cluster
        programs = next(
            (str(Path(path).parent) for path in [shutil.which("initdb")] if path), None
        ) or str(sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1])
        folder = self.folder / "cluster"
        folder.mkdir()
        user = None
        if os.getuid() == 0:
            # It does not run as root.
            user = "postgres"
            os.chmod(self.folder, 0o711)
            shutil.chown(folder, "postgres")

        def run(program, *arguments):
            command = [f"{programs}/{program}", f"--pgdata={folder}", *arguments]
            subprocess.run(command, check=True, user=user, stdout=subprocess.DEVNULL, cwd="/")

        run("initdb", "--auth=trust", "--username=postgres")
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c shared_buffers=512MB"
        run("pg_ctl", "start", "--silent", "--wait", f"--log={folder}/log", f"--options={options}")
        self._stack.callback(run, "pg_ctl", "stop", "--silent", "--mode=immediate")
        self._cluster = folder
        return folder

    def new_database(self, database):
        """The address of an empty database."""
        name = self.new_name("db")
        if database == "sqlite":
            return f"sqlite:{self.folder}/{name}.db"
        copies.psql(self.address("postgres"), f"CREATE DATABASE {name}")
        return self.address(name)

    def address(self, name):
        return f"postgres:///{name}?host={self.cluster()}&user=postgres"

    def begin(self, command, **more):
        """Starts a process that ends with the machine at the latest."""
        process = subprocess.Popen(command, start_new_session=True, **more)
        self._stack.callback(end, process)
        return process

    def run_engine(self, what, address, number, key=None):
        """A figure of the engine, in seconds (tests/bench/engine.rs); `key` is that of a server."""
        environment = {**os.environ, "BENCH_SECRET_KEY": str(key or self.folder / "engine.key")}
        done = subprocess.run(
            [self.engine, what, address, str(number)],
            check=True, capture_output=True, text=True, env=environment,
        )
        return float(done.stdout)


class Server:
    """A running server on a folder and a database of its own."""

    def __init__(self, machine, database, folder=None, address=None, sandbox=True, limited=False, **settings):
        self.machine = machine
        self.limits = {} if limited else UNLIMITED
        self.networks = ["--sandbox"] if sandbox else []
        self.folder = folder or machine.folder / machine.new_name("server")
        self.folder.mkdir(exist_ok=True)
        if address is None:
            file = f"sqlite:{self.folder}/scheduler.db"
            address = file if database == "sqlite" else machine.new_database(database)
        self.database = address
        self.start(settings)

    def start(self, settings):
        environment = {
            **os.environ,
            **self.limits,
            **{f"SCHEDULER_{name.upper()}": value for name, value in settings.items()},
        }
        command = [self.machine.binary, "serve", *self.networks, "--data", str(self.folder),
                   "--database", self.database, "--listen", "127.0.0.1:0"]
        out = self.folder / "out"
        begun = time.perf_counter()
        with out.open("w") as stdout, (self.folder / "log").open("w") as stderr:
            self.process = self.machine.begin(command, env=environment, stdout=stdout, stderr=stderr)
        while not (found := re.search(r"^Listening on (.*)$", out.read_text(), re.M)):
            if self.process.poll() is not None:
                raise RuntimeError((self.folder / "log").read_text()[-2_000:])
            time.sleep(0.005)
        self.started_in = time.perf_counter() - begun
        self.url = found[1]
        self.key = (self.folder / "first-key").read_text().strip()

    def call(self, path, body=None):
        return copies.call(f"{self.url}/v1", self.key, path, body)

    def run(self, *arguments):
        """What a command on its folder and database prints."""
        command = [self.machine.binary, *arguments, "--data", str(self.folder), "--database", self.database]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def resident(self):
        """The memory that it holds, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s*(\d+)", status)[1]) / 1_024

    def stop(self):
        end(self.process)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.stop()


def end(process):
    """Ends a process that this program has started, and what it has started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def built(*target):
    """The program that cargo builds in the release profile."""
    arguments = ["cargo", "build", "--quiet", "--release", "--workspace", *target, "--message-format=json"]
    done = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True)
    made = [json.loads(line) for line in done.stdout.splitlines()]
    return [one["executable"] for one in made if one.get("executable")][-1]


def wrk(server, path, seconds, script=None):
    """Asks as fast as it is answered: requests a second, and the 99th percentile in milliseconds."""
    command = ["wrk", "-t2", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency",
               "-H", f"Authorization: Bearer {server.key}"]
    if script:
        file = server.folder / "load.lua"
        file.write_text(script)
        command += ["-s", str(file)]
    done = subprocess.run([*command, server.url + path], check=True, capture_output=True, text=True)
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", done.stdout)
    if refused:
        raise RuntimeError(f"{path}: {refused[1]} requests were refused")
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)", done.stdout).groups()
    scale = {"us": 0.001, "ms": 1, "s": 1_000}[unit]
    return float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout)[1]), float(value) * scale


def pgbench(machine, address, seconds, clients, statement):
    """Transactions a second of one statement."""
    file = machine.folder / "statement.sql"
    file.write_text(statement)
    done = subprocess.run(
        ["pgbench", "-n", "-f", str(file), f"-c{clients}", "-j2", f"-T{seconds}", address],
        check=True, capture_output=True, text=True,
    )
    return float(re.search(r"tps = ([\d.]+)", done.stdout)[1])
