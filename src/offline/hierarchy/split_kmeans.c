// Lloyd's k-means iteration with farthest-point seeding. Starts with the mean of the midpoints and puts the
// next center at the face farthest from its own center. Then assigns every face to the nearest center and
// moves every center to the mean of its faces, until no face moves, and adds the next center.
//
// The thesis does not define the distance of a face from a center. Here it is that of the face's midpoint, so
// each move reduces the sum of squares and the loop, which is unbounded in the thesis, terminates. It ends
// after `rounds` iterations in any case. Two midpoints that differ are always separated: no center can lose
// its last face to the only other one.
//
// Based on: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.7.3, figure 3.7 (heuristic
// without intermediate optimization); Lloyd 1982.

#include "offline/hierarchy/split.h"

#include "bvbuild/hierarchy.h"
#include "offline/hierarchy/complete.h"
#include "runtime/math/vec.h"

// In the table of splitters.c.
bvhier_split_function bvhier_split_kmeans;

enum
{
	rounds = 32, // few sets need more, and what is left then changes little
};

// What a run knows. All points are relative to one of the midpoints.
typedef struct kmeans_run
{
	const bvfit_face_list* list;
	bv_vec3 origin;
	uint32_t centers; // so far
	bv_vec3 center[BVB_MAX_DEGREE];
	uint8_t number[BVB_MAX_DEGREE]; // the centers' parts
	double* squared;                // by face: distance from its own center; negative for a face that stays
	uint8_t* part;
} kmeans_run;

static bv_vec3 midpoint( const kmeans_run* r, uint32_t i )
{
	return bv_sub( r->list->faces[r->list->order[i]].midpoint, r->origin );
}

// The center of those that is nearest; of equal ones the first, or the one that the face has.
static uint32_t nearest( const kmeans_run* r, bv_vec3 m, uint8_t has, double* squared )
{
	uint32_t best = 0;
	*squared = -1;
	for ( uint32_t k = 0; k < r->centers; ++k )
	{
		bv_vec3 d = bv_sub( m, r->center[k] );
		double length = bv_dot( d, d );
		if ( *squared < 0 || length < *squared || ( length == *squared && r->number[k] == has ) )
		{
			best = k;
			*squared = length;
		}
	}
	return best;
}

// Returns whether a face has moved.
static bool assign( kmeans_run* r )
{
	bool moved = false;
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		if ( r->squared[i] >= 0 )
		{
			uint8_t number = r->number[nearest( r, midpoint( r, i ), r->part[i], &r->squared[i] )];
			moved = moved || r->part[i] != number;
			r->part[i] = number;
		}
	}
	return moved;
}

// Puts each center into the middle of its faces; one without any stays where it is.
static void follow( kmeans_run* r )
{
	bv_vec3 sum[BVB_MAX_DEGREE] = { { 0, 0, 0 } };
	uint32_t faces[BVB_MAX_DEGREE] = { 0 };
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		uint8_t k = r->part[i];
		if ( k != BVHIER_UNPLACED )
		{
			sum[k] = bv_add( sum[k], midpoint( r, i ) );
			faces[k] += 1;
		}
	}
	for ( uint32_t k = 0; k < r->centers; ++k )
	{
		uint32_t n = r->number[k];
		r->center[k] = faces[n] > 0 ? bv_scale( 1.0 / faces[n], sum[n] ) : r->center[k];
	}
}

static void settle( kmeans_run* r )
{
	for ( int round = 0; assign( r ) && round < rounds; ++round )
	{
		follow( r );
	}
}

// Returns false when every face is in its center.
static bool add_center_at_farthest( kmeans_run* r, uint32_t number )
{
	uint32_t best = 0;
	double greatest = 0;
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		double squared = r->squared[i];
		if ( squared > greatest ||
		     ( squared == greatest && greatest > 0 && r->list->order[i] < r->list->order[best] ) )
		{
			best = i;
			greatest = squared;
		}
	}
	if ( greatest > 0 )
	{
		r->center[r->centers] = midpoint( r, best );
		r->number[r->centers++] = (uint8_t)number;
	}
	return greatest > 0;
}

// The first center when no face is placed: all faces are the first part.
static void begin( kmeans_run* r )
{
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		r->part[i] = 0;
		r->squared[i] = 0;
	}
	r->number[0] = 0;
	r->centers = 1;
	follow( r );
	assign( r );
}

// The centers of the parts that have faces.
static void begin_from( kmeans_run* r, uint32_t degree, const bool* filled )
{
	for ( uint32_t k = 0; k < degree; ++k )
	{
		if ( filled[k] )
		{
			r->number[r->centers++] = (uint8_t)k;
		}
	}
	for ( uint32_t i = 0; i < r->list->count; ++i )
	{
		r->squared[i] = r->part[i] == BVHIER_UNPLACED ? 0 : -1;
	}
	follow( r );
	settle( r );
}

void bvhier_complete_kmeans( const bvfit_face_list* list, uint32_t degree, double* room, uint8_t* part )
{
	kmeans_run r = {
		.list = list, .origin = list->faces[list->order[0]].midpoint, .squared = room, .part = part
	};
	bool filled[BVB_MAX_DEGREE] = { false };
	uint32_t placed = 0;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		if ( part[i] != BVHIER_UNPLACED )
		{
			filled[part[i]] = true;
			placed += 1;
		}
	}
	if ( placed == 0 )
	{
		begin( &r );
		filled[0] = true;
	}
	else
	{
		begin_from( &r, degree, filled );
	}
	for ( uint32_t k = 0; k < degree; ++k )
	{
		if ( !filled[k] && add_center_at_farthest( &r, k ) )
		{
			settle( &r );
		}
	}
}

bool bvhier_split_kmeans( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	(void)how;
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		part[i] = BVHIER_UNPLACED;
	}
	bvhier_complete_kmeans( &set->list, degree, set->keys, part );
	return true;
}
