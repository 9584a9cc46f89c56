import opentimelineio as otio

timeline = otio.adapters.read_from_file("film/timeline.otio")
first = timeline.video_tracks()[0].find_clips()[0]
start, length = first.source_range.start_time, first.source_range.duration
shorter = otio.opentime.RationalTime(length.value - 12, length.rate)
first.source_range = otio.opentime.TimeRange(start, shorter)
otio.adapters.write_to_file(timeline, "cut.otio")
