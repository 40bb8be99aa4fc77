"""A Dask cluster on this machine, for as long as it is needed.

It runs in processes of its own, in a session of its own: Ctrl-C goes to this process alone, which then ends the others;
and if this process is killed, they end by themselves.
"""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bpe_tui.core import system
from bpe_tui.core.errors import OptionError
from bpe_tui.core.i18n import _

_HOST: Final = """
import sys
import tempfile
sys.path.insert(0, {package_root!r})
import dask
from distributed import LocalCluster
if __name__ == "__main__":
    # Its processes always serve HTTP, without a dashboard too: where nobody looks for it, and with nothing to see.
    dask.config.set({{f"distributed.{{kind}}.http.routes": [] for kind in ("scheduler", "worker", "nanny")}})
    with tempfile.TemporaryDirectory(prefix="bpe-tui-", ignore_cleanup_errors=True) as folder:
        dask.config.set({{"temporary-directory": folder}})
        print(folder, flush=True)
        with LocalCluster(
            n_workers={workers!r},
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            scheduler_kwargs={{"dashboard": False}},
            local_directory=folder,
        ) as cluster:
            print(cluster.scheduler_address, flush=True)
            sys.stdin.read()
"""
"""Prints its folder and its address; ends and removes the folder by itself when its parent process is gone."""


@contextlib.contextmanager
def local_cluster(workers: int | None = None) -> Iterator[str]:
    """Start a cluster of `workers` processes (one per core by default), and yield its scheduler's address.

    Raises `OptionError` if it does not start.
    """
    package_root = str(Path(__file__).resolve().parents[2])
    host = subprocess.Popen(
        [sys.executable, "-c", _HOST.format(package_root=package_root, workers=workers)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=system.HAS_GROUPS,
    )
    assert host.stdin is not None
    assert host.stdout is not None
    folder = ""
    try:
        folder, address = host.stdout.readline().strip(), host.stdout.readline().strip()
        if not address:
            raise OptionError(_("the Dask cluster on this machine does not start; does `dask scheduler` run here?"))
        yield address
    finally:
        system.end_group(host.pid)
        host.wait()
        host.stdin.close()
        host.stdout.close()
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
