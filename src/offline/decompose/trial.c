// What a cut or a merge would come to, without making it.

#include "offline/decompose/piece_tree.h"
#include "offline/decompose/search.h"

#include "runtime/math/vec.h"

#include <math.h>

// A face of a hull: a corner, its sides from there, and what is made from these.
typedef struct sampled_face
{
	bv_vec3 corner;
	bv_vec3 u;
	bv_vec3 v;
	bv_vec3 normal;
	double area;
} sampled_face;

static sampled_face measure_face( const bvhull_rough* rough, const bvhull_rough_face* face )
{
	sampled_face f = { .corner = rough->points[face->corner[0]] };
	f.u = bv_sub( rough->points[face->corner[1]], f.corner );
	f.v = bv_sub( rough->points[face->corner[2]], f.corner );
	f.normal = bv_cross( f.u, f.v );
	f.area = 0.5 * sqrt( bv_dot( f.normal, f.normal ) );
	return f;
}

// Into how many rows of samples a triangle of a size is cut.
static int count_rows( double across )
{
	return across > 1 ? (int)ceil( across ) : 1;
}

// Mostly there is one row, and then nothing to divide by.
static inline double ratio_of_rows( double of, int rows )
{
	return rows == 1 ? of : of / rows;
}

// The centers of the triangles that a triangle is cut into by lines along its sides.
static inline bv_vec3 sample_at( const sampled_face* f, bv_vec3 corner, int i, int k, int rows )
{
	double third = rows == 1 ? 1.0 / 3 : 1.0 / ( 3 * rows );
	double p = ratio_of_rows( i, rows ) + ( k % 2 ? 2 : 1 ) * third;
	double q = ratio_of_rows( k / 2, rows ) + ( k % 2 ? 2 : 1 ) * third;
	return bv_add( corner, bv_add( bv_scale( p, f->u ), bv_scale( q, f->v ) ) );
}

enum
{
	waiting = 32,
};

// Samples that wait to be measured together, and what those before them come to.
typedef struct sample_sum
{
	const bvdecomp_field* field;
	double thickened;
	bool is_squared; // of squared distances
	uint32_t count;
	bv_vec3 point[waiting];
	double share[waiting];
	double sum;
	double farthest;
} sample_sum;

// The samples themselves are not set.
static void begin_samples( sample_sum* s, const bvdecomp_field* field, double thickened, bool is_squared )
{
	s->field = field;
	s->thickened = thickened;
	s->is_squared = is_squared;
	s->count = 0;
	s->sum = 0;
	s->farthest = 0;
}

static inline void add_distance( sample_sum* s, double distance, double share )
{
	double d = bvmath_max( distance - s->thickened, 0 );
	s->sum += share * ( s->is_squared ? d * d : d );
	s->farthest = bvmath_max( s->farthest, d );
}

static void measure_samples( sample_sum* s )
{
	double distance[waiting];
	bvdecomp_field_at_all( s->field, s->point, s->count, distance );
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		add_distance( s, distance[i], s->share[i] );
	}
	s->count = 0;
}

static inline void add_sample( sample_sum* s, bv_vec3 point, double share )
{
	if ( !s->field->near_groups )
	{
		add_distance( s, bvdecomp_field_at( s->field, point ), share );
		return;
	}
	s->point[s->count] = point;
	s->share[s->count] = share;
	if ( ++s->count == waiting )
	{
		measure_samples( s );
	}
}

static void end_samples( sample_sum* s, double weight, bvdecomp_cost* cost )
{
	measure_samples( s );
	cost->gap += weight * s->sum;
	cost->farthest = bvmath_max( cost->farthest, s->farthest );
}

static void sample_face( const bvdecomp_search* s, const sampled_face* f, double density, double thickened,
                         bvdecomp_cost* cost )
{
	int rows = count_rows( sqrt( f->area ) * density );
	sample_sum samples;
	begin_samples( &samples, &s->field, thickened, true );
	for ( int i = 0; i < rows; ++i )
	{
		for ( int k = 0; k < 2 * ( rows - i ) - 1; ++k )
		{
			add_sample( &samples, sample_at( f, f->corner, i, k, rows ), 1 );
		}
	}
	end_samples( &samples, ratio_of_rows( f->area, rows * rows ), cost );
}

