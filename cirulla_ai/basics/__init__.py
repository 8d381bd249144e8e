"""What everything stands on: numbers, errors, texts, files, and what is not installed."""
