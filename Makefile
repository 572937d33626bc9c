# Both commands set up everything themselves: they need Python 3.11 or newer, make, and a package index.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
# The dependency groups of a new environment; pip reads the index once for all that are named here.
GROUPS ?= dev
LOWEST := .venv-lowest
# Compiled modules are kept, whatever the caller's environment says: to rewrite the tests' assertions takes ten seconds.
export PYTHONDONTWRITEBYTECODE :=
# A file is run by one worker, for its fixtures; tests/conftest.py puts the long files first.
WORKERS := -n 2 --dist loadfile --no-loadscope-reorder

.PHONY: test quick checks decisions demo lint types mypy pyright layers most-checks unit nightly lowest first-minutes frameworks apps adopters clients fuzz scaling kills mutants plan-oracles reruns changelog docs release clean

test: $(STAMP)  ## all tests and checks, but pyright: it takes a fifth of the time, and mypy is as strict
	$(MAKE) -j 2 most-checks unit

most-checks: lint mypy layers

quick: $(STAMP)  ## all tests but the slow ones: less than a minute on two cores
	$(BIN)/python -m pytest $(WORKERS) -m "not slow"

checks: $(STAMP)  ## what reads the code and runs none of it; pyright takes one core for most of it, the others share one
	$(MAKE) -j 2 pyright lint mypy layers

decisions: $(STAMP)  ## writes the pinned decisions again; CONTRIBUTING.md says how a change of them is read
	$(BIN)/python -m tools.decisions

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --no-compile --editable '.' $(GROUPS:%=--group %)
	-$(BIN)/python -m compileall -q -j 0 $(VENV)/lib  # on all cores: pip takes one
	@touch $@ $(patsubst %,$(VENV)/.%,$(filter-out dev,$(GROUPS)))

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python -m tools.prose

types: mypy pyright

mypy: $(STAMP)
	$(BIN)/mypy

pyright: $(STAMP)  # most of what it makes is soon garbage: with more room for it, it takes a tenth less
	NODE_OPTIONS=--max-semi-space-size=64 $(BIN)/pyright

layers: $(STAMP)
	$(BIN)/lint-imports --no-cache

unit: $(STAMP)
	$(BIN)/python -m compileall -q pytest_planguard  # once, and not in each process that a test starts
	$(BIN)/python -m pytest $(WORKERS)

nightly: $(STAMP)  ## the tests again, with eight times as many examples of each law and whole tables of cases
	$(BIN)/python -m pytest $(WORKERS) --hypothesis-profile=nightly

lowest: $(LOWEST)/.installed  ## the tests again, on the lowest versions that pyproject.toml allows
	$(LOWEST)/bin/python -m compileall -q pytest_planguard
	$(LOWEST)/bin/python -m pytest $(WORKERS)

$(LOWEST)/.installed: pyproject.toml tools/lowest.py
	$(PYTHON) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(LOWEST)/bin/python tools/lowest.py > $(LOWEST)/lowest.txt
	$(LOWEST)/bin/python -m pip install --quiet --editable '.[all]' --group dev --constraint $(LOWEST)/lowest.txt
	@touch $@

first-minutes: $(STAMP)  ## a built wheel in a fresh environment, and the commands of docs/quick-start.md
	$(BIN)/python -m tools.first_minutes

demo: $(STAMP)  ## runs the examples on real cassettes: conversations and a convergence table
	$(BIN)/python -m examples.demo

frameworks:  ## every framework and SDK in an environment of its own, recorded against the look-alike and replayed
	$(PYTHON) -m tools.frameworks.environments

apps: $(STAMP)  ## every loop, subject and wording of an app, right and broken in each way: the shares of the verdicts, and limits
	$(BIN)/python -m tools.apps_matrix -n 2

adopters:  ## the retry loops of real projects, an environment each, judged as their code says
	$(PYTHON) -m tools.adopters.run

reruns: $(STAMP)  ## a project with all that projects have, run with further runs and without, in ORDERS shuffled orders
	$(BIN)/python -m tools.rerun_matrix.environments .venv-reruns-newest .venv-reruns-lowest
	$(BIN)/python -m tools.rerun_matrix --orders $(ORDERS) .venv-reruns-newest/bin/python .venv-reruns-lowest/bin/python

clients: $(STAMP)  ## programs in other languages, recorded through the endpoint and replayed; what is silent in a replay
	$(BIN)/python -m tools.clients.run

MINUTES ?= 10
SEED ?= 1
EACH ?= 150
ORDERS ?= 20

fuzz: $(STAMP)  ## generated inputs for every public entry, for MINUTES of CPU time from SEED
	$(BIN)/python -m tools.fuzz.run --minutes $(MINUTES) --seed $(SEED)

scaling: $(STAMP)  ## how much dearer hostile inputs get at double the size
	$(BIN)/python -m tools.fuzz.scaling

kills: $(STAMP)  ## 200 sessions that are killed while they record, and 50 that overlap with another
	$(BIN)/python -m tools.kills --seed $(SEED)

mutants: $(STAMP)  ## EACH mutants of each of eight packages, drawn by SEED; a run that was stopped goes on
	$(BIN)/python -m tools.mutants.run $(SEED) --each $(EACH)

plan-oracles: $(STAMP)  ## OpenSpec and Task Master, and planguard, on every plan below FOLDERS
	npm install --silent --no-audit --no-fund --ignore-scripts --prefix build/plan-oracles \
	  @fission-ai/openspec@1.13.2 task-master-ai@0.43.1
	$(BIN)/python -m tests.plans.oracles build/plan-oracles $(FOLDERS)

changelog: $(STAMP)  ## what the fragments in changelog.d say; RELEASE=0.2.0 moves it into CHANGELOG.md
	$(BIN)/towncrier build $(if $(RELEASE),--yes --version $(RELEASE),--draft --version unreleased)

release: $(VENV)/.release  ## sdist and wheel, built twice and checked, in dist; TAG=v0.1.0 compares version and changelog too
	rm -rf dist
	$(BIN)/python -m tools.release_check --keep dist $${TAG:+--tag "$$TAG"}

docs: $(VENV)/.docs  ## the site, built strictly, in build/site; `make unit` runs the tests of its pages
	$(BIN)/python -m tools.site build/docs
	$(BIN)/zensical build --clean --strict

$(VENV)/.docs $(VENV)/.release: $(VENV)/.%: $(STAMP)
	$(BIN)/python -m pip install --quiet --group $*
	@touch $@

clean:
	rm -rf $(VENV) $(LOWEST) .venv-fw-* .venv-clients .venv-reruns-* .pytest_cache .mypy_cache .ruff_cache .hypothesis .planguard build dist
