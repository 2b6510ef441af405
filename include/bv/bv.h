// Includes the complete runtime API. The order in which to read it: base.h (vectors, transforms), shape.h
// (volumes, convex shapes), file.h (open a file, read what it holds), mesh.h (queries), convex.h and
// contact.h (pairs of convex shapes), compound.h (bodies of many convex shapes), motion.h (moving objects),
// depth.h (how deep meshes overlap), search.h (answers within a budget), and for tools inspect.h.

#pragma once

#include "bv/base.h"
#include "bv/compound.h"
#include "bv/contact.h"
#include "bv/convex.h"
#include "bv/depth.h"
#include "bv/file.h"
#include "bv/inspect.h"
#include "bv/mesh.h"
#include "bv/motion.h"
#include "bv/search.h"
#include "bv/shape.h"
