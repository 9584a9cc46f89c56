"""The words of other systems for what a plan says. Only data: a habit more is a word more here.

A name is looked up bare: lowercase, without `-`, `_` and spaces, so that `depends_on`, `dependsOn`
and `depends-on` are one. A target may have a way to convert the value, after a `:`.
"""

from __future__ import annotations

PLAN_WRAPPERS = frozenset(
    ("plan", "workflow", "dag", "pipeline", "flow", "playbook", "spec", "callsheetplan", "workflowdefinition")
)  # fmt: skip
"""What a whole plan is put into, one level down."""

PLAN: dict[str, str] = {
    **dict.fromkeys(
        (
            "tasks", "jobs", "nodes", "stages", "actions", "activities", "toolcalls", "calls", "plan",
            "workflow", "functioncalls", "operations", "sequence", "step", "todo", "commands", "states",
        ),
        "steps",
    ),
    **dict.fromkeys(
        ("workflowname", "dagid", "title", "id", "planname", "pipelinename", "workflowid", "planid", "jobname"),
        "name",
    ),
    **dict.fromkeys(
        (
            "params", "parameters", "vars", "variables", "args", "arguments", "env", "input", "inputvariables",
            "inputschema", "environment", "config", "inputparameters", "defaults", "context",
        ),
        "inputs",
    ),
    **dict.fromkeys(
        (
            "outputs", "result", "results", "return", "returns", "outputkey", "finaloutput", "finalanswer",
            "outputvariable", "response", "answer",
        ),
        "output",
    ),
    **dict.fromkeys(
        (
            "maxconcurrency", "maxparallel", "parallelism", "maxactivetasks", "workers", "maxworkers",
            "maxparallelism", "concurrent", "parallellimit", "maxconcurrent", "numworkers",
        ),
        "concurrency",
    ),
    **dict.fromkeys(
        (
            "onerror", "errorpolicy", "failurepolicy", "onfail", "errorhandling", "onexception", "errorstrategy",
            "failurestrategy",
        ),
        "on_failure",
    ),
    **dict.fromkeys(("oncancellation", "oncancelled", "onabort"), "on_cancel"),
    **dict.fromkeys(("limits", "maxcost", "costlimit", "maxbudget", "spendlimit", "maxusd", "costs"), "budget"),
    **dict.fromkeys(("version", "apiversion", "schemaversion", "formatversion", "callsheetversion"), "callsheet"),
    **dict.fromkeys(("summary", "desc", "goal", "objective", "doc", "purpose"), "description"),
}  # fmt: skip
"""Of the plan. `plan` and `workflow` are the steps where they hold a list."""

PLAN_NOISE = frozenset(
    (
        "parallel", "paralleltoolcalls", "metadata", "meta", "author", "tags", "kind", "created", "createdat",
        "owner", "type", "thought", "reasoning", "thoughts", "catchup", "schema", "rationale", "explanation",
    )
)  # fmt: skip
"""Left out without loss."""

