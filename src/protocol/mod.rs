//! Text to meaning and back: command lines, replies, GTP and HTP, analysis formats, SGF. Knows a session, not a search.
