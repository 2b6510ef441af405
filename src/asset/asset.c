// The pipeline: the mesh of record, its tree, and what is known of both.

#include "bvbuild/asset.h"

#include "asset/source.h"
#include "base/offline/arena.h"
#include "base/offline/clock.h"
#include "base/offline/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const char* copy_text( const char* text, bvb_arena* arena )
{
	size_t size = strlen( text ) + 1;
	char* copy = bvb_arena_allocate( arena, size, 1 );
	return copy ? memcpy( copy, text, size ) : NULL;
}

static bv_status copy_source( const bvb_source* source, bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	out->source = *source;
	out->source.name = copy_text( source->name, arena );
	out->source.format = copy_text( source->format, arena );
	out->options.hierarchy.builder = copy_text( out->options.hierarchy.builder, arena );
	out->options.hierarchy.splitter = copy_text( out->options.hierarchy.splitter, arena );
	out->options.hierarchy.node_box = copy_text( out->options.hierarchy.node_box, arena );
	out->options.obb.method = copy_text( out->options.obb.method, arena );
	const char* refit = out->options.hierarchy.refit;
	out->options.hierarchy.refit = refit ? copy_text( refit, arena ) : NULL;
	const char* objects = out->options.objects;
	out->options.objects = objects ? copy_text( objects, arena ) : NULL;
	return out->source.name && out->source.format && out->options.hierarchy.builder &&
	               out->options.hierarchy.splitter && out->options.hierarchy.node_box &&
	               out->options.obb.method && ( out->options.hierarchy.refit || !refit ) &&
	               ( out->options.objects || !objects )
	           ? bv_ok
	           : bvb_fail_memory( error );
}

// Returns the seconds since *last and moves it to now.
static double lap( double* last )
{
	double before = *last;
	*last = bvb_clock();
	return *last - before;
}

static bv_status fit_bounds( const bvb_mesh* mesh, const bvb_hull* hull, const bvb_obb_options* options,
                             bvb_arena* arena, bv_file_bounds* out, bvb_error* error )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvb_fail_memory( error );
	}
	uint32_t count = mesh->vertex_count;
	out->aabb = bvb_fit_aabb( mesh->positions, count );
	bv_status status = bvb_fit_obb( mesh->positions, count, hull, options, scratch, &out->obb );
	if ( status == bv_ok )
	{
		status = bvb_fit_sphere( mesh->positions, count, &out->sphere );
	}
	if ( status == bv_ok )
	{
		status = bvb_fit_kdop( mesh->positions, count, 2 * BV_KDOP_DIRECTIONS, &out->kdop );
	}
	if ( status == bv_ok )
	{
		status = bvb_fit_capsule( mesh->positions, count, &out->capsule );
	}
	if ( status == bv_ok )
	{
		status = bvb_fit_rss( mesh->positions, count, &out->rss );
	}
	bvb_arena_destroy( scratch );
	if ( status == bv_error_argument )
	{
		return bvb_fail( error, status, "no method of fitting boxes is called '%s'", options->method );
	}
	return status == bv_ok ? bv_ok : bvb_fail_memory( error );
}

// With what the section of edges needs, if that is wanted.
static bv_status find_topology( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvb_fail_memory( error );
	}
	bvb_adjacency adjacency;
	bool wanted = out->options.sections.edges;
	const bvb_mesh* mesh = &out->record.mesh;
	bv_status status = bvb_mesh_topology( mesh, scratch, &out->topology, wanted ? &adjacency : NULL, error );
	if ( status == bv_ok && wanted )
	{
		out->edges = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *out->edges );
		for ( uint32_t h = 0; out->edges && h < 3 * mesh->triangle_count; ++h )
		{
			out->edges[h / 3] |= (uint16_t)( adjacency.edges[adjacency.edge[h]].kind << 3 * ( h % 3 ) );
		}
		status = out->edges ? bv_ok : bvb_fail_memory( error );
	}
	bvb_arena_destroy( scratch );
	return status;
}

static bv_status integrate_mass( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	const bvb_mesh* mesh = &out->record.mesh;
	bv_status status = bvb_hull_mass( mesh->positions, &out->hull, arena, &out->mass[bv_mass_of_hull], NULL );
	if ( status == bv_error_memory )
	{
		return bvb_fail_memory( error );
	}
	out->has_mass[bv_mass_of_solid] =
		out->topology.closed && bvb_mass_of_solid( mesh, &out->mass[bv_mass_of_solid] );
	out->has_mass[bv_mass_of_surface] = bvb_mass_of_surface( mesh, &out->mass[bv_mass_of_surface] );
	out->has_mass[bv_mass_of_hull] = status == bv_ok;
	return bv_ok;
}

