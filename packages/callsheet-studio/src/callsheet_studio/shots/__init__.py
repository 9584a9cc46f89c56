"""ShotMaster: beats become shots with checked continuity.

`plan_shots` is the offline way; `check_shots` and `check_continuity` judge any shot list, ours, a
model's or a user's.
"""

from callsheet_studio.shots.checking import check_shots
from callsheet_studio.shots.continuity import check_continuity, violations_per_100_cuts
from callsheet_studio.shots.planning import plan_shots

__all__ = ["check_continuity", "check_shots", "plan_shots", "violations_per_100_cuts"]
