"""``python -m fracas.cli``."""

from fracas.cli import main

main()
