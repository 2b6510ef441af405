// Which normals the surface of a compound has at a point of one of its leaves. See contacts.h.
//
// A leaf at a point is behind a plane through the point if its farthest point along the normal is: it is convex. If all leaves at the
// point are behind the plane, the normal is one of the union's surface there, as src/runtime/tree/contacts_allow.c has it for triangles.
//
// At the foot of a wall that stands on a floor the wall is not behind the floor's plane, and yet the floor's normal is that of its surface
// next to the point. Such points are told from those of faces between leaves by a step within the plane, away from the leaves in front of
// it: it leads to a point of the same face that is free, or it leads off the leaf.

#include "runtime/compound/contacts.h"

// Sine of what counts as flat, as bv_edge_flat.
static const double flat = 0x1p-12;

static const double default_join = 1e-4;       // of the size of the smaller leaf
static const double most_join = 1.0 / 64;      // of the same
static const double step = 4;                  // times the tolerance
static const double rise = 1.0 / 16;           // times the tolerance, above a plane that a leaf is behind
static const double own_rise = 1.0 / 256;      // the same, of the leaf that has the contact
static const double least_sine = 0x1p-4;       // of the angle between the normal and a way within its plane
static const double least_tolerance = 0x1p-30; // of the size of the smaller leaf

static double reach_of( const bvcomp_contacts* q )
{
	double tolerance = q->tolerance > 0 ? q->tolerance : default_join * q->size;
	double least = bvmath_max( q->slack, least_tolerance * q->size );
	return bvmath_max( bvmath_min( tolerance, most_join * q->size ), least );
}

bvcomp_height bvcomp_contacts_highest( bvcomp_contacts* q, int which, uint32_t leaf, bv_vec3 along )
{
	const bvcomp_side* side = q->side + which;
	const bvcomp_item* item = bvcomp_item_of( side, leaf );
	bvcomp_height out = { INFINITY, along };
	if ( item->is_unbounded )
	{
		bvcomp_plane plane = bvcomp_plane_of( side, item );
		bv_vec3 turn = bv_cross( plane.normal, along );
		if ( bv_dot( plane.normal, along ) > 0 && bv_dot( turn, turn ) <= flat * flat )
		{
			out.height = bv_dot( along, plane.point ) + plane.radius;
			out.point = plane.point;
		}
		return out;
	}
	q->other = bvcomp_shape_of( item, leaf );
	if ( bvconvex_shape_read( &q->other, &q->prepared ) )
	{
		bv_vec3 own = bvcomp_own_direction( side, item, along );
		double radius = bvcomp_scale_of( side, item ) * q->prepared.radius;
		bv_vec3 core = bvconvex_shape_support( &q->prepared, &own, BVCONVEX_NO_POINT ).at;
		out.point = bv_add( bvcomp_placed_point( side, item, core ), bv_scale( radius, along ) );
		out.height = bv_dot( along, out.point );
	}
	return out;
}

// Not inlined: transforms are not on the stack while distances are found.
BVSIMD_NOINLINE void place_point( bvcomp_contacts* q, int which, uint32_t leaf, bv_vec3 point )
{
	const bvcomp_item* item = bvcomp_item_of( q->side + which, leaf );
	q->other = bvcomp_shape_of( item, leaf );
	q->other_placement = bvcomp_placement_of( q->side + which, item );
	q->point = bv_convex_point( point );
}

// @return whether a leaf is no farther from the point than a distance
static bool is_within( bvcomp_contacts* q, uint32_t leaf, double distance )
{
	place_point( q, q->at.which, leaf, q->at.point );
	return bv_convex_distance( &q->point, &q->other, &q->other_placement, NULL, &q->measured ) == bv_ok &&
	       q->measured.lower <= distance;
}

// Whether a leaf rises above the plane. How steeply cannot be told from the farthest point: that of a needle can be far along it.
BVSIMD_NOINLINE bool rises( bvcomp_contacts* q, uint32_t leaf )
{
	const bvcomp_plane_point* p = &q->at;
	double most = bvmath_max( ( leaf == p->owner ? own_rise : rise ) * p->reach, 2 * q->slack );
	return bvcomp_contacts_highest( q, p->which, leaf, p->normal ).height - bv_dot( p->normal, p->point ) >
	       most;
}