// Inside of the hull there may be what its surface does not show: cavities, and caves with narrow mouths. The
// pyramid over a face is sampled at two depths in turn, with the integral of the distance over what is not
// next to the face.
static void sample_pyramid( const bvdecomp_search* s, const sampled_face* f, bv_vec3 apex, double density,
                            double thickened, bvdecomp_cost* cost )
{
	// Shares of the volume: up to half of the way, and from there up to four fifths.
	static const double depth[2] = { 0.4, 0.66 };
	static const double share[2] = { 0.125, 0.387 };
	bv_vec3 a = bv_sub( f->corner, apex );
	double volume = bv_dot( a, f->normal ) / 6;
	int rows = count_rows( 0.5 * sqrt( f->area ) * density );
	sample_sum samples;
	begin_samples( &samples, &s->field, thickened, false );
	for ( int i = 0; i < rows; ++i )
	{
		for ( int k = 0; k < 2 * ( rows - i ) - 1; ++k )
		{
			int at = rows == 1 || ( i + k ) % 2;
			bv_vec3 on = sample_at( f, a, i, k, rows );
			add_sample( &samples, bv_add( apex, bv_scale( depth[at], on ) ), share[at] );
		}
	}
	end_samples( &samples, ratio_of_rows( ( rows == 1 ? 1 : 2 ) * volume, rows * rows ), cost );
}

static bv_vec3 middle_of( const bvhull_rough* rough )
{
	bv_vec3 sum = { 0 };
	double count = 0;
	for ( uint32_t f = 0; f < rough->face_count; ++f )
	{
		if ( !rough->faces[f].dead )
		{
			sum = bv_add( sum, rough->points[rough->faces[f].corner[0]] );
			count += 1;
		}
	}
	return count > 0 ? bv_scale( 1 / count, sum ) : sum;
}

// As soon as the gap is above `most` the rest of it is left out.
static void find_gap( const bvdecomp_search* s, const bvhull_rough* rough, const bvdecomp_grain* grain,
                      double most, bvdecomp_cost* cost )
{
	// What is flat was made thicker for its faces' sake.
	double thickened = rough->point_count > rough->given ? 4 * grain->roughness : 0;
	bv_vec3 apex = middle_of( rough );
	for ( uint32_t f = 0; f < rough->face_count && cost->gap <= most; ++f )
	{
		if ( !rough->faces[f].dead )
		{
			sampled_face face = measure_face( rough, rough->faces + f );
			sample_face( s, &face, grain->density, thickened, cost );
			sample_pyramid( s, &face, apex, grain->density, thickened, cost );
		}
	}
}

// Makes the hull. The gap is not known yet.
static bvdecomp_cost volume_of( bvhull_rough* rough, const bvdecomp_grain* grain )
{
	bvhull_rough_hull( rough, grain->roughness );
	return ( bvdecomp_cost ){ .volume = bvhull_rough_volume( rough ) };
}

bvdecomp_cost bvdecomp_cost_of_points( const bvdecomp_search* s, bvhull_rough* rough,
                                       const bvdecomp_grain* grain )
{
	bvdecomp_cost cost = volume_of( rough, grain );
	find_gap( s, rough, grain, INFINITY, &cost );
	return cost;
}

static bool make_room( bvdecomp_search_worker* w, const bvdecomp_piece* piece )
{
	if ( !w->open || piece->point_count > w->room )
	{
		w->room = piece->point_count;
		w->side = bvb_arena_allocate( w->arena, w->room, sizeof *w->side );
		w->reached = bvb_arena_allocate( w->arena, w->room, sizeof *w->reached );

		// Even of nothing there is a leaf.
		w->open = bvb_arena_allocate( w->arena, (size_t)w->room + 1, sizeof *w->open );
		w->failed = w->failed || !w->side || !w->reached || !w->open;
	}
	return !w->failed;
}

static void add_to( bvdecomp_search_worker* w, unsigned sides, bv_vec3 point )
{
	if ( sides & bvdecomp_side_below )
	{
		bvhull_rough_add( &w->half[0], point );
	}
	if ( sides & bvdecomp_side_above )
	{
		bvhull_rough_add( &w->half[1], point );
	}
}

static bvdecomp_side side_of_box( const bvdecomp_plane* plane, bv_vec3 low, bv_vec3 high )
{
	bv_vec3 middle = bv_scale( 0.5, bv_add( low, high ) );
	bv_vec3 half = bv_scale( 0.5, bv_sub( high, low ) );
	double reach = fabs( plane->normal.x ) * half.x + fabs( plane->normal.y ) * half.y +
	               fabs( plane->normal.z ) * half.z;
	return bvdecomp_side_of( plane, middle, reach + 2 * BVDECOMP_ON_PLANE );
}

