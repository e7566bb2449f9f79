"""Builds a collection on a Ray cluster: each shard of a plan is a task, then comes the merge.

    ray job submit --address http://HEAD:8265 --working-dir . -- \\
        python build.py plan.json --to s3://indexes/all
    python build.py plan.json --to /srv/indexes      # on this machine, without a cluster

'sextant-index' must be on the PATH of every worker, and the location reachable from each. A task that fails, or whose
worker is lost, is tried again; a shard does not build again what it has uploaded, so neither does a driver that is
started again. Exit codes: those of 'sextant-index merge'.
"""

import argparse
import json
import subprocess
import sys

import ray


class ShardFailed(Exception):
    """Some sources of a shard could not be built."""


def run_shard(plan: bytes, number: int, location: str, threads: int, work: str) -> dict:
    """Builds a shard on the worker that this runs on, and returns its report."""
    import os
    import tempfile

    os.makedirs(work, exist_ok=True)
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        file.write(plan)
        file.flush()
        command = ["sextant-index", "shard", file.name, str(number), "--to", location, "--json"]
        # Tasks of one machine run side by side, each in a folder of its own.
        command += ["--threads", str(threads), "--work", os.path.join(work, f"shard-{number}")]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise ShardFailed(done.stderr.strip() or f"exit code {done.returncode}")
    return json.loads(done.stdout.splitlines()[-1])["report"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("plan", help="what 'sextant-index plan' has written")
    parser.add_argument("--to", required=True, metavar="LOCATION", help="location of the collection")
    parser.add_argument("--threads", type=int, default=1, help="processors of a task")
    parser.add_argument("--at-once", type=int, help="tasks that Ray is given at a time, more than it has room for where a "
                        "cluster grows [default: twice as many as it has room for]")
    parser.add_argument("--tries", type=int, default=3, help="attempts for each shard")
    parser.add_argument("--work", default="/tmp/sextant-work", help="folder on each worker for checkouts and indexes")
    parser.add_argument("--bytes-per-source-byte", type=float, default=12.0, help="memory that a task asks for")
    parser.add_argument("--allow-missing", action="store_true", help="merge although shards have failed")
    args = parser.parse_args()

    with open(args.plan, "rb") as file:
        text = file.read()
    shards = json.loads(text)["shards"]
    ray.init(log_to_driver=False)

    def start(number: int):
        memory = int(600e6 + args.bytes_per_source_byte * shards[number]["bytes"])
        task = ray.remote(run_shard).options(
            num_cpus=args.threads,
            memory=min(memory, int(ray.cluster_resources().get("memory", memory))),
            max_retries=args.tries - 1,
            retry_exceptions=True,
        )
        return task.remote(text, number, args.to, args.threads, args.work)

    # A shard that builds what others analyse in parts starts when these have ended, and before smaller ones; what failed
    # there, it does itself. Otherwise the largest shards come first, as in the plan, so the last ones to end are small.
    # Ray runs tasks in the order in which it gets them, so it gets few at a time.
    slots = int(ray.cluster_resources().get("CPU", 1)) // args.threads
    at_once = args.at_once or max(2, 2 * slots)
    waiting = {number: set(shard["needs"]) for number, shard in enumerate(shards)}
    pending = {}
    failed = 0
    while waiting or pending:
        ready = [number for number, needed in waiting.items() if not needed]
        for number in sorted(ready, key=lambda number: -shards[number]["bytes"])[: at_once - len(pending)]:
            del waiting[number]
            pending[start(number)] = number
        for task in ray.wait(list(pending), num_returns=1)[0]:
            number = pending.pop(task)
            try:
                report = ray.get(task)
                done = f"{len(report['members'])} members, {len(report['parts'])} parts"
                print(f"shard {number}: {done}, {len(pending) + len(waiting)} shards left", file=sys.stderr)
            except Exception as error:  # noqa: BLE001 - a lost worker, or the shard's own error
                failed += 1
                cause = getattr(error, "cause", None) or error
                print(f"shard {number} failed: {cause}", file=sys.stderr)
            for needed in waiting.values():
                needed.discard(number)
    ray.shutdown()
    merge = ["sextant-index", "merge", args.plan, "--to", args.to]
    return subprocess.run(merge + (["--allow-missing"] if args.allow_missing else [])).returncode


if __name__ == "__main__":
    sys.exit(main())
