"""What needs both the table and the calendar: what comes next, decisions between scenes, challenges, feeds, demos."""
