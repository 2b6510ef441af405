// Thinning by vertex clustering (Rossignac, Borrel, "Multi-resolution 3D approximations for rendering complex
// scenes", 1993).
//
// All vertices in a cell of a uniform grid become their mean; triangles with two corners in one cell go, and
// so do those with the corners of an earlier one. The number of triangles grows with that of the cells,
// roughly with its square along a side, and a few trials find a grid that leaves nearly as many as are
// allowed.

#include "offline/report/html/thin.h"

#include "offline/base/error.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	most_cells = 1 << 16, // along a side
	most_trials = 24,
};

// What all trials share.
typedef struct thinning
{
	const bvb_mesh* mesh;
	bv_vec3 lower;
	double extent;     // the largest of the three, above 0
	uint64_t* keys;    // hash table of cells: coordinates and 1
	uint32_t* cells;   // number of the cell in each slot
	uint64_t mask;     // slots less one
	uint32_t* cluster; // of each vertex, numbered by first use
	uint32_t clusters;
} thinning;

static uint64_t scramble( uint64_t x )
{
	x ^= x >> 33;
	x *= 0xff51afd7ed558ccdu;
	x ^= x >> 33;
	x *= 0xc4ceb9fe1a85ec53u;
	return x ^ x >> 33;
}

static uint64_t cell_coordinate( double x, double lower, double extent, uint32_t cells )
{
	double at = floor( ( x - lower ) / extent * cells );
	return (uint64_t)bvmath_max( 0, bvmath_min( at, cells - 1.0 ) );
}

// Gives every vertex the number of its cell, of so many along the largest extent.
static void cluster_vertices( thinning* t, uint32_t cells )
{
	memset( t->keys, 0, ( t->mask + 1 ) * sizeof *t->keys );
	t->clusters = 0;
	for ( uint32_t i = 0; i < t->mesh->vertex_count; ++i )
	{
		bv_vec3 p = t->mesh->positions[i];
		uint64_t key = ( cell_coordinate( p.x, t->lower.x, t->extent, cells ) << 32 |
		                 cell_coordinate( p.y, t->lower.y, t->extent, cells ) << 16 |
		                 cell_coordinate( p.z, t->lower.z, t->extent, cells ) ) +
		               1;
		uint64_t slot = scramble( key ) & t->mask;
		while ( t->keys[slot] != 0 && t->keys[slot] != key )
		{
			slot = ( slot + 1 ) & t->mask;
		}
		if ( t->keys[slot] == 0 )
		{
			t->keys[slot] = key;
			t->cells[slot] = t->clusters++;
		}
		t->cluster[i] = t->cells[slot];
	}
}

// @return whether the triangle still has three corners
static bool get_corners( const thinning* t, uint32_t triangle, uint32_t corner[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = t->cluster[t->mesh->triangles[triangle].corner[k]];
	}
	return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
}

static uint32_t count_triangles( const thinning* t )
{
	uint32_t count = 0;
	uint32_t corner[3];
	for ( uint32_t i = 0; i < t->mesh->triangle_count; ++i )
	{
		count += get_corners( t, i, corner );
	}
	return count;
}

// The finest grid found that leaves no more than `most`: one between a grid that does and one that does not,
// where the square of the number of cells says that the count should be met.
static void choose_grid( thinning* t, uint32_t most )
{
	uint32_t good = 1;
	uint32_t bad = most_cells;
	uint32_t cells = 512;
	for ( int trial = 0; trial < most_trials && bad - good > 1; ++trial )
	{
		cluster_vertices( t, cells );
		uint32_t count = count_triangles( t );
		if ( count <= most )
		{
			good = cells;
			if ( count >= most - most / 10 )
			{
				break;
			}
		}
		else
		{
			bad = cells;
		}
		double guess = count > 0 ? cells * sqrt( 0.96 * most / count ) : 2.0 * cells;
		uint32_t middle = good + ( bad - good ) / 2;
		bool trusted = trial % 3 != 2 && guess > good && guess < bad;
		cells = trusted ? (uint32_t)guess : middle;
		cells = cells <= good ? good + 1 : cells >= bad ? bad - 1 : cells;
	}
	cluster_vertices( t, good );
}

// Whether no earlier triangle has these corners; the table takes it up. `table` has zeros or a kept
// triangle's number and 1.
static bool is_first( uint32_t* table, uint64_t mask, const bvhtml_thinned* out, const uint32_t corner[3] )
{
	uint32_t sorted[3] = { corner[0], corner[1], corner[2] };
	for ( int k = 0; k < 3; ++k )
	{
		int a = k == 1;
		uint32_t lesser = sorted[a] < sorted[a + 1] ? sorted[a] : sorted[a + 1];
		sorted[a + 1] = sorted[a] + sorted[a + 1] - lesser;
		sorted[a] = lesser;
	}
	uint64_t hash = scramble( scramble( (uint64_t)sorted[0] << 32 | sorted[1] ) + sorted[2] );
	for ( uint64_t slot = hash & mask;; slot = ( slot + 1 ) & mask )
	{
		if ( table[slot] == 0 )
		{
			table[slot] = out->mesh.triangle_count + 1;
			return true;
		}
		const uint32_t* other = out->mesh.triangles[table[slot] - 1].corner;
		bool same = true;
		for ( int k = 0; k < 3; ++k )
		{
			same = same && ( other[k] == corner[0] || other[k] == corner[1] || other[k] == corner[2] );
		}
		if ( same )
		{
			return false;
		}
	}
}

