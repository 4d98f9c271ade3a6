#!/usr/bin/env bash
# Installs the shared library of ONNX Runtime where losange looks for it, without root.
#
#   scripts/get-onnxruntime.sh [cpu]
#
# The library comes out of the Python wheel of that version, whose checksum is known. It goes to
# $XDG_DATA_HOME/losange (usually ~/.local/share/losange).
set -euo pipefail

version=1.31.1
kind=${1:-cpu}
[ "$kind" = cpu ] || { echo "usage: scripts/get-onnxruntime.sh [cpu]" >&2; exit 2; }
case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) platform=manylinux_2_28_x86_64 checksum=1f3dea47f2f0e5117c2404cea7d21fd253ae7836a3bf167a501cdfbb2600d536 ;;
    Linux-aarch64) platform=manylinux_2_28_aarch64 checksum=0b9a492176886992e0e875f06bc0367e333f5fff11711a2d642e18b02f3009cc ;;
    *) echo "get-onnxruntime: no library for $(uname -s) $(uname -m); losange uses its embedded runtime there" >&2; exit 1 ;;
esac

target=${XDG_DATA_HOME:-$HOME/.local/share}/losange
if [ -e "$target/libonnxruntime.so.$version" ] && [ -e "$target/libonnxruntime.so" ]; then
    echo "$target/libonnxruntime.so is there already"
    exit
fi
command -v python3 >/dev/null || { echo "get-onnxruntime: python3 with pip is needed" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --python-version 3.12 --implementation cp --platform "$platform" --dest "$work" "onnxruntime==$version"
wheel=$(echo "$work"/onnxruntime-*.whl)
echo "$checksum  $wheel" | sha256sum --check --status || {
    echo "get-onnxruntime: $(basename "$wheel") has the wrong checksum; nothing was installed" >&2
    exit 1
}
python3 - "$wheel" "$target" <<'PYTHON'
import pathlib, sys, zipfile
wheel, target = zipfile.ZipFile(sys.argv[1]), pathlib.Path(sys.argv[2])
target.mkdir(parents=True, exist_ok=True)
for name in wheel.namelist():
    file = pathlib.PurePosixPath(name)
    if file.parent.name == "capi" and file.name.startswith("libonnxruntime.so."):
        (target / file.name).write_bytes(wheel.read(name))
PYTHON
ln -sf "libonnxruntime.so.$version" "$target/libonnxruntime.so"
echo "installed $target/libonnxruntime.so ($version)"
