//! Monte-Carlo tree search with UCT, RAVE and playouts.
