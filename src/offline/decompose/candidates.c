// Planes that may be good cuts: across principal and coordinate axes, along the triangles at concave edges,
// and through the deepest notch (Huotari 2011 cuts there); the best of them are moved and turned as long as
// that makes them better.

#include "offline/decompose/search.h"

#include "offline/base/arena.h"
#include "runtime/math/eigen.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum
{
	axes = 6,
	most_offsets = 32,
	most_creases = 48,
	most_notches = 6,
	most_candidates = axes * most_offsets + 2 * most_creases + most_notches,
};

// Candidates of one part.
typedef struct list
{
	bvdecomp_candidate* items;
	uint32_t count;
} list;

static void add_plane( list* l, bv_vec3 normal, double offset )
{
	l->items[l->count++] = ( bvdecomp_candidate ){ .plane = { normal, offset }, .total = INFINITY };
}

static void principal_axes( const bvdecomp_search* s, const bvdecomp_search_part* part, bv_vec3 axis[3] )
{
	double weight = 0;
	double mean[3] = { 0 };
	double square[3][3] = { { 0 } };
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		for ( uint32_t t = 0; t < piece->triangle_count; ++t )
		{
			const uint32_t* c = piece->triangles[t].corner;
			bv_vec3 a = piece->points[c[0]];
			bv_vec3 n = bv_cross( bv_sub( piece->points[c[1]], a ), bv_sub( piece->points[c[2]], a ) );
			double area = sqrt( bv_dot( n, n ) );
			bv_vec3 m = bv_scale( 1.0 / 3, bv_add( a, bv_add( piece->points[c[1]], piece->points[c[2]] ) ) );
			double x[3] = { m.x, m.y, m.z };
			weight += area;
			for ( int i = 0; i < 3; ++i )
			{
				mean[i] += area * x[i];
				for ( int k = 0; k < 3; ++k )
				{
					square[i][k] += area * x[i] * x[k];
				}
			}
		}
	}
	for ( int i = 0; i < 3 && weight > 0; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			square[i][k] = square[i][k] / weight - mean[i] * mean[k] / ( weight * weight );
		}
	}
	bvmath_eigen_symmetric( square, axis );
}

static void add_across( const bvdecomp_search_part* part, bv_vec3 axis, uint32_t count, list* l )
{
	double low = INFINITY;
	double high = -INFINITY;
	for ( uint32_t i = 0; i < part->corner_count; ++i )
	{
		double at = bv_dot( axis, part->corners[i] );
		low = bvmath_min( low, at );
		high = bvmath_max( high, at );
	}
	for ( uint32_t i = 0; i < count && high - low > 8 * BVDECOMP_ON_PLANE; ++i )
	{
		add_plane( l, axis, low + ( high - low ) * ( i + 1 ) / ( count + 1 ) );
	}
}

static void add_axes( const bvdecomp_search* s, const bvdecomp_search_part* part, uint32_t offsets, list* l )
{
	bv_vec3 axis[axes] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	principal_axes( s, part, axis + 3 );
	for ( int k = 0; k < axes; ++k )
	{
		bv_vec3 n = axis[k];
		bool again = k >= 3 && fmax( fabs( n.x ), fmax( fabs( n.y ), fabs( n.z ) ) ) > 0.9999;
		if ( !again && bv_dot( n, n ) > 0.5 )
		{
			add_across( part, n, offsets, l );
		}
	}
}

static bool is_in_box( const bvdecomp_search_part* part, bv_vec3 p )
{
	return p.x > part->low.x && p.y > part->low.y && p.z > part->low.z && p.x < part->high.x &&
	       p.y < part->high.y && p.z < part->high.z;
}

// Planes that several concave edges share count together.
typedef struct shared_plane
{
	bvdecomp_plane plane;
	double weight;
	uint32_t number;
} shared_plane;

static int by_weight( const void* left, const void* right )
{
	const shared_plane* a = left;
	const shared_plane* b = right;
	if ( a->weight != b->weight )
	{
		return a->weight < b->weight ? 1 : -1;
	}
	return ( a->number > b->number ) - ( a->number < b->number );
}

