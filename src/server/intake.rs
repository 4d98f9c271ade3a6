//! Input of one connection: bytes and the time in, lines for the session out, and the verdict when it must end. Knows
//! neither socket nor clock, so that tests drive it through any course of events.

use std::sync::Arc;
use std::time::Instant;

use super::foreign;
use super::input::{RawLine, Splitter};
use super::limits::{Bucket, Limits};
use super::queue::{Input, Lines};
use super::worker::receive;
use crate::protocol::Reflexes;
use crate::session::Control;

/// Bytes of lines that may wait to be answered, for each session.
pub(crate) const MOST_WAITING: usize = 1 << 20;
/// So many times the idle limit may pass over a silent client that waits for an answer, with nothing answered meanwhile.
const MOST_WAITS: u32 = 10;
/// Bytes of a line that count as a line of their own.
const BYTES_PER_LINE: f64 = 1024.0;

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SessionEnd {
    Quit,
    Disconnected,
    Shutdown,
    LineTooLong,
    TooManyLines,
    Idle,
    NotReading,
    /// Another protocol was spoken.
    Foreign(&'static str),
    /// A WebSocket message was too long, or in too many pieces.
    MessageTooLong,
    /// A WebSocket message was not text.
    Binary,
    /// A WebSocket frame was none.
    BadFrame,
    /// There was no session for it.
    Refused,
    /// The session's thread has ended without saying so.
    Died,
}

impl SessionEnd {
    /// `None` for ordinary ends, and the reason where the client was cut off.
    pub(crate) fn reason(self) -> Option<&'static str> {
        match self {
            Self::Quit | Self::Disconnected | Self::Shutdown => None,
            Self::LineTooLong => Some("a line was too long"),
            Self::TooManyLines => Some("too many lines"),
            Self::Idle => Some("nothing was sent for too long"),
            Self::NotReading => Some("answers were not read"),
            Self::Foreign(_) => Some("another protocol was spoken"),
            Self::MessageTooLong => Some("a message was too long"),
            Self::Binary => Some("a message was not text"),
            Self::BadFrame => Some("a frame was malformed"),
            Self::Refused => Some("there is no session for it"),
            Self::Died => Some("its thread has died"),
        }
    }
}

/// The reader's state of one connection.
pub(crate) struct Intake {
    control: Arc<Control>,
    lines: Lines,
    limits: Limits,
    most_waiting: usize,
    splitter: Splitter,
    rate: Bucket,
    /// Nothing has been read yet.
    fresh: bool,
    /// When the last whole line came, or the client was last seen to wait for an answer.
    since: Instant,
    /// How often in a row it was seen to wait with nothing answered, and the bytes that waited then.
    waits: (u32, usize),
}

impl Intake {
    /// A connection that begins `now`, whose lines go to `lines` and whose stop orders go to `control`.
    pub(crate) fn new(control: Arc<Control>, lines: Lines, limits: Limits, now: Instant) -> Self {
        Self {
            control,
            lines,
            limits,
            most_waiting: MOST_WAITING,
            splitter: Splitter::default(),
            rate: Bucket::new(limits.lines_per_second, limits.burst, now),
            fresh: true,
            since: now,
            waits: (0, 0),
        }
    }

    /// Lets so many bytes of lines wait.
    pub(crate) fn with_room(mut self, most_waiting: usize) -> Self {
        self.most_waiting = most_waiting;
        self
    }

    /// When [`Intake::silent`] must be asked, unless a whole line comes before.
    pub(crate) fn deadline(&self) -> Instant {
        self.since + self.limits.idle
    }

    /// Takes bytes; says if the session must end, in which case nothing behind the reason was handed over.
    pub(crate) fn take(&mut self, bytes: &[u8], now: Instant) -> Option<SessionEnd> {
        if let Some(&first) = bytes.first().filter(|_| std::mem::take(&mut self.fresh))
            && let Some(protocol) = foreign::by_first_byte(first)
        {
            return Some(SessionEnd::Foreign(protocol));
        }
        let mut pieces = Vec::new();
        self.splitter.feed(bytes, |piece| pieces.push(piece));
        // A part of a line is as good as silence.
        let late = pieces.is_empty() && now >= self.deadline();
        let end = pieces.into_iter().find_map(|piece| self.hand_over(piece, now));
        if late { self.silent(now) } else { end }
    }

