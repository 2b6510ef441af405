// Support queries on hulls: by hill climbing, and by nested hulls (Dobkin and Kirkpatrick 1985), compared with brute force
// over all vertices; and the cost of merging a hull's triangles into polygons, compared with computing the hull.
//
//   bench_support
//
// Hulls of random points on a sphere. Answers are compared. Exit code 1: one differs, or there is no memory.

#include "tests/bench/measure.h"

#include "runtime/math/vec.h"

#include "tests/reference/random.h"

#include <math.h>

enum
{
	directions = 4096,
};

static uint32_t support_brute( const bvb_hull_polygons* hull, bv_vec3 d )
{
	uint32_t best = 0;
	double height = bv_dot( d, hull->positions[0] );
	for ( uint32_t v = 1; v < hull->vertex_count; ++v )
	{
		double other = bv_dot( d, hull->positions[v] );
		best = other > height ? v : best;
		height = other > height ? other : height;
	}
	return best;
}

enum
{
	most_levels = 64,
	few = 8,         // corners of the innermost hull, or a little less
	most_degree = 8, // of corners that are removed
};

// Hulls in each other: each is that of the one around it without some corners, of which no two are neighbors. Corners are
// ordered so that each hull has the first ones.
typedef struct nested
{
	bv_vec3* positions;
	uint32_t* point; // of each corner
	int levels;
	uint32_t count[most_levels]; // of corners, outermost hull first
	uint32_t*
		first[most_levels]; // of each corner of the hull inside: where its neighbors begin that were removed
	uint32_t* neighbors[most_levels]; // all of these
	size_t bytes;                     // of first and neighbors
} nested;

static void* allocate( bvb_arena* arena, size_t count, size_t size )
{
	void* memory = bvb_arena_allocate( arena, count, size );
	if ( !memory )
	{
		exit( 1 );
	}
	memset( memory, 0, count * size );
	return memory;
}

// Corners of one of the hulls, as points, with those that are neighbors.
typedef struct layer
{
	uint32_t* point;
	uint32_t* first;
	uint32_t* neighbors;
	bool* removed;
} layer;

// @return false if the points are not all corners of a polyhedron
static bool make_layer( bvb_arena* arena, const bv_vec3* points, uint32_t count, layer* l )
{
	bv_vec3* at = allocate( arena, count, sizeof *at );
	bvb_hull hull;
	for ( uint32_t i = 0; i < count; ++i )
	{
		at[i] = points[l->point[i]];
	}
	if ( bvb_hull_compute( at, count, arena, &hull, NULL ) != bv_ok || hull.kind != bv_hull_polyhedron ||
	     hull.vertex_count != count )
	{
		return false;
	}
	uint32_t sides = 3 * hull.face_count;
	uint32_t* filled = allocate( arena, count, sizeof *filled );
	l->first = allocate( arena, (size_t)count + 1, sizeof *l->first );
	l->neighbors = allocate( arena, sides, sizeof *l->neighbors );
	for ( uint32_t i = 0; i < sides; ++i )
	{
		l->first[hull.faces[i / 3].corner[i % 3] + 1] += 1;
	}
	for ( uint32_t v = 0; v < count; ++v )
	{
		l->first[v + 1] += l->first[v];
	}
	for ( uint32_t i = 0; i < sides; ++i )
	{
		const uint32_t* c = hull.faces[i / 3].corner;
		uint32_t v = c[i % 3];
		l->neighbors[l->first[v] + filled[v]++] = c[( i % 3 + 1 ) % 3];
	}
	return true;
}

// Marks corners of few neighbors, no two of which are neighbors.
// @return how many remain
static uint32_t thin_out( bvb_arena* arena, uint32_t count, layer* l )
{
	bool* kept = allocate( arena, count, sizeof *kept );
	uint32_t remain = count;
	l->removed = allocate( arena, count, sizeof *l->removed );
	for ( uint32_t v = 0; v < count && remain > 4; ++v )
	{
		if ( !kept[v] && l->first[v + 1] - l->first[v] <= most_degree )
		{
			l->removed[v] = true;
			remain -= 1;
			for ( uint32_t i = l->first[v]; i < l->first[v + 1]; ++i )
			{
				kept[l->neighbors[i]] = true;
			}
		}
	}
	return remain;
}

