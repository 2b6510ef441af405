// Stands in for the engine and the recogniser until they are there: intervals that are valid and say little.

#include "bvbuild/fit.h"
#include "bvbuild/hausdorff.h"
#include "bvbuild/recognise.h"

#include "base/core/round.h"
#include "base/core/vec.h"
#include "base/offline/error.h"

#include <math.h>

struct bvb_hausdorff_target
{
	const bvb_mesh* mesh;
	bv_aabb box;
};

bv_status bvb_hausdorff_target_create( const bvb_mesh* mesh, const uint32_t* which, uint32_t count,
                                       bvb_arena* arena, bvb_hausdorff_target** out, bvb_error* error )
{
	(void)which, (void)count;
	*out = bvb_arena_allocate( arena, 1, sizeof **out );
	if ( !*out )
	{
		return bvb_fail_memory( error );
	}
	**out = ( bvb_hausdorff_target ){ mesh, bvb_fit_aabb( mesh->positions, mesh->vertex_count ) };
	return bv_ok;
}

bvb_hausdorff_options bvb_hausdorff_options_default( void )
{
	return ( bvb_hausdorff_options ){ .relative = 0.01 };
}

// The farthest point of a ball around everything.
static bv_status measure( const bvb_hausdorff_target* target, bv_vec3 center, double reach,
                          bvb_hausdorff* out )
{
	bv_vec3 d = bv_sub( center, target->box.lower );
	*out = ( bvb_hausdorff ){ 0, reach + sqrt( bv_dot( d, d ) ), center, 1 };
	return isfinite( out->upper ) ? bv_ok : bv_error_argument;
}

bv_status bvb_hausdorff_obb( bvb_hausdorff_target* target, const bv_obb* box,
                             const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	(void)options;
	const double* h = box->half_extents;
	return measure( target, box->center, sqrt( h[0] * h[0] + h[1] * h[1] + h[2] * h[2] ), out );
}

bv_status bvb_hausdorff_sphere( bvb_hausdorff_target* target, const bv_sphere* ball,
                                const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	(void)options;
	return measure( target, ball->center, ball->radius, out );
}

bv_status bvb_hausdorff_capsule( bvb_hausdorff_target* target, const bv_capsule* capsule,
                                 const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	(void)options;
	bv_vec3 d = bv_sub( capsule->ends[1], capsule->ends[0] );
	return measure( target, capsule->ends[0], sqrt( bv_dot( d, d ) ) + capsule->radius, out );
}

bv_status bvb_hausdorff_cylinder( bvb_hausdorff_target* target, const bv_cylinder* cylinder,
                                  const bvb_hausdorff_options* options, bvb_hausdorff* out )
{
	bv_capsule capsule = { { cylinder->ends[0], cylinder->ends[1] }, cylinder->radius };
	return bvb_hausdorff_capsule( target, &capsule, options, out );
}

bvb_tree_errors_options bvb_tree_errors_options_default( void )
{
	return ( bvb_tree_errors_options ){ .relative = 0.1, .floor = 0.01 };
}

static void add( bv_error_summary* to, double lower, double upper )
{
	to->mean.lower += lower;
	to->mean.upper += upper;
	to->max.lower = lower > to->max.lower ? lower : to->max.lower;
	to->max.upper = upper > to->max.upper ? upper : to->max.upper;
}

static void add_node( bv_errors_of* to, const bvb_node_error* node )
{
	add( &to->surface, node->surface_lower, node->surface_upper );
	add( &to->solid, node->solid_lower, node->solid_upper );
}

static void divide( bv_errors_of* of, double count )
{
	of->surface.mean.lower /= count;
	of->surface.mean.upper /= count;
	of->solid.mean.lower /= count;
	of->solid.mean.upper /= count;
}

