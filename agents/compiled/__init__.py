"""What agents run compiled: policies, searches and networks over the engine's records.

The stamp of the machine code covers this folder, so what a kernel is compiled from stands here.
"""
