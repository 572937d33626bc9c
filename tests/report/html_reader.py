"""What a page holds for whoever reads it without script."""

from html.parser import HTMLParser


class Reader(HTMLParser):
    """Tags, their attributes, and the text outside of style and script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.said: list[str] = []
        self._inside = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        """A tag opens."""
        self.tags.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag):
        """A tag ends."""
        self._inside = ""

    def handle_data(self, data):
        """Text between tags."""
        if self._inside not in ("style", "script"):
            self.said.append(data)

    @property
    def text(self) -> str:
        """All that a reader sees, on one line."""
        return " ".join(" ".join(self.said).split())
