use std::sync::Arc;

use super::*;
use crate::games::toys::{Burning, Placing};
use crate::games::{avalam, clobber};
use crate::protocol::call::{Desk, Output};
use crate::protocol::line::Line;
use crate::protocol::talk::{Talk, talker};
use crate::search::Share;
use crate::session::{Control, Settings};

#[test]
fn every_move_reads_back() {
    fn check<G: Played>(size: Size) {
        let start = G::on(size);
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        assert!(!moves.is_empty());
        for mv in moves {
            let text = Notation::Gtp.show_move::<G>(size, mv);
            assert_eq!(Notation::Gtp.read_move::<G>(size, &text), Some(mv), "{text}");
            let text = text.replace('-', "").to_lowercase();
            assert_eq!(Notation::Gtp.read_move::<G>(size, &text), Some(mv), "{text}");
        }
    }
    check::<clobber::Position>(Size { width: 6, height: 5 });
    check::<clobber::Solitaire>(Size { width: 16, height: 3 });
    check::<avalam::Position>(Size::square(9));
    check::<Placing>(Size::square(4));
    check::<Burning>(Size::square(4));
}

#[test]
fn what_is_no_move() {
    let size = Size { width: 6, height: 5 };
    for word in ["", "A1", "A1-", "A1-A1", "A1-C1", "A1-B2", "A1--A2", "A1-A2-A3", "A1-A9", "Z1-Z2", "pass"] {
        assert_eq!(Notation::Gtp.read_move::<clobber::Position>(size, word), None, "{word}");
    }
    assert!(Notation::Gtp.read_move::<clobber::Position>(size, "A1-A2").is_some());
    assert!(Notation::Gtp.read_move::<Burning>(Size::square(4), "A1-A2").is_none());
    assert!(Notation::Gtp.read_move::<Burning>(Size::square(4), "A1-A2-A3-A4").is_none());
    assert_eq!(Notation::Gtp.read_move::<Placing>(Size::square(4), "PASS"), Some([u8::MAX; 3]));
}

/// Answers that are sent, graphics left out.
#[derive(Default)]
struct Sent(String);

impl Output for Sent {
    fn send(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn graphics(&mut self, _: &str) {}

    fn remark(&mut self, _: &str) {}
}

/// A client of one session.
struct Client {
    talk: Box<dyn Talk>,
    desk: Desk,
    control: Arc<Control>,
}

impl Client {
    fn of<G: Played>(size: Size) -> Self {
        let mut settings = Settings::new(Arc::new(Share::new(1)), 1);
        (settings.playouts, settings.memory, settings.setup.size) = (Some(50), 16, Some(size));
        let control = Arc::new(Control::new());
        let talk = talker(PointsSession::<G>::new(settings, Arc::clone(&control)));
        let desk = Desk {
            name: "Losange".to_owned(),
            version: "1.0".to_owned(),
            remarks: false,
            files: false,
            notation: talk.notation(),
            live_graphics: false,
            status: Arc::new(String::new),
            quit: false,
            switch: None,
        };
        Self { talk, desk, control }
    }

    fn ask(&mut self, line: &str) -> String {
        let mut sent = Sent::default();
        let number = self.control.line_read();
        self.talk.execute(&mut self.desk, &Line::parse(line.as_bytes()).unwrap(), number, &mut sent);
        sent.0.strip_suffix("\n\n").unwrap().to_owned()
    }

    /// Each command with its answer.
    fn check(&mut self, lines: &[(&str, &str)]) {
        for (line, answer) in lines {
            assert_eq!(self.ask(line), *answer, "{line}");
        }
    }
}

#[test]
fn moves_of_three_points_are_spoken_of() {
    let mut client = Client::of::<Burning>(Size { width: 3, height: 2 });
    client.check(&[
        ("all_legal_moves w", "= C1-B2-C2 C1-B2-A1 C1-B2-B1 C1-B2-C1 C1-C2-B2 C1-C2-B1 C1-C2-C1 C1-B1-B2 C1-B1-C2 C1-B1-A1 C1-B1-C1"),
        ("play b A2-B2-A2", "= "),
        ("play w c1b1", "? illegal move: a move has 3 points, and 'c1b1' 2 (invalid)"),
        ("play w C1-B1-C2", "= "),
        ("gogui-rules_board", "= ? ? ?\n? X ?\n. O ."),
        ("undo", "= "),
        ("gogui-play_sequence w C1-C2-C1 b B2-A1-B1", "= "),
        ("play w C2-C1-C2", "? illegal move: white C2-C1-C2 (no such move)"),
        ("gogui-rules_legal_moves", "= C2"),
        ("play w C2", "= "),
        ("gogui-rules_legal_moves", "= B2"),
        ("play w B2", "= "),
        ("gogui-rules_legal_moves", "= C2"),
        ("gogui-rules_board_gfx", "= SQUARE C2 B2"),
        ("play w C2", "= "),
        ("final_score", "= W+"),
        ("printsgf", "= (;FF[4]LG[clobber]CA[UTF-8]AP[Losange:0.1.0]SZ[3:2]PL[B]\n;LB[A2-B2-A2]\n;LW[C1-C2-C1]\n;LB[B2-A1-B1]\n;LW[C2-B2-C2])"),
        ("undo", "= "),
        ("gogui-rules_board_gfx", "= SQUARE C2 B2"),
        ("gg-undo 2", "= "),
        ("gogui-rules_board", "= ? ? ?\n? . O\nX ? ?"),
    ]);
    assert!(client.ask("lz-genmove_analyze w").contains("\nplay C2-"));
    client.check(&[("undo", "= "), ("gogui-version 1.6", "= "), ("reg_genmove w", "= C2")]);
    for step in 0..3 {
        let answer = client.ask("genmove w");
        assert_eq!(answer.len(), "= A1".len(), "{answer}");
        assert_eq!(client.ask("gogui-rules_side_to_move"), if step == 2 { "= black" } else { "= white" });
    }
}

#[test]
fn moves_of_one_point_and_passes_are_spoken_of() {
    let mut client = Client::of::<Placing>(Size { width: 3, height: 1 });
    client.check(&[
        ("gogui-rules_legal_moves", "= A1 B1 C1"),
        ("play b pass", "? illegal move: black pass (no such move)"),
        ("play b B1", "= "),
        ("play b B1", "? illegal move: black B1 (no such move)"),
        ("all_legal_moves", "= pass"),
        ("gogui-rules_legal_moves", "= pass"),
        ("gogui-version 1.6", "= "),
        ("genmove w", "= pass"),
        ("play b A1", "= "),
        ("play w pass", "= "),
        ("play b C1", "= "),
        ("final_score", "= B+"),
        ("gogui-rules_final_result", "= black wins"),
        ("genmove w", "= pass"),
        ("play b pass", "= "),
        ("gg-undo 2", "= "),
        ("gogui-rules_legal_moves", "= "),
        ("undo", "= "),
        ("gogui-rules_legal_moves", "= C1"),
        ("set_position w A1", "= "),
        ("gogui-rules_legal_moves", "= C1"),
        ("boardsize 5", "? unacceptable size"),
        ("boardsize 4 2", "= "),
        ("gogui-rules_board_size", "= 4"),
        ("gogui-rules_board", "= ? ? ? ?\n? ? ? ?\n. . . .\n. . . ."),
    ]);
}
