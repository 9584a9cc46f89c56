"""The illustrator: storyboard frames from shots, drawn in flat colour with light."""
