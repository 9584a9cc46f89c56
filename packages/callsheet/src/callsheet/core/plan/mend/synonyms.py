"""The words of other systems for what a plan says. Only data: a habit more is a word more here.

A name is looked up bare: lowercase, without `-`, `_` and spaces, so that `depends_on`, `dependsOn`
and `depends-on` are one. A target may have a way to convert the value, after a `:`.
"""

from __future__ import annotations


def _inverted(table: dict[str, str]) -> dict[str, str]:
    return {word: to for to, words in table.items() for word in words.split()}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


PLAN_WRAPPERS = _set(
    "callsheetplan chain dag definition flow graph pipeline plan playbook process spec template "
    "workflow workflowdefinition"
)
"""What a whole plan is put into, one level down."""

PLAN = _inverted(
    {
        "steps": (
            "tasks jobs nodes stages actions activities toolcalls calls plan workflow "
            "functioncalls tooluses operations sequence step todo commands states services "
            "templates plays blocks"
        ),
        "name": (
            "workflowname dagid title id planname pipelinename workflowid planid jobname flow "
            "flowname generatename namespace"
        ),
        "inputs": (
            "params parameters vars variables args arguments env input inputvariables inputschema "
            "environment config inputparameters defaults context state stateschema variable "
            "extravars varsprompt"
        ),
        "output": (
            "outputs result results return returns outputkey finaloutput finalanswer "
            "outputvariable outputvariables outputkeys response answer"
        ),
        "concurrency": (
            "maxconcurrency maxparallel parallelism maxactivetasks workers maxworkers "
            "maxparallelism concurrent parallellimit maxconcurrent numworkers"
        ),
        "on_failure": (
            "onerror errorpolicy failurepolicy onfail errorhandling onexception errorstrategy "
            "failurestrategy"
        ),
        "on_cancel": "oncancellation oncancelled onabort",
        "budget": "limits maxcost costlimit maxbudget spendlimit maxusd costs",
        "callsheet": "version apiversion schemaversion formatversion callsheetversion",
        "description": "summary desc goal objective doc purpose comment task",
    }
)
"""Of the plan. `plan` and `workflow` are the steps where they hold a list."""

PLAN_NOISE = _set(
    "active author catchup maxtokens messages model stopreason temperature "
    "maxactiveruns created createdat entry entrypoint explanation "
    "finishpoint hosts kind meta "
    "metadata owner parallel paralleltoolcalls pindata rationale reasoning schema settings stages "
    "start startat tags thought thoughts type"
)
"""Left out without loss."""

