// The mesh of record of a triangle soup.
//
// The mesh is cleaned, rounded and cleaned again, because rounding can merge vertices and flatten triangles,
// and the file must contain no degenerate or duplicate triangles. The result depends on the order of the
// source's triangles, but on no other order.

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/mesh/clean.h"
#include "offline/mesh/distinct.h"
#include "offline/mesh/offset.h"
#include "offline/mesh/weld.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

static void drop_degenerate( bvb_mesh* mesh, uint64_t* dropped )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( bvmesh_has_area( mesh->positions, &mesh->triangles[i] ) )
		{
			bvmesh_keep_triangle( mesh, i, kept++ );
		}
	}
	*dropped += mesh->triangle_count - kept;
	mesh->triangle_count = kept;
}

static bv_status clean( bvb_mesh* mesh, bool may_repeat, const bvb_record_options* options,
                        const bvb_arena* owner, bvb_record* record, bvb_error* error )
{
	drop_degenerate( mesh, &record->removed_degenerate );
	if ( mesh->triangle_count == 0 && options->weld > 0 )
	{
		return bvbase_fail( error, bv_error_input, "no triangle has an area (after --weld %g)",
		                    options->weld );
	}
	if ( mesh->triangle_count == 0 )
	{
		return bvbase_fail( error, bv_error_input, "no triangle has an area" );
	}
	if ( !may_repeat )
	{
		return bv_ok;
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( owner );
	bv_status status = scratch ? bvmesh_drop_duplicates( mesh, scratch, &record->removed_duplicate, error )
	                           : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	return status;
}

static bv_status check_largest( const bvb_mesh* mesh, bvb_error* error )
{
	bv_aabb e = bvmesh_box_of_triangles( mesh );
	double least = bvmath_min( bvmath_min( e.lower.x, e.lower.y ), e.lower.z );
	double largest = bvmath_max( bvmath_max( e.upper.x, e.upper.y ), e.upper.z );
	if ( bvmath_max( -least, largest ) > BVB_MAX_COORDINATE )
	{
		return bvbase_fail( error, bv_error_limit,
		                    "a coordinate is larger than 1.3e36 (make it smaller with --scale)" );
	}
	return bv_ok;
}

// Below this size floats lose digits and squares of lengths vanish.
static bv_status check_extent( const bvb_mesh* mesh, bvb_error* error )
{
	bv_aabb e = bvmesh_box_of_triangles( mesh );
	bv_vec3 size = bv_sub( e.upper, e.lower );
	if ( bvmath_max( bvmath_max( size.x, size.y ), size.z ) < BVB_MIN_EXTENT )
	{
		return bvbase_fail( error, bv_error_limit,
		                    "the mesh is smaller than 7.6e-37 (make it larger with --scale)" );
	}
	return bv_ok;
}

// What normalizing does to positions: ( p - center ) / radius.
typedef struct normal_form
{
	bv_vec3 center;
	double radius;
} normal_form;

static normal_form normal_form_of( const bvb_mesh* mesh )
{
	bv_aabb e = bvmesh_box_of_triangles( mesh );
	bv_vec3 lower = e.lower;
	bv_vec3 upper = e.upper;
	bv_vec3 center = { ( lower.x + upper.x ) / 2, ( lower.y + upper.y ) / 2, ( lower.z + upper.z ) / 2 };
	bv_vec3 size = bv_sub( upper, lower );
	double scale = bvmesh_exponent_scale( bvmath_norm1( size ) );
	size = bv_scale( scale, size );
	return ( normal_form ){ center, sqrt( bv_dot( size, size ) ) / 2 / scale };
}

static void normalize( const normal_form* form, bv_vec3* positions, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 p = bv_sub( positions[i], form->center );
		positions[i] = ( bv_vec3 ){ p.x / form->radius, p.y / form->radius, p.z / form->radius };
	}
}