STEP: dict[str, str] = {
    **dict.fromkeys(
        (
            "name", "step", "stepid", "taskid", "toolcallid", "callid", "nodeid", "activityid", "jobid", "ref",
            "stepname", "taskname", "key", "slug", "stepnumber", "nodename", "identifier", "actionid",
        ),
        "id:id",
    ),
    **dict.fromkeys(
        (
            "uses", "function", "action", "activity", "activityname", "operator", "toolname", "call", "method",
            "task", "fn", "functionname", "op", "actionname", "tooltouse", "activitytype", "invoke", "command",
            "toolid", "handler", "service", "run", "calltool", "usetool",
        ),
        "tool:tool",
    ),
    **dict.fromkeys(
        (
            "input", "inputs", "params", "parameters", "with", "arguments", "kwargs", "opkwargs", "toolinput",
            "actioninput", "toolargs", "toolarguments", "payload", "data", "argument", "arg", "functionargs",
            "toolparameters", "toolparams", "inputparameters", "opargs", "variables", "body",
        ),
        "args:args",
    ),
    **dict.fromkeys(
        (
            "dependson", "dependencies", "depends", "dependency", "requires", "after", "upstream", "runafter",
            "waitfor", "prerequisites", "previous", "upstreamtaskids", "follows", "afterstep", "need", "require",
            "waitson", "startafter", "upstreamtasks", "deps", "parents", "awaits",
        ),
        "needs:needs",
    ),
    **dict.fromkeys(
        ("if", "condition", "runif", "onlyif", "conditions", "cond", "guard", "runwhen", "executeif", "runcondition"),
        "when",
    ),
    **dict.fromkeys(("skipif", "unless", "skipwhen", "ifnot"), "when:negated"),
    **dict.fromkeys(
        (
            "loop", "foreach", "withitems", "items", "iterate", "map", "each", "iterateover", "expand", "loopover",
            "forall", "over", "mapover", "repeatfor", "forin",
        ),
        "for_each",
    ),
    "strategy": "for_each:matrix",
    "matrix": "for_each:matrix",
    **dict.fromkeys(("prompt", "question", "message", "askuser", "askhuman", "humaninput", "userprompt"), "ask"),
    **dict.fromkeys(
        ("options", "answers", "allowedanswers", "enum", "buttons", "possibleanswers", "allowedvalues"), "choices"
    ),
    **dict.fromkeys(
        (
            "rollback", "compensate", "compensation", "compensatewith", "revert", "onrollback", "undowith",
            "compensationactivity", "compensatingaction", "reverse", "undoaction", "undotool",
        ),
        "undo:undo",
    ),
    **dict.fromkeys(
        ("retries", "maxretries", "retrycount", "numretries", "retrylimit", "retrytimes"), "retry:retries"
    ),
    **dict.fromkeys(("attempts", "maxattempts", "maximumattempts", "retryattempts", "tries"), "retry:attempts"),
    **dict.fromkeys(("retrypolicy", "retryoptions", "retryconfig", "retrystrategy"), "retry"),
    **dict.fromkeys(
        ("retrydelay", "retryinterval", "retrybackoff", "retrywait", "delaybetweenretries", "retrydelayseconds"),
        "retry:backoff",
    ),
    **dict.fromkeys(
        (
            "executiontimeout", "timelimit", "maxduration", "deadline", "starttoclosetimeout", "maxtime",
            "scheduletoclosetimeout", "maxruntime", "timeoutduration",
        ),
        "timeout:duration",
    ),
    **dict.fromkeys(("timeoutseconds", "timeoutsec", "timeoutsecs", "timeouts", "timeoutins"), "timeout:seconds"),
    **dict.fromkeys(("timeoutminutes", "timeoutmin", "timeoutmins"), "timeout:minutes"),
    **dict.fromkeys(("timeoutms", "timeoutmillis", "timeoutmilliseconds"), "timeout:milliseconds"),
    **dict.fromkeys(("timeouthours",), "timeout:hours"),
    **dict.fromkeys(
        (
            "onerror", "onfail", "errorhandling", "errorpolicy", "onexception", "failurepolicy", "catch",
            "errorstrategy", "onfailureaction",
        ),
        "on_failure",
    ),
    **dict.fromkeys(
        (
            "continueonerror", "ignoreerrors", "allowfailure", "continueonfailure", "continueonfail", "ignorefailure",
            "optional", "softfail", "ignoreerror",
        ),
        "on_failure:ignore",
    ),
    **dict.fromkeys(
        (
            "requiresapproval", "requireapproval", "needsapproval", "humanapproval", "manualapproval",
            "approvalrequired", "confirm", "confirmation", "requiresconfirmation", "approve", "humanintheloop",
        ),
        "approval:approval",
    ),
    **dict.fromkeys(("isidempotent", "safetoretry", "retrysafe"), "idempotent:flag"),
    **dict.fromkeys(("isdestructive", "dangerous", "irreversible"), "destructive:flag"),
    **dict.fromkeys(("priorityweight", "prio", "weight"), "priority"),
    **dict.fromkeys(("pool", "lock", "locks", "mutex", "resources", "resource", "concurrencygroup"), "touches:texts"),
    **dict.fromkeys(("cached", "memoize", "usecache", "cachettl", "cacheduration"), "cache"),
    **dict.fromkeys(("price", "estimatedcost", "costusd", "estimatedcostusd"), "cost"),
    **dict.fromkeys(("maxcost", "costlimit", "maxcostusd", "budget"), "ceiling"),
    **dict.fromkeys(("triggerrule",), "run_if_skipped:trigger"),
    **dict.fromkeys(("alwaysrun", "runalways", "always"), "run_if_skipped:flag"),
    **dict.fromkeys(("subplan", "subworkflow", "workflow", "childworkflow", "subflow"), "plan"),
    **dict.fromkeys(("raw", "asdata", "noreferences", "verbatim"), "literal:flag"),
}  # fmt: skip
"""Of a step."""

