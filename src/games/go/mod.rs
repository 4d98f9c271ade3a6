//! Go: rules, boards, scoring, playouts.
