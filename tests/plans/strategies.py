"""Hypothesis strategies for valid plans of the formats that are rendered."""

from hypothesis import strategies as st

from pytest_planguard.plans.model.plan import Edge, Plan, Ref, Section, Task
from pytest_planguard.plans.model.status import Status

WORDS = st.sampled_from(["write", "read", "build", "the", "store", "an", "endpoint", "größe", "店"])
TITLES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@st.composite
def spec_kit_plans(draw: st.DrawFn) -> Plan:
    """Plans as spec-kit's tasks.md can say them: marks, stories, files, dependencies on earlier tasks."""
    sections = [
        Section(f"Phase {n}: {draw(TITLES)}", f"Phase {n}", str(n)) for n in range(1, draw(st.integers(1, 3)) + 1)
    ]
    tasks: list[Task] = []
    for number in range(len(sections)):
        for _ in range(draw(st.integers(0, 4))):
            tasks.append(_spec_kit_task(draw, f"T{len(tasks) + 1:03d}", number, tasks))
    mentions = tuple(Ref(edge.target) for task in tasks for edge in task.edges)
    return Plan("spec-kit-tasks", f"Tasks: {draw(TITLES)}", None, tuple(sections), tuple(tasks), mentions=mentions)


def _spec_kit_task(draw: st.DrawFn, name: str, section: int, earlier: list[Task]) -> Task:
    title = draw(TITLES)
    files = draw(st.lists(st.sampled_from(["src/a.py", "src/b.ts", "README.md"]), max_size=1))
    waits = draw(st.lists(st.sampled_from([task.key for task in earlier]), max_size=2, unique=True)) if earlier else []
    stories = draw(st.lists(st.sampled_from(["US1", "US2"]), max_size=1))
    title += "".join(f" in {file}" for file in files) + (f" (depends on {', '.join(waits)})" if waits else "")
    return Task(
        name,
        name,
        title,
        section=section,
        status=draw(st.sampled_from([Status.TODO, Status.DONE, Status.ACTIVE])),
        edges=tuple(Edge(wait, wait) for wait in waits),
        files=tuple(map(Ref, files)),
        cites=tuple(map(Ref, stories)),
        parallel=not waits and draw(st.booleans()),
    )


@st.composite
def superpowers_plans(draw: st.DrawFn) -> Plan:
    """Plans of headed tasks with files, dependencies and steps."""
    tasks: list[Task] = []
    names: list[str] = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        name = str(number)
        waits = draw(st.lists(st.sampled_from(names), max_size=2, unique=True)) if names else []
        files = draw(st.lists(st.sampled_from(["src/a.py", "src/b.ts"]), min_size=1, max_size=2, unique=True))
        edges = tuple(Edge(wait, wait) for wait in waits)
        tasks.append(Task(name, name, draw(TITLES), edges=edges, files=tuple(map(Ref, files))))
        names.append(name)
        for title in draw(st.lists(TITLES, max_size=2)):
            status = draw(st.sampled_from([Status.TODO, Status.DONE]))
            tasks.append(Task(f"?{len(tasks)}", None, title, parent=name, status=status))
    mentions = tuple(Ref(edge.target) for task in tasks for edge in task.edges)
    goal = Ref(draw(TITLES))
    return Plan("superpowers", draw(TITLES), goal, tasks=tuple(tasks), mentions=mentions)


@st.composite
def openspec_plans(draw: st.DrawFn) -> Plan:
    """Plans of numbered boxes in numbered groups."""
    sections = [Section(draw(TITLES), "", str(n)) for n in range(1, draw(st.integers(1, 3)) + 1)]
    tasks = []
    for number, section in enumerate(sections):
        for local in range(1, draw(st.integers(0, 3)) + 1):
            name = f"{section.number}.{local}"
            status = draw(st.sampled_from([Status.TODO, Status.DONE]))
            tasks.append(Task(name, name, draw(TITLES), section=number, status=status))
    return Plan("openspec-tasks", draw(TITLES), None, tuple(sections), tuple(tasks))


@st.composite
def step_plans(draw: st.DrawFn) -> Plan:
    """Sound AtomicGuard plans: each step needs what steps that it depends on give."""
    steps: list[Task] = []
    for number in range(draw(st.integers(2, 6))):
        waits = draw(st.lists(st.sampled_from(steps), max_size=2, unique_by=lambda step: step.key)) if steps else []
        name = f"s{number}"
        steps.append(
            Task(
                name,
                name,
                draw(TITLES),
                edges=tuple(Edge(step.key, step.key) for step in waits),
                resource=Ref("syntax"),
                needs=(*(Ref(f"t-{step.key}") for step in waits), Ref("start")),
                gives=(Ref(f"t-{name}"),),
                budget=draw(st.integers(1, 3)),
            )
        )
    goals = tuple(Ref(f"t-{step.key}") for step in steps)
    return Plan("atomicguard", draw(TITLES), tasks=tuple(steps), start=(Ref("start"),), goals=goals, budget=99)
