# `make train` and `make test` do all the set-up themselves: see `make help`.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DOCS_READY := $(VENV)/.ready-docs
CLIENTS := $(VENV)-clients
CLIENTS_READY := $(CLIENTS)/.ready
AGILERL := $(VENV)-agilerl
AGILERL_READY := $(AGILERL)/.ready
WORKERS ?= 2

.PHONY: help setup train test test-all test-clients lint format bench docs clean

help:
	@echo "make train   set up, train a masked PPO on Onirim and evaluate it (about 5 minutes)"
	@echo "make test    set up, run the tests (about 10 minutes of processor time)"
	@echo "make test-all   run what they leave out: the same promises, tried with many more games and settings"
	@echo "make test-clients   the same against TorchRL, Tianshou, RLlib and others, in $(CLIENTS) and $(AGILERL)"
	@echo "make bench   set up, measure decisions a second"
	@echo "make lint    set up, run the linter and the type checker"
	@echo "make format  set up, format the code"
	@echo "make docs    set up, build the site of the documentation in site/, test what it says"
	@echo "make setup   only the set-up: a virtual environment with pinned versions, compiled engine"
	@echo "make clean   remove the virtual environment and everything built"
	@echo "PYTHON=python3.12 chooses the interpreter, WORKERS=4 the processes of the tests."

setup: $(READY)

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
		|| { echo "error: Python 3.10 or newer is needed; $(PYTHON) is older or missing (PYTHON=... chooses)" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(BIN)/python -m onirim_env warmup
	@touch $(READY)

train: $(READY)
	$(BIN)/python -m train configs/solo_quick.yaml

# The processes of the tests would each compile the same, so that is done before.
test: $(READY)
	$(BIN)/python -m tests.compiled
	$(BIN)/python -m pytest --numprocesses $(WORKERS)

# Those marked "long", which make test leaves out: both together run everything.
test-all: $(READY)
	$(BIN)/python -m tests.compiled --all
	$(BIN)/python -m pytest --numprocesses $(WORKERS) -m long

# An environment of its own: RLlib wants another version of Gymnasium.
$(CLIENTS_READY): requirements-clients.txt pyproject.toml
	$(PYTHON) -m venv $(CLIENTS)
	$(CLIENTS)/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-clients.txt
	$(CLIENTS)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(CLIENTS)/bin/python -m onirim_env warmup
	@touch $(CLIENTS_READY)

# And one more: AgileRL wants another version of PettingZoo.
$(AGILERL_READY): requirements-agilerl.txt pyproject.toml
	$(PYTHON) -m venv $(AGILERL)
	$(AGILERL)/bin/python -m pip install --quiet --disable-pip-version-check --requirement requirements-agilerl.txt
	$(AGILERL)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	$(AGILERL)/bin/python -m onirim_env warmup
	@touch $(AGILERL_READY)

test-clients: $(CLIENTS_READY) $(AGILERL_READY)
	ONIRIM_REQUIRE_CLIENTS=1 $(CLIENTS)/bin/python -m pytest tests/clients
	ONIRIM_REQUIRE_CLIENTS=agilerl $(AGILERL)/bin/python -m pytest tests/clients/test_agilerl.py

lint: $(READY)
	$(BIN)/python -m ruff check .
	$(BIN)/python -m ruff format --check .
	$(BIN)/python -m mypy -p onirim_env -p agents -p train

format: $(READY)
	$(BIN)/python -m ruff check --fix .
	$(BIN)/python -m ruff format .

bench: $(READY)
	$(BIN)/python -m onirim_env bench

$(DOCS_READY): $(READY) requirements-docs.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-docs.txt
	@touch $(DOCS_READY)

# The variable silences a banner of the theme's makers; warnings of the pages end the build.
docs: $(DOCS_READY)
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build
	$(BIN)/python -m pytest --numprocesses $(WORKERS) tests/docs
	@echo "The site is in site/: open site/index.html"

clean:
	rm -rf $(VENV) $(CLIENTS) $(AGILERL) build dist site .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
