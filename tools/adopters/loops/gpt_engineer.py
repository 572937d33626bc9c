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

PACKAGES = ["gpt-engineer"]
EXPECTED = {"test_improve": ("converged", ["feedback"])}
PROOF = {"test_improve": "gpt_engineer/core/diff.py: validate_and_correct removes hunks from the list that it iterates"}
ANSWERS = {
    "test_improve": [
        """Here:

```diff
--- main.py
+++ main.py
@@ -50,3 +50,2 @@
-def quite_another(one):
-    zzzzz = "qqqqq"
+    y = 1
     return nothing_like_it()
@@ -90,3 +90,2 @@
-class Wwwww(Kkkkk):
-    vvvvv = "ppppp"
+    y = 5
     jjjjjj
```
""",
        """```diff
--- main.py
+++ main.py
@@ -1,3 +1,3 @@
 def f0():
-    x = 0
+    y = 0
     return compute(x, 0)
```
""",
    ]
}
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
