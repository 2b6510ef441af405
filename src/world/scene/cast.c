// A convex shape that moves along a line through objects that are made of files. See bvworld/scene.h.
//
// The broad phase reports one object after another in the order in which the box of the shape reaches theirs, and the shape is
// cast at each mesh. The search ends at a box that is reached later than the first mesh. Both queries take nearly all of the
// stack that one may take: meshes are not cast in a callback of the broad phase, and functions that need much are kept apart.

#include "world/scene/scene.h"

#include "world/broadphase/shape.h"

#include "runtime/convex/cast.h"
#include "runtime/simd/bits.h"

#include <math.h>

static bool is_before( const bvw_hit* a, const bvw_hit* b )
{
	return a->time.lower < b->time.lower || ( a->time.lower == b->time.lower && a->number < b->number );
}

// @param context  the last object
static bool comes_later( void* context, double end, bvw_hit* hit )
{
	const bvw_hit* last = context;
	(void)end;
	return is_before( last, hit );
}

// Finds the object whose box the shape reaches after that of another one.
// @param last  replaced
BVSIMD_NOINLINE bv_status find_next( const bvw_scene* scene, const bv_aabb* box, bv_vec3 motion,
                                     const bvw_filter* filter, bvw_hit* last, bvw_found* found )
{
	bvw_hit after = *last;
	bvw_cast_options options = { .callback = comes_later, .context = &after };
	options.filter = filter ? *filter : ( bvw_filter ){ 0, 0 };
	return bvw_broadphase_cast_box( scene->world, box, motion, &options, last, 1, found );
}

// The upper bound is that of the triangle: the mesh is met then or before.
BVSIMD_NOINLINE bv_interval time_of( const bvwscene_object* o, const bv_convex* shape, bv_vec3 motion,
                                     const bv_cast_result* r )
{
	bv_vec3 corner[3];
	uint32_t vertex[3];
	bv_file_get_triangle( o->file, r->at.triangle, vertex );
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bv_file_get_vertex( o->file, vertex[k] );
	}
	bv_convex triangle = bv_convex_points( corner, 3, 0 );
	bv_interval time = { 0, INFINITY };
	bool is_met = false;
	bv_status status =
		bvconvex_cast_times( shape, &triangle, o->placement, bv_negate( motion ), &is_met, &time );
	bool is_proven = status == bv_ok && is_met && time.upper >= r->time;
	return ( bv_interval ){ r->time, is_proven ? time.upper : (double)INFINITY };
}

// @param best     replaced if the mesh of the object is met earlier
// @param surface  likewise; can be null
BVSIMD_NOINLINE bv_status meet( const bvw_scene* scene, uint32_t number, const bv_convex* shape,
                                bv_vec3 motion, bvw_hit* best, bv_cast_result* surface )
{
	bvwscene_object o;
	if ( !bvwscene_look_up( scene, number, &o ) )
	{
		return bv_error_argument;
	}
	if ( !o.file )
	{
		return bv_ok;
	}
	bv_cast_result r = { .found = false };
	bv_status status = bv_mesh_cast_convex( o.file, o.placement, shape, motion, NULL, &r );
	bvw_hit hit = { { r.time, INFINITY }, number };
	if ( status == bv_ok && r.found && is_before( &hit, best ) )
	{
		hit.time = time_of( &o, shape, motion, &r );
		*best = hit;
	}
	if ( status == bv_ok && surface )
	{
		*surface = r;
	}
	return status;
}

bv_status bvw_scene_cast_convex( const bvw_scene* scene, const bv_convex* shape, bv_vec3 motion,
                                 const bvw_filter* filter, bvw_hit* first, bv_cast_result* surface,
                                 bvw_found* found )
{
	bv_aabb box;
	if ( !bvwscene_is_valid( scene ) || !first || !found || bvwphase_shape_box( shape, NULL, &box ) != bv_ok )
	{
		return bv_error_argument;
	}
	bvw_hit best = { { INFINITY, INFINITY }, UINT32_MAX };
	bvw_hit next = { { -1, -1 }, 0 };
	bvw_found all = { 0, 0 };
	bvw_found one = { 1, 0 };
	while ( one.count == 1 && !( next.time.lower > best.time.lower ) )
	{
		bv_status status = find_next( scene, &box, motion, filter, &next, &one );
		if ( status == bv_ok && one.count == 1 && !( next.time.lower > best.time.lower ) )
		{
			status = meet( scene, next.number, shape, motion, &best, NULL );
		}
		if ( status != bv_ok )
		{
			return status;
		}
		all.tests += one.tests;
	}
	all.count = best.number != UINT32_MAX;
	if ( all.count == 1 && surface )
	{
		// Found a second time: so much less of the stack is in use above.
		meet( scene, best.number, shape, motion, &best, surface );
	}
	*first = all.count == 1 ? best : *first;
	*found = all;
	return bv_ok;
}