// The planes of the concave edges in a part's box, the first that are found of too many.
static uint32_t find_crease_planes( const bvdecomp_search* s, const bvdecomp_search_part* part,
                                    shared_plane* out, uint32_t most )
{
	uint32_t count = 0;
	uint32_t found[2 * BVDECOMP_MOST_CREASES];
	memset( found, 0xff, sizeof found );
	for ( uint32_t i = 0; i < s->crease_count; ++i )
	{
		const bvdecomp_crease* crease = s->creases + i;
		bool is_inside = is_in_box( part, crease->middle );
		for ( int k = 0; k < 2 && is_inside; ++k )
		{
			uint32_t* at = found + crease->shared[k];
			if ( *at == BVDECOMP_NONE && count < most )
			{
				*at = count;
				out[count++] = ( shared_plane ){ crease->plane[k], 0, *at };
			}
			if ( *at != BVDECOMP_NONE )
			{
				out[*at].weight += crease->weight;
			}
		}
	}
	return count;
}

uint32_t bvdecomp_count_crease_planes( const bvdecomp_search* s, uint32_t part )
{
	shared_plane shared[4 * most_creases];
	return find_crease_planes( s, s->parts + part, shared, 4 * most_creases );
}

static void add_creases( const bvdecomp_search* s, const bvdecomp_search_part* part, uint32_t wanted,
                         list* l )
{
	shared_plane shared[4 * most_creases];
	uint32_t count = find_crease_planes( s, part, shared, 4 * most_creases );
	qsort( shared, count, sizeof *shared, by_weight );
	for ( uint32_t i = 0; i < count && i < wanted; ++i )
	{
		add_plane( l, shared[i].plane.normal, shared[i].plane.offset );
	}
}

// Through the point that is deepest below the hull, across the hull's face there.
static void add_notches( const bvdecomp_search* s, uint32_t index, uint32_t wanted, list* l )
{
	const bvdecomp_search_part* part = s->parts + index;
	bvhull_rough* rough = &s->workers[0].half[0];
	bvhull_rough_clear( rough );
	bvhull_rough_add_all( rough, part->corners, part->corner_count );
	bvhull_rough_hull( rough, 2e-3 );
	double deepest = 4 * BVDECOMP_ON_PLANE;
	bv_vec3 point = { 0 };
	bv_vec3 normal = { 0 };
	for ( uint32_t leaf = part->leaf; leaf != BVDECOMP_NONE; leaf = s->leaves[leaf].next )
	{
		const bvdecomp_piece* piece = &s->leaves[leaf].piece;
		uint32_t stride = piece->point_count / 512 + 1;
		for ( uint32_t i = 0; i < piece->point_count; i += stride )
		{
			double depth = INFINITY;
			uint32_t face = 0;
			for ( uint32_t f = 0; f < rough->face_count && depth > deepest; ++f )
			{
				double at = rough->faces[f].offset - bv_dot( rough->faces[f].normal, piece->points[i] );
				if ( !rough->faces[f].dead && at < depth )
				{
					depth = at;
					face = f;
				}
			}
			if ( depth > deepest && depth < INFINITY )
			{
				deepest = depth;
				point = piece->points[i];
				normal = rough->faces[face].normal;
			}
		}
	}
	if ( bv_dot( normal, normal ) == 0 )
	{
		return;
	}
	bv_vec3 u = bv_cross( normal, fabs( normal.x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 } );
	u = bv_scale( 1 / sqrt( bv_dot( u, u ) ), u );
	bv_vec3 v = bv_cross( normal, u );

	// Cosines and sines of every thirty degrees.
	static const double turn[most_notches][2] = {
		{ 1, 0 }, { 0.8660254037844386, 0.5 },  { 0.5, 0.8660254037844386 },
		{ 0, 1 }, { -0.5, 0.8660254037844386 }, { -0.8660254037844386, 0.5 }
	};
	for ( int k = 0; k < (int)wanted; ++k )
	{
		bv_vec3 across = bv_add( bv_scale( turn[k][0], u ), bv_scale( turn[k][1], v ) );
		add_plane( l, across, bv_dot( across, point ) );
	}
}

