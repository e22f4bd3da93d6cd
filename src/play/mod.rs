//! Games at the terminal: people, this engine and other UCI engines play each other.
