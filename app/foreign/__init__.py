"""Foreign data: files of other programs and people, read in a child process at limits of time and memory."""