// Those that cost more than the limit get a total of infinity.
static void try_all( bvdecomp_search* s, uint32_t part, const bvdecomp_grain* grain, double limit,
                     bvdecomp_candidate* items, uint32_t count )
{
#pragma omp parallel for num_threads( s->team ) schedule( dynamic )
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvdecomp_candidate* c = items + i;
		bool good =
			!bvdecomp_schedule_is_over( s->schedule ) &&
			bvdecomp_try_cut( s, s->workers + omp_get_thread_num(), part, &c->plane, grain, limit, c->cost );
		c->total =
			good ? bvdecomp_cost_total( s, &c->cost[0] ) + bvdecomp_cost_total( s, &c->cost[1] ) : INFINITY;
	}
	s->steps += count;
}

// Those that are not the best need no total. So many at a time whatever the threads, that the same ones are
// left out.
static void find_best( bvdecomp_search* s, uint32_t part, const bvdecomp_grain* grain,
                       bvdecomp_candidate* items, uint32_t count )
{
	enum
	{
		chunk = 8
	};
	double best = INFINITY;
	for ( uint32_t i = 0; i < count; i += chunk )
	{
		uint32_t some = count - i < chunk ? count - i : chunk;
		try_all( s, part, grain, best, items + i, some );
		for ( uint32_t k = i; k < i + some; ++k )
		{
			best = bvmath_min( best, items[k].total );
		}
	}
}

// Equal ones in the order of their planes, so that no sort decides.
static int by_total( const void* left, const void* right )
{
	const bvdecomp_candidate* a = left;
	const bvdecomp_candidate* b = right;
	const double x[5] = { a->total, a->plane.offset, a->plane.normal.x, a->plane.normal.y,
		                  a->plane.normal.z };
	const double y[5] = { b->total, b->plane.offset, b->plane.normal.x, b->plane.normal.y,
		                  b->plane.normal.z };
	int k = 0;
	while ( k < 4 && x[k] == y[k] )
	{
		++k;
	}
	return ( x[k] > y[k] ) - ( x[k] < y[k] );
}

static double extent_along( const bvdecomp_search_part* part, bv_vec3 normal )
{
	bv_vec3 size = bv_sub( part->high, part->low );
	return fabs( normal.x ) * size.x + fabs( normal.y ) * size.y + fabs( normal.z ) * size.z;
}

// Moves and turns about the middle of the part; each round halves the steps where none of them helped.
static void refine( bvdecomp_search* s, uint32_t index, const bvdecomp_cut_effort* effort,
                    bvdecomp_candidate* best )
{
	enum
	{
		moves = 6
	};
	const bvdecomp_search_part* part = s->parts + index;
	bv_vec3 middle = bv_scale( 0.5, bv_add( part->low, part->high ) );
	double shift = extent_along( part, best->plane.normal ) / ( 2 * effort->offsets + 2 );
	double turn = 0.12;
	int back = -1;
	for ( uint32_t round = 0; round < effort->refinements; ++round )
	{
		bv_vec3 n = best->plane.normal;
		bv_vec3 u = bv_cross( n, fabs( n.x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 } );
		u = bv_scale( 1 / sqrt( bv_dot( u, u ) ), u );
		bv_vec3 v = bv_cross( n, u );
		double at = best->plane.offset - bv_dot( n, middle );
		bvdecomp_candidate tries[moves];
		int count = 0;
		int move[moves];
		for ( int k = 0; k < moves; ++k )
		{
			if ( k == back )
			{
				continue;
			}
			double way = k % 2 ? -1 : 1;
			bv_vec3 m = n;
			if ( k >= 2 )
			{
				m = bv_add( n, bv_scale( way * turn, k >= 4 ? v : u ) );
				m = bv_scale( 1 / sqrt( bv_dot( m, m ) ), m );
			}
			double to = at + ( k < 2 ? way * shift : 0 );
			move[count] = k;
			tries[count++] = ( bvdecomp_candidate ){ .plane = { m, bv_dot( m, middle ) + to } };
		}
		try_all( s, index, &s->fine, best->total, tries, (uint32_t)count );
		int choice = -1;
		for ( int k = 0; k < count; ++k )
		{
			if ( tries[k].total < best->total )
			{
				*best = tries[k];
				choice = k;
			}
		}

		// The way back from a move leads to where the last best one was; that from a turn only nearly so.
		back = choice >= 0 && move[choice] < 2 ? move[choice] ^ 1 : -1;
		if ( choice < 0 )
		{
			shift *= 0.5;
			turn *= 0.5;
		}
	}
}

