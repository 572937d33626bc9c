"""Text completions: a prompt in, a text out, in the shapes of many hosts.

These are OpenAI's and Anthropic's older APIs, vLLM, Writer, Aleph Alpha, Cohere's generate, Hugging Face's text
generation, watsonx, and the Bedrock models with a prompt (Titan, Llama, Mistral, Cohere Command, AI21 Jurassic).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..dialect import AnswerView, Body, RequestView, answer_of, finishes, sampling_of, sent, settings
from ..exchange import Role, Usage
from ..provider_shapes import ProviderError, provider_error, text_items
from ..untrusted_json import JsonObject, mapping, name_of, objects, sequence, whole, words

SAMPLING = settings(
    "max_tokens temperature top_p top_k seed stop n best_of frequency_penalty presence_penalty repetition_penalty "
    "logit_bias",
    max_tokens_to_sample="max_tokens", maximum_tokens="max_tokens", max_new_tokens="max_tokens",
    max_gen_len="max_tokens", maxTokenCount="max_tokens", maxTokens="max_tokens",
    topP="top_p", p="top_p", k="top_k", random_seed="seed", stop_sequences="stop", stopSequences="stop",
    numResults="n", num_generations="n",
)  # fmt: skip
_PROMPTS = ("prompt", "inputText", "inputs", "input")
_SETTINGS = ("parameters", "textGenerationConfig")
"""Objects that may hold the sampling settings in place of the body itself."""
_GENERATION = ("/text/generation", "/text/generation_stream", "/generation/text", "/generation/text_stream")
"""Endings of watsonx paths. The last two are from its beta."""
_NOT_HERE = ("messages", "contents", "message")


class TextCompletion:
    """A prompt that is a text, or a list of texts with one answer each."""

    name = "text.completion"

    def matches(self, path: str, body: Body) -> bool:
        """Return True if the body has a prompt.

        `input` alone proves little, so the path must then mention generation.
        """
        prompt = _prompt(body)
        if prompt is None or any(key in body for key in _NOT_HERE):
            return False
        return prompt != "input" or path.endswith(_GENERATION)

    def read_request(self, body: Body) -> RequestView:
        """Read the prompt and sampling."""
        prompt = _prompt(body) or ""
        holders = [mapping(body.get(key)) for key in _SETTINGS]
        settings = {key: value for holder in (body, *holders) for key, value in sent(holder).items()}
        return RequestView(
            model=name_of(body.get("model")) or name_of(body.get("model_id")),
            items=tuple(
                item for text in (*_texts(body.get(prompt)), body.get("suffix")) for item in text_items(Role.USER, text)
            ),
            sampling=sampling_of(settings, SAMPLING),
        )

    def read_answer(self, body: Body) -> AnswerView | None:
        """Read the first completion; None if the body does not say how it ended, unless it reports an error."""
        return read_whole(body)

    def read_stream(self, objects: Sequence[Body]) -> AnswerView | None:
        """Join the pieces of the first completion; None if no object has one or reports an error."""
        completion = Completion()
        for piece in objects:
            completion.add(piece)
        return completion.view()


def _prompt(body: Body) -> str | None:
    """Return the key of the prompt; None without a text."""
    return next((key for key in _PROMPTS if _texts(body.get(key))), None)


def _texts(prompt: object) -> list[str]:
    """Return the texts of a prompt: one, several, or parts with `data` (Aleph Alpha)."""
    if isinstance(prompt, str):
        return [prompt]
    parts = [words(part.get("data")) for part in objects(prompt) if part.get("type") == "text"]
    return [text for text in (*sequence(prompt), *parts) if isinstance(text, str)]


# Answers of text completions: where each host puts the text, the reason why it ended, and the tokens.

FINISHES = finishes(
    stop="stop stop_sequence stop_criteria_met end_turn finish complete completed eos eos_token endoftext end_of_text "
    "sequence_stop_token",
    length="length max_tokens maximum_tokens token_limit",
    content_filter="content_filter content_filtered error_toxic",
    error="error",
)
_LISTS = ("choices", "completions", "generations", "results", "outputs")
_TEXTS = ("text", "completion", "outputText", "generated_text", "generation", "content", "value")
_REASONS = ("finish_reason", "stop_reason", "completionReason", "finishReason", "stop_type")
COMPLETION = "text_completion"
"""OpenAI's name for an answer of /v1/completions; llama.cpp and others leave out why it ended."""
_UNMISTAKABLE = ("generated_text", "outputText")
"""Text keys that no other JSON has. Any other key counts only beside the reason why the text ended."""
_INPUTS = ("prompt_tokens", "prompt_token_count", "inputTextTokenCount", "inputTokenCount", "input_token_count",
           "input_tokens", "num_tokens_prompt_total")  # fmt: skip
