"""The plan of the house, held against its imports: ``python -m tests.house`` prints it."""
