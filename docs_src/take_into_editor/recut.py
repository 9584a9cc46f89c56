from pathlib import Path

from callsheet_studio.documents import read_timeline, retime
from callsheet_studio.model.script import Script
from callsheet_studio.model.shots import ShotList

script = Script.model_validate_json(Path("film/script.json").read_bytes())
shots = ShotList.model_validate_json(Path("film/shots.json").read_bytes())
cut = read_timeline(Path("cut.otio").read_text("utf-8"), "otio", shots.rate)

found = retime(script, shots, cut)
print(shots.frames, "frames were planned,", found.shots.frames, "are left.")
for violation in found.violations:
    print(violation.where, violation.message, violation.fix)
