#!/bin/sh
# The wheel as a user meets it: it is correct, pip installs it into a new environment without a network, the sample runs there with the wheel's own
# libraries, pictures and printed lines are what samples/python shows, and nothing is left when it is removed. $BUILD, $PYTHON.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
wheel=$(ls "$BUILD"/python/*.whl)
unset PYTHONPATH BVBUILD_LIBRARIES || true

# Hashes, sizes and tags; the same bytes again.
"$PYTHON" "$root/tests/python/check_wheel.py" "$wheel"
cp "$wheel" "$scratch/first.whl"
(cd "$root" && "$PYTHON" packaging/python/wheel.py "$BUILD/python" "$(basename "$wheel" | cut -d- -f2)" > "$scratch/made")
cmp "$wheel" "$scratch/first.whl"

cd "$scratch"
"$PYTHON" -m venv --system-site-packages venv
(cd venv && find . | sort) > before
venv/bin/pip install -q --no-index --disable-pip-version-check "$wheel"
# Other packages of the system may lack something.
venv/bin/pip check --disable-pip-version-check > checked 2>&1 || true
! grep -i bvbuild checked
venv/bin/pip show -f --disable-pip-version-check bvbuild > shown
grep -q '^Requires: numpy$' shown

# The sample, with no other library of ours or of what these are linked with than those of the wheel.
cp -R "$root/samples/python" sample
cd sample
cat > run.py << 'END'
import os, sys
sys.argv = ["scan.py", "scan.png"]
import scan
scan.main("scan.png")
mapped = {line.split()[-1] for line in open("/proc/self/maps") if "/" in line and ".so" in line}
for name in ("libbv.", "libbvbuild.", "libqhull_r.", "libcjson.", "libpng16.", "libminizip.", "libgomp."):
    of_wheel = [path for path in mapped if os.path.basename(path).startswith(name) and "/venv/lib/" in path]
    elsewhere = [path for path in mapped if os.path.basename(path).startswith(name) and "/bvbuild/" not in path and name not in ("libpng16.", "libgomp.")]
    assert len(of_wheel) == 1 and not elsewhere, (name, of_wheel, elsewhere)
END
../venv/bin/python run.py > out 2> err || { cat err; exit 1; }
awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' README.md > expected
diff expected out
"$PYTHON" "$root/tests/python/check_picture.py" scan.png
cd ..

# A mesh that Assimp reads, where the system has it.
printf 'ply\n' > broken.dae
venv/bin/python - << 'END'
import bvbuild
try:
    bvbuild.build("broken.dae")
except (bvbuild.InputError, bvbuild.Unsupported) as error:
    assert "broken.dae" in str(error), error
else:
    raise SystemExit("broken.dae was built")
END
venv/bin/pip uninstall -q -y bvbuild
(cd venv && find . | grep -v __pycache__ | sort) > after
grep -v __pycache__ before | diff - after
echo "python wheel: $(basename "$wheel") installs, works, and goes away again"
