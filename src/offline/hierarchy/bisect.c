// Cuts by planes. See bisect.h.

#include "offline/hierarchy/bisect.h"

#include "offline/base/arena.h"
#include "runtime/math/vec.h"

#include <string.h>

enum
{
	few_faces = 512, // whose lists are kept on the stack
};

// Lists of the faces of one part.
typedef struct lists
{
	uint32_t* place; // in the whole list
	uint32_t* order; // indices of the faces
	uint8_t* side;   // what the rule says
} lists;

void bvhier_project_midpoints( const bvfit_face_list* list, int axis, double* keys )
{
	bv_vec3 first = list->faces[list->order[0]].midpoint;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		keys[i] = bvmath_component( bv_sub( list->faces[list->order[i]].midpoint, first ), axis );
	}
}

uint32_t bvhier_cut_at( const double* keys, uint32_t count, double cut, uint8_t* part )
{
	uint32_t below = 0;
	uint32_t on = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		below += keys[i] < cut;
		on += keys[i] == cut;
	}
	bool on_is_below = below <= count - below - on;
	for ( uint32_t i = 0; i < count; ++i )
	{
		part[i] = keys[i] > cut || ( keys[i] == cut && !on_is_below );
	}
	return on_is_below ? below + on : below;
}

static void swap( double* values, uint64_t i, uint64_t k )
{
	double value = values[i];
	values[i] = values[k];
	values[k] = value;
}

double bvhier_select( double* values, uint64_t count, uint64_t rank )
{
	uint64_t first = 0;
	uint64_t end = count;
	uint64_t random = count;
	while ( end - first > 1 )
	{
		// Knuth's linear congruential generator (MMIX).
		random = random * UINT64_C( 6364136223846793005 ) + UINT64_C( 1442695040888963407 );
		double pivot = values[first + ( random >> 20 ) % ( end - first )];

		// Less than the pivot before `less`, equal before `i`, greater from `greater` (Dijkstra's flag).
		uint64_t less = first;
		uint64_t greater = end;
		for ( uint64_t i = first; i < greater; )
		{
			if ( values[i] < pivot )
			{
				swap( values, i++, less++ );
			}
			else if ( values[i] > pivot )
			{
				swap( values, i, --greater );
			}
			else
			{
				++i;
			}
		}
		if ( rank >= less && rank < greater )
		{
			return pivot;
		}
		first = rank < less ? first : greater;
		end = rank < less ? less : end;
	}
	return values[rank];
}

double bvhier_median( double* values, uint64_t count )
{
	double upper = bvhier_select( values, count, count / 2 );
	return count % 2 ? upper : ( bvhier_select( values, count, count / 2 - 1 ) + upper ) / 2;
}

// The part with the most faces of those that may be divisible.
static uint32_t largest_part( const uint32_t* faces, const bool* whole, uint32_t parts )
{
	uint32_t largest = parts;
	for ( uint32_t k = 0; k < parts; ++k )
	{
		if ( !whole[k] && faces[k] > 1 && ( largest == parts || faces[k] > faces[largest] ) )
		{
			largest = k;
		}
	}
	return largest;
}

// Divides one part. Returns how many of its faces are part `next` now.
static uint32_t divide_part( const bvhier_face_set* set, const lists* room, uint32_t number, uint32_t next,
                             bvhier_bisect_function* rule, const void* how, uint8_t* part )
{
	bvhier_face_set some = *set;
	some.list.order = room->order;
	some.list.count = 0;
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		if ( part[i] == number )
		{
			room->place[some.list.count] = i;
			room->order[some.list.count++] = set->list.order[i];
		}
	}
	rule( &some, how, room->side );
	uint32_t moved = 0;
	for ( uint32_t i = 0; i < some.list.count; ++i )
	{
		moved += room->side[i];
	}
	for ( uint32_t i = 0; i < some.list.count && moved < some.list.count; ++i )
	{
		part[room->place[i]] = (uint8_t)( room->side[i] ? next : number );
	}
	return moved < some.list.count ? moved : 0;
}

static void divide_on( const bvhier_face_set* set, uint32_t degree, const lists* room,
                       bvhier_bisect_function* rule, const void* how, uint8_t* part )
{
	uint32_t faces[BVB_MAX_DEGREE] = { 0 };
	bool whole[BVB_MAX_DEGREE] = { false };
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		faces[part[i]] += 1;
	}
	for ( uint32_t parts = 2; parts < degree; )
	{
		uint32_t largest = largest_part( faces, whole, parts );
		if ( largest == parts )
		{
			return;
		}
		uint32_t moved = divide_part( set, room, largest, parts, rule, how, part );
		whole[largest] = moved == 0;
		faces[largest] -= moved;
		faces[parts] = moved;
		parts += moved > 0;
	}
}

bool bvhier_bisect( const bvhier_face_set* set, uint32_t degree, bvhier_bisect_function* rule,
                    const void* how, uint8_t* part )
{
	uint32_t count = set->list.count;
	rule( set, how, part );
	if ( degree == 2 || memchr( part, !part[0], count ) == NULL )
	{
		return true;
	}
	if ( count <= few_faces )
	{
		uint32_t place[few_faces];
		uint32_t order[few_faces];
		uint8_t side[few_faces];
		divide_on( set, degree, &( lists ){ place, order, side }, rule, how, part );
		return true;
	}
	bvb_arena* arena = bvbase_arena_create_scratch( set->worker->arena );
	lists room = { NULL, NULL, NULL };
	if ( arena )
	{
		room = ( lists ){ bvb_arena_allocate( arena, count, sizeof *room.place ),
			              bvb_arena_allocate( arena, count, sizeof *room.order ),
			              bvb_arena_allocate( arena, count, sizeof *room.side ) };
	}
	bool done = room.place && room.order && room.side;
	if ( done )
	{
		divide_on( set, degree, &room, rule, how, part );
	}
	bvb_arena_destroy( arena );
	return done;
}
