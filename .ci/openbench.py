#!/usr/bin/env python3
"""OpenBench's own server and worker play a test of two of our commits and generate data, on this machine alone.

    python3 .ci/openbench.py --openbench OPENBENCH --fastchess FASTCHESS [--dev HEAD] [--base HEAD~1]

OPENBENCH and FASTCHESS are git repositories of AndyGrant/OpenBench and Disservin/fastchess. Needed besides: Python up to
3.12 with venv, make, g++, pkill, cargo, and a release build: the engine (--engine) makes the first openings, and
squarewise-lab beside it (--lab) imports the data at the end.

Everything runs in the folder --work and over 127.0.0.1:

1. A hub takes the place of GitHub: it answers the few requests that OpenBench makes there, from the repositories given
   here. The server accepts its address because of two changed lines (openbench.patch); the worker runs as shipped.
2. The server starts with an empty database, docs/openbench/Squarewise.json as its only engine, and two workloads are
   created by its own forms: a test of --dev against --base, and data generation by --dev.
3. The worker builds fastchess and both commits, runs their benchmarks and genfens, and plays.
4. The data is downloaded from the server, imported, and tables are fitted to it.

With --tuning-lab, a squarewise-lab built with the feature tuning, its SPSA inputs are entered into the form Create Tune too.
The worker kills its engines by name, with pkill; here it finds only those of its own session.
"""

import argparse
import contextlib
import hashlib
import http.cookiejar
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time
import urllib.parse
import urllib.request
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from signature import RECORD, recorded_in

HOME = Path(__file__).resolve().parent.parent
# The commit of OpenBench that this was last run with; the patch is made for it.
OPENBENCH_COMMIT = "9906bad"
USER, PASSWORD = "tester", "loopback-only"
BOOK = "openings.epd"
# Small enough for minutes on two cores: 8 games and 64 games.
TEST_GAMES, DATA_GAMES = 8, 64


def run(*command, **settings):
    """Runs a command; its failure ends the script."""
    return subprocess.run(command, check=True, text=True, capture_output=True, **settings).stdout


def git(*arguments, repository=HOME):
    return run("git", "-C", str(repository), *arguments).strip()


class Hub(ThreadingHTTPServer):
    """What GitHub answers to OpenBench: commits, archives, and the books of another repository."""

    def __init__(self, fastchess, book):
        super().__init__(("127.0.0.1", 0), HubHandler)
        self.fastchess, self.book = fastchess, book
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def answer(self, path):
        """The content at a path; None if there is nothing."""
        match path.strip("/").split("/"):
            case ["engine", "squarewise", "branches", *name]:
                return json.dumps({"commit": commit("/".join(name))}).encode()
            case ["engine", "squarewise", "commits", *name]:
                return json.dumps(commit("/".join(name))).encode()
            case ["engine", "squarewise", "compare", *_]:
                return json.dumps({"ahead_by": 0}).encode()
            case ["engine", "squarewise", "zipball", sha]:
                return archive(HOME, sha)
            case ["Disservin", "fastchess", "archive", _]:
                return archive(self.fastchess, "HEAD")
            case ["books", _]:
                return self.book
        return None


class HubHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            content = self.server.answer(urllib.parse.urlsplit(self.path).path)
        except subprocess.CalledProcessError:
            content = None
        self.send_response(200 if content is not None else 404)
        self.end_headers()
        self.wfile.write(content if content is not None else b"{}")

    def log_message(self, form, *arguments):
        print("hub:", form % arguments, file=sys.stderr)


def commit(name):
    """A commit as GitHub's API describes it."""
    sha = git("rev-parse", f"{name}^{{commit}}")
    return {"sha": sha, "commit": {"message": git("log", "-1", "--format=%B", sha)}}


def archive(repository, sha):
    """A zip archive of a commit, in a folder as GitHub's are."""
    command = ["git", "-C", str(repository), "archive", "--format=zip", "--prefix=source/", sha]
    return subprocess.run(command, check=True, capture_output=True).stdout


def signature(sha):
    """The node count of `bench` at a commit."""
    return recorded_in(git("show", f"{sha}:{RECORD}"))