STEP_NOISE = frozenset(
    (
        "type", "parallel", "async", "thought", "thoughts", "reasoning", "rationale", "description", "comment",
        "purpose", "agent", "expectedoutput", "kind", "label", "title", "displayname", "notes", "note", "explanation",
        "role", "why", "status", "index", "order", "tags", "stream", "strict", "verbose", "returndirect", "stepname",
        "name", "background", "backoffcoefficient",
    )
)  # fmt: skip
"""Left out without loss: a step runs as soon as it can, and is what it calls."""

STEP_OUTPUT_NAMES = frozenset(
    (
        "outputkey", "saveas", "register", "resultvariable", "output", "outputs", "storeas", "outputvariable",
        "resultkey", "outputname", "assignto", "variable", "bind", "storeresultas", "outputvar",
    )
)  # fmt: skip
"""A name of its own for what a step gives."""

ITEM_NAMES = frozenset(
    ("as", "itemname", "loopvar", "itemvariable", "itervar", "itemvar", "alias", "var", "itemas")
)
"""A name of its own for the item of a `for_each`."""

NEXT = frozenset(
    ("next", "nextstep", "then", "downstream", "ontransition", "goto", "onsuccess", "nextsteps")
)
"""What comes after a step, said at the step."""

RETRY: dict[str, str] = {
    **dict.fromkeys(
        ("maxattempts", "maximumattempts", "max", "count", "times", "limit", "tries", "attempt", "total"), "attempts"
    ),
    **dict.fromkeys(("maxretries", "retries", "numretries", "retrycount"), "attempts:plus_one"),
    **dict.fromkeys(
        (
            "delay", "initialinterval", "interval", "wait", "backoffseconds", "retrydelay", "initialdelay",
            "delayseconds", "minbackoff", "initialbackoff", "waitseconds", "sleep",
        ),
        "backoff:duration",
    ),
    **dict.fromkeys(("maximuminterval", "maxinterval", "maxdelay", "maxwait", "maxdelayseconds"), "max_backoff:duration"),
}  # fmt: skip
RETRY_NOISE = frozenset(
    (
        "backoffcoefficient", "multiplier", "factor", "exponentialbackoff", "jitter", "strategy", "type", "exponential",
        "backofffactor", "backoffmultiplier", "backofftype", "exponentialbase", "policy",
    )
)  # fmt: skip

BUDGET: dict[str, str] = {
    **dict.fromkeys(
        (
            "maxusd", "maxcost", "cost", "dollars", "maxcostusd", "usdlimit", "money", "maxdollars", "price", "costusd",
            "amount", "limit", "max", "totalusd", "maxprice", "spend",
        ),
        "usd",
    ),
    **dict.fromkeys(("maxtokens", "tokenlimit", "totaltokens"), "tokens"),
    **dict.fromkeys(("maxcalls", "maxsteps", "maxtoolcalls", "toolcalls", "callslimit", "requests", "maxiterations"), "calls"),
    **dict.fromkeys(("maxcredits",), "credits"),
    **dict.fromkeys(("timeout", "time", "maxseconds", "duration", "maxtime", "maxduration", "timelimit"), "seconds:duration"),
    **dict.fromkeys(("minutes", "maxminutes", "timeoutminutes"), "seconds:minutes"),
}  # fmt: skip

UNDO: dict[str, str] = {
    name: to for name, to in STEP.items() if to in ("tool:tool", "args:args")
} | {"name": "tool:tool"}

STEP_FAILURE: dict[str, str] = {
    **dict.fromkeys(("continue", "warn", "log", "proceed", "none", "pass", "swallow", "resume", "null"), "ignore"),
    **dict.fromkeys(("abort", "stop", "raise", "halt", "terminate", "failfast", "error", "exit", "fatal", "break"), "fail"),
    **dict.fromkeys(("rollback", "undo", "compensate", "revert", "failworkflow"), "fail"),
    **dict.fromkeys(("skipdependents", "skipdownstream", "skipremaining"), "skip"),
    "retry": "fail",
}  # fmt: skip
"""Other words for a step's `on_failure`."""

PLAN_FAILURE: dict[str, str] = {
    **dict.fromkeys(("rollback", "compensate", "revert", "saga", "undoall", "takeback"), "undo"),
    **dict.fromkeys(("abort", "fail", "halt", "raise", "terminate", "failfast", "exit", "error", "break"), "stop"),
    **dict.fromkeys(("ignore", "skip", "proceed", "warn", "log", "continueonerror", "resume"), "continue"),
}  # fmt: skip
"""Other words for the plan's `on_failure`."""

