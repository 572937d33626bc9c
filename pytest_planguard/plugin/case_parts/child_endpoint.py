"""The model endpoint for the child processes of a running test, so that their requests are replayed or recorded too."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import pytest

from ...errors import UsageError
from ...replay.endpoint_children import equipped_children
from ...replay.session.responder import active_responder
from ..options import settings_of

if TYPE_CHECKING:
    from ...replay.endpoint_exchange import Route
    from ...replay.endpoint_server import Endpoint, EndpointServer
    from ...replay.network.processes import ProcessWatch


SERVER: pytest.StashKey[EndpointServer] = pytest.StashKey()
"""The only server of this process; absent until a marked test starts a child."""


def endpoint_server(config: pytest.Config) -> EndpointServer:
    """Return the server of this process, and start it if necessary. Raises SetupFailed if it cannot listen."""
    server = config.stash.get(SERVER, None)
    if server is None or not server.is_here:  # a forked child has no thread of its parent's
        from ...replay.endpoint_server import EndpointServer
        from .refusing_guard import started

        server = config.stash[SERVER] = started(EndpointServer, "the endpoint of child processes", "endpoint=False")
        config.add_cleanup(server.stop)
    return server


class ChildEndpoint:
    """Opens a route for each child that a test starts, and loads the endpoint for the first one."""

    def __init__(self, config: pytest.Config, watch: ProcessWatch | None) -> None:
        """`watch` notes children that are not routed; None if they are allowed."""
        self._config, self._watch = config, watch
        self._endpoint: Endpoint | None = None
        self._equipping: equipped_children | None = None

    @contextmanager
    def equip(self, command: Sequence[object], own: Mapping[object, object]) -> Iterator[Mapping[str, str]]:
        """Wrap the start of a child, and yield additions to its environment: none for a child that a library starts."""
        from ...replay.network.processes import is_helper

        responder = active_responder()
        if responder is None or is_helper(command, own):
            yield {}
            return
        from ...replay.network.senders import passes

        watch = self._watch
        if passes():  # the recording of that call includes the child's requests
            with nullcontext() if watch is None else watch.starting(lambda: True):
                yield {}
            return
        route = self._opened.open(responder)
        if watch is None:
            yield self._variables(route, own)
            return
        route.when_asked = watch.report_served
        with watch.starting(lambda: route.asked):
            yield self._variables(route, own)

    def equip_children(self) -> None:
        """Route each child that starts from now on, until `close`."""
        equipping = equipped_children(self.equip)
        equipping.__enter__()
        self._equipping = equipping

    def environment(self) -> tuple[Route, dict[str, str]]:
        """Open a route, and return it with the environment variables that point to it."""
        responder = active_responder()
        if responder is None:
            raise UsageError("planguard_endpoint: got no open cassette; use it in the body of a marked test")
        route = self._opened.open(responder)
        return route, self._variables(route, os.environ)

    @property
    def notes(self) -> tuple[str, ...]:
        """Requests of children that bypassed their base URLs."""
        return () if self._endpoint is None else self._endpoint.notes

    def close(self) -> None:
        """Stop routing children, and close the routes of this test."""
        equipping, self._equipping = self._equipping, None
        if equipping is not None:
            equipping.__exit__()
        if self._endpoint is not None:
            self._endpoint.close()

    @property
    def _opened(self) -> Endpoint:
        if self._endpoint is None:
            from ...replay.endpoint_server import Endpoint

            config, settings = self._config, settings_of(self._config)
            variables, hosts = settings.endpoint_variables, settings.allowed_hosts
            self._endpoint = Endpoint(lambda: endpoint_server(config), variables, hosts)
        return self._endpoint

    def _variables(self, route: Route, own: Mapping[Any, Any]) -> dict[str, str]:
        texts = {os.fsdecode(name): os.fsdecode(value) for name, value in own.items()}
        return self._opened.environment(route, texts)


class PlanguardEndpoint:
    """The endpoint of a running test, which answers from the test's cassette or records."""

    def __init__(self, endpoint: ChildEndpoint) -> None:
        self._route, self._variables = endpoint.environment()

    @property
    def variables(self) -> dict[str, str]:
        """The base-URL variables that children get: {"OPENAI_BASE_URL": "http://127.0.0.1:…", …}."""
        return dict(self._variables)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of this process plus the variables, for a child: `Popen(command, env=...)`."""
        return {**os.environ, **self._variables}

    def url(self, variable: str = "OPENAI_BASE_URL") -> str:
        """Return the base URL that children get in a variable, for clients that are configured another way.

        Raises:
            UsageError: there is no such variable; `planguard_endpoint_variables` can add it.
        """
        if variable not in self._variables:
            known = ", ".join(name for name in self._variables if "PROXY" not in name.upper())
            raise UsageError(f"planguard_endpoint has no variable {variable!r}; it has {known}")
        return self._variables[variable]
