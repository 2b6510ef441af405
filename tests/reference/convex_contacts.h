// The contact polygon of two convex polytopes in rational arithmetic, and what is wrong with contact points that are said to be of it.
//
// Given the normal of a manifold, the polytopes' faces within 3 degrees of it that contain a farthest corner are found by brute
// force: all planes through three corners. Their corners are projected along the normal, without rounding, and the one
// polygon is clipped by the sides of the other (Sutherland and Hodgman 1974). The normal itself is judged by the exact
// signed distance of convex_exact.h: the slab along it must be as wide.
//
// Shares nothing with src.

#pragma once

#include "bv/contact.h"

#include "tests/reference/convex_exact.h"

enum
{
	contact_corners_most = 64, ///< of a shape
};

/// What is wrong with a manifold: the largest of each, relative to the size of the larger shape.
typedef struct contact_faults
{
	const char* wrong; ///< null if nothing exceeds its bar
	double slab;       ///< by how much the slab along the normal is narrower than the exact signed distance
	double surface;    ///< distance of a point from the surface of its shape
	double deepest;    ///< by how much the least separation differs from the exact signed distance
	double place;      ///< distance of a contact from the corner of the exact polygon that is nearest to it
	double
		area; ///< of the contacts, divided by the largest of four corners one of which is the deepest; 1 for a polygon without area
	double free_area; ///< the same of any four corners
	uint32_t corners; ///< of the exact polygon
	bool is_witness;  ///< one contact is no corner of the polygon, but the deepest point
	double size;      ///< of the larger shape
} contact_faults;

/// The bar of all lengths, relative to the size.
#define CONTACT_BAR 1e-6

/// @param placement    of b; null for the identity
/// @param speculative  that the manifold was asked for
/// @return false if a shape is no polytope of at most 64 corners
bool contact_faults_find( convex_exact* memory, const bv_convex* a, const bv_convex* b,
                          const bv_transform* placement, double speculative, const bv_manifold* manifold,
                          contact_faults* out );