    /// Takes a sign of life, which counts as a line and keeps nobody from being idle.
    pub(crate) fn sign(&mut self, now: Instant) -> Option<SessionEnd> {
        if !self.rate.take(1.0, now) {
            return Some(SessionEnd::TooManyLines);
        }
        if now >= self.deadline() { self.silent(now) } else { None }
    }

    /// The input has ended: a last line without its end counts too.
    pub(crate) fn finish(&mut self, now: Instant) -> SessionEnd {
        let mut last = None;
        self.splitter.finish(|piece| last = Some(piece));
        last.and_then(|piece| self.hand_over(piece, now)).unwrap_or(SessionEnd::Disconnected)
    }

    /// No whole line has come until the deadline. Who waits for an answer is not idle, unless it takes too long for
    /// anybody; who looks at an analysis may be. Whoever was seen to wait has the whole limit after the answer.
    pub(crate) fn silent(&mut self, now: Instant) -> Option<SessionEnd> {
        let (waits, before) = self.waits;
        let waiting = self.lines.waiting();
        let just_answered = waiting == 0 && before > 0;
        if waiting == 0 && !just_answered || self.control.is_analysing() || waits >= MOST_WAITS {
            return Some(SessionEnd::Idle);
        }
        self.waits = (if waiting < before { 0 } else { waits + 1 }, waiting);
        self.since = now;
        None
    }

    fn hand_over(&mut self, piece: RawLine, now: Instant) -> Option<SessionEnd> {
        self.since = now;
        self.waits = (0, 0);
        let length = if let RawLine::Line(line) = &piece { line.len() } else { 0 };
        if !self.rate.take(1.0 + (length as f64 / BYTES_PER_LINE).floor(), now) {
            return Some(SessionEnd::TooManyLines);
        }
        if let RawLine::Line(line) = &piece
            && let Some(protocol) = foreign::by_line(line)
        {
            return Some(SessionEnd::Foreign(protocol));
        }
        let too_long = piece == RawLine::TooLong;
        let (input, quit) = receive(&self.control, piece, Reflexes::GTP);
        if quit {
            self.control.close();
        }
        if let Some(input) = input
            && !self.lines.send(input)
        {
            return Some(SessionEnd::Disconnected);
        }
        match (quit, too_long) {
            _ if self.lines.waiting() > self.most_waiting => Some(SessionEnd::TooManyLines),
            (true, _) => Some(SessionEnd::Quit),
            (_, true) => Some(SessionEnd::LineTooLong),
            _ => None,
        }
    }
}

