import sys
from pathlib import Path

from callsheet_studio.brief import load
from callsheet_studio.script import check_script, write_script

brief = load(Path(sys.argv[1]))
script = write_script(brief)
for beat in script.beats:
    words = beat.script
    print(f"{beat.id}  {script.rate.timecode(beat.start)}  {words.action}")
    for text in (words.voiceover, words.dialogue, words.on_screen_text):
        if text:
            print(f"     {text}")
for violation in check_script(script, brief):
    print(f"{violation.where}  {violation.rule}: {violation.message} {violation.fix}")
for entry in script.inferred:
    print(f"inferred  {entry.key}: {entry.why}")
