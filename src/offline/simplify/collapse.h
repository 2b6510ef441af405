// One collapse of an edge: where its vertex may go, and whether what is promised of the surface still holds
// then.

#pragma once

#include "offline/simplify/near.h"
#include "offline/simplify/pieces.h"
#include "offline/simplify/place.h"
#include "offline/simplify/surface.h"

enum
{
	bvsimplify_most_places = 3, ///< of a collapse's vertex: the best one and both ends
};

/// A surface that becomes simpler, and what holds of it. Coordinates are below 1/8.
typedef struct bvsimplify_simplifier
{
	bvsimplify_surface surface; ///< what is left
	bvsimplify_pieces pieces;   ///< of the mesh, near its faces
	bvsimplify_near near;       ///< its faces are near the mesh

	/// of each triangle of the mesh, its component; BVSIMPLIFY_NONE where faces may reach behind it
	uint32_t* home;

	double lattice; ///< new coordinates are multiples of this; 0 if they are binary32 numbers
	int exponent;   ///< lengths of the mesh are so many powers of two greater
} bvsimplify_simplifier;

/// Where the vertex of a collapsed edge may go.
typedef struct bvsimplify_place_choice
{
	bv_vec3 position;
	double cost; ///< the lesser the better
} bvsimplify_place_choice;

/// Finds places for the vertex that both ends of an edge become: from there the added volume is that of
/// tetrahedra over the faces that change, all of them in front of these (Sander et al. 2000, section 4), in
/// exact arithmetic. Where the surface is open, ends of edges on its rim stay, but for those that follow the
/// rim to the next one.
/// @param star    receives the faces round both ends
/// @param places  receives them, the best one first
/// @return how many there are
int bvsimplify_find_places( const bvsimplify_simplifier* s, uint32_t a, uint32_t b, bvsimplify_star* star,
                            bvsimplify_place_choice places[bvsimplify_most_places] );

/// Collapses an edge if all of the mesh stays near the surface, all of the surface near the mesh, and no face
/// comes to reach behind one of the mesh's triangles of its own component.
/// @return whether it was collapsed: then `a` is the vertex
bool bvsimplify_try_collapse( bvsimplify_simplifier* s, uint32_t a, uint32_t b, const bvsimplify_star* star,
                              bv_vec3 position );
