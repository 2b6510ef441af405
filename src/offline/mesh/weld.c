// Welding: merges vertices with equal positions.
//
// Equal positions are found by a hash table. The table is larger than any cache and is accessed at random.
// For each batch of triangles, the entries of all corners are prefetched first and read later, so that memory
// latencies overlap (Chen, Ailamaki, Gibbons, Mowry 2004, "Improving hash join performance through
// prefetching").

#include "offline/mesh/weld.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/mesh/hash.h"
#include "runtime/math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum
{
	batch = 32, // triangles whose memory is asked for at a time
	corners = 3 * batch,
};

// There is no -0 and no NaN among them.
static bool same_position( bv_vec3 a, bv_vec3 b )
{
	return ( ( bvmesh_hash_bits( a.x ) ^ bvmesh_hash_bits( b.x ) ) |
	         ( bvmesh_hash_bits( a.y ) ^ bvmesh_hash_bits( b.y ) ) |
	         ( bvmesh_hash_bits( a.z ) ^ bvmesh_hash_bits( b.z ) ) ) == 0;
}

// Distinct positions, in the order in which they came, and a hash table of them with open addressing. A slot
// holds the lower half of a position's hash above the position's number + 1, so that a search looks at hardly
// any other position than the one it is for; 0 is free.
typedef struct position_set
{
	bv_vec3* positions;
	uint32_t count;
	uint32_t room;
	uint64_t* slots;
	uint64_t slot_count;
	bvmesh_hash hash;
	bool impatient;    // a search was longer than the hash's patience
	bvb_arena* memory; // all of it; a larger set gets another one
} position_set;

static uint64_t hash_of( const position_set* s, bv_vec3 p )
{
	return bvmesh_hash_of( &s->hash, bvmesh_hash_bits( p.x ), bvmesh_hash_bits( p.y ),
	                       bvmesh_hash_bits( p.z ) );
}

static uint64_t* first_slot( const position_set* s, uint64_t hash )
{
	return s->slots + bvmesh_hash_place( hash, s->slot_count );
}

// The number + 1 of a position with this hash; of a new one if there was none.
static uint32_t find_or_add( position_set* s, bv_vec3 p, uint64_t hash )
{
	uint64_t* slot = first_slot( s, hash );
	uint64_t steps = 0;
	for ( ; *slot; slot = slot + 1 == s->slots + s->slot_count ? s->slots : slot + 1 )
	{
		if ( *slot >> 32 == (uint32_t)hash && same_position( s->positions[(uint32_t)*slot - 1], p ) )
		{
			return (uint32_t)*slot;
		}
		steps += 1;
	}
	s->impatient = s->impatient || steps > s->hash.patience;
	s->positions[s->count++] = p;
	*slot = hash << 32 | s->count;
	return s->count;
}

// Enters all positions again, under another hash.
static void renew( position_set* s )
{
	uint32_t count = s->count;
	do
	{
		memset( s->slots, 0, s->slot_count * sizeof *s->slots );
		bvmesh_hash_renew( &s->hash );
		s->impatient = false;
		s->count = 0;
		while ( s->count < count && !s->impatient )
		{
			find_or_add( s, s->positions[s->count], hash_of( s, s->positions[s->count] ) );
		}
	} while ( s->impatient );
}

static bool make_room( position_set* s, uint64_t room, const bvb_arena* owner )
{
	// Three quarters full at most.
	uint64_t slots = room + room / 3 + 1;
	position_set larger = { .count = s->count, .room = (uint32_t)room };
	larger.slot_count = slots < BVMESH_HASH_MAX_SIZE ? slots : BVMESH_HASH_MAX_SIZE;
	larger.memory = bvbase_arena_create_scratch( owner );
	if ( !larger.memory )
	{
		return false;
	}
	larger.positions = bvb_arena_allocate( larger.memory, room, sizeof *larger.positions );
	larger.slots = bvb_arena_allocate( larger.memory, larger.slot_count, sizeof *larger.slots );
	if ( !larger.positions || !larger.slots )
	{
		bvb_arena_destroy( larger.memory );
		return false;
	}
	if ( s->count )
	{
		memcpy( larger.positions, s->positions, s->count * sizeof *s->positions );
	}
	bvb_arena_destroy( s->memory );
	*s = larger;
	renew( s );
	return true;
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
				return bvbase_fail( error, bv_error_input, "triangle %u refers to vertex %u of %u", i, v,
				                    mesh->vertex_count );
			}
		}
	}
	return bv_ok;
}