// Nearly the same cut of a part.
static bool are_alike( const bvdecomp_search_part* part, const bvdecomp_plane* a, const bvdecomp_plane* b )
{
	double cosine = bv_dot( a->normal, b->normal );
	double offset = cosine < 0 ? -b->offset : b->offset;
	return fabs( cosine ) > 0.95 && fabs( a->offset - offset ) < 0.15 * extent_along( part, a->normal );
}

static bool is_like_any( const bvdecomp_search_part* part, const bvdecomp_candidate* others, uint32_t count,
                         const bvdecomp_plane* plane )
{
	bool like = false;
	for ( uint32_t i = 0; i < count && !like; ++i )
	{
		like = are_alike( part, &others[i].plane, plane );
	}
	return like;
}

static void keep_different( const bvdecomp_search_part* part, const list* l, uint32_t wanted,
                            bvdecomp_candidate* out, uint32_t* count )
{
	*count = 0;
	for ( uint32_t i = 0; i < l->count && *count < wanted && l->items[i].total < INFINITY; ++i )
	{
		if ( !is_like_any( part, out, *count, &l->items[i].plane ) )
		{
			out[( *count )++] = l->items[i];
		}
	}
}

// Half of them are the best ones; the others are each unlike all before it, and the last one is that whose
// larger half costs least: where no single cut closes much of a gap the best ones trim corners off, and what
// comes after those is no better.
static void choose_finalists( const bvdecomp_search* s, const bvdecomp_search_part* part, uint32_t wanted,
                              list* l )
{
	if ( l->count < 2 || wanted < 2 )
	{
		l->count = l->count < wanted ? l->count : wanted;
		return;
	}
	bvdecomp_candidate even = l->items[0];
	for ( uint32_t i = 1; i < l->count && l->items[i].total < INFINITY; ++i )
	{
		even =
			bvdecomp_larger_half( s, l->items + i ) < bvdecomp_larger_half( s, &even ) ? l->items[i] : even;
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < l->count && kept + 1 < wanted && l->items[i].total < INFINITY; ++i )
	{
		if ( 2 * kept < wanted || !is_like_any( part, l->items, kept, &l->items[i].plane ) )
		{
			l->items[kept++] = l->items[i];
		}
	}
	if ( kept == 0 || !is_like_any( part, l->items, kept, &even.plane ) )
	{
		l->items[kept++] = even;
	}
	l->count = kept;
}

bv_status bvdecomp_find_cuts( bvdecomp_search* s, uint32_t part, const bvdecomp_cut_effort* effort,
                              double enough, uint32_t wanted, bvdecomp_candidate* out, uint32_t* count )
{
	// What costs more times what is enough comes below it in one of a hundred cases, by little. By experiment.
	static const double coarsely = 1.5;
	static const double finely = 1.25;
	static const double to_refine = 1.1;
	bvdecomp_candidate items[most_candidates];
	list l = { items, 0 };
	add_axes( s, s->parts + part, effort->offsets, &l );
	add_creases( s, s->parts + part, effort->creases, &l );
	if ( effort->notches > 0 )
	{
		add_notches( s, part, effort->notches, &l );
	}
	if ( effort->finalists == 1 )
	{
		find_best( s, part, &s->coarse, items, l.count );
	}
	else
	{
		try_all( s, part, &s->coarse, coarsely * enough, items, l.count );
	}
	qsort( items, l.count, sizeof *items, by_total );

	// What one look makes of a plane cannot be compared with what another does.
	choose_finalists( s, s->parts + part, effort->finalists, &l );
	try_all( s, part, &s->fine, finely * enough, items, l.count );
	qsort( items, l.count, sizeof *items, by_total );
	uint32_t refined = effort->refined < l.count ? effort->refined : l.count;
	for ( uint32_t i = 0; i < refined && items[i].total < to_refine * enough; ++i )
	{
		refine( s, part, effort, items + i );
	}
	qsort( items, refined, sizeof *items, by_total );
	keep_different( s->parts + part, &l, wanted, out, count );
	for ( int k = 0; k < s->team; ++k )
	{
		if ( s->workers[k].failed )
		{
			return bv_error_memory;
		}
	}
	return bv_ok;
}
