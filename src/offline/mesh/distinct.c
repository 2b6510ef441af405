// Recording without welding. If no two vertices share a position after they are rounded, none share a
// position before, and both welding passes would find nothing. This check examines each vertex once, and does
// not examine the corners of triangles.
//
// Vertices are distributed to threads by their hashes, and triangles by their indices. The result does not
// depend on the number of threads.

#include "offline/mesh/distinct.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/mesh/clean.h"
#include "offline/mesh/offset.h"
#include "offline/mesh/weld.h"
#include "runtime/math/vec.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

enum
{
	worth_a_thread = 20000, // triangles
	batch = 64,             // vertices whose slots are asked for at a time
	patience = 256,         // steps of a search, beyond which the keys were made to collide
};

typedef struct distinct_maker
{
	const bvb_mesh* source;
	bvmesh_placing placing;
	int team;
	bvb_arena* scratch;
	bv_vec3* placed;   // of each vertex
	bool* used;        // of each vertex, whether a triangle refers to it
	uint64_t* keep[2]; // a bit for each triangle: whether it has an area, and when it is snapped
} distinct_maker;

static bv_vec3 snapped( bv_vec3 p )
{
	// Adding 0 makes +0 of -0.
	return ( bv_vec3 ){ (double)(float)p.x + 0.0, (double)(float)p.y + 0.0, (double)(float)p.z + 0.0 };
}

// @return whether all are in range
static bool place( distinct_maker* m )
{
	int bad = 0;
#pragma omp parallel for num_threads( m->team ) reduction( | : bad ) if ( m->team > 1 )
	for ( uint32_t v = 0; v < m->source->vertex_count; ++v )
	{
		bv_vec3 p = bvmesh_place( &m->placing, m->source->positions[v] );
		bad |= !( fabs( p.x ) <= BVB_MAX_COORDINATE && fabs( p.y ) <= BVB_MAX_COORDINATE &&
		          fabs( p.z ) <= BVB_MAX_COORDINATE );
		m->placed[v] = p;
	}
	return !bad;
}