// Counts the referenced coordinates that are no numbers.
static bv_status refuse_coordinates( const bvb_mesh* mesh, bool* seen, bvb_error* error )
{
	uint64_t bad = 0;
	uint32_t first_bad = 0;
	for ( uint64_t i = 0; i < 3 * (uint64_t)mesh->triangle_count; ++i )
	{
		uint32_t v = mesh->triangles[i / 3].corner[i % 3];
		for ( int k = 0; k < 3 && !seen[v]; ++k )
		{
			if ( !isfinite( bvmath_component( mesh->positions[v], k ) ) )
			{
				first_bad = bad == 0 || v < first_bad ? v : first_bad;
				bad += 1;
			}
		}
		seen[v] = true;
	}
	if ( bad == 1 )
	{
		return bvbase_fail( error, bv_error_input, "1 coordinate is not finite (vertex %u)", first_bad + 1 );
	}
	return bvbase_fail( error, bv_error_input, "%llu coordinates are not finite (first: vertex %u)",
	                    (unsigned long long)bad, first_bad + 1 );
}

// Says what is wrong with a source in which something is.
static bv_status refuse( const bvb_mesh* source, bvb_arena* scratch, bvb_error* error )
{
	bv_status status = check_references( source, error );
	if ( status != bv_ok )
	{
		return status;
	}
	bool* seen = bvb_arena_allocate( scratch, source->vertex_count, sizeof *seen );
	return seen ? refuse_coordinates( source, seen, error ) : bvbase_fail_memory( error );
}

static bool is_finite( bv_vec3 p )
{
	return fabs( p.x ) <= DBL_MAX && fabs( p.y ) <= DBL_MAX && fabs( p.z ) <= DBL_MAX;
}

// A vertex that has no number yet.
typedef struct newcomer
{
	bv_vec3 position;
	uint64_t hash;
	uint32_t vertex;
} newcomer;

// What passes from batch to batch.
typedef struct welder
{
	const bvb_mesh* source;
	bvmesh_placing placing;
	bool drop_non_finite;
	bvb_mesh* out;
	uint32_t* number; // of each vertex of the source, its position's number + 1; 0 while it has none
	uint32_t used;    // vertices that have one
	position_set set;
} welder;

typedef enum weld_verdict
{
	good,
	not_finite,
	wrong,
} weld_verdict;

// Places the corners that have no number and asks for their slots.
static weld_verdict inspect( const welder* w, const bvb_triangle* triangle, newcomer* newcomers, int* count )
{
	bool finite = true;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t v = triangle->corner[k];
		if ( v >= w->source->vertex_count )
		{
			return wrong;
		}
		if ( w->number[v] )
		{
			continue;
		}
		bv_vec3 p = bvmesh_place( &w->placing, w->source->positions[v] );
		// What is too large only when scaled is a number all the same.
		finite = finite && ( is_finite( p ) || is_finite( w->source->positions[v] ) );
		newcomer* n = newcomers + ( *count )++;
		*n = ( newcomer ){ p, hash_of( &w->set, p ), v };
		__builtin_prefetch( first_slot( &w->set, n->hash ) );
	}
	return finite ? good : w->drop_non_finite ? not_finite : wrong;
}

// Gives numbers to vertices in the order in which they come.
static void admit( welder* w, const newcomer* newcomers, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		uint32_t number = (uint32_t)*first_slot( &w->set, newcomers[i].hash );
		if ( number )
		{
			__builtin_prefetch( w->set.positions + number - 1 );
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		uint32_t* number = w->number + newcomers[i].vertex;
		if ( *number == 0 )
		{
			*number = find_or_add( &w->set, newcomers[i].position, newcomers[i].hash );
			w->used += 1;
		}
	}
}

// @return whether all triangles from `first` up to `end` are either kept or to be left out
static bool weld_batch( welder* w, uint32_t first, uint32_t end )
{
	newcomer newcomers[corners];
	int count = 0;
	uint32_t begin = w->out->triangle_count;
	uint32_t kept = begin;
	for ( uint32_t i = first; i < end; ++i )
	{
		int before = count;
		bvb_triangle triangle = w->source->triangles[i];
		switch ( inspect( w, &triangle, newcomers, &count ) )
		{
		case good:
			if ( w->out->origin )
			{
				w->out->origin[kept] = i;
			}
			w->out->triangles[kept++] = triangle;
			break;
		case not_finite: count = before; break;
		case wrong: return false;
		}
	}
	admit( w, newcomers, count );
	for ( uint32_t i = begin; i < kept; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* corner = w->out->triangles[i].corner + k;
			*corner = w->number[*corner] - 1;
		}
	}
	w->out->triangle_count = kept;
	return true;
}