static const bvdecomp_node_corners* corners_of( const bvdecomp_piece_node* node, const bvdecomp_grain* grain )
{
	return grain->coarse ? &node->coarse : &node->fine;
}

// Hands out what is clearly on one side of the plane, and finds the leaves that are not.
static uint32_t find_open( bvdecomp_search_worker* w, const bvdecomp_piece_tree* tree,
                           const bvdecomp_plane* plane, const bvdecomp_grain* grain )
{
	uint32_t stack[64];
	uint32_t height = 1;
	uint32_t open = 0;
	stack[0] = 0;
	while ( height > 0 )
	{
		const bvdecomp_piece_node* node = tree->nodes + stack[--height];
		bvdecomp_side side = side_of_box( plane, node->low, node->high );
		if ( side != bvdecomp_side_on )
		{
			const bvdecomp_node_corners* corners = corners_of( node, grain );
			bvhull_rough_add_all( &w->half[side == bvdecomp_side_above], corners->points, corners->count );
		}
		else if ( node->child )
		{
			stack[height++] = node->child + 1;
			stack[height++] = node->child;
		}
		else
		{
			w->open[open++] = (uint32_t)( node - tree->nodes );
		}
	}
	return open;
}

// Edges through the plane give both sides a point; points in it belong to the sides that they are connected
// with.
static void share_edges( bvdecomp_search_worker* w, const bvdecomp_piece* piece,
                         const bvdecomp_piece_node* leaf, const bvdecomp_plane* plane )
{
	for ( uint32_t e = leaf->first_edge; e < leaf->first_edge + leaf->edge_count; ++e )
	{
		uint32_t a = piece->tree->edges[e][0];
		uint32_t b = piece->tree->edges[e][1];
		bvdecomp_side side_a = w->side[a];
		bvdecomp_side side_b = bvdecomp_side_of( plane, piece->points[b], BVDECOMP_ON_PLANE );
		if ( side_a == side_b )
		{
			continue;
		}
		if ( side_a != bvdecomp_side_on && side_b != bvdecomp_side_on )
		{
			bool rises = side_a == bvdecomp_side_below;
			add_to( w, bvdecomp_side_on,
			        bvdecomp_plane_crossing( plane, piece->points[rises ? a : b],
			                                 piece->points[rises ? b : a] ) );
			continue;
		}
		w->reached[side_a == bvdecomp_side_on ? a : b] |= side_a & side_b;
	}
}

// A coarse look takes the corners of a leaf for all its points, but for those in the plane.
static void hand_out_leaf( bvdecomp_search_worker* w, const bvdecomp_piece* piece,
                           const bvdecomp_piece_node* leaf, const bvdecomp_plane* plane,
                           const bvdecomp_grain* grain )
{
	for ( uint32_t i = leaf->first_point; i < leaf->first_point + leaf->point_count; ++i )
	{
		uint32_t p = piece->tree->points[i];
		if ( !grain->coarse || w->side[p] == bvdecomp_side_on )
		{
			add_to( w, w->reached[p], piece->points[p] );
		}
	}
	for ( uint32_t i = 0; grain->coarse && i < leaf->coarse.count; ++i )
	{
		bvdecomp_side side = bvdecomp_side_of( plane, leaf->coarse.points[i], BVDECOMP_ON_PLANE );
		if ( side != bvdecomp_side_on )
		{
			add_to( w, side, leaf->coarse.points[i] );
		}
	}
}

static void share_points( bvdecomp_search_worker* w, const bvdecomp_piece* piece, const bvdecomp_plane* plane,
                          const bvdecomp_grain* grain )
{
	const bvdecomp_piece_tree* tree = piece->tree;
	uint32_t open = find_open( w, tree, plane, grain );
	for ( uint32_t k = 0; k < open; ++k )
	{
		const bvdecomp_piece_node* leaf = tree->nodes + w->open[k];
		for ( uint32_t i = leaf->first_point; i < leaf->first_point + leaf->point_count; ++i )
		{
			uint32_t p = tree->points[i];
			w->side[p] = (uint8_t)bvdecomp_side_of( plane, piece->points[p], BVDECOMP_ON_PLANE );
			w->reached[p] = w->side[p] == bvdecomp_side_on ? 0 : w->side[p];
		}
	}
	for ( uint32_t k = 0; k < open; ++k )
	{
		share_edges( w, piece, tree->nodes + w->open[k], plane );
	}
	for ( uint32_t k = 0; k < open; ++k )
	{
		hand_out_leaf( w, piece, tree->nodes + w->open[k], plane, grain );
	}
}

