from callsheet_studio.brief import answered, load, questions

brief = load("sauna.yaml")
print(brief.content.duration, brief.frames)
for each in questions(brief):
    print(each.key, each.default)
brief = answered(brief, {"tone": "cosy"})
print([each.key for each in brief.inferred][:3])
