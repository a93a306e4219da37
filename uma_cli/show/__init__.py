"""A race for people: as lines for a pipe, as a story, as text to post, as rows, on a terminal."""