class Server:
    """OpenBench's server, and what a person does in its pages."""

    def __init__(self, folder, python, log):
        self.folder, self.python = folder, python
        self.manage("migrate")
        self.manage("shell", "-c", (
            "from django.contrib.auth.models import User; from OpenBench.models import Profile; "
            f"user = User.objects.create_user('{USER}', '', '{PASSWORD}'); "
            "Profile.objects.create(user=user, enabled=True, approver=True)"))
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [python, "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"]
        self.process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, start_new_session=True)
        self.cookies = http.cookiejar.CookieJar()
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.cookies))
        until(60, "the server", lambda: self.answers())
        self.post("/login/", {"username": USER, "password": PASSWORD})

    def manage(self, *arguments):
        run(self.python, "manage.py", *arguments, cwd=self.folder)

    def answers(self):
        try:
            self.opener.open(f"{self.url}/login/").read()
            return True
        except OSError:
            return False

    def post(self, page, fields):
        """Sends a form, and returns where it leads and what is shown there."""
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        data = urllib.parse.urlencode(fields | {"csrfmiddlewaretoken": token}).encode()
        with self.opener.open(f"{self.url}{page}", data) as answer:
            return urllib.parse.urlsplit(answer.url).path, answer.read().decode()

    def create(self, kind, fields):
        """Creates a workload by its form. A form that is refused comes back with the reasons."""
        destination, page = self.post(f"/{kind}/new/", fields)
        if destination != "/index/":
            reasons = re.findall(r'error-message"?>\s*<pre>(.*?)</pre>', page, re.DOTALL)
            sys.exit(f"the form of a {kind} was refused: {reasons}")

    def get(self, path):
        with self.opener.open(f"{self.url}{path}") as answer:
            return answer.read()

    def workload(self, number):
        return json.loads(self.get(f"/api/workload/{number}/info/"))["info"]

    def results(self, number):
        return json.loads(self.get(f"/api/workload/{number}/results/"))["results"]


def free_port():
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as probe:
        return probe.server_port


def until(seconds, what, condition, process=None):
    """Waits until a condition holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if process is not None and process.poll() is not None:
            sys.exit(f"{what}: the process has ended with code {process.returncode}")
        if time.monotonic() > deadline:
            sys.exit(f"{what}: nothing after {seconds} s")
        time.sleep(2)


def end(process):
    """Ends a process that we started, and all that it has started, which can outlive it."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()


def set_up_server(arguments, hub, work):
    """A copy of OpenBench with our engine, our book, and the hub instead of GitHub."""
    folder = work / "OpenBench"
    run("git", "clone", "--quiet", str(arguments.openbench), str(folder))
    git("checkout", "--quiet", OPENBENCH_COMMIT, repository=folder)
    git("apply", str(HOME / ".ci/openbench.patch"), repository=folder)
    shutil.copy(HOME / "docs/openbench/Squarewise.json", folder / "Engines")
    book = zipfile.ZipFile(io.BytesIO(hub.book)).read(BOOK)
    source = {"sha": hashlib.sha256(book).hexdigest(), "source": f"{hub.url}/books/{BOOK}.zip"}
    (folder / f"Books/{BOOK}.json").write_text(json.dumps(source))
    config_file = folder / "Config/config.json"
    config = json.loads(config_file.read_text())
    config |= {"engines": ["Squarewise"], "books": [BOOK], "fastchess_repo_url": f"{hub.url}/Disservin/fastchess"}
    config_file.write_text(json.dumps(config))
    return folder


def common_fields(arguments, hub):
    """What the forms of all workloads ask for."""
    fields = {
        "book_name": BOOK, "upload_pgns": "COMPACT", "priority": "0", "throughput": "1000", "info": "",
        "syzygy_wdl": "DISABLED", "syzygy_adj": "DISABLED", "win_adj": "movecount=3 score=1200",
        "draw_adj": "movenumber=30 movecount=6 score=8", "scale_method": "BASE", "scale_nps": "1000000",
    }
    for side, name in [("dev", arguments.dev), ("base", arguments.base)]:
        sha = git("rev-parse", f"{name}^{{commit}}")
        fields |= {
            f"{side}_engine": "Squarewise", f"{side}_repo": f"{hub.url}/engine/squarewise", f"{side}_branch": sha,
            f"{side}_bench": str(signature(sha)), f"{side}_network": "", f"{side}_options": "Threads=1 Hash=16",
            f"{side}_time_control": "1.0+0.01",
        }
    return fields


