"""The engine at work, in ten seconds, with nothing but this machine: what `make demo` runs.

Parallel steps, a retry, a question, a failure that is undone, a `kill -9` and a resume, a replay.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from callsheet import Engine, RunState, load_tools

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import TypeAlias

    from callsheet import Result, Run
    from callsheet.types import AttemptRecord, Question

    Bar: TypeAlias = tuple[datetime, datetime | None, str]

HERE = Path(__file__).parent
TOOLS = HERE / "trip_tools.py"
CALLSHEET = (sys.executable, "-m", "callsheet.cli")
PATIENCE = 6.0
"""Seconds that a person has to answer before the demo answers for them."""
CARDS = 8
COLUMNS = 52
LEAST = 2.5
"""Seconds that the whole width stands for, at least."""
SIGNS = {
    "pending": ("·", "dim"),
    "ready": ("·", "dim"),
    "running": ("●", "cyan"),
    "retrying": ("↻", "yellow"),
    "waiting": ("?", "bold magenta"),
    "succeeded": ("✓", "green"),
    "undoing": ("↶", "yellow"),
    "undone": ("↶", "blue"),
}
OTHER = ("✗", "red")

console = Console(highlight=False)


def main() -> None:
    """Show everything, in a home of its own."""
    home = Path(tempfile.mkdtemp(prefix="callsheet-demo-"))
    os.environ["TRIP_LEDGER"] = str(home / "ledger.txt")
    began = time.monotonic()
    asyncio.run(trip_and_mishap(home))
    kill_and_resume(home)
    asyncio.run(replay(home))
    goodbye(home, time.monotonic() - began)


def say(title: str, text: str) -> None:
    """Announce a scene."""
    console.print()
    console.print(Text.assemble((title, "bold"), ("  ", ""), (text, "dim")), soft_wrap=True)


async def trip_and_mishap(home: Path) -> None:
    """Two runs on an engine that lives in this process."""
    async with Engine.open(home, load_tools(str(TOOLS))) as engine:
        say("A trip.", "What does not depend on each other runs at once; a busy hotel is retried.")
        await show(await engine.start(HERE / "trip.yaml", {"city": "Oslo"}))
        say("A mishap.", "The last step fails. What was done is undone, in reverse.")
        run = await engine.start(HERE / "mishap.yaml")
        await show(run)
        undone = [attempt.step for attempt in await run.attempts() if attempt.undo]
        console.print(Text(f"  undone: {', then '.join(undone)}", "blue"))


async def show(run: Run) -> None:
    """Draw a run until it has ended, and ask what it asks."""
    answered = set()
    live = Live(console=console, auto_refresh=False) if console.is_terminal else None
    result = await run.status()
    async for result in run.watch(every=0.08):
        for question in result.questions:
            if result.state is RunState.WAITING and question.id not in answered:
                answered.add(question.id)
                await draw(live, run, result)
                if live:
                    live.stop()
                await run.answer(question.step, await ask(question), by="demo")
                live = Live(console=console, auto_refresh=False) if live else None
                break  # it has moved on meanwhile
        else:
            await draw(live, run, result)
    if live:
        live.stop()
    else:
        console.print(timeline(result, await run.attempts()))
    cause = f": {result.cause.message}" if result.cause else ""
    style = "green" if result.state is RunState.SUCCEEDED else "yellow"
    console.print(Text(f"  {result.state}{cause}", style), soft_wrap=True)
    if result.output is not None:
        console.print(Text(f"  {json.dumps(result.output)}", "dim"), soft_wrap=True)


async def draw(live: Live | None, run: Run, result: Result) -> None:
    """Draw a run as it stands."""
    if live:
        if not live.is_started:
            live.start()
        live.update(timeline(result, await run.attempts()), refresh=True)


def timeline(result: Result, attempts: Sequence[AttemptRecord]) -> Table:
    """One row for each step that has begun, a bar for each of its attempts and for its undo."""
    bars: dict[str, list[Bar]] = {}
    for each in attempts:
        bars.setdefault(each.step, []).append((each.started_at, each.ended_at, _colour(each)))
    for key, step in result.steps.items():
        if step.started_at and key not in bars:  # a question
            bars[key] = [(step.started_at, step.ended_at, "magenta")]
    start = min((each[0][0] for each in bars.values()), default=result.at)
    columns = max(min(COLUMNS, console.width - 20), 10)
    scale = columns / max((result.at - start).total_seconds(), LEAST)
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(width=1)
    table.add_column(min_width=12, no_wrap=True)
    table.add_column(no_wrap=True)
    for key in sorted(bars, key=lambda key: bars[key][0][0]):
        sign, style = SIGNS.get(result.steps[key].state, OTHER)
        table.add_row(Text(sign, style), Text(key), _line(bars[key], start, result.at, scale))
    return table


def _line(bars: Sequence[Bar], start: datetime, now: datetime, scale: float) -> Text:
    line = Text()
    for begun, ended, colour in bars:
        line.append(" " * (round((begun - start).total_seconds() * scale) - len(line)))
        last = round(((ended or now) - start).total_seconds() * scale)
        line.append("█" * max(last - len(line), 1), colour)
    return line


def _colour(attempt: AttemptRecord) -> str:
    if attempt.undo:
        return "blue"
    if attempt.outcome is None:
        return "cyan"
    return "green" if attempt.outcome == "succeeded" else "red"


async def ask(question: Question) -> str:
    """Ask whoever is there; after a while, or if nobody is, take the first choice."""
    usual = question.choices[0]
    choices = " / ".join(question.choices)
    console.print(Text.assemble(("  ? ", "bold magenta"), f"{question.text} "), end="")
    console.print(Text(f"({choices}) ", "magenta"), end="")
    if not sys.stdin.isatty():
        console.print(Text(f"{usual} (nobody is here: answered by the demo)", "dim"))
        return usual
    loop = asyncio.get_running_loop()
    is_typed = asyncio.Event()
    loop.add_reader(sys.stdin, is_typed.set)
    try:
        await asyncio.wait_for(is_typed.wait(), PATIENCE)
        answer = sys.stdin.readline().strip()
    except TimeoutError:
        console.print(Text(f"{usual} (nobody has answered)", "dim"))
        return usual
    finally:
        loop.remove_reader(sys.stdin)
    return answer if answer in question.choices else usual


def kill_and_resume(home: Path) -> None:
    """Kill a process in the middle of a run, and go on in another."""
    say("A kill.", f"Another process sends {CARDS} postcards, and is killed with -9 in the middle.")
    started = len(ledger(home))
    with subprocess.Popen(
        (*CALLSHEET, "run", HERE / "postcards.yaml", "--tools", TOOLS, "--home", home, "--json"),
        stdout=subprocess.DEVNULL,
    ) as victim:
        while len(ledger(home)) < started + 3 and victim.poll() is None:
            time.sleep(0.01)
        victim.send_signal(signal.SIGKILL)
    sent = len(ledger(home)) - started
    console.print(Text(f"  process {victim.pid} is dead; {sent} of {CARDS} cards were sent", "red"))
    run = asyncio.run(newest_run(home))
    console.print(Text(f"  callsheet resume {run}", "bold"))
    ended = json.loads(callsheet("resume", run, "--tools", TOOLS, "--home", home))
    cards = Counter(line.partition(" ")[2] for line in ledger(home)[started:])
    for line, count in cards.items():
        console.print(
            Text.assemble(("  ✓ " if count == 1 else "  ✗ ", "green"), f"{count} x {line}")
        )
    once = "each exactly once" if set(cards.values()) == {1} else "NOT each exactly once"
    console.print(Text(f"  {ended['state']}: {len(cards)} cards, {once}", "green"))


async def newest_run(home: Path) -> str:
    """The run that was started last."""
    async with Engine.open(home, drive=False) as engine:
        return (await engine.runs(limit=1))[0].run


def callsheet(*words: str | Path) -> str:
    """What a command prints, as JSON."""
    done = subprocess.run((*CALLSHEET, *words, "--json"), capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode() + done.stdout.decode())
    return done.stdout.decode()


def ledger(home: Path) -> list[str]:
    """What has really happened, as the world outside has it."""
    path = home / "ledger.txt"
    return path.read_text("utf-8").splitlines() if path.exists() else []


async def replay(home: Path) -> None:
    """Decide every run again from its journal, without tools."""
    say("A replay.", "The same decisions from the same journals, byte for byte, without any tool.")
    async with Engine.open(home, drive=False) as engine:
        for head in reversed(await engine.runs()):
            report = await engine.replay(head.run)
            word, style = ("identical", "green") if report.same else ("DIFFERENT", "bold red")
            console.print(
                Text.assemble(
                    (f"  {word}", style),
                    f"  {head.name:<10} {report.entries:>3} entries  {report.digest[:16]}",
                )
            )


def goodbye(home: Path, seconds: float) -> None:
    """Say where everything is."""
    say(f"Done in {seconds:.1f} s.", f"Everything is kept in {home}. Look at it:")
    command = Path(sys.executable).parent / "callsheet"
    name = os.path.relpath(command) if command.exists() else "callsheet"
    for words in ("runs", "show RUN", "journal RUN", "replay RUN"):
        console.print(Text(f"  {name} {words} --home {home}"), soft_wrap=True)


if __name__ == "__main__":
    main()
