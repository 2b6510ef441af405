// Parts grow face by face; each face joins the part where it worsens the quality of all parts together least.
// The seeds are chosen in one of four ways (insertion_seeds.c). The other faces are inserted in random order,
// or best first.
//
// The thesis fits a volume again for each face and each part, starting from its previous state. Here it grows
// in its frame (insertion_part.c). It is refitted with each growth up to `careful_faces`, then whenever it
// has grown by a fifth.
//
// Best first tries all remaining faces in all parts, d n^2 trials. But a part with one more face is never
// better than it was with that face when the part was smaller. The earlier result is therefore a bound, and
// only faces that lead by it are tried again. The result equals that of trying all, except for balls, whose
// trials are not monotone.
//
// Sets of more than `whole_faces`, or `whole_slow` with k-DOPs, start with that number of their faces, evenly
// spread over their order, inserted as above. The others, the majority, then follow in order where they
// worsen the quality least, with one trial per part. As a consequence, once the parts have about their final
// volumes, faces are no longer inserted best first or in random order.
//
// If a face worsens two parts equally, which is common for faces in several volumes and with the maximum as
// quality, the sum of the qualities decides; then the nearer center, which keeps neighbors together; then the
// smaller number of faces. The printed algorithm takes the first part.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.4, figure 3.8 (heuristic
// with intermediate optimization).

#include "bvbuild/hierarchy.h"
#include "offline/base/arena.h"
#include "offline/hierarchy/complete.h"
#include "offline/literature/insertion.h"

enum
{
	whole_faces = 2048,
	whole_slow = 32, // of volumes that take microseconds to measure
	careful_faces = 8,
	few_faces = 64, // that have room on the stack
};

// Of a part's quality, before it is fitted afresh. Fitting with every growth gains some percents at most, at
// ten times the time.
static const double tolerated_growth = 1.2;

// A face that may be next in a part.
typedef struct insertion_candidate
{
	double quality; // of the part with it; or with it when the part was smaller
	uint32_t place;
	uint32_t faces; // of the part then
} insertion_candidate;

// Room for a sample of the faces.
typedef struct room
{
	uint32_t* place;
	uint32_t* faces;
	bv_vec3* points;
	insertion_candidate* heap; // one for each part
} room;

typedef struct insertion_run
{
	bvlit_growth growth;
	uint32_t degree;
	bvlit_growing_part part[BVB_MAX_DEGREE];
	uint8_t* label; // by place: the face's part
	uint32_t count; // faces of the sample
	room room;
	uint32_t left[BVB_MAX_DEGREE]; // candidates in the heaps
} insertion_run;

// How good a choice is: the least is the best.
typedef struct rank
{
	double together;
	double sum;
	double distance;
	uint32_t faces;
} rank;

static bool is_less( const rank* a, const rank* b )
{
	if ( a->together != b->together )
	{
		return a->together < b->together;
	}
	if ( a->sum != b->sum )
	{
		return a->sum < b->sum;
	}
	return a->distance != b->distance ? a->distance < b->distance : a->faces < b->faces;
}

// When part `k` has another quality.
static rank rank_of( const insertion_run* r, uint32_t k, double quality )
{
	double each[BVB_MAX_DEGREE];
	double sum = 0;
	for ( uint32_t i = 0; i < r->degree; ++i )
	{
		each[i] = i == k ? quality : r->part[i].quality;
		sum += each[i];
	}
	return ( rank ){ .together = bvhier_quality_together( &r->growth.quality, each, r->degree ), .sum = sum };
}

static uint32_t face_of( const insertion_run* r, uint32_t place )
{
	return r->growth.list->order[place];
}

static void fit_part( insertion_run* r, uint32_t k )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < r->count; ++i )
	{
		if ( r->label[r->room.place[i]] == k )
		{
			r->room.faces[count++] = face_of( r, r->room.place[i] );
		}
	}
	bvlit_part_fit( &r->growth, &r->part[k], r->room.faces, count, r->room.points );
}