static uint64_t hash_of( bv_vec3 p )
{
	float at[3] = { (float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f };
	uint32_t bits[3];
	memcpy( bits, at, sizeof bits );
	uint64_t x = ( (uint64_t)bits[0] << 32 | bits[1] ) * UINT64_C( 0x9e3779b97f4a7c15 ) +
	             bits[2] * UINT64_C( 0xbf58476d1ce4e5b9 );
	x = ( x ^ x >> 32 ) * UINT64_C( 0xd6e8feb86659fd93 );
	return x ^ x >> 32;
}

// One thread's share of all hashes. A slot holds half of a hash above a vertex's number + 1; 0 is free.
typedef struct share
{
	uint64_t* slots;
	uint64_t mask;
	uint64_t count;
} share;

static bool is_same( bv_vec3 a, bv_vec3 b )
{
	return (float)a.x == (float)b.x && (float)a.y == (float)b.y && (float)a.z == (float)b.z;
}

// @return whether there is none at that place, and room for it
static bool enter( const distinct_maker* m, share* s, uint32_t vertex, uint64_t hash )
{
	uint64_t slot = hash >> 20 & s->mask;
	for ( int step = 0; s->slots[slot]; slot = ( slot + 1 ) & s->mask, ++step )
	{
		if ( step == patience || ( s->slots[slot] >> 32 == (uint32_t)hash &&
		                           is_same( m->placed[(uint32_t)s->slots[slot] - 1], m->placed[vertex] ) ) )
		{
			return false;
		}
	}
	s->slots[slot] = hash << 32 | ( vertex + 1 );
	return ++s->count <= s->mask - s->mask / 4;
}

static bool enter_share( const distinct_maker* m, share* s, int number, int shares )
{
	uint32_t vertices = m->source->vertex_count;
	for ( uint64_t first = 0; first < vertices; first += batch )
	{
		uint64_t hash[batch];
		uint32_t vertex[batch];
		int count = 0;
		for ( uint64_t v = first; v < first + batch && v < vertices; ++v )
		{
			hash[count] = hash_of( m->placed[v] );
			vertex[count] = (uint32_t)v;
			bool mine = (int)( ( hash[count] >> 52 ) * (uint64_t)shares >> 12 ) == number;
			__builtin_prefetch( &s->slots[hash[count] >> 20 & s->mask] );
			count += mine;
		}
		for ( int i = 0; i < count; ++i )
		{
			if ( !enter( m, s, vertex[i], hash[i] ) )
			{
				return false;
			}
		}
	}
	return true;
}

// @return whether no two vertices are snapped to one place; false without memory, too
static bool are_distinct( const distinct_maker* m )
{
	uint64_t size = 64;
	while ( size < m->source->vertex_count * UINT64_C( 3 ) / 2 / (uint64_t)m->team )
	{
		size *= 2;
	}
	uint64_t* slots = bvb_arena_allocate( m->scratch, size * (uint64_t)m->team, sizeof *slots );
	int failed = !slots;
#pragma omp parallel for num_threads( m->team ) schedule( static, 1 ) \
	reduction( |                                                      \
               : failed ) if ( m->team > 1 )
	for ( int i = 0; i < m->team; ++i )
	{
		share s = { slots + size * (uint64_t)i, size - 1, 0 };
		failed |= !slots || !enter_share( m, &s, i, m->team );
	}
	return !failed;
}

// Decides about 64 triangles. @return whether their corners are vertices
static bool judge( distinct_maker* m, uint64_t word )
{
	for ( uint32_t k = 0; k < 64 && 64 * word + k < m->source->triangle_count; ++k )
	{
		const bvb_triangle* t = &m->source->triangles[64 * word + k];
		bv_vec3 at[3];
		bv_vec3 near[3];
		for ( int c = 0; c < 3; ++c )
		{
			if ( t->corner[c] >= m->source->vertex_count )
			{
				return false;
			}
			at[c] = m->placed[t->corner[c]];
			near[c] = snapped( at[c] );
			__atomic_store_n( &m->used[t->corner[c]], true, __ATOMIC_RELAXED );
		}
		bool apart =
			t->corner[0] != t->corner[1] && t->corner[1] != t->corner[2] && t->corner[2] != t->corner[0];
		bool area = apart && bvmesh_spans_area( bv_sub( at[1], at[0] ), bv_sub( at[2], at[0] ) );
		bool area_left = area && bvmesh_spans_area( bv_sub( near[1], near[0] ), bv_sub( near[2], near[0] ) );
		m->keep[0][word] |= (uint64_t)area << k;
		m->keep[1][word] |= (uint64_t)area_left << k;
	}
	return true;
}

static bool judge_all( distinct_maker* m )
{
	int bad = 0;
	int64_t words = (int64_t)( m->source->triangle_count - 1 ) / 64 + 1;
#pragma omp parallel for num_threads( m->team ) reduction( | : bad ) if ( m->team > 1 )
	for ( int64_t word = 0; word < words; ++word )
	{
		bad |= !judge( m, (uint64_t)word );
	}
	return !bad;
}

static bool is_kept( const distinct_maker* m, int pass, uint32_t triangle )
{
	return m->keep[pass][triangle / 64] >> triangle % 64 & 1;
}

static void take_triangles( const distinct_maker* m, bvb_record* out )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < m->source->triangle_count; ++i )
	{
		out->mesh.triangles[kept] = m->source->triangles[i];
		out->mesh.origin[kept] = i;
		kept += is_kept( m, 0, i );
	}
	out->mesh.triangle_count = kept;
	out->mesh.vertex_count = m->source->vertex_count;
	out->removed_degenerate = m->source->triangle_count - kept;
}

static void drop_flattened( const distinct_maker* m, bvb_record* out )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < out->mesh.triangle_count; ++i )
	{
		bool keep = is_kept( m, 1, out->mesh.origin[i] );
		bvmesh_keep_triangle( &out->mesh, i, kept );
		kept += keep;
	}
	out->removed_degenerate += out->mesh.triangle_count - kept;
	out->mesh.triangle_count = kept;
}

// What is known of the vertices that are used.
typedef struct distinct_extent
{
	double lower[3];
	double upper[3];
	double displacement;
	uint32_t used;
} distinct_extent;

static distinct_extent measure( const distinct_maker* m )
{
	double x0 = INFINITY, y0 = INFINITY, z0 = INFINITY;
	double x1 = -INFINITY, y1 = -INFINITY, z1 = -INFINITY;
	double displacement = 0;
	uint32_t used = 0;
#pragma omp parallel for num_threads( m->team ) reduction( min : x0, y0, z0 )                               \
	reduction( max : x1, y1, z1, displacement ) reduction( + : used ) if ( m->team > 1 )
	for ( uint32_t v = 0; v < m->source->vertex_count; ++v )
	{
		if ( m->used[v] )
		{
			bv_vec3 p = m->placed[v];
			bv_vec3 q = snapped( p );
			x0 = bvmath_min( x0, p.x );
			y0 = bvmath_min( y0, p.y );
			z0 = bvmath_min( z0, p.z );
			x1 = bvmath_max( x1, p.x );
			y1 = bvmath_max( y1, p.y );
			z1 = bvmath_max( z1, p.z );
			bool moved = p.x != q.x || p.y != q.y || p.z != q.z;
			displacement = moved ? bvmath_max( displacement, bvvol_distance_bound( q, p ) ) : displacement;
			used += 1;
		}
	}
	return ( distinct_extent ){ { x0, y0, z0 }, { x1, y1, z1 }, displacement, used };
}