static uint64_t table_size( uint32_t entries )
{
	uint64_t size = 16;
	while ( size / 2 < entries )
	{
		size *= 2;
	}
	return size;
}

static bv_status keep_triangles( const thinning* t, bvb_arena* arena, bvhtml_thinned* out, bvb_error* error )
{
	uint32_t count = count_triangles( t );
	uint64_t slots = table_size( count );
	uint32_t* table = bvb_arena_allocate( arena, slots, sizeof *table );
	out->mesh.triangles = bvb_arena_allocate( arena, count, sizeof *out->mesh.triangles );
	out->numbers = bvb_arena_allocate( arena, count, sizeof *out->numbers );
	if ( !table || !out->mesh.triangles || !out->numbers )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < t->mesh->triangle_count; ++i )
	{
		uint32_t corner[3];
		if ( get_corners( t, i, corner ) && is_first( table, slots - 1, out, corner ) )
		{
			memcpy( out->mesh.triangles[out->mesh.triangle_count].corner, corner, sizeof corner );
			out->numbers[out->mesh.triangle_count++] = i;
		}
	}
	return bv_ok;
}

// Clusters become their means; those without a triangle go.
static bv_status place_vertices( const thinning* t, bvb_arena* arena, bvhtml_thinned* out, bvb_error* error )
{
	bv_vec3* mean = bvb_arena_allocate( arena, t->clusters, sizeof *mean );
	uint32_t* size = bvb_arena_allocate( arena, t->clusters, sizeof *size );
	uint32_t* place = bvb_arena_allocate( arena, t->clusters, sizeof *place );
	if ( !mean || !size || !place )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t i = 0; i < t->mesh->vertex_count; ++i )
	{
		uint32_t c = t->cluster[i];
		mean[c] = bv_add( mean[c], bv_sub( t->mesh->positions[i], t->lower ) );
		++size[c];
	}
	for ( uint32_t c = 0; c < t->clusters; ++c )
	{
		mean[c] = bv_add( t->lower, bv_scale( 1.0 / size[c], mean[c] ) );
		place[c] = UINT32_MAX;
	}
	out->mesh.positions = mean;
	for ( uint32_t i = 0; i < out->mesh.triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* c = out->mesh.triangles[i].corner + k;
			place[*c] = 0;
		}
	}
	for ( uint32_t i = 0; i < t->mesh->vertex_count; ++i )
	{
		if ( place[t->cluster[i]] == 0 )
		{
			bv_vec3 way = bv_sub( t->mesh->positions[i], mean[t->cluster[i]] );
			out->moved = bvmath_max( out->moved, sqrt( bv_dot( way, way ) ) );
		}
	}
	for ( uint32_t c = 0; c < t->clusters; ++c )
	{
		if ( place[c] == 0 )
		{
			mean[out->mesh.vertex_count] = mean[c];
			place[c] = out->mesh.vertex_count++;
		}
	}
	for ( uint32_t i = 0; i < out->mesh.triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* c = out->mesh.triangles[i].corner + k;
			*c = place[*c];
		}
	}
	return bv_ok;
}

bv_status bvhtml_thin( const bvb_mesh* mesh, uint32_t most, bvb_arena* arena, bvhtml_thinned* out,
                       bvb_error* error )
{
	uint64_t slots = table_size( mesh->vertex_count );
	thinning t = {
		.mesh = mesh,
		.lower = mesh->positions[0],
		.keys = bvb_arena_allocate( arena, slots, sizeof *t.keys ),
		.cells = bvb_arena_allocate( arena, slots, sizeof *t.cells ),
		.mask = slots - 1,
		.cluster = bvb_arena_allocate( arena, mesh->vertex_count, sizeof *t.cluster ),
	};
	*out = ( bvhtml_thinned ){ 0 };
	if ( !t.keys || !t.cells || !t.cluster )
	{
		return bvbase_fail_memory( error );
	}
	bv_vec3 upper = t.lower;
	for ( uint32_t i = 1; i < mesh->vertex_count; ++i )
	{
		t.lower = bvmath_least( t.lower, mesh->positions[i] );
		upper = bvmath_greatest( upper, mesh->positions[i] );
	}
	bv_vec3 extents = bv_sub( upper, t.lower );
	t.extent = bvmath_max( extents.x, bvmath_max( extents.y, extents.z ) );
	t.extent = t.extent > 0 ? t.extent : 1;

	choose_grid( &t, most );
	bv_status status = keep_triangles( &t, arena, out, error );
	return status == bv_ok ? place_vertices( &t, arena, out, error ) : status;
}
