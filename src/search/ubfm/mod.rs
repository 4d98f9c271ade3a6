//! Unbounded best-first minimax with safe decision and completion.
