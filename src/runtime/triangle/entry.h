// When a triangle that moves along a line can first touch another one.

#pragma once

#include "bv/base.h"

/// A triangle `b` is at b + f * way, for a number f, and any of its points up to `rest` away from there.
typedef struct bvtri_flight
{
	bv_vec3 way;
	double rest;     ///< not negative
	double from;     ///< range of f
	double to;       ///< not before `from`
	double rounding; ///< by how much coordinates are off, besides those of differences of corners
} bvtri_flight;

/// Compares the triangles along their normals and the products of their edges: along each of these axes they come to
/// overlap at one f and cease to at another one.
/// @return they do not touch before this f; infinity if not at any f of the range
double bvtri_triangles_entry( const bv_vec3 a[3], const bv_vec3 b[3], const bvtri_flight* flight );
