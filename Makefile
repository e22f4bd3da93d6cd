# OpenBench builds engines with `make EXE=name` and expects the program beside this file.
EXE ?= squarewise

.PHONY: all
all:
	cargo build --release
	cp target/release/squarewise $(EXE)
