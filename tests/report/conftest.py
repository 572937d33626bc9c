"""A real browser for the tests of pages, and pages to open in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..support.browser import Browser, Page
from .diffs import odd_diff, report
from .forms import render_html


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for the pages of a module. It ends there: later tests name a child from before that still runs."""
    found = Browser(tmp_path_factory.mktemp("profile"))
    yield found
    found.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two pages: twenty reviews, and a case in every bucket."""
    path = tmp_path_factory.mktemp("pages")
    (path / "reviews.html").write_text(render_html(report()), encoding="utf-8")
    (path / "odd.html").write_text(render_html(report(odd_diff())), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser) -> Page:
    """A new page."""
    return browser.page()
