from callsheet import program_tool

count = program_tool(
    "text.count",
    ["wc", "-w"],
    stdin="${args.text}",
    output="json",
    effect="read",
    description="Count the words of a text.",
)

pack = program_tool(
    "archive.pack",
    ["tar", "-c", "-f", "${args.archive}", "--", "${args.files}"],
    args={"files": {"type": "array", "items": {"type": "string"}}},
    effect="write",
    idempotent=True,
    timeout="5m",
    description="Pack files into an archive.",
)
