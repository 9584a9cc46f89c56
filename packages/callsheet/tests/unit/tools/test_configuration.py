"""The configuration file."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.tools.ctx import PATIENCE, FakeContext
from tests.unit.tools.web import serving

from callsheet.core.plan.plan import Cost, Retry
from callsheet.core.plan.toolspec import Breaker, Limit
from callsheet.errors import ConfigurationError, DeniedError, InputError
from callsheet.tools.assembly import Wishes, assembled, config_file
from callsheet.tools.registry import Registry, tool

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from callsheet.core.plan.toolspec import ToolSpec

    Open = Callable[..., Registry]


@tool("mine", limit=1, timeout=7, retry=5, cost=0.1, ceiling=1, effect="read")
async def mine() -> int:
    return 1


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    def opened(text: str, **wishes: Any) -> Registry:
        file = tmp_path / "callsheet.toml"
        file.write_text(text)
        return Registry(assembled([mine], Wishes(file=file, **wishes)).tools)

    return opened


def spec_of(registry: Registry, name: str) -> ToolSpec:
    spec = registry.spec(name)
    assert spec is not None
    return spec


def problems_in(opened: Open, text: str) -> list[str]:
    with pytest.raises(ConfigurationError) as caught:
        opened(text)
    assert "callsheet.toml does not check:" in caught.value.message
    said = [str(problem) for problem in caught.value.problems]
    assert all(f"- {each}" in caught.value.message for each in said)
    return said


@pytest.mark.requirement("E8")
def test_the_configuration_goes_before_what_a_tool_says_of_itself(opened: Open) -> None:
    registry = opened(
        """
        [tools."http.get"]
        limit = {at_once = 4, rate = 10, per = "2s"}
        breaker = {failures = 3, seconds = "1m"}
        [tools.mine]
        limit = "100/m"
        timeout = "1m"
        retry = {attempts = 2, backoff = "1s"}
        breaker = false
        cost = 0.2
        ceiling = {usd = 2}
        """
    )
    get = spec_of(registry, "http.get")
    assert get.limit == Limit(at_once=4, rate=10, per=2.0)
    assert get.breaker == Breaker(failures=3, seconds=60.0)
    changed = spec_of(registry, "mine")
    assert changed.limit == Limit(rate=100, per=60.0)
    assert (changed.timeout, changed.retry) == (60.0, Retry(attempts=2, backoff=1.0))
    assert changed.breaker == Breaker(failures=None)
    assert (changed.cost, changed.ceiling) == (Cost(usd=0.2), Cost(usd=2.0))


def test_what_the_configuration_does_not_mention_stays_as_it_is(opened: Open) -> None:
    registry = opened('[tools.mine]\ntimeout = "1m"')
    assert spec_of(registry, "mine").limit == Limit(at_once=1)
    assert spec_of(registry, "mine").retry == Retry(attempts=5)
    assert spec_of(registry, "http.get").limit is None
    # The tool itself is another engine's too.
    assert mine.spec.timeout == 7.0


@pytest.mark.requirement("E6")
async def test_a_program_is_declared(opened: Open) -> None:
    registry = opened(
        """
        [programs."text.count"]
        argv = ["wc", "-c"]
        stdin = "${args.text}"
        output = "json"
        exits = {2 = "invalid"}
        description = "Count bytes."
        [tools."text.count"]
        limit = 2
        """
    )
    spec = spec_of(registry, "text.count")
    assert (spec.description, spec.limit) == ("Count bytes.", Limit(at_once=2))
    async with asyncio.timeout(PATIENCE):
        assert await registry.call("text.count", {"text": "four"}, FakeContext()) == 4


@pytest.mark.requirement("E6")
async def test_a_service_is_declared_and_reaches_what_the_network_allows(opened: Open) -> None:
    with serving() as server:
        service = f'[http.get_it]\nurl = "{server}/${{args.what}}"\n'
        for text, wishes in (
            (f'{service}[network]\nallow_private = ["127.0.0.0/8"]', {}),
            (f'{service}allow_private = ["127.0.0.1"]', {}),
            (service, {"allow_private": True}),
        ):
            registry = opened(text, **wishes)
            found = await registry.call("get_it", {"what": "json"}, FakeContext())
            assert found == {"a": [1, None]}
        with pytest.raises(DeniedError):
            await opened(service).call("get_it", {"what": "json"}, FakeContext())


async def test_the_network_is_that_of_the_built_in_tools_too(opened: Open) -> None:
    with serving() as server:
        args: Any = {"url": f"{server}/json"}
        allowed = '[network]\nallow_private = ["127.0.0.1"]'
        assert await opened(allowed).call("http.get", args, FakeContext())
        assert await opened("", allow_private=["127.0.0.1"]).call("http.get", args, FakeContext())
        with pytest.raises(DeniedError):
            await opened("").call("http.get", args, FakeContext())


def test_everything_that_is_wrong_is_said_at_once_with_its_place(opened: Open) -> None:
    said = problems_in(
        opened,
        """
        [tools."http.get"]
        limt = 4
        timeout = "soon"
        breaker = {failures = 0}
        [tools."http.gte"]
        limit = 4
        [tools.mine]
        cost = 5
        [programs.p]
        argv = "ls"
        [programs.q]
        args = {}
        [programs.mine]
        argv = ["ls"]
        [http.h]
        url = "nowhere"
        metod = "GET"
        [http.g]
        url = "ftp://x.example/"
        output = "xml"
        [network]
        allow_private = "10.0.0.0/8"
        [netwrk]
        """,
    )
    expected = [
        "tools['http.get'].limt: there is no field 'limt'. Did you mean 'limit'?",
        "tools['http.get'].timeout: timeout must be seconds (30) or a duration",
        'Write timeout = "30s".',
        "tools['http.get'].breaker: breaker failures must be 1 or more; False for no breaker",
        "tools['http.gte']: no tool is called 'http.gte'. Did you mean 'http.get'?",
        "tools.mine: its cost is above its ceiling (usd)",
        "programs.p: argv must be a list",
        "programs.q.argv: it is missing",
        "programs.mine: there is already a tool 'mine'",
        "http.h.metod: there is no field 'metod'. Did you mean 'method'?",
        "http.g: url must begin with http:// or https://",
        "output must be one of json",
        "network.allow_private: allow_private must be true, false, or a list",
        "netwrk: there is no field 'netwrk'. Did you mean 'network'?",
    ]
    missing = [each for each in expected if not any(each in problem for problem in said)]
    assert not missing, "\n".join(said)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("tools = 3", 'tools: it must be a table, not an integer (3). Write [tools."NAME"]'),
        ("[tools]\nmine = 3", "tools.mine: it must be a mapping"),
        ("[tools.mine]\nretry = 0", "retry attempts must be 1 or more"),
        ('[serve]\norigins = ["app.example.com"]', "which is not an origin"),
        ('[serve]\norigins = ["https://app.example.com/"]', "which is not an origin"),
        ('[serve]\norigins = "*"', "must be a list of names"),
        ("[serve]\nkeyless = 'no'", "must be true or false"),
        ("[tools.mine]\nlimit = {rate = 1, per = 'soon'}", "limit must be seconds"),
        ("[tools.mine]\nbreaker = true", "breaker must be failures in a row (5)"),
        ("[tools.mine]\nisolated = true", "there is no field 'isolated'"),
        ("[programs.p]\nargv = ['ls']\nisolated = true", "there is no field 'isolated'"),
        ("[http.h]\nurl = 'https://x.example/'\nallow_private = 7", "allow_private must be true"),
    ],
)
def test_what_is_wrong_is_said_with_what_to_write(opened: Open, text: str, complaint: str) -> None:
    assert any(complaint in each for each in problems_in(opened, text))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("[tools", "is not TOML"), ("\ud800", "is not TOML"), ("a = 2020-01-01", "into quotes")],
)
def test_a_file_that_cannot_be_understood_is_refused(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "other.toml"
    file.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigurationError, match=complaint):
        assembled([], Wishes(file=file))


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"Cannot read .*no\.toml: No such file"):
        assembled([], Wishes(file=tmp_path / "no.toml"))
    large = tmp_path / "large.toml"
    large.write_bytes(b"#" * 1_000_001)
    with pytest.raises(ConfigurationError, match="larger than"):
        assembled([], Wishes(file=large))


def test_terms_of_a_tool_that_is_not_there_are_nobody_s(opened: Open) -> None:
    assert "mine" in opened("[tools.somebody_else_s]\nlimit = 4").names()


def test_a_tool_that_comes_later_is_configured_too(tmp_path: Path) -> None:
    file = tmp_path / "any.toml"
    file.write_text("[tools.late]\nlimit = 3\ncost = 2")
    assembly = assembled([], Wishes(file=file))
    late = assembly.later(tool("late", effect="read")(mine.function))
    assert late.spec.limit == Limit(at_once=3)
    with pytest.raises(ConfigurationError, match="its cost is above its ceiling"):
        assembly.later(tool("late", ceiling=1, effect="read")(mine.function))


def test_the_file_is_the_one_that_is_named_or_that_of_the_home(tmp_path: Path) -> None:
    assert config_file(tmp_path, None) is None
    own = tmp_path / "callsheet.toml"
    own.touch()
    assert config_file(tmp_path, None) == own
    assert config_file(tmp_path, "other.toml") == tmp_path.__class__("other.toml")
    assert config_file(None, None) is None
    assert config_file("postgresql://me@host/name", None) is None


def test_hosts_that_are_none_are_refused(opened: Open) -> None:
    with pytest.raises(InputError, match="allow_private has 'a b'"):
        opened("", allow_private=["a b"])
