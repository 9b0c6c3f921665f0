"""Characters, foes, gear and fields: everything before and after a fight."""
