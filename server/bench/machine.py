"""The machine that a figure was seen on."""

import os
import platform
from pathlib import Path


def _line(path: str, key: str) -> str | None:
    """The value of the first line `key : value` of a file in /proc."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return None
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), None)


def describe() -> str:
    """Processor, cores, memory, system and Python, in one line."""
    processor = _line("/proc/cpuinfo", "model name") or platform.processor() or platform.machine()
    total = _line("/proc/meminfo", "MemTotal")
    memory = f"{round(int(total.split()[0]) / 2**20)} GiB" if total else "memory unknown"
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (
        f"{processor}, {cores} cores, {memory}, {platform.system()} {platform.release()}, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )
