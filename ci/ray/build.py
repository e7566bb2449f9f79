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
    parser.add_argument("--tries", type=int, default=3, help="attempts for each shard")
    parser.add_argument("--work", default="/tmp/sextant-work", help="folder on each worker for checkouts and indexes")
    parser.add_argument("--bytes-per-source-byte", type=float, default=12.0, help="memory that a task asks for")
    parser.add_argument("--allow-missing", action="store_true", help="merge although shards have failed")
    args = parser.parse_args()

    with open(args.plan, "rb") as file:
        text = file.read()
    shards = json.loads(text)["shards"]
    ray.init(log_to_driver=False)
    # The largest shards come first in a plan, so the last ones to end are small.
    pending = {}
    for number, shard in enumerate(shards):
        memory = int(600e6 + args.bytes_per_source_byte * shard["bytes"])
        task = ray.remote(run_shard).options(
            num_cpus=args.threads,
            memory=min(memory, int(ray.cluster_resources().get("memory", memory))),
            max_retries=args.tries - 1,
            retry_exceptions=True,
        )
        pending[task.remote(text, number, args.to, args.threads, args.work)] = number
    failed = 0
    while pending:
        for task in ray.wait(list(pending), num_returns=1)[0]:
            number = pending.pop(task)
            try:
                report = ray.get(task)
                print(f"shard {number}: {len(report['members'])} members, {len(pending)} shards left", file=sys.stderr)
            except Exception as error:  # noqa: BLE001 - a lost worker, or the shard's own error
                failed += 1
                cause = getattr(error, "cause", None) or error
                print(f"shard {number} failed: {cause}", file=sys.stderr)
    ray.shutdown()
    merge = ["sextant-index", "merge", args.plan, "--to", args.to]
    return subprocess.run(merge + (["--allow-missing"] if args.allow_missing else [])).returncode


if __name__ == "__main__":
    sys.exit(main())
