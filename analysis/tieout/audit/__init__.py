"""How a verdict could have been arranged: facts laid beside each number, in neutral words; no verdict is changed."""
