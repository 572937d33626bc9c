"""Text completions of many hosts: a prompt in, a text out."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pytest_planguard.wire.exchange import Finish, Role, Usage

from ...support.event_stream_frames import chunk
from ..talk import plain, said, sse, talk

URL = "https://api.openai.com/v1/completions"
INVOKE = "https://bedrock-runtime.us-east-1.amazonaws.com/model/m/invoke"
ASK: dict[str, Any] = {"model": "m", "prompt": "Once"}


def test_plain_answer() -> None:
    """OpenAI's older API is read into every field it fills."""
    usage = {"prompt_tokens": 7, "completion_tokens": 2}
    choices = [{"text": " upon", "index": 0, "finish_reason": "stop"}, {"text": "x", "index": 1}]
    exchange = talk(URL, ASK, {"id": "r1", "model": "m-1", "choices": choices, "usage": usage})
    assert exchange == plain(
        exchange,
        "text.completion",
        URL,
        model="m",
        request=(said(Role.USER, "Once"),),
        answer=(said(Role.ASSISTANT, " upon"),),
        response_id="r1",
    )


@pytest.mark.parametrize(
    ("ask", "answer", "finish", "usage"),
    [
        (  # Anthropic
            {"prompt": "Once", "max_tokens_to_sample": 3},
            {"type": "completion", "completion": "upon", "stop_reason": "max_tokens"},
            Finish.LENGTH,
            Usage(),
        ),
        (  # Titan
            {"inputText": "Once", "textGenerationConfig": {"maxTokenCount": 3}},
            {
                "inputTextTokenCount": 7,
                "results": [{"tokenCount": 2, "outputText": "upon", "completionReason": "FINISH"}],
            },
            Finish.STOP,
            Usage(7, 2),
        ),
        (  # Llama
            {"prompt": "Once", "max_gen_len": 3},
            {"generation": "upon", "prompt_token_count": 7, "generation_token_count": 2, "stop_reason": "length"},
            Finish.LENGTH,
            Usage(7, 2),
        ),
        (  # Mistral
            {"prompt": "Once", "max_tokens": 3},
            {"outputs": [{"text": "upon", "stop_reason": "stop"}]},
            Finish.STOP,
            Usage(),
        ),
        (  # Cohere
            {"prompt": "Once", "max_tokens": 3},
            {
                "id": "1",
                "generations": [{"text": "upon", "finish_reason": "COMPLETE"}],
                "meta": {"billed_units": {"input_tokens": 7, "output_tokens": 2}},
            },
            Finish.STOP,
            Usage(7, 2),
        ),
        (  # AI21
            {"prompt": "Once", "maxTokens": 3},
            {"id": 1234, "completions": [{"data": {"text": "upon"}, "finishReason": {"reason": "endoftext"}}]},
            Finish.STOP,
            Usage(),
        ),
        (  # Aleph Alpha
            {"prompt": [{"type": "text", "data": "Once"}, {"type": "image"}], "maximum_tokens": 3},
            {
                "completions": [{"completion": "upon", "finish_reason": "maximum_tokens"}],
                "num_tokens_prompt_total": 7,
                "num_tokens_generated": 2,
            },
            Finish.LENGTH,
            Usage(7, 2),
        ),
        (  # Hugging Face
            {"inputs": "Once", "parameters": {"max_new_tokens": 3}},
            [{"generated_text": "upon", "details": {"finish_reason": "eos_token", "generated_tokens": 2}}],
            Finish.STOP,
            Usage(None, 2),
        ),
        (  # the same from a server of one's own
            {"inputs": "Once", "parameters": {"max_new_tokens": 3}},
            {"generated_text": "upon"},
            None,
            Usage(),
        ),
        (  # fill in the middle
            {"prompt": "Once", "max_tokens": 3},
            {"choices": [{"index": 0, "message": {"content": "upon"}, "finish_reason": "content_filter"}]},
            Finish.CONTENT_FILTER,
            Usage(),
        ),
    ],
    ids=["anthropic", "titan", "llama", "mistral", "cohere", "ai21", "aleph", "hf", "tgi", "fim"],
)
def test_shapes(ask: dict[str, Any], answer: Any, finish: Finish | None, usage: Usage) -> None:
    """Each host's place for prompt, text, reason, tokens and limit."""
    exchange = talk(INVOKE, ask, answer)
    assert (exchange.dialect, exchange.request) == ("text.completion", (said(Role.USER, "Once"),))
    assert (exchange.answer_text, exchange.finish, exchange.usage) == ("upon", finish, usage)
    assert (exchange.sampling, exchange.model, exchange.streamed) == ({"max_tokens": 3}, "m", False)


