//! Hex: rules, connection, playouts.