// Puts a face where it belongs. Returns its part.
static uint32_t insert( insertion_run* r, uint32_t place )
{
	uint32_t face = face_of( r, place );
	uint32_t best = 0;
	bvlit_shape shape[BVB_MAX_DEGREE];
	double quality[BVB_MAX_DEGREE];
	rank least = { 0 };
	for ( uint32_t k = 0; k < r->degree; ++k )
	{
		quality[k] = bvlit_part_with( &r->growth, &r->part[k], face, &shape[k] );
		rank this = rank_of( r, k, quality[k] );
		this.distance = bvlit_part_distance( &r->growth, &r->part[k], face );
		this.faces = r->part[k].faces;
		if ( k == 0 || is_less( &this, &least ) )
		{
			best = k;
			least = this;
		}
	}
	r->label[place] = (uint8_t)best;
	r->part[best].shape = shape[best];
	r->part[best].quality = quality[best];
	r->part[best].faces += 1;
	return best;
}

// Returns whether the part was fitted afresh.
static bool insert_and_fit( insertion_run* r, uint32_t place, uint32_t* part )
{
	double before[BVB_MAX_DEGREE];
	for ( uint32_t k = 0; k < r->degree; ++k )
	{
		before[k] = r->part[k].quality;
	}
	*part = insert( r, place );
	const bvlit_growing_part* p = &r->part[*part];
	bool grown = p->quality > before[*part];
	bool due = grown && ( p->faces <= careful_faces || p->quality > tolerated_growth * p->fitted );
	if ( due )
	{
		fit_part( r, *part );
	}
	return due;
}

static bool is_before( const insertion_run* r, const insertion_candidate* a, const insertion_candidate* b )
{
	return a->quality != b->quality ? a->quality < b->quality
	                                : face_of( r, a->place ) < face_of( r, b->place );
}

// Restores a heap below `i`, least on top.
static void sift_down( const insertion_run* r, insertion_candidate* heap, uint32_t count, uint32_t i )
{
	insertion_candidate moved = heap[i];
	for ( ;; )
	{
		uint32_t child = 2 * i + 1;
		if ( child >= count )
		{
			break;
		}
		if ( child + 1 < count && is_before( r, heap + child + 1, heap + child ) )
		{
			child += 1;
		}
		if ( !is_before( r, heap + child, &moved ) )
		{
			break;
		}
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = moved;
}

// All faces that are left, as a part's candidates.
static void fill_heap( insertion_run* r, uint32_t k )
{
	insertion_candidate* heap = r->room.heap + (size_t)k * r->count;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < r->count; ++i )
	{
		uint32_t place = r->room.place[i];
		if ( r->label[place] == BVHIER_UNPLACED )
		{
			bvlit_shape shape;
			double quality = bvlit_part_with( &r->growth, &r->part[k], face_of( r, place ), &shape );
			heap[count++] = ( insertion_candidate ){ quality, place, r->part[k].faces };
		}
	}
	for ( uint32_t i = count / 2; i-- > 0; )
	{
		sift_down( r, heap, count, i );
	}
	r->left[k] = count;
}

// Brings the part's best face to the top of its heap.
static const insertion_candidate* best_of( insertion_run* r, uint32_t k )
{
	insertion_candidate* heap = r->room.heap + (size_t)k * r->count;
	for ( ;; )
	{
		if ( r->label[heap->place] != BVHIER_UNPLACED )
		{
			*heap = heap[--r->left[k]];
			sift_down( r, heap, r->left[k], 0 );
			continue;
		}
		if ( heap->faces == r->part[k].faces )
		{
			return heap;
		}
		bvlit_shape shape;
		double quality = bvlit_part_with( &r->growth, &r->part[k], face_of( r, heap->place ), &shape );
		bool holds = quality <= heap->quality;
		heap->quality = quality;
		heap->faces = r->part[k].faces;
		if ( holds )
		{
			return heap;
		}
		sift_down( r, heap, r->left[k], 0 );
	}
}

static void insert_best_first( insertion_run* r, uint32_t left )
{
	for ( uint32_t k = 0; k < r->degree && left > 0; ++k )
	{
		fill_heap( r, k );
	}
	for ( ; left > 0; --left )
	{
		uint32_t next = 0;
		rank least = { 0 };
		for ( uint32_t k = 0; k < r->degree; ++k )
		{
			const insertion_candidate* c = best_of( r, k );
			rank this = rank_of( r, k, c->quality );
			this.faces = face_of( r, c->place );
			if ( k == 0 || is_less( &this, &least ) )
			{
				next = c->place;
				least = this;
			}
		}
		uint32_t part;
		if ( insert_and_fit( r, next, &part ) && left > 1 )
		{
			fill_heap( r, part );
		}
	}
}