TYPES: dict[str, str] = {
    "str": "string", "text": "string", "varchar": "string", "date": "string", "datetime": "string", "url": "string",
    "email": "string", "uri": "string", "int": "integer", "long": "integer", "float": "number", "double": "number",
    "decimal": "number", "bool": "boolean", "list": "array", "dict": "object", "map": "object", "mapping": "object",
    "json": "object", "none": "null", "num": "number",
}  # fmt: skip
"""Other words for the types of inputs."""

INPUT_ROOTS = frozenset(
    ("inputs", "input", "params", "parameters", "vars", "variables", "env", "github.event.inputs", "workflow.inputs",
     "workflow.input", "trigger", "event.inputs", "dag_run.conf", "context", "state", "ctx", "var", "args", "config",
     "var.value", "plan.inputs", "request", "payload", "workflow.parameters", "inputs.parameters")
)  # fmt: skip
"""What stands before the name of an input."""

STEP_ROOTS = frozenset(
    ("steps", "needs", "jobs", "tasks", "nodes", "results", "outputs", "step", "task", "activities", "output",
     "result", "node", "calls", "tool_calls", "state", "context", "ctx", "steps.outputs", "dependencies", "plan.steps")
)  # fmt: skip
"""What stands before the name of a step."""

ITEM_ROOTS = frozenset(
    (
        "item",
        "matrix",
        "loop.item",
        "each",
        "it",
        "this",
        "element",
        "each.value",
        "loop.value",
        "_",
    )
)
"""Other words for the item of a `for_each`."""

WRAPPERS = frozenset(
    ("output", "outputs", "result", "results", "data", "response", "return_value", "returnvalue", "value", "content",
     "outcome", "answer", "signal", "payload", "body", "json", "return", "xcom", "out", "observation")
)  # fmt: skip
"""What others put between a step and the fields of its output."""

GROUPS: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "query sql q statement search question term keywords search_query",
        "text content body message contents html description prompt markdown input summary",
        "path file filename filepath file_path file_name destination",
        "url link href html_url uri webpage address permalink",
        "city location place town destination",
        "to recipient recipients email emails to_email address addresses",
        "limit num_results max_results top_k count n size max k per_page num",
        "language lang target_language to_language target_lang locale",
        "attendees participants guests invitees members",
        "qty quantity amount count number",
        "state status",
        "count total size length number total_count num bytes rows_count",
        "amount total price cost sum value",
        "name title label full_name",
        "start start_time begin date when datetime",
        "rows records items data values entries results",
        "row record data values item",
        "guest passenger name customer traveler guest_name person",
        "channel room conversation",
        "image picture img container",
        "source src origin from dataset",
        "tier plan level subscription",
        "environment env stage target",
    )
)
"""Names of arguments and of fields that people take for each other."""

HINTS: dict[str, str] = {
    **dict.fromkeys(
        ("on", "schedule", "scheduleinterval", "cron", "trigger", "triggers", "startdate", "event", "events"),
        "A plan is started; what starts it does not stand in it.",
    ),
    **dict.fromkeys(("defaultargs", "runson", "container", "image"), "Each step says it for itself."),
    **dict.fromkeys(("permissions", "secrets"), "A secret is ${secrets.NAME} in the args of a step."),
    **dict.fromkeys(("onfailurecallback", "onerrorcallback"), "What happens then is `on_failure` of the step or the plan."),
    **dict.fromkeys(
        ("parallelism", "maxparallel", "concurrency", "maxconcurrency"),
        "How many calls run at once is `concurrency` of the plan.",
    ),
    **dict.fromkeys(("else", "otherwise", "switch", "branches"), "Write a step with the opposite `when`."),
    **dict.fromkeys(("while", "until", "repeat"), "A plan has no loops but `for_each`; add steps to an open run instead."),
    **dict.fromkeys(("idempotencykey", "key"), "A tool gets its key from its context."),
    **dict.fromkeys(("taskqueue",), "Which process calls a tool is not said in a plan."),
}  # fmt: skip
"""What to know about a field that is left out."""

PEOPLE = frozenset(
    ("human", "user", "ask", "askhuman", "askuser", "humaninput", "input", "approval", "humanapproval", "person", "manual")
)  # fmt: skip
"""What others call as if it were a tool, and is a question."""

FINAL = frozenset(
    (
        "finalanswer",
        "finish",
        "final",
        "answer",
        "respond",
        "end",
        "return",
        "done",
        "output",
        "join",
    )
)
"""What others call as if it were a tool, and is the plan's output."""