STEP = _inverted(
    {
        "id:id": (
            "name step stepid taskid toolcallid callid nodeid activityid jobid ref stepname "
            "taskname key slug stepnumber nodename identifier actionid taskreferencename refname "
            "job stage"
        ),
        "tool:tool": (
            "uses function action activity activityname operator toolname call method task fn "
            "functionname op actionname tooltouse activitytype invoke command toolid handler "
            "service run calltool usetool recipientname template taskref toolref callable "
            "pythoncallable functioncall tools script"
        ),
        "args:args": (
            "input inputs params parameters with arguments kwargs opkwargs toolinput actioninput "
            "toolargs toolarguments payload data argument arg functionargs toolparameters "
            "toolparams inputparameters opargs variables body env environment templatesdict props"
        ),
        "needs:needs": (
            "dependson dependencies depends dependency requires after upstream runafter waitfor "
            "prerequisites previous upstreamtaskids follows afterstep need require waitson "
            "startafter upstreamtasks deps parents ins await awaits setupstream predecessors "
            "context"
        ),
        "when": (
            "if condition runif onlyif conditions cond guard runwhen executeif runcondition rules "
            "whenexpressions"
        ),
        "when:negated": "skipif unless skipwhen ifnot",
        "for_each": (
            "loop foreach withitems items iterate map each iterateover expand loopover forall over "
            "mapover repeatfor forin withparam itemspath withlist iterator foreachitem"
        ),
        "for_each:matrix": "strategy matrix",
        "ask": (
            "prompt question message askuser askhuman humaninput userprompt waitforsignal "
            "waitforapproval awaitsignal"
        ),
        "choices:choices": (
            "options answers allowedanswers enum buttons possibleanswers allowedvalues"
        ),
        "undo:undo": (
            "rollback compensate compensation compensatewith revert onrollback undowith "
            "compensationactivity compensatingaction reverse undoaction undotool rollbackconfig "
            "rollbackwith"
        ),
        "retry:retries": "retries maxretries retrycount numretries retrylimit retrytimes",
        "retry:attempts": "attempts maxattempts maximumattempts retryattempts tries maxtries",
        "retry:policy": "retrypolicy retryoptions retryconfig retrystrategy",
        "retry:backoff": (
            "retrydelay retryinterval retrybackoff retrywait delaybetweenretries retrydelayseconds"
        ),
        "timeout:duration": (
            "executiontimeout timelimit maxduration deadline starttoclosetimeout maxtime "
            "maxruntime timeoutduration"
        ),
        "within:duration": "scheduletoclosetimeout totaltimeout overalltimeout",
        "timeout:seconds": "timeoutseconds timeoutsec timeoutsecs timeouts timeoutins "
        "timeoutinseconds",
        "timeout:minutes": "timeoutminutes timeoutmin timeoutmins timeoutinminutes",
        "timeout:milliseconds": "timeoutms timeoutmillis timeoutmilliseconds",
        "timeout:hours": "timeouthours",
        "retry:restart": "restart restartpolicy",
        "on_failure": (
            "onerror onfail errorhandling errorpolicy onexception failurepolicy catch "
            "errorstrategy onfailureaction"
        ),
        "on_failure:ignore": (
            "continueonerror ignoreerrors allowfailure continueonfailure continueonfail "
            "ignorefailure optional softfail ignoreerror"
        ),
        "approval:approval": (
            "requiresapproval requireapproval needsapproval humanapproval manualapproval "
            "approvalrequired manual confirm confirmation requiresconfirmation approve "
            "humanintheloop"
        ),
        "idempotent:flag": "isidempotent safetoretry retrysafe",
        "destructive:flag": "isdestructive dangerous irreversible",
        "priority": "priorityweight prio weight",
        "touches:texts": "pool lock locks mutex resources resource concurrencygroup",
        "cache": "cached memoize usecache cachettl cacheduration",
        "cost": "price estimatedcost costusd estimatedcostusd",
        "ceiling": "maxcost costlimit maxcostusd budget",
        "run_if_skipped:trigger": "triggerrule",
        "run_if_skipped:flag": "alwaysrun runalways always",
        "plan": "subplan subworkflow workflow childworkflow subflow",
        "literal:flag": "raw asdata noreferences verbatim",
    }
)
"""Of a step."""

STEP_NOISE = _set(
    "agent async background backoffcoefficient color comment dependsonpast description displayname "
    "end executeonce expectedoutput heartbeat heartbeattimeout height icon "
    "explanation index isend kind name note notes order owner parallel position purpose rationale "
    "reasoning retryonfail maxiterations observation returndirect role shell status stepname "
    "stream strict tags "
    "thought thoughts title toolchoice type typeversion verbose why width x y"
)
"""Left out without loss: a step runs as soon as it can, and is what it calls."""

STEP_OUTPUT_NAMES = _set(
    "assignto bind output outputkey outputname outputs outputvar outputvariable register "
    "result resultkey resultpath resultvariable saveas setresult storeas storeresultas variable"
)
"""A name of its own for what a step gives."""

ITEM_NAMES = _set("alias as itemas itemname itemvar itemvariable itervar loopvar var")
"""A name of its own for the item of a `for_each`."""

NEXT = _set("downstream goto next nextstep nextsteps onsuccess ontransition then")
"""What comes after a step, said at the step."""

