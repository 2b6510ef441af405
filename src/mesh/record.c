// From any triangle soup to the mesh of record.
//
// Clean, snap, clean again: snapping can merge vertices and flatten triangles, and what the file holds must
// be free of both. Everything that depends on an order depends on the source's order of triangles only.

#include "bvbuild/mesh.h"

#include "base/core/reach.h"
#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "base/offline/error.h"

#include <math.h>
#include <string.h>

// A hash table of indices with open addressing; the slots hold index + 1, 0 is free.
typedef struct table
{
	uint32_t* slots;
	uint64_t mask;
} table;

static bool table_create( table* t, uint64_t count, bvb_arena* arena )
{
	uint64_t size = 16;
	while ( size < count + count / 2 )
	{
		size *= 2;
	}
	t->slots = bvb_arena_allocate( arena, size, sizeof *t->slots );
	t->mask = size - 1;
	return t->slots;
}

static uint64_t mix( uint64_t a, uint64_t b, uint64_t c )
{
	uint64_t h = a * UINT64_C( 0x9e3779b97f4a7c15 );
	h = ( h ^ h >> 29 ^ b ) * UINT64_C( 0xbf58476d1ce4e5b9 );
	h = ( h ^ h >> 32 ^ c ) * UINT64_C( 0x94d049bb133111eb );
	return h ^ h >> 31;
}

static uint64_t bits( double x )
{
	uint64_t u;
	memcpy( &u, &x, sizeof u );
	return u;
}

static bool same_position( bv_vec3 a, bv_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// -0 becomes +0, so that equal positions have equal bits.
static bv_vec3 without_negative_zero( bv_vec3 p )
{
	return ( bv_vec3 ){ p.x + 0.0, p.y + 0.0, p.z + 0.0 };
}

// Gives every referenced vertex the number of the first vertex with its position, in order of first use.
static bv_status weld( const bvb_mesh* source, bvb_arena* scratch, bvb_arena* arena, bvb_mesh* out,
                       bvb_error* error )
{
	uint64_t used_at_most = 3 * (uint64_t)source->triangle_count;
	used_at_most = used_at_most < source->vertex_count ? used_at_most : source->vertex_count;

	table t;
	uint32_t* number = bvb_arena_allocate( scratch, source->vertex_count, sizeof *number );
	out->positions = bvb_arena_allocate( arena, used_at_most, sizeof *out->positions );
	out->triangles = bvb_arena_allocate( arena, source->triangle_count, sizeof *out->triangles );
	if ( !number || !out->positions || !out->triangles || !table_create( &t, used_at_most, scratch ) )
	{
		return bvb_fail_memory( error );
	}

	out->vertex_count = 0;
	out->triangle_count = source->triangle_count;
	for ( uint32_t i = 0; i < source->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t v = source->triangles[i].corner[k];
			if ( number[v] == 0 )
			{
				bv_vec3 p = without_negative_zero( source->positions[v] );
				uint64_t slot = mix( bits( p.x ), bits( p.y ), bits( p.z ) ) & t.mask;
				while ( t.slots[slot] && !same_position( out->positions[t.slots[slot] - 1], p ) )
				{
					slot = ( slot + 1 ) & t.mask;
				}
				if ( t.slots[slot] == 0 )
				{
					out->positions[out->vertex_count++] = p;
					t.slots[slot] = out->vertex_count;
				}
				number[v] = t.slots[slot];
			}
			out->triangles[i].corner[k] = number[v] - 1;
		}
	}
	return bv_ok;
}

// The power of two that brings `largest` to about 1, as far as binary64 has it.
static double exponent_scale( double largest )
{
	int exponent;
	frexp( largest, &exponent );
	return ldexp( 1.0, exponent < -1000 ? 1000 : -exponent );
}

// a * b - c * d is zero, decided without rounding: the two products' heads and tails must agree.
static bool products_equal( double a, double b, double c, double d )
{
	double p = a * b;
	double q = c * d;
	return p == q && fma( a, b, -p ) == fma( c, d, -q );
}

// Scaled by a power of two, so that the tails of products of tiny edges do not vanish.
static bool has_area( const bv_vec3* positions, const bvb_triangle* triangle )
{
	const uint32_t* c = triangle->corner;
	if ( c[0] == c[1] || c[1] == c[2] || c[2] == c[0] )
	{
		return false;
	}
	bv_vec3 u = bv_sub( positions[c[1]], positions[c[0]] );
	bv_vec3 v = bv_sub( positions[c[2]], positions[c[0]] );
	double scale = exponent_scale( bv_max( bv_norm1( u ), bv_norm1( v ) ) );
	u = bv_scale( scale, u );
	v = bv_scale( scale, v );
	return !( products_equal( u.y, v.z, u.z, v.y ) && products_equal( u.z, v.x, u.x, v.z ) &&
	          products_equal( u.x, v.y, u.y, v.x ) );
}

