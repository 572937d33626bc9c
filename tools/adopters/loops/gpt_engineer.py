"""gpt-engineer: the improve loop removes problems from the list that it iterates, so every second one is lost."""

import pytest
import tiktoken
from gpt_engineer.core.ai import AI
from gpt_engineer.core.default.disk_memory import DiskMemory
from gpt_engineer.core.default.paths import PREPROMPTS_PATH
from gpt_engineer.core.default.steps import improve_fn
from gpt_engineer.core.files_dict import FilesDict
from gpt_engineer.core.preprompts_holder import PrepromptsHolder
from gpt_engineer.core.prompt import Prompt

from pytest_planguard import Contract, edits_apply

SOURCE = "\n".join(f"def f{at}():\n    x = {at}\n    return compute(x, {at})\n" for at in range(12))


class _Tokens:
    def encode(self, text, **_):
        return text.split()


@pytest.mark.planguard(Contract(None, rules=[edits_apply({"main.py": SOURCE})], format="markdown", name="edits"))
def test_improve(tmp_path, monkeypatch):
    for name in ("get_encoding", "encoding_for_model"):  # they download
        monkeypatch.setattr(tiktoken, name, lambda _: _Tokens())
    ai = AI(model_name="gpt-4", streaming=True)
    files, prompts = FilesDict({"main.py": SOURCE}), PrepromptsHolder(PREPROMPTS_PATH)
    improve_fn(ai, Prompt("rename x to y in f1 and f5"), files, DiskMemory(tmp_path), prompts)
