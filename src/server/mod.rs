//! Where commands come from and answers go: stdio and TCP, limits, shutdown.
