// The surface area heuristic. Cuts are normal to the axes of the node's box: those of the oriented box for
// nodes of that type, else the coordinate axes. The best cut has the smallest sum, over both sides, of the
// number of faces times the surface of their bounding box in that frame. Faces are represented by the
// midpoints of their boxes. These are sorted into equal bins between the minimum and the maximum, and cuts
// are tried between bins only. For small sets all cuts between two midpoints are tried.
//
// Differences: if all boxes have the same midpoint, as those of the two triangles of an axis-aligned
// rectangle, the midpoints of the faces themselves are used. For more than two parts, the part with the
// largest product of faces and surface that can be cut is cut again.
//
// Based on: I. Wald, "On fast construction of SAH-based bounding volume hierarchies", 2007, section 3.

#include "offline/hierarchy/sah.h"
#include "offline/hierarchy/split.h"
#include "runtime/math/vec.h"

#include <math.h>

// A face's box in the frame. Takes the room of its three corners.
typedef struct face_box
{
	double lower[3];
	double upper[3];
	double key[3]; // where it is
} face_box;

_Static_assert( sizeof( face_box ) == 3 * sizeof( bv_vec3 ),
                "a set's room for corners is that of its boxes" );

// A box and how many faces it is around.
typedef struct sah_sum
{
	double lower[3];
	double upper[3];
	uint32_t count;
} sah_sum;

// A part of the set while it is divided.
typedef struct sah_piece
{
	sah_sum all;
	double key_lower[3];
	double key_upper[3];
	bool whole; // no cut is possible
} sah_piece;

// What cutting a piece needs to know.
typedef struct sah_job
{
	const face_box* boxes;
	uint8_t* part;
	uint32_t count; // of all boxes
	uint8_t number; // of the piece's part
} sah_job;

// Faces are below the cut whose bin is below `limit`, or whose key is not above `key` in small sets.
typedef struct sah_cut
{
	double cost; // infinite where there is none
	int axis;
	uint32_t limit;
	double key;
} sah_cut;

static const sah_sum nothing = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY }, 0 };

static void grow( double lower[3], double upper[3], const double by_lower[3], const double by_upper[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		lower[k] = bvmath_min( lower[k], by_lower[k] );
		upper[k] = bvmath_max( upper[k], by_upper[k] );
	}
}

static void add( sah_sum* to, const sah_sum* from )
{
	grow( to->lower, to->upper, from->lower, from->upper );
	to->count += from->count;
}

static void add_box( sah_sum* to, const face_box* box )
{
	grow( to->lower, to->upper, box->lower, box->upper );
	to->count += 1;
}

// Area times faces.
static double cost_of( const sah_sum* s )
{
	return s->count == 0
	           ? 0
	           : s->count * bvhier_sah_half_area( s->upper[0] - s->lower[0], s->upper[1] - s->lower[1],
	                                              s->upper[2] - s->lower[2] );
}

static double lower_of( double a, double b, double c )
{
	return bvmath_min( bvmath_min( a, b ), c );
}

static double upper_of( double a, double b, double c )
{
	return bvmath_max( bvmath_max( a, b ), c );
}

static void make_boxes( const bvhier_face_set* set, face_box* boxes )
{
	const bvfit_face_list* list = &set->list;
	bool turned = set->volume->type == bv_volume_obb;
	// Upright boxes need no arithmetic, and so no digits are lost wherever they are.
	bv_vec3 origin = turned ? list->faces[list->order[0]].corner[0] : ( bv_vec3 ){ 0, 0, 0 };
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const bv_vec3* corner = list->faces[list->order[i]].corner;
		for ( int k = 0; k < 3; ++k )
		{
			double at[3];
			for ( int c = 0; c < 3; ++c )
			{
				at[c] = turned ? bv_dot( set->volume->obb.axis[k], bv_sub( corner[c], origin ) )
				               : bvmath_component( corner[c], k );
			}
			boxes[i].lower[k] = lower_of( at[0], at[1], at[2] );
			boxes[i].upper[k] = upper_of( at[0], at[1], at[2] );
			boxes[i].key[k] = boxes[i].lower[k] + boxes[i].upper[k];
		}
	}
}

static void use_midpoints( const bvhier_face_set* set, face_box* boxes )
{
	const bvfit_face_list* list = &set->list;
	bool turned = set->volume->type == bv_volume_obb;
	bv_vec3 origin = list->faces[list->order[0]].midpoint;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		bv_vec3 p = bv_sub( list->faces[list->order[i]].midpoint, origin );
		for ( int k = 0; k < 3; ++k )
		{
			boxes[i].key[k] = turned ? bv_dot( set->volume->obb.axis[k], p ) : bvmath_component( p, k );
		}
	}
}

static sah_piece piece_of( const sah_job* j )
{
	sah_piece p = { .all = nothing,
		            .key_lower = { INFINITY, INFINITY, INFINITY },
		            .key_upper = { -INFINITY, -INFINITY, -INFINITY } };
	for ( uint32_t i = 0; i < j->count; ++i )
	{
		if ( j->part[i] == j->number )
		{
			add_box( &p.all, j->boxes + i );
			grow( p.key_lower, p.key_upper, j->boxes[i].key, j->boxes[i].key );
		}
	}
	return p;
}

// Of sums side by side: the least cost of a cut between two of them. Returns how many are below it.
static uint32_t cheapest( const sah_sum* sums, uint32_t count, double* cost )
{
	double above[bvhier_sah_most_bins];
	sah_sum side = nothing;
	for ( uint32_t i = count; i-- > 1; )
	{
		add( &side, sums + i );
		above[i] = cost_of( &side );
	}
	uint32_t best = 0;
	uint32_t total = side.count + sums[0].count;
	*cost = INFINITY;
	side = nothing;
	for ( uint32_t i = 1; i < count; ++i )
	{
		add( &side, sums + i - 1 );
		double both = cost_of( &side ) + above[i];
		if ( both < *cost && side.count > 0 && side.count < total )
		{
			*cost = both;
			best = i;
		}
	}
	return best;
}

