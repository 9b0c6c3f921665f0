"""Pages outside campaigns: the front page, the page on who sees what, the credits, the rulebook."""