static void insert_at_random( insertion_run* r, uint64_t* random )
{
	uint32_t* place = r->room.place;
	for ( uint32_t i = r->count; i > 1; --i )
	{
		uint32_t k = (uint32_t)( bvbase_random( random ) % i );
		uint32_t other = place[k];
		place[k] = place[i - 1];
		place[i - 1] = other;
	}
	for ( uint32_t i = 0; i < r->count; ++i )
	{
		uint32_t part;
		if ( r->label[place[i]] == BVHIER_UNPLACED )
		{
			insert_and_fit( r, place[i], &part );
		}
	}
}

// The seeds, and places evenly spread. Returns how many of them are not seeds.
static uint32_t take_sample( insertion_run* r, const uint32_t* seed, uint32_t wanted )
{
	uint32_t count = r->growth.list->count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		r->label[i] = BVHIER_UNPLACED;
	}
	for ( uint32_t k = 0; k < r->degree; ++k )
	{
		r->label[seed[k]] = (uint8_t)k;
		r->room.place[k] = seed[k];
	}
	r->count = r->degree;
	for ( uint32_t i = 0; i < wanted; ++i )
	{
		uint32_t place = (uint32_t)( (uint64_t)i * count / wanted );
		if ( r->label[place] == BVHIER_UNPLACED )
		{
			r->room.place[r->count++] = place;
		}
	}
	return r->count - r->degree;
}

static void divide( insertion_run* r, const bvhier_face_set* set, const bvlit_insertion_how* how,
                    uint32_t wanted )
{
	uint64_t random = set->seed;
	uint32_t seed[BVB_MAX_DEGREE];
	bvlit_insertion_seed( set, how->seeds, r->degree, &random, seed );
	uint32_t left = take_sample( r, seed, wanted );
	for ( uint32_t k = 0; k < r->degree; ++k )
	{
		bvlit_part_begin( &r->growth, face_of( r, seed[k] ), &r->part[k] );
	}
	if ( how->best_first )
	{
		insert_best_first( r, left );
	}
	else
	{
		insert_at_random( r, &random );
	}
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		if ( r->label[i] == BVHIER_UNPLACED )
		{
			insert( r, i );
		}
	}
}

static uint32_t most_whole( const insertion_run* r )
{
	return r->growth.directions > 3 ? whole_slow : whole_faces;
}

static bool divide_many( insertion_run* r, const bvhier_face_set* set, const bvlit_insertion_how* how )
{
	uint32_t wanted = set->list.count < most_whole( r ) ? set->list.count : most_whole( r );
	uint32_t most = wanted + r->degree;
	bvb_arena* scratch = bvbase_arena_create_scratch( set->worker->arena );
	if ( !scratch )
	{
		return false;
	}
	r->room.place = bvb_arena_allocate( scratch, most, sizeof *r->room.place );
	r->room.faces = bvb_arena_allocate( scratch, most, sizeof *r->room.faces );
	r->room.points = bvb_arena_allocate( scratch, 3 * (size_t)most + 4, sizeof *r->room.points );
	r->room.heap = bvb_arena_allocate( scratch, (size_t)most * ( how->best_first ? r->degree : 0 ),
	                                   sizeof *r->room.heap );
	bool enough = r->room.place && r->room.faces && r->room.points && r->room.heap;
	if ( enough )
	{
		divide( r, set, how, wanted );
	}
	bvb_arena_destroy( scratch );
	return enough;
}

static void divide_few( insertion_run* r, const bvhier_face_set* set, const bvlit_insertion_how* how )
{
	uint32_t place[few_faces];
	uint32_t faces[few_faces];
	bv_vec3 points[3 * few_faces + 4];
	insertion_candidate heap[BVB_MAX_DEGREE * few_faces];
	r->room = ( room ){ place, faces, points, heap };
	divide( r, set, how, set->list.count < most_whole( r ) ? set->list.count : most_whole( r ) );
}

bool bvlit_split_insertion( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	insertion_run r;
	r.growth = bvlit_growth_begin( set );
	r.degree = degree < set->list.count ? degree : set->list.count;
	r.label = part;
	if ( set->list.count > few_faces )
	{
		return divide_many( &r, set, how );
	}
	divide_few( &r, set, how );
	return true;
}
