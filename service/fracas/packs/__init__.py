"""Data packs: strict YAML with positions, entries, and the library of the packs in use."""
