// Includes the complete runtime API: .bvh files, bounding volumes and queries.

#pragma once

#include "bv/base.h"
#include "bv/convex.h"
#include "bv/file.h"
#include "bv/mesh.h"
#include "bv/shape.h"
