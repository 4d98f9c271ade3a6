#!/usr/bin/env bash
# Installs the shared library of ONNX Runtime where losange looks for it, without root.
#
#   scripts/get-onnxruntime.sh cpu      30 MB on disk: Linux on x86-64 and ARM, macOS on Apple's processors (from 14 on)
#   scripts/get-onnxruntime.sh cuda     2.4 GB on disk: for NVIDIA GPUs (Linux on x86-64, driver for CUDA 13), with CUDA's libraries
#
# The libraries come out of Python wheels of these versions, whose checksums pip compares. They go to
# $XDG_DATA_HOME/losange (usually ~/.local/share/losange).
set -euo pipefail

version=1.31.1
kind=${1:-cpu}
library=libonnxruntime.so file=libonnxruntime.so.$version
case "$kind-$(uname -s)-$(uname -m)" in
    cpu-Linux-x86_64) wheels="onnxruntime==$version --hash=sha256:1f3dea47f2f0e5117c2404cea7d21fd253ae7836a3bf167a501cdfbb2600d536" ;;
    cpu-Linux-aarch64) wheels="onnxruntime==$version --hash=sha256:0b9a492176886992e0e875f06bc0367e333f5fff11711a2d642e18b02f3009cc" ;;
    cpu-Darwin-arm64)
        wheels="onnxruntime==$version --hash=sha256:96dd2564b10ea7153ad9c207e7cd8e5917cb3ba521e0e0a62ac03486fdc8d56c"
        library=libonnxruntime.dylib file=libonnxruntime.$version.dylib
        ;;
    cuda-Linux-x86_64) wheels="\
onnxruntime-gpu==$version --hash=sha256:05d548956197b9d01f59b625de740e0d6be3593f874e241a12dc0362650ecdf7
nvidia-cublas==13.10.0.20 --hash=sha256:dcc6d63884c53d07e267ce7e6feac17b2538cebaafec5db865736c3e28e4dc84
nvidia-cuda-nvrtc==13.5.37 --hash=sha256:86b4d68058807988b7d9af5b44917a0601e9c337f35ccd657bfb3c759ff8d8bc
nvidia-cuda-runtime==13.5.37 --hash=sha256:df2b79a8852f10d1fef8c848489c49eebb5754051bf870202a862831412b179d
nvidia-cudnn-cu13==9.28.0.42 --hash=sha256:7358353c75bb121a58e5f7712fe6d588883dc1df8ba00f428237e44e97543c4d
nvidia-cufft==12.5.0.14 --hash=sha256:b8be26837a5abad2b5b74f3e92dd29f622a42934b355be0961a48712cbba23ad
nvidia-curand==10.4.5.25 --hash=sha256:22bb226a857e5888fe6b54ae465fc4371296bcff13a35f79e19691bcf454f529
nvidia-nvjitlink==13.5.37 --hash=sha256:280d7cb9649704145f074b8dbde500de04ce02d0872e066e20a83c17bcaa93eb" ;;
    cpu-* | cuda-*)
        echo "get-onnxruntime: no library for $kind on $(uname -s) $(uname -m); losange uses its embedded runtime there" >&2
        exit 1
        ;;
    *)
        echo "usage: scripts/get-onnxruntime.sh [cpu|cuda]" >&2
        exit 2
        ;;
esac

target=${XDG_DATA_HOME:-$HOME/.local/share}/losange
installed=$target/installed
if [ "$(cat "$installed" 2>/dev/null)" = "$wheels" ]; then
    echo "$target/$library is there already"
    exit
fi
command -v python3 >/dev/null || { echo "get-onnxruntime: python3 with pip is needed" >&2; exit 1; }
mkdir -p "$target"
work=$(mktemp -d "$target/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
echo "$wheels" >"$work/wheels.txt"
python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --only-binary :all: \
    --python-version 3.12 --implementation cp --platform "manylinux_2_28_$(uname -m)" \
    --platform "manylinux_2_27_$(uname -m)" --platform "manylinux2014_$(uname -m)" --platform macosx_14_0_arm64 \
    --dest "$work" --requirement "$work/wheels.txt" || {
    echo "get-onnxruntime: nothing was installed" >&2
    exit 1
}
rm -f "$installed"
python3 - "$work" "$target" <<'PYTHON'
import pathlib, shutil, sys, zipfile
work, target = map(pathlib.Path, sys.argv[1:])
for path in sorted(work.glob("*.whl")):
    wheel = zipfile.ZipFile(path)
    for name in wheel.namelist():
        file = pathlib.PurePosixPath(name)
        # ONNX Runtime's own libraries lie in capi, NVIDIA's in lib.
        if (".so" in file.name or file.suffix == ".dylib") and file.name.startswith("lib") and file.parent.name in ("capi", "lib"):
            with wheel.open(name) as source, open(target / file.name, "wb") as copy:
                shutil.copyfileobj(source, copy)
    path.unlink()
PYTHON
ln -sf "$file" "$target/$library"
echo "$wheels" >"$installed"
echo "installed $target/$library ($version, $kind)"
