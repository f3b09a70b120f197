"""Looking at a finished game: a record as steps (``steps.py``) and as a page for a browser (``page.py``).

``page.html``, ``page.css``, ``cards.js`` and ``page.js`` are what the page is made of; all of it goes
into the one file that is written, which asks nothing of any network.
"""
