"""Run the SDK apps under each instrumentation and vcr at once: `python -m tools.frameworks.logged [SOURCE...]`.

The verdict from the log must equal that from the recording, with and without feedback. Each source has its own process,
because they patch the same methods. Prints differences and cases that a source misses; exits with 1 if verdicts differ.
"""

# pyright: reportMissingImports=false, reportMissingModuleSource=false
from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from pytest_planguard import judge_logs

HERE = Path(__file__).parent
OPENINFERENCE = ("openai", "anthropic", "google_genai", "groq", "mistralai", "bedrock")
OPENLLMETRY = ("openai", "anthropic", "google_generativeai", "groq", "mistralai", "cohere", "bedrock", "ollama")
INSTRUMENTED = {
    "openinference": [f"openinference.instrumentation.{name}" for name in OPENINFERENCE],
    "openllmetry": [f"opentelemetry.instrumentation.{name}" for name in OPENLLMETRY],
    "gen_ai": [
        "opentelemetry.instrumentation.genai.openai",
        "opentelemetry.instrumentation.google_genai",
        "opentelemetry.instrumentation.botocore",
    ],
    "langfuse": [],
    "litellm": [],
}
"""The sources, with the modules whose instrumentors patch the SDKs."""
PACKAGES = [
    "openai", "anthropic", "google-genai", "mistralai", "groq", "ollama", "cohere", "boto3", "aiohttp", "langfuse",
    "litellm", "opentelemetry-exporter-otlp-proto-common", "openinference-instrumentation-openai",
    "openinference-instrumentation-anthropic", "openinference-instrumentation-google-genai",
    "openinference-instrumentation-groq", "openinference-instrumentation-mistralai",
    "openinference-instrumentation-bedrock", "opentelemetry-instrumentation-openai",
    "opentelemetry-instrumentation-anthropic", "opentelemetry-instrumentation-google-generativeai",
    "opentelemetry-instrumentation-groq", "opentelemetry-instrumentation-mistralai",
    "opentelemetry-instrumentation-cohere", "opentelemetry-instrumentation-bedrock",
    "opentelemetry-instrumentation-ollama", "opentelemetry-instrumentation-genai-openai",
    "opentelemetry-instrumentation-google-genai", "opentelemetry-instrumentation-botocore",
]  # fmt: skip
LOST = {"openllmetry": ("openai_responses",)}
"""Cases that a source logs incompletely: one span for all answers with one id, which the look-alike's have."""
CAPTURES = {
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY",
    "LANGFUSE_PUBLIC_KEY": "pk-lf-x",
    "LANGFUSE_SECRET_KEY": "sk-lf-x",
    "LANGFUSE_BASE_URL": "http://127.0.0.1:1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "NO_PROXY": "127.0.0.1",
}
Lines = list[str]


def main(names: list[str]) -> int:
    """Run each source in a separate process."""
    if names[:1] == ["--one"]:
        return _one(names[1])
    command = [sys.executable, "-m", "tools.frameworks.logged", "--one"]
    env = {**os.environ, **CAPTURES}
    return max(subprocess.run([*command, name], env=env, check=False).returncode for name in names or INSTRUMENTED)


def _one(source: str) -> int:
    from tests.support.lookalike import Lookalike

    from .project import FIRST, LAST

    server = Lookalike()
    server.script(LAST, FIRST)
    os.environ["LOOKALIKE"] = server.origin
    sys.path.insert(0, str(HERE))  # for `task`
    traced = _litellm() if source == "litellm" else _spans(source)
    spec = spec_from_file_location("app", HERE / "apps" / f"{'litellm' if source == 'litellm' else 'sdks'}.py")
    assert spec is not None
    assert spec.loader is not None
    app = module_from_spec(spec)
    spec.loader.exec_module(app)
    seen: Counter[str] = Counter()
    for case in (case for case in app.CASES if not case.startswith("raw_")):
        for feedback in (True, False):
            seen[_compared(source, app, case, feedback, traced)] += 1
    print(source, dict(seen), flush=True)
    return int(bool(seen["differs"]))


def _compared(source: str, app: Any, case: str, feedback: bool, traced: Callable[..., Any]) -> str:
    import vcr
    from task import TICKET

    from pytest_planguard import judge
    from pytest_planguard.replay.files.reader import read_cassette

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tape.yaml"
        with vcr.use_cassette(str(path), record_mode="all"), traced(case) as lines:
            try:
                app.run(case, feedback)
            except Exception as error:  # without its feedback an app gives up
                if feedback:
                    print(f"{source} {case}: {type(error).__name__}: {error}"[:300])
        [recorded] = judge(read_cassette(path).exchanges, [TICKET]).conversations
    found = judge_logs(lines, contracts=[TICKET])
    wanted = ({recorded.outcome.value: 1}, Counter(c.name for c in recorded.checks if c.status.value == "fail"))
    if (dict(found.outcomes), found.checks_failed) == wanted:
        return "equal"
    if not found.calls:
        return "not seen"
    if case in LOST.get(source, ()):
        return "known to be lost"
    print(f"{source} {case} feedback={feedback}: {dict(found.outcomes)} {dict(found.checks_failed)}, recorded {wanted}")
    print(f"   {dict(found.fidelity)} {[*found.unjudgeable, *found.unread, *found.not_judged]}"[:400])
    return "unjudgeable" if found.unjudgeable and not found.bad else "differs"


def _spans(source: str) -> Callable[..., Any]:
    """Return a context manager that collects the spans of a case as lines of OTLP's JSON."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry import trace
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    provider, memory = TracerProvider(), InMemorySpanExporter()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    trace.set_tracer_provider(provider)
    for name in INSTRUMENTED[source]:
        try:
            module = importlib.import_module(name)
        except ImportError as error:  # it is for an older version of its SDK
            print(f"{source}: {name} cannot be used: {error}")
            continue
        kinds = {key: kind for key, kind in vars(module).items() if key.endswith("Instrumentor")}
        kinds.pop("BaseInstrumentor", None)
        kinds[min(kinds, key=len)]().instrument(tracer_provider=provider)
    if source == "langfuse":
        import langfuse

        langfuse.Langfuse(tracer_provider=provider)
        importlib.import_module("langfuse.openai")

    @contextmanager
    def traced(case: str) -> Iterator[Lines]:
        lines: Lines = []
        memory.clear()
        with trace.get_tracer("app").start_as_current_span(case):
            yield lines
        lines.append(json.dumps(MessageToDict(encode_spans(memory.get_finished_spans()))))

    return traced


def _litellm() -> Callable[..., Any]:
    """Return a context manager that collects the payloads of LiteLLM's callbacks."""
    import litellm
    from litellm.integrations.custom_logger import CustomLogger

    rows: Lines = []
    named: dict[str, str] = {}

    class Keeps(CustomLogger):  # type: ignore[misc]
        def log_success_event(self, kwargs: Any, *_: Any, **__: Any) -> None:
            rows.append(json.dumps(kwargs["standard_logging_object"], default=str))

        async def async_log_success_event(self, kwargs: Any, *_: Any, **__: Any) -> None:
            rows.append(json.dumps(kwargs["standard_logging_object"], default=str))

    litellm.callbacks = [Keeps()]
    for name in ("completion", "acompletion"):
        real = getattr(litellm, name)
        setattr(litellm, name, lambda _real=real, **given: _real(**given, metadata=dict(named)))

    @contextmanager
    def traced(case: str) -> Iterator[Lines]:
        rows.clear()
        named["trace_id"] = case
        yield rows
        time.sleep(1)  # callbacks run on threads

    return traced


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
