"""What Roll20 takes: texts for its chat, lines that import tables, macros, and the Mod of a pack."""