// The finest grid of powers of two on which every position has a number.
static bvb_grid choose_grid( const bvb_mesh* mesh )
{
	const double last = (double)( ( 1 << 21 ) - 1 );
	bv_aabb e = bvmesh_box_of_triangles( mesh );
	bv_vec3 lower = e.lower;
	bv_vec3 upper = e.upper;
	bv_vec3 size = bv_sub( upper, lower );
	double largest = bvmath_max( bvmath_max( size.x, size.y ), size.z );

	bvb_grid grid;
	int exponent;
	frexp( largest / last, &exponent );
	for ( ;; ++exponent )
	{
		// A coordinate far from zero must still be a whole number of steps in binary64.
		double reach = bvmath_max( bvmath_norm1( lower ), bvmath_norm1( upper ) );
		grid.step = ldexp( 1.0, exponent );
		grid.origin =
			( bv_vec3 ){ floor( lower.x / grid.step ) * grid.step, floor( lower.y / grid.step ) * grid.step,
			             floor( lower.z / grid.step ) * grid.step };
		bv_vec3 span = bv_sub( upper, grid.origin );
		if ( reach / grid.step < 0x1p50 &&
		     bvmath_max( bvmath_max( span.x, span.y ), span.z ) / grid.step <= last )
		{
			return grid;
		}
	}
}

static double snap_to_grid( double x, double origin, double step )
{
	return origin + step * floor( ( x - origin ) / step + 0.5 );
}

// Moves positions to where the file can hold them.
// @param used  of each vertex, whether it counts for the displacement; null if all do
// @return whether one of them moved
static bool snap( bvb_record* record, bvb_mesh* mesh, const bool* used )
{
	if ( record->form == bvb_positions_quantized )
	{
		record->grid = choose_grid( mesh );
	}
	bv_vec3 o = record->grid.origin;
	double step = record->grid.step;
	bool moved = false;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		bv_vec3 q = step > 0 ? ( bv_vec3 ){ snap_to_grid( p.x, o.x, step ), snap_to_grid( p.y, o.y, step ),
			                                snap_to_grid( p.z, o.z, step ) }
		                     : ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
		if ( q.x != p.x || q.y != p.y || q.z != p.z )
		{
			moved = true;
			double distance = used && !used[i] ? 0 : bvvol_distance_bound( q, p );
			record->largest_displacement = bvmath_max( record->largest_displacement, distance );
		}
		// Adding 0 makes +0 of -0.
		mesh->positions[i] = ( bv_vec3 ){ q.x + 0.0, q.y + 0.0, q.z + 0.0 };
	}
	return moved;
}

// Positions before welding within a distance, and where they went; and labels of vertices.
typedef struct welded
{
	uint32_t* labels;   // null if there are none
	bv_vec3* positions; // null if there was no such welding
	uint32_t* place;    // number of the vertex that took each one's place
	uint32_t count;     // length of both
} welded;

static void measure_displacement( bvb_record* record, const welded* from, const bvb_mesh* mesh,
                                  const bool* used )
{
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		uint32_t to = from->place[i];
		double distance =
			used && !used[to] ? 0 : bvvol_distance_bound( mesh->positions[to], from->positions[i] );
		record->largest_displacement = bvmath_max( record->largest_displacement, distance );
	}
}

// Positions become relative to the offset, if there is one.
// @param used  receives whether a triangle refers to each vertex; null without an offset. Others can be far
//              away, where rounding moves them by more
static bv_status move_to_offset( bvb_record* record, const welded* from, bvb_arena* scratch,
                                 const bool** used, bvb_error* error )
{
	bvb_mesh* mesh = &record->mesh;
	bv_aabb extent = bvmesh_box_of_triangles( mesh );
	record->offset = bvmesh_choose_offset( &extent );
	*used = NULL;
	if ( bvmath_is_zero( record->offset ) )
	{
		return bv_ok;
	}
	bool* is_used = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *is_used );
	if ( !is_used )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			is_used[mesh->triangles[i].corner[k]] = true;
		}
	}
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		mesh->positions[i] = bv_sub( mesh->positions[i], record->offset );
	}
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		from->positions[i] = bv_sub( from->positions[i], record->offset );
	}
	*used = is_used;
	return bv_ok;
}

