"""What every request passes: guards, limits, the seat it speaks for, errors in words, templates, kept pages."""
