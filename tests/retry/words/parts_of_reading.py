"""What single parts of reading say of many inputs: places, addresses, values in texts, names, and how far is read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pytest_planguard.retry.reading.addresses import addresses
from pytest_planguard.retry.reading.comparison import comparison_in
from pytest_planguard.retry.reading.embedded import values, without_schemas
from pytest_planguard.retry.reading.entry import parse_place, reaches, same_place
from pytest_planguard.retry.reading.error_category import category_of_words, firm_category, only_invalid
from pytest_planguard.retry.reading.recognise import recognise
from pytest_planguard.retry.reading.vocabulary import Vocabulary, vocabulary
from pytest_planguard.retry.reading.wordings.structures import opened

PLAN: dict[str, Any] = {
    "goal": "Ship",
    "tasks": [{"id": 1, "status": "Draft", "due date": "soon"}, {"id": 2, "status": "Done", "labels": ["a", "b"]}],
    "owner": {"name": "Okafor", "address": {"city": "Lagos", "ZIP code": "1"}},
    "dueDate": None,
    "size_in_cm": 3,
    "grid": [[1, 2], [3]],
    "größe": 2,
    "guests": [{"age": 1}],
    "INV2": 1,
    "addresses": ["x"],
    "gas": [1],
    "goal_note": "x",
    "tags": ["x"],
    "glass": [1],
}
SCHEMA: dict[str, Any] = {
    "title": "Plan of work",
    "type": "object",
    "properties": {
        "goal": {"type": "string", "title": "Aim of it", "description": "What is to be reached in the end, in words"},
        "carrier": {"type": "string", "description": "Means of transport"},
        "steps": {"type": "array", "title": "The steps"},
        "rooms": {"items": {"type": "object", "properties": {"beds": {"type": "integer", "title": "Number of beds"}}}},
        "odd": True,
        "five": {"title": "one two three four five"},
        "six": {"title": "one two three four five six"},
        "textless": {"title": 5, "description": None},
        "type": {"enum": ["object"]},
    },
    "$defs": {"Stop": {"properties": {"platforms": {"type": "array"}}}},
}
ADDRESSED = (
    *("goal", "Goal", "GOAL", "the goal is short", "goals", "page_goal", "goal2", "goal_", "$goal", "ägoal"),
    *("必goal必", "goal note", "goal_note", "goalNote", "goal-note", "goal  note", "goal.note", "Aim of it"),
    *("aim_of_it: short", "due date", "due_date", "dueDate", "DUE DATE", "due  date", "Means of transport"),
    *("means of", "tasks[0].id", "tasks.0.id", "/tasks/0/id", "#/tasks/0/id", "$.tasks[0].id", "tasks -> 0 -> id"),
    *("tasks → 1", "tasks › 1 › id", "tasks » 1 » id", "tasks > 1 > id", "tasks > 1", "tasks->1->id", "tasks::1::id"),
    *("tasks\\1\\id", "['tasks'][0]['id']", "tasks[0]['due date']", 'tasks["0"]["id"]', "tasks[[0]]", "`tasks`.`id`"),
    *("tasks). (id", '{"tasks": {"0": {"id": ["no"]}}}', "{'tasks': {'0': {'id'", '{"tasks":{"1":{"id"'),
    *('{"tasks": "id"', "('tasks', 0, 'id')", '["tasks", 0, "id"]', "( 'tasks', 0)", "tasks, 0, id"),
    *("x ('tasks', 1)", "('tasks',  0)", "tasks_0_id", "tasks__0__id", "tasks-1-id", "tasks:1:id", "tasks(0).id"),
    *("tasks(0):id", "tasks(0)id", "tasks___0", "tasks[1].labels[0]", "labels_1", "grid[0][1]", "grid.0.1"),
    *("grid_0_1", "grid[0]", "grid 0", "goal[0]", "goal.0", "goal_0", "owner.name.0", "tasks.status.id_0"),
    *("owner.address.city", "owner.address.zip", "owner.address.ZIP code", "create.ticket.goal", "{base}.goal"),
    *("base/goal", "0.goal", "9.tasks.0.id", "goal.size", "goal.missing", "goal.x.y", "goal.too_short", "goal/size"),
    *("goal size", "goal.tasks", "tasks.0.color", "tasks[0].color is odd", "x.tasks[0]", "tasks[123456789]"),
    *("tasks[1234567890]", "tasks[-1]", "task 1", "the task", "guest", "address", "addresses", "ga", "tag", "glas"),
    *("glass", "Size in cm", "sizeInCm", "size_in", "Größe", "GRÖSSE", "INV2", "inv 2", "inv", "beds"),
    *("Number of beds", "rooms", "room[1].beds", "step 1", "steps.1", "platform_0", "five"),
    *("one two three four five", "one two three four five six", "goal, tasks[1].id and owner.name are wrong"),
    *("goal: no\ntasks.0.id: no", "goal / owner", "goal/owner", "goal.owner", "tasks > -1", "tasks -> 1", "id > 1"),
    *("tasks[*].id", "tasks[].id", "tasks.id", "tasks id", "", "nothing of it"),
)
SPELLED = (
    *("(whole document)", "Xmas", "XaX", "'X1'.X2", "('X1', 'X2')", "('a', )", "(a, , b)", "deque(['a', 0]"),
    *("[a, 'b c']", "data", "response/a", "instance/0/a", "input/a", "value/a", "payload/a", "document/a"),
    *("answer/a", "output/a", "result/a", "object/a", "obj/a", "json/a", "_/a", "a/b", "#/", "/ ", "#a/b", "/#/a"),
    *("~0", "/~0~1", "/~01", "/a~", 'a[ "b" ]', "a[ 0 ]", "a->b->c", "a>b", "a  >  b", "[0].a", "a['b.c'].d"),
    *("a[b]c", " `'a'` ", "*a*", "$$a", "a$"),
)
ROOT_NAMES = (
    *("data", "response", "instance", "input", "value", "body", "payload", "document", "answer", "output", "result"),
    *("object", "obj", "json", "_", "root", "$", "Data", "args", "function-after[check(), Cat]", "key", "[key]"),
    *("Cat", "int", "float", "str", "bool", "none", "integer", "None", "list[int]", "cat", "tagged-union[Cat,Dog]"),
    *("[x]", "0"),
)
OF_THE_WHOLE = (
    *("non_field_errors", "nonFieldErrors", "_schema", "__all__", "_errors", "_root", "__root__", "_ERRORS", "errors"),
    *("int", "[key]", "Cat", "0", "cat", "keys"),
)
PLACES: tuple[tuple[tuple[str, ...], tuple[str | int, ...]], ...] = (
    *((("goal",), ("goal",)), (("Goal",), ("goal",)), (("goals",), ("goal",)), ((), ()), (("goal",), ())),
    *(((), ("goal",)), (("goal",), ("tasks",)), (("tasks", "0"), ("tasks", 0)), (("tasks", "1"), ("tasks", 0))),
    *((("0",), (0,)), (("due-date",), ("due_date",)), (("dueDate",), ("due_date",)), (("DUEDATE",), ("due_date",))),
    *((("due_date",), ("dueDate",)), (("tasks", "0", "Id"), ("tasks", 0, "id"))),
    *((("tasks", "id"), ("tasks", 0, "id")), (("tasks", "0", "id", "id"), ("tasks", 0, "id"))),
    *((("tasks", "0", "tasks"), ("tasks", 0)), (("tasks", "7", "tasks"), ("tasks", 7)), (("0", "x"), (0,))),
    *((("0", "0"), (0,)), (("x", "0", "x"), ("x", 0)), (("owner", "person", "name"), ("owner", "name"))),
    *((("owner", "address", "name"), ("owner", "name")), (("owner", "0", "name"), ("owner", "name"))),
    *((("person", "owner", "name"), ("owner", "name")), (("owner", "name"), ("owner", "address", "name"))),
    *((("tasks", "0", "draft", "id"), ("tasks", 0, "id")), (("tasks", "1", "draft", "id"), ("tasks", 0, "id"))),
    *((("tasks", "0", "1", "id"), ("tasks", 0, "id")), (("goal", "Text", "goal"), ("goal",))),
    *((("Plan", "goal"), ("goal",)), (("data", "data"), ("data",)), (("data", "data", "goal"), ("data", "goal"))),
    *((("status", "_errors", "x"), ("status",)), (("tasks", "0", "ID_"), ("tasks", 0, "id"))),
    (("tasks", "0", "extra", "again"), ("tasks", 0, "extra")),
    *((("tasks", "0", "cat"), ("tasks", 0)), (("x", "tasks", "0", "x"), ("tasks", 0)), (("0", "tasks"), (0,))),
    *((("x", "tasks", "0", "tasks"), ("tasks", 0)), (("tasks", "1", "0", "tasks"), ("tasks", 1, 0))),
)
REACHED = (
    *((), ("goal",), ("goal", "x"), ("tasks",), ("tasks", "0"), ("tasks", "1", "id"), ("tasks", "2")),
    *(("tasks", "-1"), ("tasks", "٠"), ("tasks", "000000000"), ("tasks", "0000000000"), ("x", "goal")),
    *(("grid", "0", "1"), ("tasks", "id"), ("dueDate",), ("dueDate", "x"), ("owner", "address", "city"), ("0",)),
    ("tasks", "²"),
)
WITH_VALUES = (
    *('{"a": 1}', "{'a': 1}", '["a"]', "['a']", '[{"a": 1}]', "( 'a', 1)", "[1, 2]", "{}", "[]", "{a: 1}"),
    *('{ "a": 1 }', 'see {"a": 1} and ["b"]', "{'a': 1} {'b': (1, 2)}", '{"a": {"b": ["c"]}} tail', '{"a": '),
    *('{"a": 1', "{'a': 1", "{'a': [1, 2}", "{'a': ']'}", "{'a': '}\\'', 'b': \"}\"}", "{'a': f(1)}"),
    *("{'a': open}", "{'a': ValueError('no')}"),
    *("{'a': [ErrorDetail(string='This field is required.', code='required')]}", "{'a': deque([1, 2])}"),
    *("{'a': ErrorDetail(string=\"it's\", code='x')}", "{'a': f('x\\'y')}", "{'a': f(['b'])}", "{'a': f(g('b'))}"),
    *("{'a': '\\d'}", "['a', True, None]", '["a", true, null, NaN]', "{'a'}", "{'a': 1, 'a': 2}", '{"a" 1} {"b": 1}'),
    *("{'a' 1} {'b': 1}", "[[[['deep']]]]", "[[[[[[[[[['deep']]]]]]]]]]", "[[[[[[[[[[['deep']]]]]]]]]]]"),
    *('[{("a")}]', '{"error": "goal: required"}', '{"details": ["goal: required", "owner: short"]}'),
    *('"goal: required"', '"goal"', '{"status": "error", "message": "goal: required", "code": 422}'),
    *('["goal is short"]', '{"error": {"goal": "no"}}', '{"error": {"message": "goal: required", "path": "x"}}'),
    *('{"goal": "is too short"}', '{"errors": [{"reason": "x y"}]}', '{"error": ""}', '{"error": null}'),
    *('{"error": "a b", "goal": "c d"}', '{"error": "a b", "goal": "c"}', "[]", "{}", '{"error": "a b", "goal": {}}'),
    *('{"error": "a b", "goal": []}', '{"ERROR": "a b"}', ' {"error": "a b"} ', "[1, 2]", '{"error": "a\\nb"}'),
    *('{"error": 5}', '{"error": ["a b", {"x": "c d"}]}', '{"error": "a b"', '{"error": "a b"} x'),
    *('[["goal is short"]]', '{"feedback": {"issues": ["a b"]}}'),
    '{"issues": [{"field": "goal", "message": "a b"}]}',
)
PRINTED = "{'a' "
WITH_SCHEMAS = (
    *('{"properties": {"a": {}}} x', 'x {"properties": {"a": {}}}', '{"$defs": {"A": {}}}', '{"properties": ["a"]}'),
    *('{"errors": [], "properties": {"a": {"errors": ["no"]}}}', '{"errors": {}, "properties": {"a": {}}}'),
    *("properties", '{"schema": {"properties": {"a": {}}}, "error": "é"}', '[{"properties": {}}, {"a": "no"}]'),
    *("{'properties': {'ä': 1}}", "{'s': ({'properties': {}}, 1), 't': b'x', 2: 'y'}"),
    *('{"a": 1} {"$defs": {}} {"b": 2}', '{"properties": {"a": 1', "$defs", "{'s': {'properties': {}}, (1, 2): 'y'}"),
    *('{"a": {"$defs": {}}, "b": ["properties"]}', "{'$defs': {}, 'x': {1, 2}}"),
)


def places_in_texts() -> Iterator[str]:
    """Yield the addresses of each text, with all their parts."""
    names = vocabulary(PLAN, SCHEMA, [("guests", 0, "age"), ("extra", "note")])
    yield from _names(names)
    for data, schema, paths in (
        *((PLAN, None, ()), (None, SCHEMA, ()), (None, None, [("a", 0, "b", 1, 2)]), ([{"a": [1]}], None, [(0, "b")])),
        *(({"as": [], "b": {}, "Ab_c": [{"ab c": 1}], "": 1, "..": []}, {"properties": {"b": {"title": "as"}}}, ()),),
        ("text", "schema", ()),
    ):
        yield f"# {json.dumps(data)[:30]} {str(schema)[:30]} {paths}"
        yield from _names(vocabulary(data, schema, paths))
    for text in ADDRESSED:
        yield json.dumps(text, ensure_ascii=False)
        for one in addresses(text, names):
            from_one = f", {one.counted_from(1).steps} from 1" if one.steps != one.keys else ""
            yield f"  {one.steps}{from_one}; {one.keys} {one.start}-{one.end} {one.foreign} {one.beyond}"


def _names(names: Vocabulary) -> Iterator[str]:
    yield f"names: {dict(sorted(names.names.items()))}, the longest {names.longest}"
    yield f"places: {dict(names.places)}, lists: {sorted(names.lists)}"
    counts = {
        " ".join(keys): names.count(keys) for keys in (("id",), ("tasks", "id"), ("labels",), ("none",), ("goal",))
    }
    yield f"counts: {counts}"


def same_places() -> Iterator[str]:
    """Yield whether places in feedback are those of findings, with the answer and without."""
    for spelling in SPELLED:
        yield f"{spelling!r} {parse_place(spelling)}"
    for name in ROOT_NAMES:
        yield f"{name} in front: {_same((name, 'goal'), ('goal',))}, alone: {_same((name,), ())}"
        yield f"  in the middle: {_same(('owner', name, 'name'), ('owner', 'name'))}"
    for name in OF_THE_WHOLE:
        yield f"{name} behind: {_same(('tasks', name), ('tasks',))}, twice: {_same(('tasks', name, name), ('tasks',))}"
    for written, path in PLACES:
        yield f"{written} {path}: {_same(written, path)}"
    for written in REACHED:
        yield f"{written} is there: {reaches(PLAN, written)}"


def _same(written: tuple[str, ...], path: tuple[str | int, ...]) -> str:
    answers = (PLAN, None, [PLAN], {"data": {"goal": 1}}, ["a"])
    return "".join("+" if same_place(written, path, data) else "-" for data in answers)


def values_in_texts() -> Iterator[str]:
    """Yield the values of texts, texts without schemas, and what wrappers wrap."""
    for text in WITH_VALUES:
        yield f"{text}\n  {list(values(text))}\n  {opened(text)!r}"
    for text in WITH_SCHEMAS:
        yield f"{text}\n  {without_schemas(text)!r}"


def lengths() -> Iterator[str]:
    """Yield what is read of texts that end just before a limit, at it and behind it."""
    names = vocabulary({"goal": 1, " ".join(["w"] * 41): 1, "w v": 1, "m": [[1]]})
    for size in (99_999, 100_000, 100_001):
        yield f"a name that ends at {size}: {len(list(addresses('goal'.rjust(size), names)))}"
    for steps in (199, 200, 201):
        yield f"{steps} steps: {[len(one.steps) for one in addresses('m' + '[1]' * (steps - 1), names)]}"
    for words in (39, 40, 41):
        known = vocabulary({" ".join(["w"] * words): 1})
        yield f"a name of {words} words: {len(list(addresses(' '.join(['w'] * words), known)))}"
    for size in (299, 300, 301):
        yield f"a place of {size}: {len(parse_place('a' * size)[0])}"
    for size in (1_999, 2_000, 2_001):
        text = "missing".rjust(size)
        yield f"a rule that ends at {size}: {category_of_words(text)} {firm_category(text)}"
        yield f"  {only_invalid(' invalid'.rjust(size, 'w') + 'x')}"
    for reach in (39, 40, 41):
        yield f"a bound {reach} behind: {comparison_in('must be more' + ' ' * reach + '5')}"
    for size in (399, 400, 401):
        yield f"a sentence of {size}: {comparison_in('must be more than 5'.ljust(size))}"
    yield from _values_at_limits()
    yield from _errors_at_limits()


def _values_at_limits() -> Iterator[str]:
    json_value, printed = '{"b": 1}', "} {'b': 1}"
    for tries in (39, 40, 41):
        text = '{"a" ' * tries + json_value
        yield f"JSON behind {tries} failures: {len(list(values(text)))}"
    for tries in (7, 8, 9):
        yield f"Python behind {tries} failures: {len(list(values(PRINTED * tries + printed)))}"
        mixed = PRINTED * (tries - 1) + '{"a" ' * 4 + printed
        yield f"  behind one less, and four of JSON: {len(list(values(mixed)))}"
    for size in (49_999, 50_000, 50_001):
        text = "['" + "x" * (size - 4) + "']"
        yield f"Python of {size}: {len(list(values(text)))}"
    for levels in (4_998, 4_999, 5_000):
        names = vocabulary([{"a": 1}, *[1] * (levels - 2)])
        yield f"{levels} values: {sorted(names.names.values())}"
    for size in (400_000, 400_001):
        text = json.dumps({"error": "goal: required".ljust(size - 13)})
        yield f"a wrapper of {len(text)}: {opened(text)[:8]!r}"


def _errors_at_limits() -> Iterator[str]:
    for size in (400_000, 400_001):
        text = "goal: no".rjust(size, "\n")
        yield f"an error that ends at {size}: {[one.end for one in recognise(text)]}"
    for count in (2_000, 2_001):
        text = "goal: n\n" * count
        yield f"{count} errors of one wording: {len(recognise(text))}"
    for depth in (10, 11, 12, 13):
        value: Any = {"message": "required", "path": "goal"}
        for _ in range(depth):
            value = [value]
        yield f"an error below {depth} lists: {len(recognise(json.dumps(value)))}"
        value = "is required"
        for _ in range(depth):
            value = {"a": value}
        yield f"an error below {depth} objects: {[len(one.path or ()) for one in recognise(json.dumps(value))]}"
    for depth in (11, 12, 13, 14):
        outline = "".join(" " * level + f"- a{level}:\n" for level in range(depth)) + " " * depth + "- goal: no"
        yield f"an error below {depth} lines: {[len(one.path or ()) for one in recognise(outline)]}"
    for words in (2, 3, 4):
        yield f"{words} introductions: {[one.path for one in recognise('Well done: ' * words + 'goal: no')]}"
