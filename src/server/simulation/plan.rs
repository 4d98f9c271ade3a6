//! Plan of a client of the simulation.

use std::time::Duration;

use crate::protocol::line::LONGEST;
use crate::rng::Rng;

/// Ways to behave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Commands, orders to stop, quit or the end of input.
    Polite,
    /// Asks for the status only.
    Status,
    /// Bytes without the end of a line.
    Trickle,
    /// Lines faster than allowed.
    Flood,
    /// Long answers that it does not read.
    Deaf,
    /// A request of a browser.
    Http,
    /// A handshake.
    Tls,
    /// A line without end.
    Endless,
    /// Commands, then silence.
    Silent,
    /// Commands, of which one kills the session's thread.
    Deadly,
}

/// Content of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
    /// A command that is answered by that.
    Command(String),
    /// A search, which an interrupt ends.
    Work,
    /// A stream, which the next line ends.
    Watch,
    /// The order to stop.
    Interrupt,
    /// Nothing that is answered.
    Blank,
    /// Nothing that is answered, and the end.
    Fatal,
}

/// A line of a plan.
#[derive(Clone, Debug)]
pub(super) struct Sent {
    pub(super) id: u64,
    pub(super) what: What,
    pub(super) text: Vec<u8>,
    /// Pause before it.
    pub(super) pause: Duration,
}

/// A client's behaviour.
#[derive(Clone)]
pub(super) struct Plan {
    pub(super) kind: Kind,
    pub(super) lines: Vec<Sent>,
    /// Bytes that are written at once.
    pub(super) chunk: usize,
    /// Pause between chunks of a line.
    pub(super) drip: Duration,
    /// Pause before each reading; `None` reads nothing.
    pub(super) reading: Option<Duration>,
    /// When it hangs up without a word.
    pub(super) reset: Option<Duration>,
}

impl std::fmt::Debug for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { kind, lines, chunk, drip, reading, reset } = self;
        write!(f, "{kind:?} chunk {chunk} drip {drip:?} reading {reading:?} reset {reset:?}")?;
        lines.iter().take(40).try_for_each(|line| {
            let text = String::from_utf8_lossy(&line.text[..line.text.len().min(40)]).into_owned();
            write!(f, " [{:?} {text:?}]", line.pause)
        })
    }
}

fn ms(rng: &mut Rng, most: u32) -> Duration {
    Duration::from_millis(u64::from(rng.below(most + 1)))
}

impl Plan {
    /// A plan for the client with that number.
    pub(super) fn new(number: u32, rng: &mut Rng) -> Self {
        const KINDS: [Kind; 18] = [
            Kind::Polite,
            Kind::Polite,
            Kind::Polite,
            Kind::Polite,
            Kind::Polite,
            Kind::Polite,
            Kind::Status,
            Kind::Status,
            Kind::Trickle,
            Kind::Trickle,
            Kind::Flood,
            Kind::Deaf,
            Kind::Http,
            Kind::Tls,
            Kind::Endless,
            Kind::Silent,
            Kind::Silent,
            Kind::Deadly,
        ];
        let kind = KINDS[rng.below(KINDS.len() as u32) as usize];
        let (slowly, reads_slowly) = (rng.below(4) == 0, rng.below(4) == 0);
        let mut plan = Self {
            kind,
            lines: Vec::new(),
            chunk: 1 + rng.below(if slowly { 8 } else { 400 }) as usize,
            drip: ms(rng, if slowly { 20 } else { 0 }),
            reading: Some(ms(rng, if reads_slowly { 60 } else { 0 })),
            reset: None,
        };
        match kind {
            Kind::Polite | Kind::Silent | Kind::Deadly => plan.converse(number, rng),
            Kind::Status => {
                plan.push(number, What::Command("losange-status".to_owned()), "losange-status", Duration::ZERO);
                plan.push(number, What::Command("quit".to_owned()), "quit", Duration::ZERO);
                (plan.chunk, plan.drip, plan.reading) = (400, Duration::ZERO, Some(Duration::ZERO));
            }
            Kind::Trickle => {
                plan.raw(What::Fatal, &vec![b'x'; 2000]);
                (plan.chunk, plan.drip) = (1, Duration::from_millis(10 + u64::from(rng.below(200))));
            }
            Kind::Flood => {
                (0..400).for_each(|_| plan.push(number, What::Command("name".to_owned()), "name", Duration::ZERO));
                (plan.chunk, plan.drip) = (1000, Duration::ZERO);
            }
            Kind::Deaf => {
                let text = "x".repeat(3000);
                let command = || What::Command(text.clone());
                (0..30).for_each(|_| plan.push(number, command(), "long 3000", Duration::ZERO));
                plan.reading = None;
            }
            Kind::Http => {
                plan.raw(What::Fatal, b"POST / HTTP/1.1\r\nHost: localhost\r\n\r\n");
                plan.push(number, What::Fatal, "work 1", Duration::ZERO);
            }
            Kind::Tls => plan.raw(What::Fatal, b"\x16\x03\x01\x02\x00\x01\x00\n\nname\n"),
            Kind::Endless => {
                plan.raw(What::Fatal, &vec![b'y'; LONGEST + 100]);
                (plan.chunk, plan.drip) = (9000, Duration::ZERO);
            }
        }
        if matches!(kind, Kind::Polite | Kind::Trickle | Kind::Flood) && rng.below(6) == 0 {
            plan.reset = Some(ms(rng, 1500));
        }
        plan
    }

    fn raw(&mut self, what: What, text: &[u8]) {
        self.lines.push(Sent { id: 0, what, text: text.to_vec(), pause: Duration::ZERO });
    }

    fn push(&mut self, number: u32, what: What, command: &str, pause: Duration) {
        let id = u64::from(number) * 1000 + self.lines.len() as u64 + 1;
        let text = match what {
            What::Interrupt | What::Blank => format!("{command}\n"),
            _ => format!("{id} {command}\n"),
        };
        self.lines.push(Sent { id, what, text: text.into_bytes(), pause });
    }

    /// A conversation as programs have it, with searches and orders to stop.
    fn converse(&mut self, number: u32, rng: &mut Rng) {
        let count = 1 + rng.below(14);
        for line in 0..count {
            let slow = rng.below(3) == 0;
            let pause = ms(rng, if slow { 150 } else { 0 });
            if self.kind == Kind::Deadly && line == count / 2 {
                self.push(number, What::Fatal, "die", pause);
                continue;
            }
            match rng.below(10) {
                0 | 1 => self.push(number, What::Work, &format!("work {}", rng.below(400)), pause),
                2 => self.push(number, What::Watch, "watch", pause),
                3 | 4 => self.push(number, What::Interrupt, "# interrupt", pause),
                5 => self.push(number, What::Blank, ["", "# a comment", "  \t"][rng.below(3) as usize], pause),
                6 => {
                    let length = rng.below(2000) as usize;
                    self.push(number, What::Command("x".repeat(length)), &format!("long {length}"), pause);
                }
                _ => self.push(number, What::Command("name".to_owned()), "name", pause),
            }
        }
        if self.kind == Kind::Polite && rng.below(2) == 0 {
            let pause = ms(rng, 100);
            self.push(number, What::Command("quit".to_owned()), "quit", pause);
        }
    }
}