RETRY = _inverted(
    {
        "attempts": "maxattempts maximumattempts count times tries attempt total",
        "attempts:plus_one": "maxretries retries numretries retrycount max limit",
        "backoff:duration": (
            "delay initialinterval interval wait backoffseconds retrydelay initialdelay "
            "delayseconds minbackoff initialbackoff waitseconds sleep intervalseconds duration"
        ),
        "max_backoff:duration": "maximuminterval maxinterval maxdelay maxwait maxdelayseconds",
    }
)
RETRY_GROWTH = _set(
    "backoffcoefficient backofffactor backoffmultiplier backoffrate backofftype exponential "
    "exponentialbackoff exponentialbase factor jitter jitterstrategy multiplier policy retrypolicy "
    "strategy type"
)
RETRY_ERRORS = _set("errorequals nonretryableerrors nonretryableerrortypes on retryon when")
RETRY_NOISE = RETRY_GROWTH | RETRY_ERRORS
BUDGET = _inverted(
    {
        "usd": (
            "maxusd maxcost cost dollars maxcostusd usdlimit money maxdollars price costusd amount "
            "limit max totalusd maxprice spend"
        ),
        "tokens": "maxtokens tokenlimit totaltokens",
        "calls": "maxcalls maxsteps maxtoolcalls toolcalls callslimit requests maxiterations",
        "credits": "maxcredits",
        "seconds:duration": "timeout time maxseconds duration maxtime maxduration timelimit",
        "seconds:minutes": "minutes maxminutes timeoutminutes",
    }
)
UNDO = {name: to for name, to in STEP.items() if to in ("tool:tool", "args:args")} | {
    "name": "tool:tool"
}

STEP_FAILURE = _inverted(
    {
        "ignore": "continue warn log proceed none pass swallow resume null",
        "fail": (
            "abort stop raise halt terminate failfast error exit fatal break rollback undo "
            "compensate revert failworkflow retry"
        ),
        "skip": "skipdependents skipdownstream skipremaining",
    }
)
"""Other words for a step's `on_failure`."""

PLAN_FAILURE = _inverted(
    {
        "undo": "rollback compensate revert saga undoall takeback",
        "stop": "abort fail halt raise terminate failfast exit error break",
        "continue": "ignore skip proceed warn log continueonerror resume",
    }
)
"""Other words for the plan's `on_failure`."""

TYPES = _inverted(
    {
        "string": "str text varchar date datetime url email uri choice enum select",
        "integer": "int long",
        "number": "float double decimal num",
        "boolean": "bool",
        "array": "list tuple set sequence",
        "object": "dict map mapping json struct record",
        "null": "none",
    }
)
"""Other words for the types of inputs."""

OPTIONS = _set("options choices values allowedvalues")
"""Other words for the `enum` of an input."""

TRIGGERS = _set("on trigger triggers event events")
"""What starts a plan elsewhere, and may say what it is started with."""

INPUT_ROOTS = _set(
    "args config context ctx dag_run.conf env event.inputs github.event.inputs input inputs "
    "inputs.parameters parameters params payload plan.inputs request state trigger var "
    "var.value variables vars workflow.input workflow.inputs workflow.parameters"
)
"""What stands before the name of an input."""

STEP_ROOTS = _set(
    "activities calls context ctx dependencies jobs needs node nodes output outputs plan.steps "
    "result results state step steps steps.outputs task tasks tool_calls tool_uses"
)
"""What stands before the name of a step."""

ITEM_ROOTS = _set(
    "_ current each entry each.value element it item items loop.item loop.value matrix this"
)
"""Other words for the item of a `for_each`."""

WRAPPERS = _set(
    "answer body content data json observation out outcome output outputs parameters payload "
    "response result results return return_value returnvalue signal value xcom"
)
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
        "rate price",
        "score confidence probability certainty",
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

HINTS = {
    word: hint
    for words, hint in (
        (
            "on schedule scheduleinterval cron trigger triggers startdate event events timetable",
            "A plan does not say when it is started.",
        ),
        ("runson container image hosts become", "Write it in each step."),
        ("permissions secrets", "A secret is ${secrets.NAME} in the args of a step."),
        (
            "onfailurecallback onerrorcallback",
            "What happens then is `on_failure` of the step or the plan.",
        ),
        (
            "parallelism maxparallel concurrency maxconcurrency",
            "How many calls run at once is `concurrency` of the plan.",
        ),
        (
            "fallback fallbacks oncatch catch rescue onfailurestep errorhandler",
            "Write a step that looks at what became of it: `${outcomes.ID.state}`.",
        ),
        (
            "else otherwise switch branches conditionaledges choices default",
            "Each step says itself when it runs, with `when`; the opposite is `when: ${!(…)}`.",
        ),
        (
            "while until repeat",
            "A plan has no loops but `for_each`; steps can be added to an open run instead.",
        ),
        ("idempotencykey key", "A tool gets its key from its context."),
        ("taskqueue", "Which process calls a tool is not said in a plan."),
    )
    for word in words.split()
}
"""What to know about a field that is left out."""

