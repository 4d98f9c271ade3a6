//! One game being played or analysed: history, rules, clock, running search. Knows no wire format.

pub mod control;

pub use control::Control;