_OUTPUTS = ("completion_tokens", "generation_token_count", "tokenCount", "totalOutputTextTokenCount",
            "outputTokenCount", "generated_token_count", "generated_tokens", "output_tokens",
            "num_tokens_generated")  # fmt: skip


def read_whole(body: Body) -> AnswerView | None:
    """Read a whole answer; None if it does not look like one."""
    entry = _entry(body)
    says_its_end = (
        any(key in holder for key in _REASONS for holder in (entry, body)) or body.get("object") == COMPLETION
    )
    if not says_its_end and not any(key in entry for key in _UNMISTAKABLE) and not provider_error(body):
        return None
    completion = Completion()
    completion.add(body)
    return completion.view()


class Completion:
    """The first completion, whole or in pieces."""

    def __init__(self) -> None:
        self._known = False
        self._pieces: list[str] = []
        self._meta: JsonObject = {}
        self._counts: dict[str, int] = {}
        self._error: ProviderError | None = None

    def add(self, body: Body) -> None:
        """Take a whole answer or the next piece of a streamed one."""
        self._error = self._error or provider_error(body)
        final = mapping(body.get("response"))  # Cohere ends its stream with the whole answer
        if final or (isinstance(body.get("generated_text"), str) and "token" in body):  # so does Hugging Face
            self._pieces.clear()
        entry = _entry(final or body)
        text = _text(entry)
        if text is not None:
            self._known = True
            self._pieces.append(text)
        self._note({**body, **final}, entry)
        self._count([body, final, entry])

    def view(self) -> AnswerView | None:
        """Return the answer so far, if any."""
        if not self._known and not self._error:
            return None
        reason = words(self._meta.get("reason")).lower()
        return answer_of(
            self._meta,
            text_items(Role.ASSISTANT, "".join(self._pieces)),
            FINISHES.get(reason),
            self._error,
            Usage(self._counts.get("in"), self._counts.get("out")),
        )

    def _note(self, body: Body, entry: Body) -> None:
        holders = (entry, mapping(entry.get("details")), body)
        reasons = (holder.get(key) for holder in holders for key in _REASONS)
        named = (mapping(reason).get("reason") or reason for reason in reasons)  # AI21: {"reason": "endoftext"}
        known = {"model": body.get("model"), "id": body.get("id"), "reason": next(filter(name_of, named), None)}
        self._meta.update({key: name for key, value in known.items() if (name := name_of(value))})

    def _count(self, bodies: Iterable[Body]) -> None:
        for holder in _counters(bodies):
            for ours, names in (("in", _INPUTS), ("out", _OUTPUTS)):
                found = (whole(holder[name]) for name in names if name in holder)
                count = next((number for number in found if number is not None), None)
                if count is not None:
                    self._counts[ours] = count


def _entry(body: Body) -> JsonObject:
    """Return the first completion of a list of them, or the body itself."""
    found = next((found for key in _LISTS if (found := objects(body.get(key)))), None)
    if not found:
        return dict(body)
    first = next((entry for entry in found if entry.get("index") == 0), found[0])
    return first if whole(first.get("index")) in (None, 0) else {}


def _text(entry: Body) -> str | None:
    """Return the text of one completion, or its next piece; special tokens of a stream are ""."""
    token = mapping(entry.get("token"))
    if token and not isinstance(entry.get("generated_text"), str):
        return "" if token.get("special") is True else words(token.get("text"))
    holders = (entry, mapping(entry.get("data")), mapping(entry.get("message")), mapping(entry.get("delta")))
    return next((holder[key] for holder in holders for key in _TEXTS if isinstance(holder.get(key), str)), None)


def _counters(bodies: Iterable[Body]) -> Iterator[Body]:
    """Yield every object in which hosts count tokens."""
    for body in filter(None, bodies):
        yield body
        meta = mapping(body.get("meta"))
        for holder, key in ((body, "usage"), (body, "details"), (body, "amazon-bedrock-invocationMetrics"),
                            (meta, "billed_units"), (meta, "tokens")):  # fmt: skip
            if counted := mapping(holder.get(key)):
                yield counted