// Whether positions need an offset. Only the triangles that are left count.
static bool is_far( const distinct_maker* m, const bvb_record* record, const distinct_extent* e )
{
	bv_aabb extent = { { e->lower[0], e->lower[1], e->lower[2] }, { e->upper[0], e->upper[1], e->upper[2] } };
	if ( record->removed_degenerate > 0 && record->mesh.triangle_count > 0 )
	{
		bvb_mesh mesh = record->mesh;
		mesh.positions = m->placed;
		extent = bvmesh_box_of_triangles( &mesh );
	}
	return !bvmath_is_zero( bvmesh_choose_offset( &extent ) );
}

// Numbers vertices by first use.
static bool gather( distinct_maker* m, bvb_arena* arena, bvb_record* out )
{
	bvb_mesh* mesh = &out->mesh;
	uint32_t* number = bvb_arena_allocate( m->scratch, m->source->vertex_count, sizeof *number );
	if ( !number )
	{
		return false;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* corner = mesh->triangles[i].corner + k;
			uint32_t v = *corner;
			number[v] = number[v] ? number[v] : ++count;
			*corner = number[v] - 1;
		}
	}
	mesh->vertex_count = count;
	mesh->positions = bvb_arena_allocate( arena, count, sizeof *mesh->positions );
	for ( uint32_t v = 0; v < m->source->vertex_count && mesh->positions; ++v )
	{
		if ( number[v] )
		{
			mesh->positions[number[v] - 1] = snapped( m->placed[v] );
		}
	}
	return mesh->positions;
}

static bool allocate( distinct_maker* m )
{
	size_t words = ( (size_t)m->source->triangle_count - 1 ) / 64 + 1;
	m->placed = bvb_arena_allocate( m->scratch, m->source->vertex_count, sizeof *m->placed );
	m->used = bvb_arena_allocate( m->scratch, m->source->vertex_count, sizeof *m->used );
	m->keep[0] = bvb_arena_allocate( m->scratch, words, sizeof *m->keep[0] );
	m->keep[1] = bvb_arena_allocate( m->scratch, words, sizeof *m->keep[1] );
	return m->placed && m->used && m->keep[0] && m->keep[1];
}

static bv_status make( distinct_maker* m, bvb_arena* arena, bvb_record* out, bool* done, bvb_error* error )
{
	if ( !allocate( m ) )
	{
		return bvbase_fail_memory( error );
	}
	if ( !place( m ) || !are_distinct( m ) || !judge_all( m ) )
	{
		return bv_ok;
	}
	distinct_extent e = measure( m );
	double largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		largest = bvmath_max( largest, e.upper[k] - e.lower[k] );
	}
	if ( !( largest >= BVB_MIN_EXTENT ) )
	{
		return bv_ok;
	}
	out->mesh.triangles = bvb_arena_allocate( arena, m->source->triangle_count, sizeof *out->mesh.triangles );
	out->mesh.origin = bvb_arena_allocate( arena, m->source->triangle_count, sizeof *out->mesh.origin );
	if ( !out->mesh.triangles || !out->mesh.origin )
	{
		return bvbase_fail_memory( error );
	}
	take_triangles( m, out );
	if ( is_far( m, out, &e ) )
	{
		return bv_ok;
	}
	if ( out->mesh.triangle_count > 0 )
	{
		bv_status status = bvmesh_drop_duplicates( &out->mesh, m->scratch, &out->removed_duplicate, error );
		if ( status != bv_ok )
		{
			return status;
		}
		drop_flattened( m, out );
	}
	if ( out->mesh.triangle_count == 0 )
	{
		return bv_ok;
	}
	out->unused_vertices = m->source->vertex_count - e.used;
	out->largest_displacement = e.displacement;
	*done = true;
	return gather( m, arena, out ) ? bv_ok : bvbase_fail_memory( error );
}

bv_status bvmesh_record_distinct( const bvb_mesh* source, const bvb_record_options* options, bvb_arena* arena,
                                  bvb_record* out, bool* done, bvb_error* error )
{
	*done = false;
	if ( options->weld > 0 || options->normalize || options->positions != bvb_positions_float ||
	     source->triangle_count == 0 || source->vertex_count == 0 )
	{
		return bv_ok;
	}
	distinct_maker m = { .source = source, .placing = { options->up, bvb_record_scale( options ) } };
	m.team = bvbase_thread_team_for( arena, options->threads, source->triangle_count, worth_a_thread );
	m.scratch = bvbase_arena_create_scratch( arena );
	bv_status status = m.scratch ? make( &m, arena, out, done, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( m.scratch );
	return status;
}