static void share_corners( const bvdecomp_search* s, bvdecomp_search_worker* w, const bvdecomp_piece* piece,
                           const bvdecomp_plane* plane )
{
	const bvconvex_polytope* cell = &piece->cell;
	for ( uint32_t i = 0; i < piece->inner_count; ++i )
	{
		add_to( w, bvdecomp_side_of( plane, piece->inner[i], BVDECOMP_ON_PLANE ), piece->inner[i] );
	}
	for ( uint32_t f = 0; f < cell->face_count; ++f )
	{
		uint32_t first = cell->first[f];
		uint32_t length = cell->first[f + 1] - first;
		for ( uint32_t k = 0; k < length; ++k )
		{
			uint32_t a = cell->loops[first + k];
			uint32_t b = cell->loops[first + ( k + 1 ) % length];
			if ( a < b && bvdecomp_side_of( plane, cell->corners[a], 0 ) +
			                      bvdecomp_side_of( plane, cell->corners[b], 0 ) ==
			                  bvdecomp_side_below + bvdecomp_side_above )
			{
				bool rises = bvdecomp_side_of( plane, cell->corners[a], 0 ) == bvdecomp_side_below;
				bv_vec3 at = bvdecomp_plane_crossing( plane, cell->corners[rises ? a : b],
				                                      cell->corners[rises ? b : a] );
				if ( bvdecomp_field_at( &s->field, at ) < 0 )
				{
					add_to( w, bvdecomp_side_on, at );
				}
			}
		}
	}
}

static bool reaches_beyond( const bvhull_rough* rough, const bvdecomp_plane* plane, double distance )
{
	bool beyond = false;
	for ( uint32_t i = 0; i < rough->point_count && !beyond; ++i )
	{
		beyond = fabs( bv_dot( plane->normal, rough->points[i] ) - plane->offset ) > distance;
	}
	return beyond;
}

bool bvdecomp_try_cut( const bvdecomp_search* s, bvdecomp_search_worker* w, uint32_t part,
                       const bvdecomp_plane* plane, const bvdecomp_grain* grain, double limit,
                       bvdecomp_cost cost[2] )
{
	bvhull_rough_clear( &w->half[0] );
	bvhull_rough_clear( &w->half[1] );
	for ( uint32_t leaf = s->parts[part].leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		if ( !make_room( w, piece ) )
		{
			return false;
		}
		share_points( w, piece, plane, grain );
		share_corners( s, w, piece, plane );
	}
	// What is beyond a face's plane only by rounding is nothing to make a part of.
	static const double least = 16 * BVDECOMP_ON_PLANE;
	if ( !reaches_beyond( &w->half[0], plane, least ) || !reaches_beyond( &w->half[1], plane, least ) )
	{
		return false;
	}
	double left = limit;
	for ( int k = 0; k < 2; ++k )
	{
		cost[k] = volume_of( &w->half[k], grain );
		left -= s->price * cost[k].volume;
		w->failed = w->failed || w->half[k].failed;
	}
	for ( int k = 0; k < 2 && left >= 0; ++k )
	{
		find_gap( s, &w->half[k], grain, left, &cost[k] );
		left -= cost[k].gap;
	}
	return left >= 0 && !w->failed;
}

bvdecomp_cost bvdecomp_try_merge( const bvdecomp_search* s, bvdecomp_search_worker* w, uint32_t a,
                                  uint32_t b )
{
	bvhull_rough* rough = &w->half[0];
	bvhull_rough_clear( rough );
	const bvdecomp_search_part* both[2] = { s->parts + a, s->parts + b };
	for ( int k = 0; k < 2; ++k )
	{
		bvhull_rough_add_all( rough, both[k]->corners, both[k]->corner_count );
	}
	bvdecomp_cost cost = bvdecomp_cost_of_points( s, rough, &s->fine );
	w->failed = w->failed || rough->failed;
	return cost;
}