// Those that only triangles left out refer to are used, too.
static void count_vertices( const welder* w, bvmesh_weld_counts* counts )
{
	const bvb_mesh* source = w->source;
	*counts = ( bvmesh_weld_counts ){ source->triangle_count - w->out->triangle_count,
		                              source->vertex_count - w->used, w->used };
	for ( uint32_t i = 0; i < source->triangle_count && counts->non_finite; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t* number = w->number + source->triangles[i].corner[k];
			counts->unused -= *number == 0;
			*number = *number ? *number : 1;
		}
	}
}

// Room for another batch. Closed meshes have half as many vertices as triangles, which is what a soup is
// tried with; then twice as many each time.
static uint64_t next_room( const bvb_mesh* source, uint64_t room )
{
	uint64_t triangles = source->triangle_count;
	uint64_t most = 3 * triangles < source->vertex_count ? 3 * triangles : source->vertex_count;
	uint64_t wanted = room > 0 ? 2 * room : most <= triangles ? most : triangles / 2 + triangles / 16;
	return ( wanted < most ? wanted : most ) + corners;
}

static bv_status weld_all( welder* w, bvb_arena* arena, bvb_arena* scratch, bvmesh_weld_counts* counts,
                           bvb_error* error )
{
	const bvb_mesh* source = w->source;
	w->number = bvb_arena_allocate( scratch, source->vertex_count, sizeof *w->number );
	if ( !w->number )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t first = 0; first < source->triangle_count; first += batch )
	{
		uint32_t left = source->triangle_count - first;
		if ( w->set.room - w->set.count < corners &&
		     !make_room( &w->set, next_room( source, w->set.room ), scratch ) )
		{
			return bvbase_fail_memory( error );
		}
		if ( w->set.impatient )
		{
			renew( &w->set );
		}
		if ( !weld_batch( w, first, first + ( left < batch ? left : batch ) ) )
		{
			return refuse( source, scratch, error );
		}
	}
	if ( counts )
	{
		count_vertices( w, counts );
	}
	w->out->vertex_count = w->set.count;
	w->out->positions = bvb_arena_allocate( arena, w->set.count, sizeof *w->out->positions );
	if ( !w->out->positions )
	{
		return bvbase_fail_memory( error );
	}
	if ( w->set.count )
	{
		memcpy( w->out->positions, w->set.positions, w->set.count * sizeof *w->set.positions );
	}
	return bv_ok;
}

bv_status bvmesh_weld_equal( const bvb_mesh* source, const bvmesh_placing* placing, bool drop_non_finite,
                             bvb_arena* arena, bvb_mesh* out, bvmesh_weld_counts* counts, bvb_error* error )
{
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	welder w = { .source = source, .drop_non_finite = drop_non_finite, .out = out };
	w.placing = placing ? *placing : ( bvmesh_placing ){ .scale = 1 };
	out->triangle_count = 0;
	bv_status status = weld_all( &w, arena, scratch, counts, error );
	bvb_arena_destroy( w.set.memory );
	bvb_arena_destroy( scratch );
	return status;
}

bv_status bvmesh_weld_check( const bvb_mesh* source, double distance, bvb_error* error )
{
	if ( !( distance >= 0 && distance <= DBL_MAX ) )
	{
		return bvbase_fail( error, bv_error_argument, "the welding distance must be 0 or more" );
	}
	if ( source->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvbase_fail( error, bv_error_limit, "%u triangles exceed the limit of %u",
		                    source->triangle_count, BVB_MAX_TRIANGLES );
	}
	return bv_ok;
}

// All triangles stay and keep their order, so that the source's numbers of them stay valid and are shared.
bv_status bvb_mesh_weld( const bvb_mesh* source, double distance, bvb_arena* arena, bvb_mesh* out,
                         bvb_error* error )
{
	*out = ( bvb_mesh ){ .origin = NULL };
	bv_status status = bvmesh_weld_check( source, distance, error );
	if ( status != bv_ok )
	{
		return status;
	}
	out->triangles = bvb_arena_allocate( arena, source->triangle_count, sizeof *out->triangles );
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	status = out->triangles && scratch ? bv_ok : bvbase_fail_memory( error );
	if ( status == bv_ok )
	{
		status = bvmesh_weld_equal( source, NULL, false, distance > 0 ? scratch : arena, out, NULL, error );
	}
	if ( status == bv_ok && distance > 0 )
	{
		uint32_t* place = bvb_arena_allocate( scratch, out->vertex_count, sizeof *place );
		status =
			place ? bvmesh_weld_within( out, distance, arena, place, error ) : bvbase_fail_memory( error );
	}
	out->origin = source->origin;
	bvb_arena_destroy( scratch );
	return status;
}
