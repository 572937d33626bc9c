"""The curves of an experiment as a picture."""

from xml.etree import ElementTree as ET

from pytest_planguard.plan_search.experiment import Experiment, Trial
from pytest_planguard.report.pages.search import HEIGHT, LEFT, TOP, WIDTH, experiment_svg

NAMESPACE = {"s": "http://www.w3.org/2000/svg"}


def trial(policy: str, number: int, calls: int | None, *jumps: int, misses: int = 0) -> Trial:
    """A trial that takes so many calls; None for one that fails."""
    return Trial(f"p{number}", policy, 0, calls is not None, calls or 30, "x", misses=misses, jumps=jumps)


def test_a_curve_has_the_rates() -> None:
    """Half of two problems within 5 calls, both within 20; the band lies around it; the legend counts returns."""
    svg = experiment_svg(Experiment((trial("cbj", 1, 4), trial("cbj", 2, 15, 1, 1, 2))), (5, 20))
    root = ET.fromstring(svg)
    (curve,) = root.findall("s:polyline", NAMESPACE)
    points = [tuple(map(float, pair.split(","))) for pair in curve.attrib["points"].split()]
    assert points == [(LEFT + WIDTH / 4, TOP + HEIGHT / 2), (LEFT + WIDTH, TOP)]
    (band,) = root.findall("s:polygon", NAMESPACE)
    assert len(band.attrib["points"].split()) == 4
    assert "cbj: returns to an earlier step, times × levels: 2 × 1, 1 × 2" in svg


def test_a_policy_without_a_trial_that_counts_has_no_curve() -> None:
    """All of its trials are censored. A hostile name stays text."""
    root = ET.fromstring(experiment_svg(Experiment((trial("<b>&", 1, None, misses=1),))))
    assert root.findall("s:polyline", NAMESPACE) == []
    assert any("<b>&: returns" in (text.text or "") for text in root.findall("s:text", NAMESPACE))


def test_the_axes_and_the_legend() -> None:
    """Shares from below, calls from the left, and a line for each policy in its colour; a ninth has the first again."""
    root = ET.fromstring(experiment_svg(Experiment(tuple(trial(f"p{n}", n, 5) for n in range(9))), (5, 20)))
    texts = [(text.text, text.attrib["x"], text.attrib["y"]) for text in root.findall("s:text", NAMESPACE)]
    assert texts[:6] == [
        ("ε(B): solved within B calls, with 95 % intervals", "10", "20"),
        *(("0", "30", "294"), ("0.5", "30", "174"), ("1", "30", "54")),
        *(("5", "165", "308"), ("20", "480", "308")),
    ]
    assert texts[6:8] == [
        ("p0: returns to an earlier step, times × levels: none", "26", "340"),
        ("p1: returns to an earlier step, times × levels: none", "26", "358"),
    ]
    assert root.attrib["viewBox"] == "0 0 520 530"
    colors = [line.attrib["stroke"] for line in root.findall("s:polyline", NAMESPACE)]
    assert (len(set(colors)), colors[8]) == (8, colors[0])
    (band,) = {each.attrib["points"] for each in root.findall("s:polygon", NAMESPACE)}
    assert band == "165,50 480,50 480,240.4 165,240.4"
