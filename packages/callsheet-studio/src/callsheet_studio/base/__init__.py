"""What everything in the studio stands on: time, speech, fonts, voices, pictures, memory."""
