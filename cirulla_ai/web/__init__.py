"""The local page and its HTTP API: games kept, engines at the table, a view for each seat."""