def test_watsonx() -> None:
    """A prompt named `input` counts where the path speaks of text generation."""
    ask = {"input": "Once", "model_id": "granite", "parameters": {"max_new_tokens": 3}}
    body = {"results": [{"generated_text": "upon", "stop_reason": "eos_token", "input_token_count": 7,
                         "generated_token_count": 2}]}  # fmt: skip
    exchange = talk("https://h/ml/v1/text/generation", ask, body)
    assert (exchange.answer_text, exchange.model, exchange.usage) == ("upon", "granite", Usage(7, 2))
    assert talk("https://h/v1/other", ask, body).dialect == "raw"
    for path in ("text", "text_stream"):  # the beta turns the two words round
        assert talk(f"https://h/ml/v1-beta/generation/{path}?version=1", ask, body).answer_text == "upon"


def token(text: str, *, special: bool = False, **rest: Any) -> dict[str, Any]:
    """One event of Hugging Face's stream."""
    return {"token": {"id": 1, "text": text, "special": special}, "generated_text": None, **rest}


@pytest.mark.parametrize(
    ("body", "finish"),
    [
        (sse({"choices": [{"text": "up", "index": 0}]}, {"choices": [{"text": "x", "index": 1}]},
             {"choices": [{"text": "on", "index": 0, "finish_reason": "length"}]}, "[DONE]"), Finish.LENGTH),
        (sse({"type": "completion", "completion": "up"}, {"type": "ping"},
             {"type": "completion", "completion": "on", "stop_reason": "stop_sequence"}, named=True), Finish.STOP),
        (sse({"value": "up"}, {"value": "on"}), None),
        (sse(token("up"), token("on"), token("</s>", special=True)), None),
        (sse(token("up"), token("</s>", special=True, generated_text="upon", details={"finish_reason": "length"})),
         Finish.LENGTH),
        ((b'{"text": "up", "is_finished": false}\n{"is_finished": true, "finish_reason": "COMPLETE", '
         b'"response": {"id": "1", "generations": [{"text": "upon"}]}}\n'), Finish.STOP),
        (chunk({"outputText": "up", "index": 0}) + chunk({"outputText": "on", "completionReason": "FINISH"}),
         Finish.STOP),
        (chunk({"generation": "up"}) + chunk({"generation": "on", "stop_reason": "stop",
             "amazon-bedrock-invocationMetrics": {"inputTokenCount": 7, "outputTokenCount": 2}}), Finish.STOP),
    ],
    ids=["openai", "anthropic", "writer", "hf cut", "hf", "cohere", "titan", "llama"],
)  # fmt: skip
def test_streams(body: bytes, finish: Finish | None) -> None:
    """Pieces of the first completion are joined; a whole text at the end replaces them."""
    exchange = talk(INVOKE, {"prompt": "Once"}, body)
    assert (exchange.answer_text, exchange.finish, exchange.streamed) == ("upon", finish, True)


def test_stream_metrics() -> None:
    """Bedrock counts the tokens of a stream in its last chunk."""
    metrics = {"inputTokenCount": 7, "outputTokenCount": 2}
    body = chunk({"generation": "up", "amazon-bedrock-invocationMetrics": metrics})
    assert talk(INVOKE, {"prompt": "Once"}, body).usage == Usage(7, 2)


def test_several_prompts_and_a_suffix() -> None:
    """Prompts that are answered one by one, and the text behind the gap, are items of their own."""
    answer = {"choices": [{"text": "x", "index": 0, "finish_reason": "stop"}, {"text": "y", "index": 1}]}
    exchange = talk(URL, {"prompt": ["a", "b"], "suffix": "end", "echo": True}, answer)
    assert [item.text for item in exchange.request] == ["a", "b", "end"]
    assert (exchange.answer_text, exchange.others) == ("x", ())


@pytest.mark.parametrize("status", [200, 404])
def test_errors(status: int) -> None:
    """An error is the exchange's, with the rejected text where the provider shows it."""
    body = {"error": {"message": "no such model", "failed_generation": "{"}}
    exchange = talk(URL, ASK, body, status=status)
    assert (exchange.dialect, exchange.error, exchange.rejected_text) == ("text.completion", "no such model", "{")


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        ({"prompt": "a cat"}, {"data": [{"url": "u"}]}),
        ({"prompt": "hi"}, {"text": "transcribed"}),
        ({"inputs": "embed me"}, [[0.1, 0.2]]),
        ({"inputs": "embed me"}, [{"label": "x", "score": 1}]),
        ({"prompt": {"id": "pmpt_1"}}, {"choices": []}),
        ({"prompt": "Once"}, [{"a": 1}]),
    ],
)
def test_what_is_no_completion_stays_raw(ask: Any, answer: Any) -> None:
    """Images, transcripts, labels and vectors are no answers, even where something is named text."""
    assert talk("https://h/v1/x", ask, json.dumps(answer).encode()).dialect == "raw"


def test_a_completion_without_a_reason_for_its_end() -> None:
    """Hosts of /v1/completions that leave the finish reason out say by the object what the answer is."""
    exchange = talk(URL, ASK, {"object": "text_completion", "choices": [{"text": " upon", "index": 0}]})
    assert (exchange.answer_text, exchange.finish, exchange.is_generation) == (" upon", None, True)