static sah_cut cut_bins( const sah_job* j, const sah_piece* p )
{
	sah_cut best = { .cost = INFINITY };
	uint32_t bins = bvhier_sah_bins( p->all.count );
	for ( int axis = 0; axis < 3; ++axis )
	{
		double lower = p->key_lower[axis];
		double scale = bvhier_sah_scale( lower, p->key_upper[axis], bins );
		sah_sum sums[bvhier_sah_most_bins];
		for ( uint32_t i = 0; i < bins; ++i )
		{
			sums[i] = nothing;
		}
		for ( uint32_t i = 0; scale > 0 && i < j->count; ++i )
		{
			if ( j->part[i] == j->number )
			{
				add_box( sums + bvhier_sah_bin( j->boxes[i].key[axis], lower, scale, bins ), j->boxes + i );
			}
		}
		double cost = INFINITY;
		uint32_t limit = scale > 0 ? cheapest( sums, bins, &cost ) : 0;
		if ( cost < best.cost )
		{
			best = ( sah_cut ){ cost, axis, limit, 0 };
		}
	}
	return best;
}

// Sorts a small piece by keys. Returns how many faces there are.
static uint32_t sort_few( const sah_job* j, int axis, uint32_t place[] )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < j->count; ++i )
	{
		if ( j->part[i] == j->number )
		{
			uint32_t at = count++;
			for ( ; at > 0 && j->boxes[place[at - 1]].key[axis] > j->boxes[i].key[axis]; --at )
			{
				place[at] = place[at - 1];
			}
			place[at] = i;
		}
	}
	return count;
}

// Faces with one key are one bin.
static sah_cut cut_between_all( const sah_job* j )
{
	sah_cut best = { .cost = INFINITY };
	for ( int axis = 0; axis < 3; ++axis )
	{
		uint32_t place[bvhier_sah_sweep];
		double key[bvhier_sah_sweep];
		sah_sum sums[bvhier_sah_sweep];
		uint32_t bins = 0;
		uint32_t count = sort_few( j, axis, place );
		for ( uint32_t i = 0; i < count; ++i )
		{
			const face_box* box = j->boxes + place[i];
			if ( bins == 0 || box->key[axis] > key[bins - 1] )
			{
				key[bins] = box->key[axis];
				sums[bins++] = nothing;
			}
			add_box( sums + bins - 1, box );
		}
		double cost;
		uint32_t limit = cheapest( sums, bins, &cost );
		if ( cost < best.cost )
		{
			best = ( sah_cut ){ cost, axis, 0, key[limit - 1] };
		}
	}
	return best;
}

// Gives the faces above the cheapest cut another number. Returns false when there is no cut.
static bool cut_piece( const sah_job* j, const sah_piece* p, uint8_t number )
{
	bool few = p->all.count <= bvhier_sah_sweep;
	sah_cut c = few ? cut_between_all( j ) : cut_bins( j, p );
	if ( c.cost == INFINITY )
	{
		return false;
	}
	uint32_t bins = bvhier_sah_bins( p->all.count );
	double lower = p->key_lower[c.axis];
	double scale = bvhier_sah_scale( lower, p->key_upper[c.axis], bins );
	for ( uint32_t i = 0; i < j->count; ++i )
	{
		double key = j->boxes[i].key[c.axis];
		if ( j->part[i] == j->number &&
		     ( few ? key > c.key : bvhier_sah_bin( key, lower, scale, bins ) >= c.limit ) )
		{
			j->part[i] = number;
		}
	}
	return true;
}

// The piece to be cut next. Returns `count` when there is none.
static uint32_t costliest( const sah_piece* pieces, uint32_t count )
{
	uint32_t best = count;
	double most = -1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double cost = cost_of( &pieces[i].all );
		if ( !pieces[i].whole && cost > most )
		{
			best = i;
			most = cost;
		}
	}
	return best;
}

static uint32_t cut_pieces( const face_box* boxes, uint32_t count, uint32_t degree, uint8_t* part )
{
	sah_piece pieces[BVB_MAX_DEGREE];
	uint32_t made = 1;
	pieces[0] = piece_of( &( sah_job ){ boxes, part, count, 0 } );
	while ( made < degree )
	{
		uint32_t next = costliest( pieces, made );
		if ( next == made )
		{
			break;
		}
		sah_job j = { boxes, part, count, (uint8_t)next };
		pieces[next].whole = !cut_piece( &j, pieces + next, (uint8_t)made );
		if ( !pieces[next].whole && made + 1 < degree )
		{
			pieces[next] = piece_of( &j );
			pieces[made] = piece_of( &( sah_job ){ boxes, part, count, (uint8_t)made } );
		}
		made += !pieces[next].whole;
	}
	return made;
}

bool bvhier_split_sah( const bvhier_face_set* set, uint32_t degree, const void* how, uint8_t* part )
{
	(void)how;
	face_box* boxes = (face_box*)set->list.corners;
	for ( uint32_t i = 0; i < set->list.count; ++i )
	{
		part[i] = 0;
	}
	make_boxes( set, boxes );
	if ( cut_pieces( boxes, set->list.count, degree, part ) == 1 )
	{
		use_midpoints( set, boxes );
		cut_pieces( boxes, set->list.count, degree, part );
	}
	return true;
}
