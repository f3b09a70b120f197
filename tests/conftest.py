"""For all tests: windows need no display, and signals do what they do at a terminal."""

import os
import signal
import threading

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

# A run in the background (nohup, or & in a script) ignores them, and so would all processes of the tests.
if threading.current_thread() is threading.main_thread():
    for name, default in (("SIGINT", signal.default_int_handler), ("SIGHUP", signal.SIG_DFL)):
        if hasattr(signal, name) and signal.getsignal(getattr(signal, name)) is signal.SIG_IGN:
            signal.signal(getattr(signal, name), default)
