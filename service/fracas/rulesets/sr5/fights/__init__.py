"""What fights ask of Shadowrun 5: turns, budgets, what actions need."""
