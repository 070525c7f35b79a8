"""What people say, heard: the texts that an agent is shown, its answers played through the real `mark`, the score."""