// For each corner that remains of a layer, its removed neighbors.
static void link_level( bvb_arena* arena, const layer* l, int level, const uint32_t* rank, nested* out )
{
	uint32_t inside = out->count[level + 1];
	uint32_t count = out->count[level];
	uint32_t* first = allocate( arena, (size_t)inside + 1, sizeof *first );
	uint32_t* neighbors = allocate( arena, l->first[count], sizeof *neighbors );
	uint32_t* place = allocate( arena, inside, sizeof *place );
	for ( uint32_t v = 0; v < count; ++v )
	{
		if ( !l->removed[v] )
		{
			place[rank[l->point[v]]] = v;
		}
	}
	uint32_t filled = 0;
	for ( uint32_t r = 0; r < inside; ++r )
	{
		uint32_t v = place[r];
		first[r] = filled;
		for ( uint32_t i = l->first[v]; i < l->first[v + 1]; ++i )
		{
			uint32_t other = l->neighbors[i];
			if ( l->removed[other] )
			{
				neighbors[filled++] = rank[l->point[other]];
			}
		}
	}
	first[inside] = filled;
	out->first[level] = first;
	out->neighbors[level] = neighbors;
	out->bytes += ( (size_t)inside + 1 + filled ) * sizeof *first;
}

static void nest( bvb_arena* arena, const bv_vec3* points, uint32_t count, nested* out )
{
	static layer layers[most_levels];
	uint32_t* rank = allocate( arena, count, sizeof *rank );
	*out = ( nested ){ .levels = 0 };
	out->positions = allocate( arena, count, sizeof *out->positions );
	out->point = allocate( arena, count, sizeof *out->point );
	layers[0].point = allocate( arena, count, sizeof *layers[0].point );
	for ( uint32_t i = 0; i < count; ++i )
	{
		layers[0].point[i] = i;
	}
	uint32_t n = count;
	int level = 0;
	for ( ;; ++level )
	{
		layer* l = layers + level;
		out->count[level] = n;
		uint32_t remain = n;
		if ( n > few && level + 1 < most_levels )
		{
			if ( !make_layer( arena, points, n, l ) )
			{
				exit( 1 );
			}
			remain = thin_out( arena, n, l );
		}
		if ( remain == n )
		{
			break;
		}
		layers[level + 1].point = allocate( arena, remain, sizeof *l->point );
		uint32_t filled = 0;
		for ( uint32_t v = 0; v < n; ++v )
		{
			if ( !l->removed[v] )
			{
				layers[level + 1].point[filled++] = l->point[v];
			}
		}
		n = remain;
	}
	out->levels = level;
	uint32_t ranked = 0;
	for ( uint32_t v = 0; v < n; ++v )
	{
		rank[layers[level].point[v]] = ranked++;
	}
	for ( int k = level - 1; k >= 0; --k )
	{
		for ( uint32_t v = 0; v < out->count[k]; ++v )
		{
			if ( layers[k].removed[v] )
			{
				rank[layers[k].point[v]] = ranked++;
			}
		}
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->positions[rank[i]] = points[i];
		out->point[rank[i]] = i;
	}
	for ( int k = 0; k < level; ++k )
	{
		link_level( arena, layers + k, k, rank, out );
	}
}

// The farthest corner of a hull is that of the hull inside, or one of its neighbors that were removed: it is no lower
// than these, and of a corner that has no higher neighbor none is higher.
static uint32_t support_nested( const nested* n, bv_vec3 d )
{
	uint32_t best = 0;
	double height = bv_dot( d, n->positions[0] );
	for ( uint32_t v = 1; v < n->count[n->levels]; ++v )
	{
		double other = bv_dot( d, n->positions[v] );
		best = other > height ? v : best;
		height = other > height ? other : height;
	}
	for ( int level = n->levels - 1; level >= 0; --level )
	{
		uint32_t from = best;
		for ( uint32_t i = n->first[level][from]; i < n->first[level][from + 1]; ++i )
		{
			uint32_t v = n->neighbors[level][i];
			double other = bv_dot( d, n->positions[v] );
			best = other > height ? v : best;
			height = other > height ? other : height;
		}
	}
	return n->point[best];
}

