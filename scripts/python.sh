#!/usr/bin/env bash
# Builds the wheel of Losange's Python package, installs it with what its tests need, and passes them.
#
#   scripts/python.sh              a quick build, unoptimised, in target/venv-python
#   scripts/python.sh --release    as users get it
#   scripts/python.sh --long       100 000 games in both, the program and Python, of each game (hours)
#
# The tests that compare with the program want one: LOSANGE=FILE, or target/debug/losange, or target/release/losange.
set -euo pipefail
cd "$(dirname "$0")/.."

profile=(--profile dev --config profile.dev.package.losange.opt-level=0)
for argument in "$@"; do
    case $argument in
        --release) profile=(--release) ;;
        --long) profile=(--release) && export LOSANGE_GAMES=100000 ;;
        *) echo "usage: scripts/python.sh [--release] [--long]" >&2; exit 2 ;;
    esac
done
target=${CARGO_TARGET_DIR:-$PWD/target}
for program in "$target/debug/losange" "$target/release/losange"; do
    if [ -z "${LOSANGE:-}" ] && [ -x "$program" ]; then
        export LOSANGE=$program
    fi
done
if [ -z "${LOSANGE:-}" ]; then
    echo "scripts/python.sh: no program to compare with. Run cargo build first, or set LOSANGE." >&2
    exit 1
fi
LOSANGE=$(realpath "$LOSANGE")

venv=target/venv-python
if ! python3 -c 'import ensurepip' 2>/dev/null; then
    # Debian has it in a package of its own.
    root=()
    [ "$(id -u)" = 0 ] || root=(sudo)
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv >/dev/null
fi
[ -x $venv/bin/python ] || python3 -m venv $venv
$venv/bin/python -m pip install --quiet 'maturin>=1.9,<2' mypy 'numpy>=1.24' pytest
cargo clippy --locked -p losange-python -- -D warnings
rm -rf target/wheels
$venv/bin/python -m maturin build --manifest-path python/Cargo.toml --locked --out target/wheels "${profile[@]}"
$venv/bin/python -m pip install --quiet --force-reinstall --no-deps target/wheels/losange-*.whl
# Away from the sources, so that what is installed is tested, and nothing is left among them.
tests=$PWD/python
export PYTHONDONTWRITEBYTECODE=1
cd target
"../$venv/bin/python" -m pytest -q -p no:cacheprovider "$tests/tests"
"../$venv/bin/python" -m mypy --strict -p losange
"../$venv/bin/python" -m mypy --strict "$tests/examples"
"../$venv/bin/python" -m mypy.stubtest losange
