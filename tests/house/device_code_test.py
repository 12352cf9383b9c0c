"""Compiles every header of math/, geometry/ and laws/, and kernels that call the physics, with CUDA's compiler.

Exits with 77 (skipped) where there is no nvcc.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2] / "src"
KERNELS = pathlib.Path(__file__).resolve().with_name("device_code.cu")


def main():
    nvcc = shutil.which("nvcc", path=os.environ.get("PATH", "") + ":/usr/local/cuda/bin")
    if not nvcc:
        print("skipped: nvcc, CUDA's compiler, was not found")
        return 77
    headers = [h for room in ["math", "geometry", "laws"] for h in sorted((SOURCE / "talus" / room).glob("*.h"))]
    if not headers:
        print("no headers found")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder) / "all.cu"
        lines = [f'#include "{h.relative_to(SOURCE)}"' for h in headers] + [f'#include "{KERNELS}"']
        unit.write_text("\n".join(lines) + "\n", encoding="utf-8")
        # A host function called from device code is an error, not the warning it is by default.
        command = [nvcc, "-std=c++20", "--fmad=false", "--Werror", "cross-execution-space-call", "-I", str(SOURCE),
                   "-c", str(unit), "-o", str(unit.with_suffix(".o"))]
        print(" ".join(command), flush=True)
        return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
