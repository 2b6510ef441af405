// Targets, and measuring meshes against them. See bvbuild/hausdorff.h.

#include "offline/hausdorff/target.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/hausdorff/source.h"
#include "runtime/math/vec.h"

#include <math.h>

// Next to open edges what is inside is a matter of ever smaller pieces: of the triangles' diagonal, what is
// tolerated there.
static const double least_open = 0x1p-10;

// Squares of distances are finite up to here.
static const double most_reach = 0x1p500;
static const double least_reach = 0x1p-400;

static double largest_coordinate( const bvhaus_index* index )
{
	double largest = 0;
	for ( uint32_t i = 0; i < index->triangle_count; ++i )
	{
		const bvhaus_framed_triangle* t = index->triangles + i;
		largest = bvmath_max( largest, bvmath_norm1( t->origin ) + t->length );
	}
	return largest;
}

bv_status bvb_hausdorff_target_create( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                       bvb_arena* arena, bvb_hausdorff_target** out, bvb_error* error )
{
	uint32_t triangles = which ? count : mesh->triangle_count;
	if ( triangles == 0 || triangles > BVB_MAX_TRIANGLES )
	{
		return bvbase_fail( error, bv_error_argument, "the mesh has no triangles or too many" );
	}
	bvb_hausdorff_target* t = bvb_arena_allocate( arena, 1, sizeof *t );
	bvhaus_search* search = bvhaus_search_create( arena );
	bvhaus_index* index = bvhaus_index_of_triangles( mesh, which, triangles, true, arena );
	if ( !t || !search || !index )
	{
		return bvbase_fail_memory( error );
	}
	*t = ( bvb_hausdorff_target ){ index, search, arena, index->reach };
	*out = t;
	return bv_ok;
}

bv_status bvb_hausdorff_target_reset( bvb_hausdorff_target* target, const bvb_mesh* mesh,
                                      const uint32_t* which, uint32_t count, bvb_error* error )
{
	uint32_t triangles = which ? count : mesh->triangle_count;
	if ( triangles == 0 || triangles > BVB_MAX_TRIANGLES )
	{
		return bvbase_fail( error, bv_error_argument, "the mesh has no triangles or too many" );
	}
	bvhaus_index* index = bvhaus_index_refill( target->index, mesh, which, triangles, target->arena );
	if ( !index )
	{
		return bvbase_fail_memory( error );
	}
	target->index = index;
	target->reach = index->reach;
	return bv_ok;
}

bv_status bvb_hausdorff_target_of_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                                        const bvb_tree_errors* errors, bvb_arena* arena,
                                        bvb_hausdorff_target** out, bvb_error* error )
{
	bvb_hausdorff_target* t = bvb_arena_allocate( arena, 1, sizeof *t );
	bvhaus_search* search = bvhaus_search_create( arena );
	bvhaus_index* index = bvhaus_index_of_tree( mesh, tree, arena );
	if ( !t || !search || !index )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = tree->node_count; i-- > 0; )
	{
		bvhaus_index_ref ref = index->tree[i];
		if ( !bvhaus_ref_is_triangle( ref ) )
		{
			index->nodes[ref].error = errors->nodes[i].solid_upper;
		}
	}
	*t = ( bvb_hausdorff_target ){ index, search, arena, largest_coordinate( index ) };
	*out = t;
	return bv_ok;
}

bvb_hausdorff_options bvb_hausdorff_options_default( void )
{
	return ( bvb_hausdorff_options ){ .measure = bvb_hausdorff_solid, .relative = 0.01 };
}

static bool are_valid( const bvb_hausdorff_options* o )
{
	return o->relative >= 0 && o->relative < INFINITY && o->absolute >= 0 && o->absolute < INFINITY &&
	       o->sufficient >= 0 && o->sufficient < INFINITY &&
	       ( o->measure == bvb_hausdorff_solid || o->measure == bvb_hausdorff_surface ||
	         ( o->measure == bvb_hausdorff_outside && o->inside ) );
}

static double diagonal_of( const bvhaus_index* index )
{
	if ( bvhaus_ref_is_triangle( index->root ) )
	{
		return bvhaus_ref_triangle( index, index->root )->length;
	}
	bv_vec3 e;
	if ( index->solid_boxes )
	{
		const double* half = index->solid_boxes[index->root].half_extents;
		e = ( bv_vec3 ){ 2 * half[0], 2 * half[1], 2 * half[2] };
	}
	else
	{
		const bv_aabb* box = index->aligned_boxes + index->root;
		e = bv_sub( box->upper, box->lower );
	}
	return sqrt( bv_dot( e, e ) );
}

bv_status bvhaus_target_begin( bvb_hausdorff_target* target, const bvb_hausdorff_options* options,
                               const bv_vec3 axis[3], double reach )
{
	bvb_hausdorff_options o = options ? *options : bvb_hausdorff_options_default();
	double size = bvmath_max( reach, target->reach );
	if ( !are_valid( &o ) || !( reach < most_reach ) || !( size < most_reach && size > least_reach ) )
	{
		return bv_error_argument;
	}
	bvhaus_goal goal = {
		.relative = o.relative,
		.absolute = o.absolute,
		.sufficient = o.sufficient,
		.max_regions = o.max_regions,
		.stop = o.stop,
		.stop_context = o.stop_context,
		.inside = o.measure == bvb_hausdorff_outside ? o.inside : NULL,
		.bounds = bvhaus_bounds_all,
	};
	if ( goal.inside && !bvb_winding_is_closed( goal.inside ) )
	{
		goal.absolute = bvmath_max( goal.absolute, least_open * diagonal_of( target->index ) );
	}
	bvhaus_search_begin( target->search, target->index, target->index->root, axis, size, &goal );
	return bv_ok;
}

bv_status bvb_hausdorff_mesh( bvb_hausdorff_target* target, const bvb_mesh* from,
                              const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	static const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	if ( from->triangle_count == 0 || from->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bv_error_argument;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( target->arena );
	bvhaus_source source;
	bool good = scratch && bvhaus_source_create( from, target->index, scratch, &source );
	double reach = good && source.index ? source.index->reach : 0;
	bv_status status = good ? bvhaus_target_begin( target, options, axis, reach ) : bv_error_memory;
	if ( status == bv_ok )
	{
		good = bvhaus_source_measure( &source, target->search, scratch, out );
		status = good ? bv_ok : bv_error_memory;
	}
	bvb_arena_destroy( scratch );
	return status;
}
