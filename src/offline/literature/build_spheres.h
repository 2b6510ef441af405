// A builder of hierarchies from sphere trees as their papers make them. See build_spheres.c.

#pragma once

#include "offline/hierarchy/builders.h"
#include "offline/literature/spheres/sphere_tree.h"

/// A row's settings.
typedef struct bvlit_spheres_how
{
	bvlit_sphere_builder* make; ///< makes the spheres
} bvlit_spheres_how;

/// Gives each face one place in the tree of spheres. Its row's settings are a bvlit_spheres_how.
bvhier_build_function bvlit_build_spheres;
