"""What encounters know of Combat Turns: order, needs of actions, reloading, movement, worlds."""
