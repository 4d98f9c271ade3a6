//! The models.

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use crate::budget::Stop;
use crate::control::{Control, EndsOn};
use crate::node::{Expected, Family, Node};
use crate::share::Share;

/// The models and their names.
pub const ALL: &[(&str, fn())] = &[
    ("two threads expand a node, a third one reads it", expansion),
    ("a right to expand that is given back", expansion_given_back),
    ("visits of two threads", visits),
    ("rights to ask", rights),
    ("a share of threads", share),
    ("a stop and whoever waits for it", stop),
    ("a wake and whoever waits for it", wake),
    ("a line while an analysis begins", next_line),
    ("an interrupt while its search begins", interrupt),
    ("the end of input while an analysis begins", finish),
];

/// A node whose children are a part of the same block, as in the pool.
fn block() -> Arc<[Node; 3]> {
    Arc::new([Node::default(), Node::default(), Node::default()])
}

/// Expands the first node as the tree does, if nobody else has the right to.
fn expand(nodes: &[Node; 3]) -> bool {
    if !nodes[0].claim() {
        return false;
    }
    nodes[1].reset(7, Expected::by_prior(0.25));
    nodes[2].reset(9, Expected::by_prior(0.75));
    nodes[0].publish(Family { first: 1, count: 2, noted: 0 });
    true
}

/// Whoever sees children sees all of them as they were written.
fn read(nodes: &[Node; 3]) {
    if let Some(family) = nodes[0].family() {
        assert_eq!(family, Family { first: 1, count: 2, noted: 0 });
        assert_eq!((nodes[1].index(), nodes[1].stats().prior), (7, 0.25));
        assert_eq!((nodes[2].index(), nodes[2].stats().prior), (9, 0.75));
    }
}

fn expansion() {
    let nodes = block();
    let others = [(); 2].map(|()| {
        let nodes = nodes.clone();
        thread::spawn(move || {
            let mine = expand(&nodes);
            read(&nodes);
            mine
        })
    });
    read(&nodes);
    let expanded = others.map(|other| other.join().unwrap());
    assert_eq!(expanded.iter().filter(|&&mine| mine).count(), 1);
    assert!(nodes[0].is_expanded());
}

fn expansion_given_back() {
    let nodes = block();
    let other = {
        let nodes = nodes.clone();
        thread::spawn(move || {
            let mine = nodes[0].claim();
            if mine {
                nodes[0].release();
            }
            mine
        })
    };
    let mine = expand(&nodes);
    let claimed = other.join().unwrap();
    assert!(mine || claimed);
    assert_eq!(nodes[0].is_expanded(), mine);
    read(&nodes);
}

fn visits() {
    let node = Arc::new(Node::default());
    let others = [1.0, 0.25].map(|value| {
        let node = node.clone();
        thread::spawn(move || {
            node.enter();
            node.visit(value, 2.0);
        })
    });
    others.into_iter().for_each(|other| other.join().unwrap());
    let all = node.stats();
    assert_eq!((all.visits, all.in_flight, all.value, node.mean_score()), (2, 0, 1.25, Some(2.0)));
}

fn rights() {
    let node = Arc::new(Node::default());
    let others = [(); 2].map(|()| {
        let node = node.clone();
        thread::spawn(move || (node.claim_knowledge(), node.claim_advice()))
    });
    node.prove(true);
    let [first, second] = others.map(|other| other.join().unwrap());
    assert!(first.0 != second.0 && first.1 != second.1);
    assert_eq!(node.proof(), Some(true));
}

fn share() {
    let share = Arc::new(Share::new(2));
    let others = [(); 2].map(|()| {
        let share = share.clone();
        thread::spawn(move || {
            let ticket = share.enter();
            assert!((1..=2).contains(&ticket.threads()) && !ticket.rests(0));
        })
    });
    let ticket = share.enter();
    assert!((1..=2).contains(&ticket.threads()));
    others.into_iter().for_each(|other| other.join().unwrap());
    assert_eq!((share.running(), ticket.threads()), (1, 2));
    drop(ticket);
    assert_eq!(share.running(), 0);
}

fn stop() {
    let stop = Stop::new();
    let other = {
        let stop = stop.clone();
        thread::spawn(move || stop.set())
    };
    // Loom reports a thread that sleeps for ever.
    assert!(stop.wait_while(None, || true));
    other.join().unwrap();
}

fn wake() {
    let (stop, over) = (Stop::new(), Arc::new(AtomicBool::new(false)));
    let other = {
        let (stop, over) = (stop.clone(), over.clone());
        thread::spawn(move || {
            over.store(true, Ordering::Release);
            stop.wake();
        })
    };
    assert!(!stop.wait_while(None, || !over.load(Ordering::Acquire)));
    other.join().unwrap();
}

fn next_line() {
    let control = Arc::new(Control::new());
    let line = control.line_read();
    let reader = {
        let control = control.clone();
        thread::spawn(move || control.line_read())
    };
    let analysis = control.begin(line, EndsOn::NextLine);
    reader.join().unwrap();
    assert!(analysis.stop().is_set());
    drop(analysis);
    assert!(!control.begin(line + 1, EndsOn::NextLine).stop().is_set());
}

fn interrupt() {
    let control = Arc::new(Control::new());
    let line = control.line_read();
    let reader = {
        let control = control.clone();
        thread::spawn(move || {
            control.interrupt();
            control.line_read()
        })
    };
    let search = control.begin(line, EndsOn::Interrupt);
    let next = reader.join().unwrap();
    assert!(search.stop().is_set());
    drop(search);
    // What comes after an interrupt is not hit by it.
    assert!(!control.begin(next, EndsOn::Interrupt).stop().is_set());
}

fn finish() {
    let control = Arc::new(Control::new());
    let line = control.line_read();
    let reader = {
        let control = control.clone();
        thread::spawn(move || control.finish())
    };
    let analysis = control.begin(line, EndsOn::NextLine);
    reader.join().unwrap();
    assert!(analysis.stop().is_set());
}
