"""check_wheel.py WHEEL: the record has the hash and the size of every file and no other, tags agree, and the platform is what the libraries need."""

import base64
import csv
import hashlib
import io
import os
import re
import subprocess
import sys
import tempfile
import zipfile


def main():
    path = sys.argv[1]
    name, version, python, abi, platform = os.path.basename(path)[:-len(".whl")].split("-")
    archive = zipfile.ZipFile(path)
    assert archive.testzip() is None
    info = f"{name}-{version}.dist-info"
    names = archive.namelist()
    assert len(set(names)) == len(names) and names[-1] == f"{info}/RECORD"
    assert all(n.startswith(("bvbuild/", info + "/")) and ".." not in n for n in names), names
    record = list(csv.reader(io.StringIO(archive.read(f"{info}/RECORD").decode())))
    assert [row[0] for row in record] == names, "the record has other files"
    for file, digest, size in record[:-1]:
        data = archive.read(file)
        expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        assert digest == "sha256=" + expected and int(size) == len(data), file
    assert record[-1] == [f"{info}/RECORD", "", ""]
    wheel = archive.read(f"{info}/WHEEL").decode()
    assert f"Tag: {python}-{abi}-{platform}\n" in wheel and "Root-Is-Purelib: false\n" in wheel, wheel
    metadata = archive.read(f"{info}/METADATA").decode()
    assert metadata.startswith(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n") and "Requires-Dist: numpy" in metadata
    libraries = [n for n in names if ".so" in n]
    assert {f"bvbuild/lib/lib{n}.so.{version.split('.')[0]}" for n in ("bv", "bvworld", "bvbuild")} <= set(libraries)
    assert len([n for n in names if "/licenses/" in n]) == len(libraries) - 3 + 1, "a license is missing"
    # As the dynamic linker sees them: versions of symbols, and what each needs.
    newest, inside = (0, 0), {os.path.basename(n) for n in libraries}
    with tempfile.TemporaryDirectory() as folder:
        for library in libraries:
            archive.extract(library, folder)
            said = subprocess.run(["readelf", "-dVW", os.path.join(folder, library)], capture_output=True, text=True, check=True).stdout
            newest = max([newest, *(tuple(map(int, v.split("."))) for v in re.findall(r"GLIBC_(\d+\.\d+)", said))])
            for needed in re.findall(r"\(NEEDED\).*\[(.*?)\]", said):
                system = re.match(r"(libc|libm|libgcc_s|libstdc\+\+|ld-linux-x86-64)\.so", needed)
                assert system or needed in inside, f"{library} needs {needed}"
    assert platform == f"manylinux_{newest[0]}_{newest[1]}_{os.uname().machine}", (platform, newest)
    order = archive.read("bvbuild/lib/order").decode().split()
    assert set(order) == inside - {n for n in inside if n.startswith("libbv")}
    print(f"python wheel: {len(names)} files, glibc {newest[0]}.{newest[1]}")


if __name__ == "__main__":
    main()
