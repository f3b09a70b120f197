"""What compiles rules, of any game: numba, its cache on disk; random numbers and bits that rules use."""