// Welding, first by equality and then within the distance.
// @param labels  null for none
static bv_status weld( const bvb_mesh* source, const uint32_t* labels, const bvb_record_options* options,
                       bvb_arena* scratch, bvb_record* record, welded* from, bvb_error* error )
{
	bvb_mesh* mesh = &record->mesh;
	bvmesh_weld_counts counts;
	bvmesh_placing placing = { options->up, bvb_record_scale( options ) };
	bv_status status =
		labels
			? bvmesh_weld_labeled( source, &placing, labels, scratch, mesh, &from->labels, &counts, error )
			: bvmesh_weld_equal( source, &placing, options->drop_non_finite, scratch, mesh, &counts, error );
	if ( status == bv_ok && mesh->triangle_count == 0 )
	{
		status = bvbase_fail( error, bv_error_input, "no triangle has finite coordinates" );
	}
	if ( status == bv_ok )
	{
		status = check_largest( mesh, error );
	}
	if ( status != bv_ok )
	{
		return status;
	}

	record->removed_non_finite = counts.non_finite;
	record->unused_vertices = counts.unused;
	if ( options->weld > 0 )
	{
		*from = ( welded ){ NULL, mesh->positions,
			                bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *from->place ),
			                mesh->vertex_count };
		status = from->place ? bvmesh_weld_within( mesh, options->weld, scratch, from->place, error )
		                     : bvbase_fail_memory( error );
	}
	// Those that only snapping will make one are not counted: they were apart.
	record->merged_vertices = counts.used - mesh->vertex_count;
	return status;
}

const char* bvb_position_form_name( uint32_t form )
{
	static const char* const words[] = { "float", "quantized" };
	return form < sizeof words / sizeof *words ? words[form] : NULL;
}

const char* bvb_up_name( uint32_t up )
{
	static const char* const words[] = { "y", "z", "y-to-z" };
	return up < sizeof words / sizeof *words ? words[up] : NULL;
}

const char* bvb_units_name( uint32_t index )
{
	static const char* const words[] = { "mm", "cm", "m", "in", "ft" };
	return index < sizeof words / sizeof *words ? words[index] : NULL;
}

// The inch is 25.4 mm since 1959 (international yard and pound agreement), and the foot twelve of them.
double bvb_record_scale( const bvb_record_options* options )
{
	static const double meters[] = { 1, 0.001, 0.01, 1, 0.0254, 0.3048 };
	return meters[options->units] * options->scale;
}

bvb_record_options bvb_record_options_default( void )
{
	return ( bvb_record_options ){ .scale = 1, .positions = bvb_positions_float };
}

// Snapping can merge vertices and flatten triangles.
static bv_status clean_snapped( const bvb_record_options* options, const welded* from, bvb_arena* scratch,
                                bvb_record* record, bvb_error* error )
{
	bvb_mesh snapped = record->mesh;
	bvmesh_weld_counts counts;
	uint32_t* labels;
	record->mesh.origin = NULL;
	bv_status status =
		from->labels ? bvmesh_weld_labeled( &snapped, NULL, from->labels, scratch, &record->mesh, &labels,
	                                        &counts, error )
					 : bvmesh_weld_equal( &snapped, NULL, false, scratch, &record->mesh, &counts, error );
	record->mesh.origin = snapped.origin;
	if ( status != bv_ok )
	{
		return status;
	}
	return clean( &record->mesh, counts.used > record->mesh.vertex_count, options, scratch, record, error );
}

// Moves the positions that triangles refer to into `arena`, numbered by first use.
static bool gather_positions( bvb_mesh* mesh, bvb_arena* arena, bvb_arena* scratch )
{
	uint32_t* number = bvb_arena_allocate( scratch, mesh->vertex_count, sizeof *number );
	if ( !number )
	{
		return false;
	}
	uint32_t used = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* corner = mesh->triangles[i].corner + k;
			uint32_t v = *corner;
			number[v] = number[v] ? number[v] : ++used;
			*corner = number[v] - 1;
		}
	}
	bv_vec3* positions = bvb_arena_allocate( arena, used, sizeof *positions );
	if ( !positions )
	{
		return false;
	}
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		if ( number[v] )
		{
			positions[number[v] - 1] = mesh->positions[v];
		}
	}
	mesh->positions = positions;
	mesh->vertex_count = used;
	return true;
}

