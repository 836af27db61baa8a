# Every target does its own set-up: a fresh clone needs only Python 3.11 or newer and make.
# The set-up lives in .venv and is done again only when pyproject.toml has changed.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# The first Python that really runs and is new enough. A command of that name is no proof:
# some machines have stand-ins that only print an error.
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo "$$candidate"; break; }; done)

# Passed on: make play ARGS="--lang fr", make test ARGS="-x"
ARGS ?=

# How many mutants to try (0: all of them), and which draw of them.
SAMPLE ?= 200
SEED ?= 1954

.DEFAULT_GOAL := help
.PHONY: help play serve test test-core check format regenerate benchmark coverage mutation clean

help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.runtime ## play a game in the terminal (ARGS="--lang fr" passes options on)
	@# 130 is Ctrl-C: the game has said goodbye already.
	@MILLEBORNES_VIA=make $(BIN)/millebornes play $(ARGS) || [ $$? -eq 130 ]

serve: $(VENV)/.runtime ## host tables on this machine (ARGS="--host 0.0.0.0" for your network)
	@$(BIN)/millebornes serve $(ARGS)

test: test-core ## run every test, and hold the rules and records at full coverage

# What needs no system packages. Nothing needs any so far, so it is all of the tests.
test-core: $(VENV)/.dev ## run the tests that need no system packages
	$(BIN)/python -m pytest -n auto --cov=millebornes.rules --cov=millebornes.records \
		--cov-branch --cov-fail-under=100 $(ARGS)

check: $(VENV)/.dev ## lint, formatting, types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.dev ## put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

regenerate: $(VENV)/.dev ## write the golden playthroughs and the generated pages again
	$(BIN)/python -m tests.golden
	$(BIN)/python -m tests.docs.generate

benchmark: $(VENV)/.runtime ## measure speed (ARGS=--json for figures a program can read)
	@for program in benchmarks/*.py; do $(BIN)/python "$$program" $(ARGS) || exit 1; done

coverage: $(VENV)/.dev ## branch coverage of the whole package, as a page in htmlcov/
	$(BIN)/python -m pytest -n auto --cov=millebornes --cov-branch \
		--cov-report=term --cov-report=html $(ARGS)

mutation: $(VENV)/.mutation ## break the rules on purpose: do the rule tests notice? (SAMPLE=200 SEED=1954)
	@$(BIN)/python -m tests.mutation.run --sample $(SAMPLE) --seed $(SEED) $(ARGS)

clean: ## remove everything that was made here, the set-up included
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis htmlcov .coverage .coverage.* dist build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up, in steps. A stamp is newer than pyproject.toml when there is nothing to do.

$(VENV)/.created:
	@test -n "$(PYTHON)" || { \
		echo "Python 3.11 or newer is needed, and none was found. Install one, or say where it is:" \
			"make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "$(PYTHON) does not run, or is older than Python 3.11, which is needed." >&2; exit 1; }
	@echo "Setting up $(VENV): this is done once." >&2
	@# Without ensurepip (a package of its own on some systems) pip is put there by pip.
	@"$(PYTHON)" -m venv $(VENV) >/dev/null 2>&1 || { \
		"$(PYTHON)" -m venv --without-pip $(VENV) && \
		"$(PYTHON)" -m pip --python $(BIN)/python install -qq pip; } || { \
		echo "No virtual environment could be made: Python needs its venv module, or pip." >&2; exit 1; }
	@touch $@

$(VENV)/.runtime: pyproject.toml | $(VENV)/.created
	@$(PIP) install -e .
	@touch $@

# Dependency groups came with pip 25.1.
$(VENV)/.dev: $(VENV)/.runtime
	@$(PIP) install --upgrade pip
	@$(PIP) install --group dev
	@touch $@

$(VENV)/.mutation: $(VENV)/.dev
	@$(PIP) install --group mutation
	@touch $@
