// Git LFS pointers: what a clone without Git LFS has instead of large files.

#pragma once

/// How each of them begins: git-lfs, "Specification", docs/spec.md.
#define BVBASE_LFS_POINTER "version https://git-lfs.github.com/spec/"
