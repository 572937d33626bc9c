"""Text completions: a prompt in, a text out, in the shapes of many hosts.

OpenAI's and Anthropic's older APIs, vLLM, Writer, Aleph Alpha, Cohere's generate, Hugging Face's text generation,
watsonx, and the models that Bedrock invokes with a prompt (Titan, Llama, Mistral, Cohere Command, AI21 Jurassic).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..exchange import Item, Role
from ..shapes import mapping, name_of, objects, sequence, words
from .base import AnswerView, Body, RequestView, left_over, sampling_of
from .completion_answer import Completion, read_whole
from .content import text_items

SAMPLING = {
    "max_tokens": "max_tokens",
    "max_tokens_to_sample": "max_tokens",
    "maximum_tokens": "max_tokens",
    "max_new_tokens": "max_tokens",
    "max_gen_len": "max_tokens",
    "maxTokenCount": "max_tokens",
    "maxTokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "topP": "top_p",
    "p": "top_p",
    "top_k": "top_k",
    "k": "top_k",
    "seed": "seed",
    "random_seed": "seed",
    "stop": "stop",
    "stop_sequences": "stop",
    "stopSequences": "stop",
    "n": "n",
    "numResults": "n",
    "num_generations": "n",
    "best_of": "best_of",
    "frequency_penalty": "frequency_penalty",
    "presence_penalty": "presence_penalty",
    "repetition_penalty": "repetition_penalty",
    "logit_bias": "logit_bias",
}
_PROMPTS = ("prompt", "inputText", "inputs", "input")
_SETTINGS = ("parameters", "textGenerationConfig")
"""Objects that hold the sampling settings where they do not stand in the body itself."""
_NOT_HERE = ("messages", "contents", "message")


class TextCompletion:
    """A prompt that is a text, or a list of texts that are answered one by one."""

    name = "text.completion"

    def matches(self, path: str, body: Body) -> bool:
        """Whether the body has a prompt; `input` alone says little, so the path must speak of generation."""
        prompt = _prompt(body)
        if prompt is None or any(key in body for key in _NOT_HERE):
            return False
        return prompt != "input" or path.endswith(("/text/generation", "/text/generation_stream"))

    def read_request(self, body: Body) -> RequestView:
        """Read the prompt and sampling."""
        prompt = _prompt(body) or ""
        holders = [mapping(body.get(key)) for key in _SETTINGS]
        settings = {key: value for holder in (body, *holders) for key, value in holder.items() if value is not None}
        extra = left_over(settings, ["model", "model_id", "suffix", prompt, *_SETTINGS, *SAMPLING])
        return RequestView(
            model=name_of(body.get("model")) or name_of(body.get("model_id")),
            items=tuple(_items(body.get(prompt)) + text_items(Role.USER, body.get("suffix"))),
            sampling=sampling_of(settings, SAMPLING),
            extra=extra,
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the first completion; None where the body does not say that it ended, unless it reports an error."""
        return read_whole(body)

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join the pieces of the first completion; None where no object has one or an error."""
        completion = Completion()
        for piece in objects:
            completion.add(piece)
        return completion.view()


def _prompt(body: Body) -> str | None:
    """The key of the prompt; None where there is none that is text."""
    return next((key for key in _PROMPTS if _texts(body.get(key))), None)


def _items(prompt: Any) -> list[Item]:
    return [item for text in _texts(prompt) for item in text_items(Role.USER, text)]


def _texts(prompt: Any) -> list[str]:
    """The texts of a prompt: one, several, or parts with `data` (Aleph Alpha)."""
    if isinstance(prompt, str):
        return [prompt]
    parts = [words(part.get("data")) for part in objects(prompt) if part.get("type") == "text"]
    return [text for text in (*sequence(prompt), *parts) if isinstance(text, str)]
