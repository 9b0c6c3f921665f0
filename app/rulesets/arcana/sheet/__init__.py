"""The sheets of wizards and foes between fights: creation, growth and derived numbers."""