static double diagonal( const bv_aabb* box )
{
	double x = box->upper.x - box->lower.x;
	double y = box->upper.y - box->lower.y;
	double z = box->upper.z - box->lower.z;
	return sqrt( x * x + y * y + z * z );
}

static bv_status recognise( bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvb_fail_memory( error );
	}
	out->primitives = bvb_arena_allocate( arena, bv_primitive_kinds, sizeof *out->primitives );
	const bvb_mesh* mesh = &out->record.mesh;
	bvb_tolerance wanted = out->options.recognise;
	double tolerance = wanted.percent ? wanted.value / 100 * diagonal( &out->bounds.aabb ) : wanted.value;
	if ( !( tolerance > 0 && tolerance <= DBL_MAX ) )
	{
		bvb_arena_destroy( scratch );
		return bvb_fail( error, bv_error_argument, "no primitive can be within %g%s of a mesh", wanted.value,
		                 wanted.percent ? " %" : "" );
	}
	bv_status status = out->primitives ? bvb_recognise( mesh, &out->hull, NULL, tolerance, scratch,
	                                                    out->primitives, &out->recognised.best, error )
	                                   : bvb_fail_memory( error );
	out->recognised.tolerance = tolerance;
	bvb_arena_destroy( scratch );
	return status;
}

// What the format has no place for, and what would take for ever.
static bv_status check_errors( const bvb_tree_errors_options* options, bvb_error* error )
{
	double relative = options->relative;
	double floor = options->floor;
	if ( relative != 0 && !( relative >= 1e-6 && relative <= 1 && floor >= 1e-9 && floor <= 1 ) )
	{
		return bvb_fail( error, bv_error_argument, "errors can be certified to 1e-6 .. 1, not to %g",
		                 relative );
	}
	return bv_ok;
}

bvb_asset_options bvb_asset_options_default( void )
{
	return ( bvb_asset_options ){
		.record = bvb_record_options_default(),
		.hierarchy = bvb_hierarchy_options_default(),
		.obb = bvb_obb_options_default(),
		.errors = bvb_tree_errors_options_default(),
		.recognise = { .value = 1, .percent = true },
	};
}

bv_status bvb_asset_build( const bvb_scene* scene, const bvb_source* source, const bvb_asset_options* options,
                           bvb_arena* arena, bvb_asset* out, bvb_error* error )
{
	*out = ( bvb_asset ){ .options = *options };
	double last = bvb_clock();
	bv_status status = check_errors( &options->errors, error );
	status = status == bv_ok ? copy_source( source, arena, out, error ) : status;

	if ( status == bv_ok )
	{
		status = bvb_mesh_record( &scene->mesh, &options->record, arena, &out->record, error );
		out->times.record = lap( &last );
	}
	if ( status == bv_ok )
	{
		// First of all, because it puts the mesh into its final order.
		status = bvb_hierarchy_build( &out->record.mesh, &options->hierarchy, arena, &out->tree, error );
		status = status == bv_ok ? bvb_tree_snap( out->tree, &out->record.mesh, options->hierarchy.threads,
		                                          arena, error )
		                         : status;
		out->times.hierarchy = lap( &last );
	}
	if ( status == bv_ok )
	{
		status = find_topology( arena, out, error );
		out->times.topology = lap( &last );
	}
	if ( status == bv_ok )
	{
		status = bvb_hull_compute( out->record.mesh.positions, out->record.mesh.vertex_count, arena,
		                           &out->hull, error );
		out->times.hull = lap( &last );
	}
	if ( status == bv_ok )
	{
		status = integrate_mass( arena, out, error );
		out->times.mass = lap( &last );
	}
	if ( status == bv_ok )
	{
		status = fit_bounds( &out->record.mesh, &out->hull, &options->obb, arena, &out->bounds, error );
		bvb_tree_improve_root( out->tree, options->hierarchy.volume_types, &out->bounds.obb );
		out->times.fit = lap( &last );
	}
	if ( status == bv_ok && options->errors.relative != 0 )
	{
		// Behind the fit, because errors are those of the final boxes.
		status =
			bvb_hausdorff_tree( &out->record.mesh, out->tree, &options->errors, arena, &out->errors, error );
		out->times.hausdorff = lap( &last );
	}
	if ( status == bv_ok && options->recognise.value != 0 )
	{
		status = recognise( arena, out, error );
		out->times.recognise = lap( &last );
	}
	if ( status == bv_ok && options->sections.source )
	{
		status = bvb_map_source( scene, &out->record.mesh, arena, &out->origin, error );
	}
	return status;
}
