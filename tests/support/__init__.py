"""What several test modules share: helpers, strategies, slow references, faulty engines."""