BVSIMD_NOINLINE void begin_leaves( bvcomp_contacts* q )
{
	bvcomp_cursor_begin( q->side + q->at.which, q->at.point, q->at.reach, &q->cursor );
	q->way = ( bv_vec3 ){ 0, 0, 0 };
	q->is_covered = false;
}

// @return the next leaf that may be at the point and is not behind the plane; BVCOMP_NONE behind the last
BVSIMD_NOINLINE uint32_t next_leaf( bvcomp_contacts* q )
{
	uint32_t leaf = bvcomp_cursor_next( &q->cursor );
	while ( leaf != BVCOMP_NONE && ( leaf == q->at.owner || !rises( q, leaf ) ) )
	{
		leaf = bvcomp_cursor_next( &q->cursor );
	}
	return leaf;
}

// Adds up the ways to leaves at the point that are not behind the plane.
// @return how many were found: not more than `most`
static uint32_t find_risen( bvcomp_contacts* q, uint32_t most )
{
	uint32_t count = 0;
	begin_leaves( q );
	for ( uint32_t leaf = next_leaf( q ); leaf != BVCOMP_NONE && count < most; leaf = next_leaf( q ) )
	{
		if ( is_within( q, leaf, q->at.reach ) )
		{
			count += 1;
			q->way = bv_add( q->way, q->measured.normal );
			q->is_covered = q->measured.upper < -( step + 1 ) * q->at.reach;
			most = q->is_covered ? count : most;
		}
	}
	return count;
}

// Moves the point within the plane, away from the leaves in front of it.
// @return false if no way within the plane leads away from them
BVSIMD_NOINLINE bool step_away( bvcomp_contacts* q )
{
	bvcomp_plane_point* p = &q->at;
	bv_vec3 aside = bv_sub( q->way, bv_scale( bv_dot( q->way, p->normal ), p->normal ) );
	double length = bv_length( aside );
	if ( !( length > least_sine ) )
	{
		return false;
	}
	p->point = bv_sub( p->point, bv_scale( step * p->reach / length, aside ) );
	return true;
}

// Whether the point is on the owner's face still.
static bool is_on_owner( bvcomp_contacts* q )
{
	return is_within( q, q->at.owner, bvmath_max( flat * step * q->at.reach, 2 * q->slack ) );
}

static bool has_normal( bvcomp_contacts* q )
{
	// Faces that are not quite parallel have contacts where the normal of the manifold is not that of either.
	if ( q->side[q->at.which].leaves == 1 )
	{
		return true;
	}
	return !rises( q, q->at.owner ) &&
	       ( find_risen( q, UINT32_MAX ) == 0 ||
	         ( !q->is_covered && step_away( q ) && is_on_owner( q ) && find_risen( q, 1 ) == 0 ) );
}

// @param normal  from a to b
BVSIMD_NOINLINE void set_point( bvcomp_contacts* q, int which, const bv_vec3* point, const bv_vec3* normal )
{
	bv_vec3 outward = which == 0 ? *normal : bv_negate( *normal );
	q->at = ( bvcomp_plane_point ){ which, q->leaf[which], *point, outward, reach_of( q ) };
}

bool bvcomp_contacts_allow_at( bvcomp_contacts* q, const bv_vec3 point[2], const bv_vec3* normal )
{
	bool allowed = true;
	for ( int i = 0; i < 2 && allowed; ++i )
	{
		set_point( q, i, point + i, normal );
		allowed = has_normal( q );
	}
	return allowed;
}

bool bvcomp_contacts_allow( bvcomp_contacts* q )
{
	const bv_manifold* m = &q->manifold;
	bool found = false;
	for ( uint32_t i = 0; i < m->count && !found; ++i )
	{
		found = bvcomp_contacts_allow_at( q, m->contact[i].point, &m->normal );
	}
	return found;
}
