# What there is to do here; the work itself is in scripts/.
.PHONY: help demo test component components component-interfaces hosts interface fuzz bench reproducible publish-dry-run setup npm

SECONDS ?= 60
FILE ?=
# By the environment and unexpanded: a file's name may hold quotes and dollars.
override export FILE := $(value FILE)

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 20

demo: ## a scripted agent with real tools on real input; FILE=big.log takes a file of yours
	@scripts/demo.sh "$$FILE"

test: ## every test, stage by stage, and a table at the end
	@scripts/test.sh

component: ## target/component/claim_check.wasm
	@scripts/component.sh

components: component ## target/component/*.wasm: with a store adapter plugged in, and as tools; their sizes
	@scripts/components.sh

component-interfaces: component ## writes the golden files of the composed components' imports and exports again
	@scripts/components.sh --write-golden

hosts: ## the composed components in every host that can be had, and a table
	@scripts/hosts.sh

npm: ## npm/dist, the package for JavaScript
	@scripts/npm.sh

interface: ## writes the golden file of the component's imports and exports again
	@scripts/component.sh --wit > target/claim_check.wit && mv target/claim_check.wit tests/component/claim_check.wit

fuzz: setup ## every fuzz target for SECONDS=60 each
	@scripts/fuzz.sh "$(SECONDS)"

bench: component ## what a check-in and a window cost, over the floor of the same run
	@cargo bench --locked --package claim-check-host

reproducible: ## builds the component in another folder, and compares the bytes
	@scripts/reproducible.sh

publish-dry-run: ## packs both crates as for a registry, and builds the host's package without the repository
	@scripts/publish-dry-run.sh

setup: ## installs what the tests need and what may be installed here
	@scripts/setup.sh