static void drop_degenerate( bvb_mesh* mesh, uint64_t* dropped )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		if ( has_area( mesh->positions, &mesh->triangles[i] ) )
		{
			mesh->triangles[kept++] = mesh->triangles[i];
		}
	}
	*dropped += mesh->triangle_count - kept;
	mesh->triangle_count = kept;
}

// Rotated so that the smallest index comes first: equal for equal vertices and equal winding only.
static bvb_triangle canonical( bvb_triangle t )
{
	int first = t.corner[0] < t.corner[1] ? ( t.corner[0] < t.corner[2] ? 0 : 2 )
	                                      : ( t.corner[1] < t.corner[2] ? 1 : 2 );
	return ( bvb_triangle ){ { t.corner[first], t.corner[( first + 1 ) % 3], t.corner[( first + 2 ) % 3] } };
}

static bv_status drop_duplicates( bvb_mesh* mesh, bvb_arena* scratch, uint64_t* dropped, bvb_error* error )
{
	table t;
	if ( !table_create( &t, mesh->triangle_count, scratch ) )
	{
		return bvb_fail_memory( error );
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		bvb_triangle key = canonical( mesh->triangles[i] );
		uint64_t slot = mix( key.corner[0], key.corner[1], key.corner[2] ) & t.mask;
		for ( ; t.slots[slot]; slot = ( slot + 1 ) & t.mask )
		{
			bvb_triangle other = canonical( mesh->triangles[t.slots[slot] - 1] );
			if ( memcmp( &key, &other, sizeof key ) == 0 )
			{
				break;
			}
		}
		if ( t.slots[slot] == 0 )
		{
			mesh->triangles[kept++] = mesh->triangles[i];
			t.slots[slot] = kept;
		}
	}
	*dropped += mesh->triangle_count - kept;
	mesh->triangle_count = kept;
	return bv_ok;
}

static bv_status clean( const bvb_mesh* source, bvb_arena* scratch, bvb_arena* arena, bvb_record* record,
                        bvb_mesh* out, bvb_error* error )
{
	bv_status status = weld( source, scratch, arena, out, error );
	if ( status != bv_ok )
	{
		return status;
	}
	drop_degenerate( out, &record->removed_degenerate );
	status = drop_duplicates( out, scratch, &record->removed_duplicate, error );
	if ( status == bv_ok && out->triangle_count == 0 )
	{
		return bvb_fail( error, bv_error_input, "no triangle has an area" );
	}
	return status;
}

static void get_bounds( const bvb_mesh* mesh, bv_vec3* lower, bv_vec3* upper )
{
	*lower = *upper = mesh->positions[0];
	for ( uint32_t i = 1; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		*lower = ( bv_vec3 ){ bv_min( lower->x, p.x ), bv_min( lower->y, p.y ), bv_min( lower->z, p.z ) };
		*upper = ( bv_vec3 ){ bv_max( upper->x, p.x ), bv_max( upper->y, p.y ), bv_max( upper->z, p.z ) };
	}
}

static bv_status check_references( const bvb_mesh* mesh, bvb_error* error )
{
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t v = mesh->triangles[i].corner[k];
			if ( v >= mesh->vertex_count )
			{
				return bvb_fail( error, bv_error_input, "triangle %u refers to vertex %u of %u", i, v,
				                 mesh->vertex_count );
			}
		}
	}
	return bv_ok;
}

// Scales the referenced vertices; counts the ones that are no position, before and after.
static bv_status scale_positions( const bvb_mesh* source, double scale, bvb_arena* arena, bvb_mesh* out,
                                  bvb_error* error )
{
	*out = *source;
	out->positions = bvb_arena_allocate( arena, source->vertex_count, sizeof *out->positions );
	bool* seen = bvb_arena_allocate( arena, source->vertex_count, sizeof *seen );
	if ( !out->positions || !seen )
	{
		return bvb_fail_memory( error );
	}

	uint64_t bad = 0;
	uint32_t first_bad = 0;
	bool too_large = false;
	for ( uint64_t i = 0; i < 3 * (uint64_t)source->triangle_count; ++i )
	{
		uint32_t v = source->triangles[i / 3].corner[i % 3];
		if ( seen[v] )
		{
			continue;
		}
		seen[v] = true;
		for ( int k = 0; k < 3; ++k )
		{
			double x = bv_component( source->positions[v], k );
			if ( !isfinite( x ) )
			{
				first_bad = bad == 0 || v < first_bad ? v : first_bad;
				bad += 1;
			}
			too_large = too_large || fabs( x * scale ) > BVB_MAX_COORDINATE;
		}
		out->positions[v] = bv_scale( scale, source->positions[v] );
	}
	if ( bad == 1 )
	{
		return bvb_fail( error, bv_error_input, "1 coordinate is not finite (vertex %u)", first_bad + 1 );
	}
	if ( bad )
	{
		return bvb_fail( error, bv_error_input, "%llu coordinates are not finite (first: vertex %u)",
		                 (unsigned long long)bad, first_bad + 1 );
	}
	if ( too_large )
	{
		return bvb_fail( error, bv_error_limit,
		                 "a coordinate is larger than 1.3e36 (make it smaller with --scale)" );
	}
	return bv_ok;
}