static bv_status make_record( const bvb_mesh* source, const uint32_t* labels,
                              const bvb_record_options* options, bvb_arena* arena, bvb_arena** scratch,
                              bvb_record* out, bvb_error* error )
{
	bvb_mesh* mesh = &out->mesh;
	mesh->triangles = bvb_arena_allocate( arena, source->triangle_count, sizeof *mesh->triangles );
	mesh->origin = bvb_arena_allocate( arena, source->triangle_count, sizeof *mesh->origin );
	welded from = { .count = 0 };
	bv_status status = mesh->triangles && mesh->origin
	                       ? weld( source, labels, options, scratch[0], out, &from, error )
	                       : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		status = clean( mesh, true, options, scratch[0], out, error );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	if ( options->normalize )
	{
		normal_form form = normal_form_of( mesh );
		out->center = form.center;
		out->radius = form.radius;
		normalize( &form, mesh->positions, mesh->vertex_count );
		normalize( &form, from.positions, from.count );
	}
	status = check_extent( mesh, error );
	const bool* used = NULL;
	if ( status == bv_ok )
	{
		status = move_to_offset( out, &from, scratch[0], &used, error );
	}
	if ( status != bv_ok )
	{
		return status;
	}

	bool moved = snap( out, mesh, used );
	measure_displacement( out, &from, mesh, used );
	if ( moved )
	{
		status = clean_snapped( options, &from, scratch[1], out, error );
		bvb_arena_destroy( scratch[0] );
		scratch[0] = NULL;
	}
	return status != bv_ok || gather_positions( mesh, arena, scratch[1] ) ? status
	                                                                      : bvbase_fail_memory( error );
}

static bv_status check( const bvb_mesh* source, const bvb_record_options* options, bvb_error* error )
{
	double scale = bvb_record_scale( options );
	if ( !( scale > 0 && isfinite( scale ) ) )
	{
		return bvbase_fail( error, bv_error_argument, "the scale is not a positive number" );
	}
	bv_status status = bvmesh_weld_check( source, options->weld, error );
	return status == bv_ok && source->triangle_count == 0
	           ? bvbase_fail( error, bv_error_input, "no triangles" )
	           : status;
}

static bv_status record( const bvb_mesh* source, const uint32_t* labels, const bvb_record_options* options,
                         bvb_arena* arena, bvb_record* out, bvb_error* error )
{
	*out = ( bvb_record ){ .form = options->positions, .radius = 1 };

	// One until positions are snapped, one from then on.
	bvb_arena* scratch[2] = { bvbase_arena_create_scratch( arena ), bvbase_arena_create_scratch( arena ) };
	bv_status status = scratch[0] && scratch[1]
	                       ? make_record( source, labels, options, arena, scratch, out, error )
	                       : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch[0] );
	bvb_arena_destroy( scratch[1] );
	return status;
}

bv_status bvmesh_record_labeled( const bvb_mesh* source, const uint32_t* labels,
                                 const bvb_record_options* options, bvb_arena* arena, bvb_record* out,
                                 bvb_error* error )
{
	bv_status status = check( source, options, error );
	return status == bv_ok ? record( source, labels, options, arena, out, error ) : status;
}

bv_status bvb_mesh_record( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                           bvb_record* out, bvb_error* error )
{
	*out = ( bvb_record ){ .form = options->positions, .radius = 1 };
	bv_status status = check( source, options, error );
	bool done = false;
	status = status == bv_ok ? bvmesh_record_distinct( source, options, arena, out, &done, error ) : status;
	return status == bv_ok && !done ? record( source, NULL, options, arena, out, error ) : status;
}