impl Drop for Intake {
    /// The session hears that nothing follows, whatever ended the reading.
    fn drop(&mut self) {
        self.lines.send(Input::End);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::server::queue::{Queue, queue};
    use crate::session::control::EndsOn;

    const LIMITS: Limits = Limits {
        sessions: 1,
        per_address: 1,
        connections_per_second: 1,
        connection_burst: 1,
        idle: Duration::from_secs(10),
        lines_per_second: 10,
        burst: 100,
        write: Duration::from_secs(1),
        report_every: Duration::ZERO,
    };

    fn intake() -> (Intake, Queue, Arc<Control>, Instant) {
        let (control, (lines, queue), now) = (Arc::new(Control::new()), queue(), Instant::now());
        (Intake::new(Arc::clone(&control), lines, LIMITS, now), queue, control, now)
    }

    fn texts(queue: &mut Queue) -> Vec<String> {
        let mut texts = Vec::new();
        while let Ok(Some(input)) = queue.try_next() {
            if let Input::Line(bytes, _) = input {
                texts.push(String::from_utf8(bytes).unwrap());
            }
        }
        texts
    }

    #[test]
    fn a_trickle_is_silence() {
        let (mut intake, _queue, _control, start) = intake();
        let mut end = None;
        let mut now = start;
        while end.is_none() && now < start + Duration::from_secs(60) {
            now += Duration::from_millis(500);
            end = intake.take(b"x", now);
        }
        assert_eq!((end, now), (Some(SessionEnd::Idle), start + LIMITS.idle));
    }

    #[test]
    fn signs_of_life_have_a_rate_and_are_silence() {
        let (mut intake, mut queue, _control, start) = intake();
        assert_eq!((0..101).find_map(|_| intake.sign(start)), Some(SessionEnd::TooManyLines));
        let mut now = start;
        let end = loop {
            now += Duration::from_secs(1);
            if let Some(end) = intake.sign(now) {
                break end;
            }
        };
        assert_eq!((end, now), (SessionEnd::Idle, start + LIMITS.idle));
        assert!(texts(&mut queue).is_empty());
    }

    #[test]
    fn whole_lines_keep_a_session() {
        let (mut intake, mut queue, _control, start) = intake();
        for step in 1..=20 {
            assert_eq!(intake.take(b"name\n", start + LIMITS.idle / 2 * step), None);
            assert_eq!(texts(&mut queue), ["name"]);
        }
        assert!(intake.deadline() > start + LIMITS.idle * 10);
        assert_eq!(intake.silent(intake.deadline()), Some(SessionEnd::Idle));
    }

    #[test]
    fn who_waits_for_an_answer_is_not_idle_but_not_for_ever() {
        let (mut intake, _queue, _control, start) = intake();
        assert_eq!(intake.take(b"genmove b\n", start), None);
        let mut waits = 0;
        while intake.silent(intake.deadline()).is_none() {
            waits += 1;
        }
        assert_eq!(waits, MOST_WAITS);
    }

    #[test]
    fn an_answer_that_took_long_leaves_time_to_go_on() {
        let (mut intake, mut queue, _control, start) = intake();
        assert_eq!(intake.take(b"genmove b\n", start), None);
        assert_eq!(intake.silent(start + LIMITS.idle), None);
        // Answered just before the next deadline.
        assert_eq!(texts(&mut queue), ["genmove b"]);
        assert_eq!(intake.silent(start + LIMITS.idle * 2), None);
        assert_eq!(intake.deadline(), start + LIMITS.idle * 3);
        assert_eq!(intake.silent(start + LIMITS.idle * 3), Some(SessionEnd::Idle));
    }

    #[test]
    fn who_watches_an_analysis_may_be_idle() {
        let (mut intake, _queue, control, start) = intake();
        assert_eq!(intake.take(b"lz-analyze\n", start), None);
        let _running = control.begin(1, EndsOn::NextLine);
        assert_eq!(intake.silent(intake.deadline()), Some(SessionEnd::Idle));
    }

    #[test]
    fn nothing_of_a_request_is_executed() {
        let request = b"POST / HTTP/1.1\r\nHost: localhost:8551\r\n\r\nclear_board\nquit\n";
        for cut in 0..request.len() {
            let (mut intake, mut queue, _control, start) = intake();
            let (first, second) = request.split_at(cut);
            let end = intake.take(first, start).or_else(|| intake.take(second, start));
            assert_eq!((end, texts(&mut queue)), (Some(SessionEnd::Foreign("HTTP")), Vec::new()));
        }
        let (mut intake, mut queue, _control, start) = intake();
        assert_eq!(intake.take(b"\x16\x03\x01\x02\0\nname\n", start), Some(SessionEnd::Foreign("TLS")));
        assert!(texts(&mut queue).is_empty());
    }

    #[test]
    fn long_lines_count_for_more() {
        let (mut intake, _queue, _control, start) = intake();
        let line = [&[b'#'; 10 * 1024][..], b"\n"].concat();
        let passed = (0..100).take_while(|_| intake.take(&line, start).is_none()).count();
        assert_eq!(passed, 100 / 11);
    }

    #[test]
    fn what_stands_behind_the_reason_is_not_handed_over() {
        let (mut intake, mut queue, _control, start) = intake();
        assert_eq!(intake.take(b"name\nquit\nversion\n", start), Some(SessionEnd::Quit));
        assert_eq!(texts(&mut queue), ["name", "quit"]);
        drop(intake);
        assert!(matches!(queue.try_next(), Ok(Some(Input::End))));
    }

    #[test]
    fn a_last_line_needs_no_end() {
        let (mut intake, mut queue, _control, start) = intake();
        assert_eq!(intake.take(b"name\nversion", start), None);
        assert_eq!(intake.finish(start), SessionEnd::Disconnected);
        assert_eq!(texts(&mut queue), ["name", "version"]);
    }
}