CLEANING = _set("cleanup cleanupwith finalizer onundo teardown")
"""What takes a call back, where it names a tool."""

CATCHING = _set(
    "catch errorhandler fallback fallbacks finally oncatch onerror onexception onfail onfailure "
    "onfailurestep rescue"
)
"""What follows a failure, where it names a step or a call."""

PEOPLE = _set(
    "approval ask askhuman askuser human humanapproval humaninput input manual person user"
)
"""What others call as if it were a tool, and is a question."""

SAYINGS = _set("content message role text type")
"""Of what a model says, where others have calls."""

FINAL = _set("answer done end final finalanswer finish join output respond return")
"""What others call as if it were a tool, and is the plan's output."""

ENVELOPES = _set("candidates choices completion content message messages output parts response")
"""What stands around the calls that a model answers with."""

CALLS_OF_MODELS = _set("function functioncall toolcall tooluse")
"""What a model's call stands in, with its name and its arguments."""

RESOURCES = _set("resource resources")
"""Calls by the tool, then by their name."""

GROUPED = _set("activities actions block blocks branches jobs parallel stages steps tasks sequence")
"""What holds the steps of a job, a stage or a block."""

IN_PARALLEL = _set("branches jobs parallel")
"""Those in which the steps do not wait for each other."""

DEFAULTS = _set("activitydefaults defaultargs defaultoptions stepdefaults taskdefaults")
"""What every step says of itself, said once."""

OUTCOMES = {
    word: meant
    for meant, words in (
        ("succeeded", "success succeeded successful completed complete ok passed done finished"),
        ("failed", "failure failed error errored failing"),
        ("skipped", "skipped omitted"),
        ("cancelled", "cancelled canceled aborted"),
    )
    for word in words.split()
}
"""What others say became of a step."""

OUTCOME_FIELDS = _set("conclusion outcome result state status")
"""Where others say it."""

MACROS = _set(
    "data_interval_end data_interval_start ds ds_nodash execution_date logical_date next_ds "
    "prev_ds run_id ts ts_nodash"
)
"""What a scheduler fills in by itself: in a plan, it comes from outside."""

EDGES = _set("connections dependencies edges links order taskdependencies transitions")
"""What comes before what, said beside the steps."""

CHOOSING = _set("branches cases choices conditions rules switch")
"""Where others have a step that only says which one is next."""

COMPARED = {
    **dict.fromkeys(("stringequals", "booleanequals", "numericequals", "equals", "eq"), "=="),
    **dict.fromkeys(("numericgreaterthan", "stringgreaterthan", "gt", "greaterthan"), ">"),
    **dict.fromkeys(("numericgreaterthanequals", "gte", "ge"), ">="),
    **dict.fromkeys(("numericlessthan", "stringlessthan", "lt", "lessthan"), "<"),
    **dict.fromkeys(("numericlessthanequals", "lte", "le"), "<="),
    **dict.fromkeys(("notequals", "ne", "neq"), "!="),
}
"""Comparisons that have a name elsewhere."""

FROM_OUTSIDE = _set(
    "dag_run.conf github.event.inputs inputs inputs.parameters parameters params var.value vars "
    "workflow.input workflow.inputs workflow.parameters"
)
"""What surely stands before the name of an input."""

NESTED = _set(
    "action activity call function functioncall operator taskref templateref tool toolcall toolref "
    "uses"
)
"""What others put a call into, with its name and its arguments."""

AROUND = _set("activityoptions config deploy execution executionoptions options policy settings")
"""What others put fields of a step into."""

ITERATORS = _set("body iterator itemprocessor do each foreachtask processor")
"""What others put the call for each item into."""

NOTHING = _set("fail pass succeed success failure end done noop dummy start")
"""Kinds of steps that call nothing."""