// Below this size floats lose digits and squares of lengths vanish.
static bv_status check_extent( const bvb_mesh* mesh, bvb_error* error )
{
	bv_vec3 lower;
	bv_vec3 upper;
	get_bounds( mesh, &lower, &upper );
	bv_vec3 size = bv_sub( upper, lower );
	if ( bv_max( bv_max( size.x, size.y ), size.z ) < BVB_MIN_EXTENT )
	{
		return bvb_fail( error, bv_error_limit,
		                 "the mesh is smaller than 7.6e-37 (make it larger with --scale)" );
	}
	return bv_ok;
}

static void normalize( bvb_mesh* mesh )
{
	bv_vec3 lower;
	bv_vec3 upper;
	get_bounds( mesh, &lower, &upper );
	bv_vec3 center = { ( lower.x + upper.x ) / 2, ( lower.y + upper.y ) / 2, ( lower.z + upper.z ) / 2 };
	bv_vec3 size = bv_sub( upper, lower );
	double scale = exponent_scale( bv_norm1( size ) );
	size = bv_scale( scale, size );
	double radius = sqrt( bv_dot( size, size ) ) / 2 / scale;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = bv_sub( mesh->positions[i], center );
		mesh->positions[i] = ( bv_vec3 ){ p.x / radius, p.y / radius, p.z / radius };
	}
}

// The finest grid of powers of two on which every position has a number.
static bvb_grid choose_grid( const bvb_mesh* mesh )
{
	const double last = (double)( ( 1 << 21 ) - 1 );
	bv_vec3 lower;
	bv_vec3 upper;
	get_bounds( mesh, &lower, &upper );
	bv_vec3 size = bv_sub( upper, lower );
	double largest = bv_max( bv_max( size.x, size.y ), size.z );

	bvb_grid grid;
	int exponent;
	frexp( largest / last, &exponent );
	for ( ;; ++exponent )
	{
		// A coordinate far from zero must still be a whole number of steps in binary64.
		double reach = bv_max( bv_norm1( lower ), bv_norm1( upper ) );
		grid.step = ldexp( 1.0, exponent );
		grid.origin =
			( bv_vec3 ){ floor( lower.x / grid.step ) * grid.step, floor( lower.y / grid.step ) * grid.step,
			             floor( lower.z / grid.step ) * grid.step };
		bv_vec3 span = bv_sub( upper, grid.origin );
		if ( reach / grid.step < 0x1p50 && bv_max( bv_max( span.x, span.y ), span.z ) / grid.step <= last )
		{
			return grid;
		}
	}
}

static double snap_to_grid( double x, double origin, double step )
{
	return origin + step * floor( ( x - origin ) / step + 0.5 );
}

static void snap( bvb_record* record, bvb_mesh* mesh )
{
	if ( record->form == bvb_positions_quantized )
	{
		record->grid = choose_grid( mesh );
	}
	bv_vec3 o = record->grid.origin;
	double step = record->grid.step;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		bv_vec3 q = step > 0 ? ( bv_vec3 ){ snap_to_grid( p.x, o.x, step ), snap_to_grid( p.y, o.y, step ),
			                                snap_to_grid( p.z, o.z, step ) }
		                     : ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
		record->largest_displacement = bv_max( record->largest_displacement, bv_distance_bound( q, p ) );
		mesh->positions[i] = q;
	}
}

bvb_record_options bvb_record_options_default( void )
{
	return ( bvb_record_options ){ .scale = 1, .positions = bvb_positions_float };
}

bv_status bvb_mesh_record( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                           bvb_record* out, bvb_error* error )
{
	*out = ( bvb_record ){ .form = options->positions };
	if ( !( options->scale > 0 && isfinite( options->scale ) ) )
	{
		return bvb_fail( error, bv_error_argument, "the scale is not a positive number" );
	}
	if ( source->triangle_count == 0 )
	{
		return bvb_fail( error, bv_error_input, "no triangles" );
	}
	if ( source->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvb_fail( error, bv_error_limit, "%u triangles are more than %u", source->triangle_count,
		                 BVB_MAX_TRIANGLES );
	}

	bvb_arena* scratch = bvb_arena_create_scratch( arena );
	bv_status status = scratch ? check_references( source, error ) : bvb_fail_memory( error );
	bvb_mesh scaled;
	bvb_mesh cleaned;
	if ( status == bv_ok )
	{
		status = scale_positions( source, options->scale, scratch, &scaled, error );
	}
	if ( status == bv_ok )
	{
		status = clean( &scaled, scratch, scratch, out, &cleaned, error );
	}
	if ( status == bv_ok )
	{
		if ( options->normalize )
		{
			normalize( &cleaned );
		}
		status = check_extent( &cleaned, error );
	}
	if ( status == bv_ok )
	{
		snap( out, &cleaned );
		status = clean( &cleaned, scratch, arena, out, &out->mesh, error );
	}
	bvb_arena_destroy( scratch );
	return status;
}
