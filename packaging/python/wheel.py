"""Makes a wheel: wheel.py BUILD/python VERSION writes BUILD/python/bvbuild-VERSION-py3-none-PLATFORM.whl.

The wheel has libbv, libbvworld and libbvbuild, and what libbvbuild is linked with, apart from what every Linux has: the C and C++ runtimes.
`lib/order` lists what must be loaded before libbvbuild. Assimp is not among it: the library looks for it when a format needs it. Debian's
copyright files of what is included are in the folder of licenses.

PLATFORM says what the wheel needs: the machine and the newest version of glibc that a symbol of these libraries comes from (PEP 600). Equal inputs
give equal bytes.
"""

import base64
import hashlib
import os
import platform
import re
import subprocess
import sys
import tempfile
import zipfile

# What PEP 600 takes for granted.
SYSTEM = re.compile(r"^(linux-vdso|ld-linux.*|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so")
# Loaded by libbvbuild when a file needs it; small.
LOADED_LATER = ["libmeshoptimizer.so.2d"]
SUMMARY = "Collision files of triangle meshes: build them, read them, query them"
CLASSIFIERS = ["Operating System :: POSIX :: Linux", "Programming Language :: Python :: 3", "Topic :: Scientific/Engineering",
               "Typing :: Typed"]


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def needed_by(path):
    """What a library is linked with, by name, and where the system has each."""
    needed = re.findall(r"NEEDED\s+(\S+)", output_of("objdump", "-p", path))
    found = dict(re.findall(r"(\S+) => (/\S+)", output_of("ldd", path)))
    return {name: found[name] for name in needed if not SYSTEM.match(name)}


def bundled(library):
    """Libraries in the order in which they must be loaded, and where they are."""
    order = {}

    def add(name, path):
        if name not in order:
            for other, where in needed_by(path).items():
                add(other, where)
            order[name] = path

    for name, path in needed_by(library).items():
        add(name, path)
    listed = output_of("ldconfig", "-p")
    for name in LOADED_LATER:
        path = re.search(rf"^\s*{re.escape(name)} .*=> (\S+)$", listed, re.MULTILINE)
        if path:
            add(name, path[1])
    return order


def platform_of(libraries):
    """The platform tag: the newest version of glibc that a symbol comes from."""
    versions = {tuple(map(int, version.split("."))) for path in libraries for version in re.findall(r"GLIBC_(\d+\.\d+)", output_of("objdump", "-T", path))}
    major, minor = max(versions)
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def copyright_of(path):
    """The file that says how a library of the system may be used."""
    # dpkg knows a file by the name it was installed with, which may be that before /usr was merged.
    for name in (path, os.path.realpath(path), "/usr" + path, os.path.realpath(path).removeprefix("/usr")):
        done = subprocess.run(["dpkg", "-S", name], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            package = done.stdout.split(":")[0]
            file = f"/usr/share/doc/{package}/copyright"
            with open(file, "rb") as stream:
                return package, stream.read()
    raise SystemExit(f"wheel: no package has {path}, so its license is not known")


def stripped(path):
    """A library without debugging information."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "library")
        subprocess.run(["strip", "--strip-unneeded", "-o", out, path], check=True)
        with open(out, "rb") as stream:
            return stream.read()


def content(folder, version):
    """All files of the wheel but its record, and its platform."""
    package, libraries = os.path.join(folder, "package", "bvbuild"), os.path.join(folder, "libraries")
    info = f"bvbuild-{version}.dist-info"
    files = {}
    for name in sorted(os.listdir(package)):
        if name.endswith(".py") or name == "py.typed":
            with open(os.path.join(package, name), "rb") as stream:
                files[f"bvbuild/{name}"] = stream.read()
    own = {name: os.path.realpath(os.path.join(libraries, name)) for name in sorted(os.listdir(libraries))}
    others = bundled(next(path for name, path in own.items() if name.startswith("libbvbuild.")))
    for name, path in {**own, **others}.items():
        files[f"bvbuild/lib/{name}"] = stripped(path)
    files["bvbuild/lib/order"] = "".join(f"{name}\n" for name in others).encode()
    tag = platform_of([*own.values(), *others.values()])
    with open("LICENSE", "rb") as stream:
        files[f"{info}/licenses/LICENSE"] = stream.read()
    for path in others.values():
        name, text = copyright_of(path)
        files[f"{info}/licenses/{name}.txt"] = text
    with open("docs/python.md", encoding="utf-8") as stream:
        description = stream.read()
    metadata = ["Metadata-Version: 2.1", "Name: bvbuild", f"Version: {version}", f"Summary: {SUMMARY}", "Requires-Python: >=3.9",
                "Requires-Dist: numpy>=1.20", "License-File: LICENSE", *(f"Classifier: {c}" for c in CLASSIFIERS),
                "Description-Content-Type: text/markdown", "", description]
    files[f"{info}/METADATA"] = "\n".join(metadata).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: bvbuild\nRoot-Is-Purelib: false\nTag: py3-none-{tag}\n".encode()
    files[f"{info}/top_level.txt"] = b"bvbuild\n"
    return files, tag, info


def record_of(files, info):
    """Hash and size of every file (PEP 376, PEP 427)."""
    lines = []
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{info}/RECORD,,\n"]).encode()


def write(path, files):
    """A zip archive, with the time that archives begin with."""
    temporary = path + ".new"
    with zipfile.ZipFile(temporary, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if "/lib/" in name and ".so" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    os.replace(temporary, path)


def main():
    folder, version = sys.argv[1:]
    files, tag, info = content(folder, version)
    files[f"{info}/RECORD"] = record_of(files, info)
    path = os.path.join(folder, f"bvbuild-{version}-py3-none-{tag}.whl")
    for old in os.listdir(folder):
        if old.endswith(".whl"):
            os.remove(os.path.join(folder, old))
    write(path, files)
    print(f"{path}: {os.path.getsize(path)} bytes, needs glibc {tag.split('_', 1)[1].rsplit('_', 2)[0].replace('_', '.')}")


if __name__ == "__main__":
    main()