typedef enum way
{
	way_brute,
	way_from_0,
	way_from_any,
	way_from_near, // of a direction 0.02 away
	way_nested,
	way_nested_near,
	ways,
} way;

// Nanoseconds per query, and bytes per corner for neighbors and where climbs start, without positions.
static void time_supports( uint32_t count )
{
	bv_vec3* points = malloc( count * sizeof *points );
	bvb_arena* arena = bvb_arena_create();
	bvb_hull hull;
	bvb_hull_polygons polygons;
	nested inner;
	bvb_error error;
	static bv_vec3 d[directions];
	static bv_vec3 near_d[directions];
	uint64_t seed = 2;
	for ( uint32_t i = 0; points && i < count; ++i )
	{
		points[i] = random_direction( &seed );
	}
	double start_hull = core_now();
	if ( !points || !arena || bvb_hull_compute( points, count, arena, &hull, &error ) != bv_ok )
	{
		exit( 1 );
	}
	double start_merge = core_now();
	if ( bvb_hull_merge( points, &hull, 0, arena, &polygons, &error ) != bv_ok )
	{
		exit( 1 );
	}
	double start_nest = core_now();
	nest( arena, points, count, &inner );
	double end = core_now();
	for ( int i = 0; i < directions; ++i )
	{
		d[i] = random_direction( &seed );
		near_d[i] = bv_add( d[i], bv_scale( 0.02, random_direction( &seed ) ) );
	}
	static uint32_t answer[directions];
	double nanoseconds[ways];
	for ( int w = 0; w < ways; ++w )
	{
		double start = core_now();
		uint64_t queries = 0;
		while ( core_now() - start < 0.2 )
		{
			for ( int i = 0; i < directions; ++i, ++queries )
			{
				uint32_t from = w == way_from_0 ? 0 : w == way_from_any ? BVB_ANY_VERTEX : answer[i];
				bv_vec3 along = w == way_from_near || w == way_nested_near ? near_d[i] : d[i];
				uint32_t v = w == way_brute    ? support_brute( &polygons, along )
				             : w >= way_nested ? support_nested( &inner, along )
				                               : bvb_hull_support( &polygons, along, from );
				answer[i] = w == way_brute ? v : answer[i];
				if ( w != way_from_near && w != way_nested_near && v != answer[i] )
				{
					fprintf( stderr, "bench_support: a search ends at %u instead of %u\n", v, answer[i] );
					exit( 1 );
				}
			}
		}
		nanoseconds[w] = 1e9 * ( core_now() - start ) / (double)queries;
	}
	size_t starts = 6 * (size_t)polygons.start_steps * polygons.start_steps;
	size_t climbing = ( (size_t)count + 1 + polygons.first_neighbor[count] + starts ) * sizeof( uint32_t );
	printf( "%8u", count );
	for ( int w = 0; w < ways; ++w )
	{
		printf( " %10.1f", nanoseconds[w] );
	}
	printf( " %7.1f %7.1f %6d %9.3f %9.3f %9.3f\n", (double)climbing / count, (double)inner.bytes / count,
	        inner.levels, 1e3 * ( start_merge - start_hull ), 1e3 * ( start_nest - start_merge ),
	        1e3 * ( end - start_nest ) );
	bvb_arena_destroy( arena );
	free( points );
}

int main( void )
{
	printf( "ns per query; bytes per corner of neighbors for climbing and for nested hulls; levels; ms\n%8s "
	        "%10s %10s %10s %10s "
	        "%10s %10s %7s %7s %6s %9s %9s %9s\n",
	        "corners", "brute", "from 0", "from any", "from near", "nested", "nest. near", "climb", "nested",
	        "levels", "hull", "merging", "nesting" );
	static const uint32_t counts[] = { 8, 20, 32, 64, 128, 256, 512, 1024, 2048, 4096, 20000 };
	for ( size_t i = 0; i < sizeof counts / sizeof *counts; ++i )
	{
		time_supports( counts[i] );
	}
	return 0;
}
