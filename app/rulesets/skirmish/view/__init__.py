"""What a viewer may know, choose and see."""