bv_status bvb_hausdorff_tree( const bvb_mesh* mesh, const bvb_tree* tree,
                              const bvb_tree_errors_options* options, bvb_arena* arena, bvb_tree_errors* out,
                              bvb_error* error )
{
	(void)mesh;
	uint32_t count = bvb_tree_node_count( tree );
	uint32_t* level = bvb_arena_allocate( arena, count, sizeof *level );
	bvb_node_error* nodes = bvb_arena_allocate( arena, count, sizeof *nodes );
	bv_level_errors* levels = bvb_arena_allocate( arena, BV_MAX_DEPTH + 1, sizeof *levels );
	if ( !level || !nodes || !levels )
	{
		return bvb_fail_memory( error );
	}
	double on_level[BV_MAX_DEPTH + 1] = { 0 };
	double on_cut[BV_MAX_DEPTH + 1] = { 0 };
	*out = ( bvb_tree_errors ){
		.relative = options->relative,
		.floor = options->floor,
		.nodes = nodes,
		.node_count = count,
		.levels = levels,
	};
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		const double* h = node.box.half_extents;
		nodes[i].solid_upper = bv_float_up( 2 * sqrt( h[0] * h[0] + h[1] * h[1] + h[2] * h[2] ) );
		nodes[i].surface_upper = nodes[i].solid_upper;
		nodes[i].surface_lower = nodes[i].solid_upper / 4;
		nodes[i].solid_lower = nodes[i].solid_upper / 4;
		for ( uint32_t k = 0; k < node.children; ++k )
		{
			level[node.first_child + k] = level[i] + 1;
		}
		out->level_count = level[i] >= out->level_count ? level[i] + 1 : out->level_count;
		add_node( &levels[level[i]].level, &nodes[i] );
		on_level[level[i]] += 1;
		add_node( &out->all, &nodes[i] );
		for ( uint32_t l = level[i]; l <= ( node.children ? level[i] : BV_MAX_DEPTH ); ++l )
		{
			add_node( &levels[l].cut, &nodes[i] );
			on_cut[l] += 1;
		}
	}
	for ( uint32_t l = 0; l < out->level_count; ++l )
	{
		divide( &levels[l].level, on_level[l] );
		divide( &levels[l].cut, on_cut[l] );
	}
	divide( &out->all, count );
	out->surface = ( bv_interval ){ nodes[0].surface_lower, nodes[0].surface_upper };
	out->solid = ( bv_interval ){ nodes[0].solid_lower, nodes[0].solid_upper };
	return bv_ok;
}

const char* bvb_primitive_name( bvb_primitive_kind kind )
{
	static const char* const names[] = { "box", "sphere", "capsule", "cylinder" };
	return names[kind];
}

bv_status bvb_recognise( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bvb_arena* scratch, bvb_primitive out[bvb_primitive_kinds],
                         bvb_primitive_kind* best, bvb_error* error )
{
	(void)target;
	bv_obb box;
	bv_sphere sphere;
	bv_capsule capsule;
	bvb_obb_options options = bvb_obb_options_default();
	bv_status status = bvb_fit_obb( mesh->positions, mesh->vertex_count, hull, &options, scratch, &box );
	status = status == bv_ok ? bvb_fit_sphere( mesh->positions, mesh->vertex_count, &sphere ) : status;
	status = status == bv_ok ? bvb_fit_capsule( mesh->positions, mesh->vertex_count, &capsule ) : status;
	if ( status != bv_ok )
	{
		return bvb_fail_memory( error );
	}
	bv_vec3 end = { sphere.center.x, sphere.center.y, (float)( sphere.center.z + sphere.radius ) };
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		double upper = 4 * sphere.radius * ( i == bv_primitive_sphere ? 0.3 : 1 );
		out[i] = ( bv_primitive ){
			.kind = (bv_primitive_kind)i,
			.box = box,
			.sphere = sphere,
			.capsule = capsule,
			.cylinder = { { sphere.center, end }, sphere.radius },
			.from_surface = { 0, upper / 2 },
			.from_mesh = { 0, upper },
			.error = { 0, upper },
		};
	}
	*best = out[bv_primitive_sphere].error.upper <= tolerance ? bv_primitive_sphere : bv_primitive_kinds;
	return bv_ok;
}
