"""What fights need: who acts when, what actions need, what a fight fills in."""
