"""Every promise Callsheet makes, with an id that its tests carry.

A test names what it proves: `@pytest.mark.requirement("E9", "undo:reverse-order")`. The check in
`tests/architecture/test_requirements.py` fails for a promise without a test, for an id that does
not stand here, and for a deferred promise that already has a test.

What a later part builds is deferred, and names that part.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Requirement:
    """One promise."""

    id: str
    promise: str
    source: str
    """The area that asks for it, or the guarantee of a run that it belongs to."""
    deferred: str | None = None
    """Why there is no test for it yet."""


AGENTS_PART = "the part 'Agents and chat' builds it"
FILM = "the part 'The film shows what it says' builds it"
PROJECTS = "the part 'Projects and editing' builds it"
WEB_STUDIO = "the part 'Web studio' builds it"
MCP_CLIENT = "the part 'MCP client' builds it"
RESEARCH = "the part 'Research' builds it"
OPERATIONS = "the part 'Operations' builds it"
MANY_MACHINES = "the part 'Many machines' builds it"
LATER = "no part has it yet; it needs the history of runs that is kept"

ENGINE = (
    Requirement(
        "E1",
        "Plans are created, read, listed, updated and deleted, as YAML, JSON or Python; every "
        "version is kept, and none is deleted while runs need it",
        "engine",
    ),
    Requirement(
        "E2",
        "Checking finds cycles, unknown tools and references, wrong types: all problems at once, "
        "each with its place",
        "engine",
    ),
    Requirement(
        "E3",
        "Runs start, pause, resume and cancel, and show every step and attempt; any number at "
        "once; engines share no state",
        "engine",
    ),
    Requirement(
        "E4",
        "Dependencies, priorities, queueing and concurrency limits order a run; `concurrency: 1` "
        "is sequential, the default is parallel",
        "engine",
    ),
    Requirement(
        "E5",
        "Steps refer to each other with types kept; `for_each` and `when`; what was resolved is "
        "persisted and recovered",
        "engine",
    ),
    Requirement(
        "E6",
        "A registry of tools with schema, version, effect and cost: Python functions, programs, "
        "HTTP, plug-ins (other MCP servers are `tools:mcp`)",
        "engine",
    ),
    Requirement("tools:mcp", "The tools of other MCP servers are tools", "engine", MCP_CLIENT),
    Requirement(
        "E7",
        "Every error has one of seven classes, counted per run and per tool",
        "engine",
    ),
    Requirement(
        "E8",
        "Retries per tool and per step, with backoff, jitter and retry-after; breakers; timeouts "
        "everywhere",
        "engine",
    ),
    Requirement(
        "E9",
        "Undo is recorded and executed, in reverse, in parallel where possible: on failure, on "
        "cancel, on demand; never twice; `stuck` is loud",
        "engine",
    ),
    Requirement("E10", "A write with an unknown outcome is never blindly repeated", "engine"),
    Requirement(
        "E11",
        "Nothing acknowledged is lost, a finished step never runs again; kill at any point and "
        "resume",
        "engine",
    ),
    Requirement(
        "E12",
        "Replay takes byte-identical decisions and shows the first difference (the fork half is "
        "`replay:fork`)",
        "engine",
    ),
    Requirement(
        "E13",
        "Model calls record settings, seed, versions and schemas; replay never calls a model",
        "engine",
    ),
    Requirement(
        "E14",
        "Artifacts by content, atomic and typed, with lineage both ways and retention",
        "engine",
    ),
    Requirement(
        "E15",
        "Events are ordered per run, resumable and fanned out; a bad or slow listener harms nobody",
        "engine",
    ),
    Requirement(
        "E16",
        "Budgets in USD, credits, tokens, seconds and calls: reserved before, settled after, "
        "across agents and child runs",
        "engine",
    ),
    Requirement(
        "E17",
        "Approvals and questions in the middle of a run: kept by the engine, used once, bound to "
        "the arguments",
        "engine",
    ),
    Requirement(
        "E18",
        "Tools are given idempotency keys; the same start request twice is one run",
        "engine",
    ),
    Requirement(
        "E19",
        "Open runs take steps while they run, from outside and from their own steps, then are "
        "sealed; `literal` arguments, `outcomes` as values, `within` for a step as a whole",
        "engine",
    ),
    Requirement(
        "E20",
        "Metrics per tool, traces, structured logs, alerts on failure, on stuck, on budget",
        "engine",
    ),
    Requirement(
        "E21",
        "Preflight: critical path, cost and time with ranges, chance of success, suggestions",
        "engine",
    ),
    Requirement(
        "E22",
        "Journals of older versions replay, plans carry a format version, feature flags are "
        "recorded in the run",
        "engine",
    ),
    Requirement(
        "E23",
        "The chance of failure per tool and step, from history, is shown before and used by "
        "policies",
        "engine",
        LATER,
    ),
    Requirement(
        "E24",
        "The whole engine is simulated deterministically over thousands of random schedules",
        "engine",
    ),
    Requirement(
        "E25",
        "Policies in the plan react to patterns of failure, and are journalled",
        "engine",
        LATER,
    ),
    Requirement(
        "E26",
        "Any process starts, watches and steers runs; another stands by and takes over; closing "
        "drains",
        "engine",
    ),
    Requirement(
        "E27",
        "Steps from inside a step, arguments as data, outcomes as values, verbs for one step",
        "engine",
    ),
    Requirement(
        "E28",
        "The checker names every mistake in one pass with what to write, for people and models; no "
        "foreign reference runs as text",
        "engine",
    ),
    Requirement("E29", "Saved plans run on schedules, once per slot", "engine", OPERATIONS),
)

TURNS = (
    Requirement(
        "T1",
        "A call starts when its arguments are complete; the reader is never blocked",
        "turns",
    ),
    Requirement(
        "T2",
        "The calls of an answer run in parallel; calls that touch the same thing keep order",
        "turns",
    ),
    Requirement(
        "T3",
        "The model gets one real result per call id, in call order, errors as errors",
        "turns",
    ),
    Requirement(
        "T4",
        "The flow of text and tool sections is a projection of the journal; a final status is "
        "never overwritten",
        "turns",
    ),
    Requirement(
        "T5",
        "Status reaches a watcher within 50 ms, the first tool starts within 100 ms",
        "turns",
    ),
    Requirement(
        "T6",
        "Sections expand while running, collapse when done, are finalised once",
        "turns",
    ),
    Requirement(
        "T7",
        "At the deadline what is unfinished fails with `timeout`; what finished keeps its result",
        "turns",
    ),
    Requirement(
        "T8",
        "Without a store, a clear error, and nothing is lost",
        "turns",
    ),
    Requirement(
        "turn:without-workers",
        "Without workers the local engine takes over",
        "turns",
        MANY_MACHINES,
    ),
    Requirement(
        "T9",
        "The model can retry one tool; the same failing call three times stops the loop",
        "turns",
    ),
    Requirement(
        "T10",
        "Messages are deduplicated by id and ordered by sequence",
        "turns",
    ),
)

AGENTS = (
    Requirement(
        "M1",
        "The control contract is written down: what an agent is, who chooses, remembers, pays",
        "agents",
    ),
    Requirement(
        "M2",
        "Routing by role and capability, with fallback; no able agent is an error",
        "agents",
    ),
    Requirement(
        "M3",
        "Bounded concurrency per agent, a shared budget, isolated errors",
        "agents",
    ),
    Requirement("M4", "Agents speak only in journalled, ordered messages", "agents"),
    Requirement(
        "M5",
        "A goal becomes a checked plan, started while it is being written; a joiner decides",
        "agents",
    ),
    Requirement("M6", "Intent first: a greeting does not start a production", "agents"),
)

PRODUCTION = (
    Requirement(
        "P1",
        "A brief in YAML, JSON or Markdown, own script, own shots; inferred values are marked",
        "production",
    ),
    Requirement(
        "P2",
        "At most five questions, each of which changes the output; review and auto modes",
        "production",
    ),
    Requirement(
        "P3",
        "ScriptSmith: beats with complete metadata, structures, alternatives",
        "production",
    ),
    Requirement(
        "P4",
        "Scripts are validated: exact timing, messages, call to action, speech that fits",
        "production",
    ),
    Requirement(
        "P5",
        "ShotMaster: shots, lighting, composition, continuity, complexity",
        "production",
    ),
    Requirement("P6", "Storyboard: drawn frames, prompts, PDF, contact sheet", "production"),
    Requirement(
        "P7",
        "VideoSolver: the best offers per shot, with recipes, cost, time and proof",
        "production",
    ),
    Requirement(
        "P8",
        "The tool stack: stack tools, offers, benchmarks, techniques, dated and sourced",
        "production",
    ),
    Requirement(
        "P9",
        "Research Agent: discovery, benchmarks, daily update, notification",
        "production",
        RESEARCH,
    ),
    Requirement(
        "P10",
        "`execute_full_pipeline`, REST, SSE, OpenAPI, validation",
        "production",
    ),
    Requirement(
        "P11",
        "The production plan runs: animatic offline, providers with keys, per-shot redo",
        "production",
    ),
    Requirement(
        "P12",
        "Exports and imports: OTIO, EDL, XML, FCPXML, Fountain, SRT, VTT, CSV, PDF",
        "production",
    ),
    Requirement(
        "P13",
        "Each agent answers in under 30 s; an offline production plan for 60 s in under 5 s",
        "production",
    ),
    Requirement(
        "P14",
        "Example briefs and notebooks that run; a troubleshooting guide",
        "production",
        OPERATIONS,
    ),
    Requirement(
        "P15",
        "The film shows what it says: every shot is compared with its words, and the share is "
        "told; nothing is made up",
        "production",
    ),
    Requirement(
        "P16",
        "Hand-over: clean frames, clips, stems, prompts, linked timelines; a plan of what can "
        "really be ordered",
        "production",
    ),
)

EDITING = (
    Requirement(
        "V1",
        "One message, many operations: sequential, parallel or mixed; a batch endpoint",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V2",
        "Parallel edits never corrupt the project: 50 writers, no deadlock",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V3",
        "Undo and redo of whole runs, of parts, of undos; everything restored",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V4",
        "Context shared between tools, bounded, expiring, per project",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V5",
        "Credits are reserved before, charged for what happened, refunded on cancel",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V6",
        "Preview updates coalesced, progress people understand, stop at any time",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V7",
        "Named batches, suggestions, cached repeats, data on how right the choice was",
        "editing",
        PROJECTS,
    ),
    Requirement(
        "V8",
        "After a partial failure what failed is offered again alone",
        "editing",
        PROJECTS,
    ),
    Requirement("V9", "Chaos tested; undo keeps the user's data", "editing", PROJECTS),
)

SERVICE = (
    Requirement(
        "S1",
        "REST and SSE for everything; idempotency keys, pagination, problem+json",
        "service",
    ),
    Requirement(
        "S2",
        "API keys, tenants isolated in every query, rate limits, audit log",
        "service",
    ),
    Requirement(
        "S3",
        "MCP server: tools, resources, prompts, tasks; stdio and HTTP (the client is `tools:mcp`)",
        "service",
    ),
    Requirement(
        "S4",
        "Web studio and run inspector, live, tested in a real browser",
        "service",
        WEB_STUDIO,
    ),
    Requirement("S5", "A command line with live progress and `--json`", "service"),
    Requirement(
        "S6",
        "Many machines drive the same core; a machine may die",
        "service",
        MANY_MACHINES,
    ),
    Requirement(
        "S7",
        "SQLite embedded, with migrations (the PostgreSQL half is `store:postgresql`)",
        "service",
    ),
    Requirement(
        "S8",
        "Prometheus, OpenTelemetry, health, a dashboard; export and deletion per tenant",
        "service",
        OPERATIONS,
    ),
    Requirement(
        "S9",
        "Tutorial, how-to, reference, explanation; branch coverage 85 %, of the core 100 %",
        "service",
        OPERATIONS,
    ),
    Requirement(
        "S10",
        "Hostile input: plans, briefs, answers and servers that nobody may trust; files confined, "
        "values bounded, secrets granted; a lock file and a bill of materials",
        "service",
    ),
    Requirement(
        "S11",
        "Apps plug in by entry point: tools, commands, tables; the studio is one",
        "service",
    ),
)

GUARANTEES = (
    Requirement("states:every-step-is-final", "Every step of an ended run is final", "states"),
    Requirement(
        "states:ended-is-absorbing",
        "An ended run changes no more, except by undo",
        "states",
    ),
    Requirement(
        "order:starts-after-needs",
        "A step starts only when what it references or needs has ended well",
        "order",
    ),
    Requirement(
        "order:priority-then-plan-order",
        "Ready steps start by priority, then in the order of the plan",
        "order",
    ),
    Requirement(
        "order:touches-never-overlap",
        "Two steps of a run that touch the same key never overlap",
        "order",
    ),
    Requirement(
        "order:skips-follow-skips",
        "A step is skipped when anything it references or needs was, unless it says otherwise",
        "order",
    ),
    Requirement(
        "failure:nothing-starts-after-it",
        "With `undo` and `stop`, nothing more starts once a step has failed",
        "failure",
    ),
    Requirement(
        "failure:running-attempts-are-drained",
        "Running attempts are cancelled, have their grace, and end before the run does",
        "failure",
    ),
    Requirement(
        "failure:undo-takes-back-what-is-owed",
        "With `undo`, everything that is owed is taken back",
        "failure",
    ),
    Requirement(
        "failure:continue-runs-the-rest",
        "With `continue`, everything not downstream runs on; the run fails, nothing is undone",
        "failure",
    ),
    Requirement(
        "durability:acknowledged-survives",
        "With `sync=full` an entry is on the disk before it is acknowledged",
        "durability",
    ),
    Requirement(
        "durability:outcome-before-dependents",
        "An outcome is durable before anything that depends on it starts",
        "durability",
    ),
    Requirement(
        "durability:finished-never-runs-again",
        "A step whose outcome was journalled never runs again",
        "durability",
    ),
    Requirement(
        "durability:killed-anywhere-ends-the-same",
        "A run killed at any point and resumed ends as the undisturbed one",
        "durability",
    ),
    Requirement(
        "retry:only-retryable-classes",
        "Only `transient`, `rate_limited` and `timeout` are retried",
        "retry",
    ),
    Requirement(
        "retry:attempts-by-effect",
        "Reads and idempotent writes have three attempts, other writes one, unless declared",
        "retry",
    ),
    Requirement(
        "retry:backoff-from-a-seed",
        "Backoff grows, its jitter comes from a seed, and `retry_after` is honoured",
        "retry",
    ),
    Requirement(
        "retry:breaker-opens-and-says-so",
        "A breaker per tool opens after repeated failures, and it is seen",
        "retry",
    ),
    Requirement(
        "tool:unsaid",
        "A tool that does not say what it does is treated as a write that must not be repeated; "
        "what it raises fails its step, and only an end that nobody saw is a doubt",
        "tools",
    ),
    Requirement(
        "cli:ids",
        "A run is named by how its id begins, or as the last; ids are never cut; lists show what "
        "somebody started, and can be narrowed",
        "command line",
    ),
    Requirement(
        "cli:interrupted",
        "A run that nobody drives reads `interrupted` everywhere, and its clock stands still",
        "command line",
    ),
    Requirement(
        "door:opening",
        "An engine is opened with `async with` or `await`; the wrong way says the right one",
        "doors",
    ),
    Requirement(
        "door:sync", "The same engine serves code that is not async, in a loop or not", "doors"
    ),
    Requirement(
        "door:result",
        "A result raises for its state and is read as a model; one step is waited for alone",
        "doors",
    ),
    Requirement(
        "plan:python-as-yaml",
        "A plan built in Python takes what YAML takes; a mapping is taken wherever a plan is",
        "plans",
    ),
    Requirement(
        "undo:own-terms",
        "An undo without arguments is given what its tool asks for, also what the call saved",
        "undo",
    ),
    Requirement(
        "fork:repeats-are-told",
        "A fork lists the writes it does again, and asks for those that are not idempotent",
        "fork",
    ),
    Requirement(
        "cli:screens",
        "The live table leaves nothing stale and loses nothing, at 80 and at 120 columns",
        "command line",
    ),
    Requirement(
        "tool:traceback",
        "Where a tool raised an exception is in the journal, the log and the span, without secrets",
        "tools",
    ),
    Requirement(
        "doubt:never-blindly-repeated",
        "A non-idempotent write of unknown outcome is in doubt and not called again",
        "doubt",
    ),
    Requirement(
        "doubt:not-done-is-retried",
        "It is retried when the error says that nothing happened",
        "doubt",
    ),
    Requirement(
        "doubt:answered-or-decided-beforehand",
        "A person says happened, did not, or undo; or the plan said so beforehand",
        "doubt",
    ),
    Requirement(
        "doubt:undone-without-output-or-stuck",
        "A stopping run undoes a doubt whose undo needs no output; otherwise it is stuck",
        "doubt",
    ),
    Requirement(
        "idempotency:one-key-per-step",
        "All attempts of a step have one key, its undo another",
        "idempotency",
    ),
    Requirement(
        "idempotency:same-start-is-one-run",
        "The same start key and content is the same run",
        "idempotency",
    ),
    Requirement(
        "idempotency:other-content-is-refused",
        "The same start key with other content is refused",
        "idempotency",
    ),
    Requirement(
        "idempotency:checkpoint-comes-back",
        "What an attempt put down with a checkpoint, the next attempt gets back",
        "idempotency",
    ),
    Requirement(
        "cancel:no-start-after-journalled",
        "Once the cancel is journalled, no attempt starts",
        "cancel",
    ),
    Requirement(
        "cancel:every-attempt-gets-a-final-record",
        "Every started attempt has a final record before the run ends",
        "cancel",
    ),
    Requirement(
        "cancel:isolated-writes-are-killed",
        "After the grace, processes are killed; an abandoned read is reported",
        "cancel",
    ),
    Requirement("cancel:undo-goes-through", "Undo is not cancellable", "cancel"),
    Requirement(
        "undo:reverse-order",
        "A step is undone after all that depended on it, or touched its key after it",
        "undo",
    ),
    Requirement("undo:at-most-once", "An effect is undone at most once, with own attempts", "undo"),
    Requirement(
        "undo:journalled-with-the-start",
        "The undo is journalled with the start, its resolved call with the outcome",
        "undo",
    ),
    Requirement(
        "undo:to-keeps-what-it-needed",
        "`undo(to=X)` keeps X and what it needed",
        "undo",
    ),
    Requirement(
        "undo:recovered-errors-undo-nothing",
        "A tool error that the plan recovers from undoes nothing",
        "undo",
    ),
    Requirement(
        "step:add",
        "A step adds steps to its own run: durable at once, with a checkpoint in the same append, "
        "and once whatever happens",
        "one step",
    ),
    Requirement(
        "step:then",
        "What is to follow a step is written in the append that ends it, only if it succeeds",
        "one step",
    ),
    Requirement(
        "step:text",
        "What a step says is told at once and journalled, before what it introduces, without "
        "secrets, and read by its next attempt",
        "one step",
    ),
    Requirement(
        "step:outcomes",
        "`${outcomes.ID}` is what became of a step, as a value that is fixed with the first start",
        "one step",
    ),
    Requirement(
        "step:within",
        "`within` bounds a step as a whole: queueing, attempts and backoff, and no waiting",
        "one step",
    ),
    Requirement(
        "step:stop",
        "One step is stopped from any process; the run goes on without it",
        "one step",
    ),
    Requirement(
        "step:undo",
        "What one step did is taken back alone, unless something was built on it",
        "one step",
    ),
    Requirement(
        "step:retry",
        "A step that failed or was stopped is tried again, and what was skipped for it follows; "
        "also after the run has ended failed",
        "one step",
    ),
    Requirement(
        "pause:nothing-starts",
        "Nothing starts in a paused run; what runs may finish",
        "pause",
    ),
    Requirement(
        "pause:answers-and-timers-go-on",
        "Answers are recorded and timers run in a paused run",
        "pause",
    ),
    Requirement(
        "approval:bound-to-arguments",
        "An approval holds for a step and these arguments, for all its attempts",
        "approval",
    ),
    Requirement(
        "approval:answered-once",
        "A question has one answer, by a named person; a second one is refused",
        "approval",
    ),
    Requirement(
        "approval:denied-is-denied",
        "A step that was not approved fails with class `denied`, and is not called",
        "approval",
    ),
    Requirement(
        "budget:cap-never-exceeded",
        "Reservations never exceed the cap, with any concurrency and retries",
        "budget",
    ),
    Requirement(
        "budget:reserved-with-the-start",
        "The ceiling is reserved in the append that starts the call; without one it is refused",
        "budget",
    ),
    Requirement(
        "budget:seconds-count-running",
        "`seconds` counts running, not paused or waiting",
        "budget",
    ),
    Requirement(
        "budget:ledger-adds-up",
        "A run reserves its cap from the tenant's ledger, whose statements add up",
        "budget",
    ),
    Requirement(
        "replay:byte-identical",
        "Every recorded start was offered at that point, and the snapshots are equal bytes",
        "replay",
    ),
    Requirement(
        "replay:first-difference-shown",
        "The first difference is shown, and is the first",
        "replay",
    ),
    Requirement("replay:needs-no-tools", "Replay needs no tools and calls none", "replay"),
    Requirement(
        "replay:fork",
        "A fork keeps everything not downstream of a step, and owes only its own effects",
        "replay",
    ),
    Requirement(
        "children:one-run-per-step",
        "A sub-plan is a run of its own, begun once, found again after a crash, never lost",
        "children",
    ),
    Requirement(
        "children:reached",
        "Cancel, pause, resume and undo reach children; a parent ends after them",
        "children",
    ),
    Requirement(
        "cache:names-its-source",
        "A read answered by the same call of another run names it, calls and costs nothing",
        "cache",
    ),
    Requirement(
        "secrets:never-written",
        "A secret is given to the call; journal, values, logs, errors and watchers see its name",
        "secrets",
    ),
    Requirement(
        "events:resume-without-loss",
        "A stream resumed by sequence neither loses nor repeats an entry",
        "events",
    ),
    Requirement(
        "events:listener-cannot-break-a-run",
        "Listeners are called in order; one that raises harms nobody",
        "events",
    ),
    Requirement(
        "events:lagging-subscriber-catches-up",
        "A subscriber that lags catches up from the journal; the run does not wait",
        "events",
    ),
    Requirement(
        "processes:second-terminal",
        "Watch, pause, cancel and answer work from another process",
        "processes",
    ),
    Requirement(
        "versions:old-journals-replay",
        "Journals of every release replay for ever",
        "versions",
    ),
    Requirement(
        "versions:flags-are-recorded",
        "A run keeps the versions and flags it was started with",
        "versions",
    ),
    Requirement(
        "versions:newer-store-is-refused",
        "A store written by a newer version is refused, unchanged, with a clear error",
        "versions",
    ),
    Requirement(
        "store:postgresql",
        "The same schema and contract on PostgreSQL, with pooling and retention",
        "service",
    ),
)

REQUIREMENTS = (
    *ENGINE,
    *TURNS,
    *AGENTS,
    *PRODUCTION,
    *EDITING,
    *SERVICE,
    *GUARANTEES,
)
