"""One file a migration, oldest first. A file that was released never changes."""
