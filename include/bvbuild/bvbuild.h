// Includes the complete offline API: reading meshes, every stage of the build, reports and exports.

#pragma once

#include "bvbuild/assess.h"
#include "bvbuild/asset.h"
#include "bvbuild/base.h"
#include "bvbuild/build.h"
#include "bvbuild/decompose.h"
#include "bvbuild/export.h"
#include "bvbuild/features.h"
#include "bvbuild/fit.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/hierarchy.h"
#include "bvbuild/hull.h"
#include "bvbuild/import.h"
#include "bvbuild/mesh.h"
#include "bvbuild/options.h"
#include "bvbuild/recognize.h"
#include "bvbuild/report.h"
#include "bvbuild/scene.h"
#include "bvbuild/side_files.h"
#include "bvbuild/simplify.h"
#include "bvbuild/tessellate.h"