def create_workloads(server, fields):
    """The test is number 1, the data generation number 2. Number 2 is played first, so that its games can be downloaded
    while the worker is on the test."""
    server.create("test", fields | {
        "test_mode": "GAMES", "test_bounds": "N/A", "test_confidence": "N/A",
        "test_max_games": str(TEST_GAMES), "workload_size": str(TEST_GAMES // 4), "upload_pgns": "VERBOSE"})
    server.create("datagen", fields | {
        "book_name": "NONE", "priority": "1", "base_branch": fields["dev_branch"], "base_bench": fields["dev_bench"],
        "dev_time_control": "N=2000", "base_time_control": "N=2000", "datagen_max_games": str(DATA_GAMES),
        "datagen_custom_genfens": "", "datagen_play_reverses": "NO", "workload_size": str(DATA_GAMES // 2)})


def enter_spsa_inputs(server, fields, program):
    """Enters the parameters of a program into the form of a tune, and compares what the server made of them."""
    inputs = run(program, "spsa-inputs").strip()
    server.create("tune", fields | {
        "spsa_inputs": inputs, "spsa_reporting_type": "BULK", "spsa_distribution_type": "SINGLE",
        "spsa_alpha": "0.602", "spsa_gamma": "0.101", "spsa_A_ratio": "0.1", "spsa_iterations": "1000",
        "spsa_pairs_per": "8"})
    received = server.get("/api/spsa/3/inputs/").decode().splitlines()
    fields_of = lambda line: [field if i < 2 else float(field) for i, field in enumerate(line.split(", "))]
    if list(map(fields_of, received)) != list(map(fields_of, inputs.splitlines())):
        sys.exit("the server read the SPSA inputs differently")
    print(f"tune: {len(received)} parameters accepted")


def start_worker(folder, python, server, work, log):
    """The worker as shipped. It needs pkill; ours looks no further than its own session."""
    pkill = shutil.which("pkill") or sys.exit("the worker needs pkill, and there is none")
    programs = work / "bin"
    programs.mkdir()
    shim = programs / "pkill"
    shim.write_text(f'#!/bin/sh\nexec {pkill} --session 0 "$@"\n')
    shim.chmod(0o755)
    command = [python, "client.py", "-U", USER, "-P", PASSWORD, "-S", server.url, "-T", "1", "-N", "1",
               "-I", "loopback", "--no-client-downloads"]
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(command, cwd=folder / "Client", env=environment, stdout=log, stderr=log,
                            stdin=subprocess.DEVNULL, start_new_session=True)


def check(server, number, games):
    """Prints the result of a finished workload, and fails if a game was lost by a fault."""
    info, results = server.workload(number), server.results(number)
    faults = sum(result["crashes"] + result["timeloss"] for result in results)
    played = sum(result["games"] for result in results)
    print(f"workload {number}, {info['test_mode']}: {played} games, losses, draws and wins {info['tri']}, {faults} faults")
    if played < games or faults:
        sys.exit(f"workload {number}: {results}")


def learn(lab, server, work):
    """Downloads the games of the data generation and fits tables to them."""
    archived = server.get("/api/pgns/2/")
    with tarfile.open(fileobj=io.BytesIO(archived)) as tar:
        tar.extractall(work / "data", filter="data")
    files = sorted(str(path) for path in (work / "data").iterdir())
    games, tables = str(work / "games"), str(work / "tables")
    print(run(lab, "import", *files, "--out", games), end="")
    print(run(lab, "tune", "--data", games, "--out", tables, "--epochs", "2"), end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--openbench", type=Path, required=True, help="a git repository of AndyGrant/OpenBench")
    parser.add_argument("--fastchess", type=Path, required=True, help="a git repository of Disservin/fastchess")
    parser.add_argument("--engine", default=str(HOME / "target/release/squarewise"), help="makes openings")
    parser.add_argument("--lab", default=str(HOME / "target/release/squarewise-lab"), help="imports the data")
    parser.add_argument("--tuning-lab", help="a squarewise-lab with the feature tuning, to enter its SPSA inputs too")
    parser.add_argument("--dev", default="HEAD", help="the commit to test and to generate data with")
    parser.add_argument("--base", default="HEAD~1", help="the commit to test it against")
    parser.add_argument("--work", type=Path, default=HOME / "target/openbench", help="a folder, emptied first")
    parser.add_argument("--minutes", type=int, default=120, help="how long the worker may take")
    arguments = parser.parse_args()

    work = arguments.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    openings = run(arguments.engine, "genfens 16 seed 1 book None", "quit", stdin=subprocess.DEVNULL)
    book = io.BytesIO()
    with zipfile.ZipFile(book, "w") as zipped:
        zipped.writestr(BOOK, openings.replace("info string genfens ", ""))
    hub = Hub(arguments.fastchess, book.getvalue())
    folder = set_up_server(arguments, hub, work)

    run(sys.executable, "-m", "venv", str(work / "venv"))
    python = str(work / "venv/bin/python")
    run(python, "-m", "pip", "install", "--quiet", "-r", str(folder / "requirements.txt"),
        "-r", str(folder / "Client/requirements.txt"))

    processes = []
    try:
        with open(work / "server.log", "w") as server_log, open(work / "worker.log", "w") as worker_log:
            server = Server(folder, python, server_log)
            processes.append(server.process)
            fields = common_fields(arguments, hub)
            create_workloads(server, fields)
            worker = start_worker(folder, python, server, work, worker_log)
            processes.append(worker)
            print(f"{server.url} shows it as it goes; the logs are in {work}")
            for number, games in [(2, DATA_GAMES), (1, TEST_GAMES)]:
                finished = lambda: server.workload(number)["finished"]
                until(60 * arguments.minutes, f"workload {number}", finished, worker)
                check(server, number, games)
            # The server packs uploaded games every 15 seconds.
            until(60, "the games", lambda: not server.get("/api/pgns/2/").startswith(b"{"))
            end(worker)
            if arguments.tuning_lab:
                enter_spsa_inputs(server, fields, arguments.tuning_lab)
            learn(arguments.lab, server, work)
    finally:
        for process in reversed(processes):
            end(process)
    print("everything passed")


if __name__ == "__main__":
    main()
