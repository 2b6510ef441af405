// Delaunay tetrahedra by incremental insertion (A. Bowyer, "Computing Dirichlet tessellations", 1981; D. F.
// Watson, "Computing the n-dimensional Delaunay tessellation", 1981). The tetrahedra whose circumscribed
// spheres contain the new point are replaced by tetrahedra of the point and each side of the hole.
//
// Points are on a grid, so that the side of a sphere that a point is on is decided exactly: in binary64 if
// the value is far enough from 0, and otherwise in 128-bit integers. Therefore no input can damage the
// diagram, even with many cospherical or coplanar points. If a side of the hole had the point in its plane,
// the sphere of the tetrahedron behind it would also contain the point, because both spheres intersect the
// plane in the same circle. No tie-breaking rules are needed, and the result is the same on all machines.
//
// All points are in one large tetrahedron. Its corners are so far from the box that they are outside every
// sphere around a point of the box that has a point of the set on it and none inside.
//
// A whole set is inserted in rounds of a random choice, each about twice as large as all before it together,
// and along a space-filling curve within a round (N. Amenta, S. Choi, G. Rote, "Incremental constructions con
// BRIO", 2003). Random choices keep the expected hole as small as in random order, and the curve makes the
// last tetrahedron a good hint.

#include "offline/hull/tetrahedra.h"

#include "offline/base/arena.h"
#include "offline/base/exact.h"
#include "offline/base/random.h"
#include "offline/base/zorder.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128;

enum
{
	first_sides = 4096,   // of a hole
	first_slot_bits = 15, // slots for its edges, of which there are one and a half for each side
	cells_per_point = 16,
	rounds = 16,
};

// A tetrahedron whose volume is less, compared with the cube of its longest side, has a center that consists
// mostly of rounding.
static const double least_volume = 0x1p-30;

// Of tetrahedra: places are 32-bit numbers, and each has four corners.
static const uint32_t most_room = UINT32_MAX / 4;

// The grid's whole extent, and that of the points.
static const double grid_size = 0x1p24;
static const double used_size = 0x1p22;

typedef struct tetrahedra_side
{
	uint32_t cell;
	uint32_t corner; // across from it
} tetrahedra_side;

typedef struct slot
{
	uint64_t edge;
	uint32_t cell;
	uint32_t corner;
	uint32_t stamp; // of the insertion
} slot;

struct bvhull_tetrahedra_scratch
{
	// of each place: the last insertion that looked at it, twice, and 1 more if it is in the hole
	uint32_t* mark;

	uint32_t* hole;
	uint32_t* made;
	uint32_t* unused; // places of tetrahedra that are not alive
	uint32_t unused_count;
	tetrahedra_side* sides;
	uint32_t most_sides;
	slot* slots;
	int slot_bits;
	uint32_t stamp;
	uint32_t most_points;
};

typedef enum insertion
{
	insertion_done,
	insertion_known,      // the grid's point is one already
	insertion_many_sides, // of the hole: more than there is memory for
	insertion_many_cells,
	insertion_many_points,
} insertion;

bv_status bvhull_tetrahedra_create( const bv_aabb* box, uint32_t most_points, bvb_arena* arena,
                                    bvhull_tetrahedra* out )
{
	if ( most_points > ( most_room - 64 ) / cells_per_point )
	{
		return bv_error_memory;
	}
	bv_vec3 size = bv_sub( box->upper, box->lower );
	double longest = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	*out = ( bvhull_tetrahedra ){ .room = cells_per_point * most_points + 64,
		                          .step = longest > 0 ? longest / used_size : 1 };
	bvhull_tetrahedra_scratch* in = bvb_arena_allocate( arena, 1, sizeof *in );
	out->points = bvb_arena_allocate( arena, bvhull_far_points + (size_t)most_points, sizeof *out->points );
	out->cells = bvb_arena_allocate( arena, out->room, sizeof *out->cells );
	if ( !in || !out->points || !out->cells )
	{
		return bv_error_memory;
	}
	out->in = in;
	in->most_points = most_points;
	in->mark = bvb_arena_allocate( arena, out->room, sizeof *in->mark );
	in->hole = bvb_arena_allocate( arena, out->room, sizeof *in->hole );
	in->most_sides = first_sides;
	in->slot_bits = first_slot_bits;
	in->made = bvb_arena_allocate( arena, in->most_sides, sizeof *in->made );
	in->unused = bvb_arena_allocate( arena, out->room, sizeof *in->unused );
	in->sides = bvb_arena_allocate( arena, in->most_sides, sizeof *in->sides );
	in->slots = bvb_arena_allocate( arena, (size_t)1 << in->slot_bits, sizeof *in->slots );
	if ( !in->mark || !in->hole || !in->made || !in->unused || !in->sides || !in->slots )
	{
		return bv_error_memory;
	}
	bv_vec3 middle = bv_add( box->lower, bv_scale( 0.5, size ) );
	double half = 0.5 * grid_size * out->step;
	out->origin = bv_sub( middle, ( bv_vec3 ){ half, half, half } );
	const double l = grid_size;
	const bv_vec3 far[] = { { 0, 0, 0 }, { l, l, 0 }, { l, 0, l }, { 0, l, l } };
	for ( uint32_t k = 0; k < bvhull_far_points; ++k )
	{
		out->points[k] = far[k];
		out->cells[0].neighbor[k] = BVHULL_NO_TETRAHEDRON;
	}
	bool turned = bvbase_orient3d( far[0], far[1], far[2], far[3] ) < 0;
	out->cells[0].corner[0] = turned ? 1 : 0;
	out->cells[0].corner[1] = turned ? 0 : 1;
	out->cells[0].corner[2] = 2;
	out->cells[0].corner[3] = 3;
	out->cells[0].alive = true;
	out->point_count = bvhull_far_points;
	out->cell_count = 1;
	return bv_ok;
}

// The determinant of Shewchuk's insphere, which is the same sum of products for both types of numbers.
#define IN_SPHERE( type, wide, p, lift, out )                                        \
	{                                                                                \
		type ab = p[0][0] * p[1][1] - p[1][0] * p[0][1];                             \
		type bc = p[1][0] * p[2][1] - p[2][0] * p[1][1];                             \
		type cd = p[2][0] * p[3][1] - p[3][0] * p[2][1];                             \
		type da = p[3][0] * p[0][1] - p[0][0] * p[3][1];                             \
		type ac = p[0][0] * p[2][1] - p[2][0] * p[0][1];                             \
		type bd = p[1][0] * p[3][1] - p[3][0] * p[1][1];                             \
		wide abc = (wide)p[0][2] * bc - (wide)p[1][2] * ac + (wide)p[2][2] * ab;     \
		wide bcd = (wide)p[1][2] * cd - (wide)p[2][2] * bd + (wide)p[3][2] * bc;     \
		wide cda = (wide)p[2][2] * da + (wide)p[3][2] * ac + (wide)p[0][2] * cd;     \
		wide dab = (wide)p[3][2] * ab + (wide)p[0][2] * bd + (wide)p[1][2] * da;     \
		out = ( lift[3] * abc - lift[2] * dab ) + ( lift[1] * cda - lift[0] * bcd ); \
	}

static int exact_side( const double d[4][3] )
{
	int64_t p[4][3];
	int128 lift[4];
	for ( int i = 0; i < 4; ++i )
	{
		lift[i] = 0;
		for ( int k = 0; k < 3; ++k )
		{
			p[i][k] = (int64_t)d[i][k];
			lift[i] += p[i][k] * p[i][k];
		}
	}
	// Coordinates differ by 2^24 at most, products of all by less than 2^127.
	int128 sum;
	IN_SPHERE( int64_t, int128, p, lift, sum )
	return ( sum > 0 ) - ( sum < 0 );
}

// Whether a point is within the sphere of a tetrahedron, not on it.
static bool is_in_sphere( const bvhull_tetrahedra* t, const bvhull_tetrahedron* cell, bv_vec3 e )
{
	double p[4][3];
	double lift[4];
	double most = 1;
	for ( int i = 0; i < 4; ++i )
	{
		bv_vec3 d = bv_sub( t->points[cell->corner[i]], e );
		p[i][0] = d.x;
		p[i][1] = d.y;
		p[i][2] = d.z;
		lift[i] = bv_dot( d, d );
		most *= lift[i];
	}
	double sum;
	IN_SPHERE( double, double, p, lift, sum )

	// What is summed are 24 products of one factor of each of three points and the fourth one's square, so
	// that each is below the product of three lengths and a square.
	double longest = bvmath_max( bvmath_max( lift[0], lift[1] ), bvmath_max( lift[2], lift[3] ) );
	double bound = 0x1p-44 * sqrt( most ) * sqrt( longest );
	int sign = sum > bound ? 1 : sum < -bound ? -1 : exact_side( (const double( * )[3])p );
	return sign < 0;
}

static bool is_in_hole( const bvhull_tetrahedra* t, uint32_t cell )
{
	return t->in->mark[cell] == 2 * t->in->stamp + 1;
}

static bool is_seen( const bvhull_tetrahedra* t, uint32_t cell )
{
	return t->in->mark[cell] >> 1 == t->in->stamp;
}

// A tetrahedron that a point is in: across sides that it is beyond, which in Delaunay's tetrahedra comes to
// an end.
static uint32_t locate( const bvhull_tetrahedra* t, bv_vec3 p, uint32_t cell )
{
	for ( uint32_t i = 0; i <= t->cell_count; ++i )
	{
		const bvhull_tetrahedron* c = t->cells + cell;
		uint32_t next = BVHULL_NO_TETRAHEDRON;
		for ( int k = 0; k < 4 && next == BVHULL_NO_TETRAHEDRON; ++k )
		{
			bv_vec3 q[4];
			for ( int j = 0; j < 4; ++j )
			{
				q[j] = j == k ? p : t->points[c->corner[j]];
			}
			next = bvbase_orient3d( q[0], q[1], q[2], q[3] ) < 0 ? c->neighbor[k] : next;
		}
		if ( next == BVHULL_NO_TETRAHEDRON )
		{
			return cell;
		}
		cell = next;
	}
	return cell;
}

// All tetrahedra whose spheres the point is in, from one of them, and the sides round them.
static insertion find_hole( bvhull_tetrahedra* t, bv_vec3 p, uint32_t from, uint32_t* hole_count,
                            uint32_t* side_count )
{
	bvhull_tetrahedra_scratch* in = t->in;
	uint32_t count = 1;
	uint32_t sides = 0;
	in->hole[0] = from;
	in->mark[from] = 2 * in->stamp + 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvhull_tetrahedron* c = t->cells + in->hole[i];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			uint32_t next = c->neighbor[k];
			if ( next != BVHULL_NO_TETRAHEDRON && !is_seen( t, next ) )
			{
				bool inside = is_in_sphere( t, t->cells + next, p );
				in->mark[next] = 2 * in->stamp + inside;
				in->hole[count] = next;
				count += inside;
			}
			if ( next == BVHULL_NO_TETRAHEDRON || !is_in_hole( t, next ) )
			{
				if ( sides == in->most_sides )
				{
					return insertion_many_sides;
				}
				in->sides[sides++] = ( tetrahedra_side ){ in->hole[i], k };
			}
		}
	}
	*hole_count = count;
	*side_count = sides;
	return sides <= t->room - t->cell_count + in->unused_count ? insertion_done : insertion_many_cells;
}

static void link_both( bvhull_tetrahedra* t, uint32_t cell, uint32_t corner )
{
	bvhull_tetrahedra_scratch* in = t->in;
	const bvhull_tetrahedron* c = t->cells + cell;
	uint32_t end[2];
	int ends = 0;
	for ( uint32_t k = 0; k < 4; ++k )
	{
		if ( k != corner && c->corner[k] != t->point_count )
		{
			end[ends++] = c->corner[k];
		}
	}
	uint64_t low = end[0] < end[1] ? end[0] : end[1];
	uint64_t high = end[0] < end[1] ? end[1] : end[0];
	uint64_t edge = high << 32 | low;
	uint32_t at = (uint32_t)( ( edge * UINT64_C( 0x9e3779b97f4a7c15 ) ) >> ( 64 - in->slot_bits ) );
	while ( in->slots[at].stamp == in->stamp && in->slots[at].edge != edge )
	{
		at = ( at + 1 ) & ( ( 1u << in->slot_bits ) - 1 );
	}
	slot* s = in->slots + at;
	if ( s->stamp == in->stamp )
	{
		t->cells[cell].neighbor[corner] = s->cell;
		t->cells[s->cell].neighbor[s->corner] = cell;
		return;
	}
	*s = ( slot ){ edge, cell, corner, in->stamp };
}

// A tetrahedron of the new point and a side of the hole.
static void fill( bvhull_tetrahedra* t, const tetrahedra_side* from, uint32_t place )
{
	bvhull_tetrahedron* c = t->cells + place;
	uint32_t k = from->corner;
	uint32_t behind = t->cells[from->cell].neighbor[k];
	*c = t->cells[from->cell];
	c->corner[k] = t->point_count;
	for ( uint32_t j = 0; j < 4 && behind != BVHULL_NO_TETRAHEDRON; ++j )
	{
		uint32_t* back = &t->cells[behind].neighbor[j];
		*back = *back == from->cell ? place : *back;
	}
	for ( uint32_t j = 0; j < 4; ++j )
	{
		if ( j != k )
		{
			c->neighbor[j] = BVHULL_NO_TETRAHEDRON;
			link_both( t, place, j );
		}
	}
}

static uint32_t corner_at( const bvhull_tetrahedra* t, uint32_t cell, bv_vec3 p )
{
	const uint32_t* corner = t->cells[cell].corner;
	int k = 0;
	for ( bv_vec3 q = t->points[corner[0]]; k < 3 && ( q.x != p.x || q.y != p.y || q.z != p.z ); )
	{
		q = t->points[corner[++k]];
	}
	return corner[k];
}

static bv_vec3 to_grid( const bvhull_tetrahedra* t, bv_vec3 p )
{
	bv_vec3 d = bv_sub( p, t->origin );
	double at[3] = { d.x, d.y, d.z };
	double least = 0.5 * ( grid_size - used_size );
	for ( int k = 0; k < 3; ++k )
	{
		at[k] = bvmath_max( least, bvmath_min( floor( at[k] / t->step + 0.5 ), grid_size - least ) );
	}
	return ( bv_vec3 ){ at[0], at[1], at[2] };
}

// @param index  receives the point's, also of one that is known
static insertion insert( bvhull_tetrahedra* t, bv_vec3 point, uint32_t hint, uint32_t* index )
{
	bvhull_tetrahedra_scratch* in = t->in;
	bv_vec3 p = to_grid( t, point );
	t->made_count = 0;
	t->gone_count = 0;
	t->made = in->made;
	t->gone = in->hole;
	if ( t->point_count - bvhull_far_points == in->most_points )
	{
		return insertion_many_points;
	}
	uint32_t from = is_in_sphere( t, t->cells + hint, p ) ? hint : locate( t, p, hint );
	// A corner is in no sphere.
	if ( !is_in_sphere( t, t->cells + from, p ) )
	{
		*index = corner_at( t, from, p );
		return insertion_known;
	}
	in->stamp += 1;
	uint32_t hole;
	uint32_t sides;
	insertion found = find_hole( t, p, from, &hole, &sides );
	if ( found != insertion_done )
	{
		return found;
	}
	*index = t->point_count;
	t->points[*index] = p;
	for ( uint32_t i = 0; i < sides; ++i )
	{
		in->made[i] = in->unused_count > 0 ? in->unused[--in->unused_count] : t->cell_count++;
		fill( t, in->sides + i, in->made[i] );
	}
	for ( uint32_t i = 0; i < hole; ++i )
	{
		t->cells[in->hole[i]].alive = false;
		in->unused[in->unused_count++] = in->hole[i];
	}
	t->made_count = sides;
	t->gone_count = hole;
	t->point_count += 1;
	return insertion_done;
}

bool bvhull_tetrahedra_insert( bvhull_tetrahedra* t, bv_vec3 point, uint32_t hint )
{
	uint32_t index;
	return insert( t, point, hint, &index ) == insertion_done;
}

// @return memory of twice the size that begins with the old one's content; null when out of memory
static void* twice( bvb_arena* arena, void* old, size_t count, size_t size )
{
	void* larger = bvb_arena_allocate( arena, 2 * count, size );
	if ( larger )
	{
		memcpy( larger, old, count * size );
		bvbase_arena_release( arena, old );
	}
	return larger;
}

static bool grow_sides( bvhull_tetrahedra_scratch* in, bvb_arena* arena )
{
	size_t slots = (size_t)1 << in->slot_bits;
	if ( in->most_sides > most_room / 4 )
	{
		return false;
	}
	in->made = twice( arena, in->made, in->most_sides, sizeof *in->made );
	in->sides = twice( arena, in->sides, in->most_sides, sizeof *in->sides );
	in->slots = twice( arena, in->slots, slots, sizeof *in->slots );
	in->most_sides *= 2;
	in->slot_bits += 1;
	return in->made && in->sides && in->slots;
}

static bool grow_cells( bvhull_tetrahedra* t, bvb_arena* arena )
{
	bvhull_tetrahedra_scratch* in = t->in;
	if ( t->room > most_room / 2 )
	{
		return false;
	}
	t->cells = twice( arena, t->cells, t->room, sizeof *t->cells );
	in->mark = twice( arena, in->mark, t->room, sizeof *in->mark );
	in->hole = twice( arena, in->hole, t->room, sizeof *in->hole );
	in->unused = twice( arena, in->unused, t->room, sizeof *in->unused );
	t->room *= 2;
	return t->cells && in->mark && in->hole && in->unused;
}

// The last round has half of the points, the one before it a quarter.
static uint32_t round_of( uint32_t place )
{
	uint64_t bits = bvbase_mix( place );
	uint32_t after = 0;
	for ( ; after + 1 < rounds && bits % 2 > 0; bits /= 2 )
	{
		after += 1;
	}
	return rounds - 1 - after;
}

// Inserts a point for which memory is found if it needs more than there is.
// @return false when out of memory
static bool insert_surely( bvhull_tetrahedra* t, bv_vec3 point, uint32_t* hint, uint32_t* index,
                           bvb_arena* arena )
{
	insertion done = insert( t, point, *hint, index );
	while ( done == insertion_many_sides || done == insertion_many_cells )
	{
		if ( done == insertion_many_sides ? !grow_sides( t->in, arena ) : !grow_cells( t, arena ) )
		{
			return false;
		}
		done = insert( t, point, *hint, index );
	}
	*hint = done == insertion_done ? t->made[0] : *hint;
	return true;
}

static bool insert_all( bvhull_tetrahedra* t, const bv_vec3* points, uint32_t count,
                        const bvbase_sort_entry* order, uint32_t* index, bvb_arena* arena )
{
	uint32_t hint = 0;
	for ( uint32_t round = 0; round < rounds; ++round )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t at = order[i].value;
			if ( round_of( i ) == round && !insert_surely( t, points[at], &hint, index + at, arena ) )
			{
				return false;
			}
		}
	}
	return true;
}

bv_status bvhull_tetrahedra_of( const bv_vec3* points, uint32_t count, bvb_arena* arena,
                                bvhull_tetrahedra* out, uint32_t* index )
{
	bv_aabb box = { points[0], points[0] };
	for ( uint32_t i = 1; i < count; ++i )
	{
		box.lower = bvmath_least( box.lower, points[i] );
		box.upper = bvmath_greatest( box.upper, points[i] );
	}
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bvbase_sort_entry* order = scratch ? bvb_arena_allocate( scratch, count, sizeof *order ) : NULL;
	bvbase_sort_entry* other = scratch ? bvb_arena_allocate( scratch, count, sizeof *other ) : NULL;
	bv_status status = order && other ? bvhull_tetrahedra_create( &box, count, arena, out ) : bv_error_memory;
	if ( status == bv_ok )
	{
		bvbase_sort_in_space( points, count, order, other );
		status = insert_all( out, points, count, order, index, arena ) ? bv_ok : bv_error_memory;
	}
	bvb_arena_destroy( scratch );
	return status;
}

// From the planes that are as far from the first corner as from each other.
static bool sphere_through( const bv_vec3 corner[4], bv_vec3* center, double* radius )
{
	bv_vec3 side[3];
	double square[3];
	double longest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		side[k] = bv_sub( corner[k + 1], corner[0] );
		square[k] = bv_dot( side[k], side[k] );
		longest = bvmath_max( longest, square[k] );
	}
	bv_vec3 n[] = { bv_cross( side[1], side[2] ), bv_cross( side[2], side[0] ),
		            bv_cross( side[0], side[1] ) };
	double volume = bv_dot( side[0], n[0] );
	if ( !( fabs( volume ) > least_volume * longest * sqrt( longest ) ) )
	{
		return false;
	}
	bv_vec3 sum = bv_add( bv_scale( square[0], n[0] ),
	                      bv_add( bv_scale( square[1], n[1] ), bv_scale( square[2], n[2] ) ) );
	bv_vec3 to = bv_scale( 0.5 / volume, sum );
	*center = bv_add( corner[0], to );
	*radius = sqrt( bv_dot( to, to ) );
	return true;
}

bool bvhull_tetrahedra_sphere( const bvhull_tetrahedra* t, uint32_t cell, bv_vec3* center, double* radius )
{
	bv_vec3 p[4];
	bv_vec3 middle;
	double reach;
	for ( int k = 0; k < 4; ++k )
	{
		if ( t->cells[cell].corner[k] < bvhull_far_points )
		{
			return false;
		}
		p[k] = t->points[t->cells[cell].corner[k]];
	}
	if ( !sphere_through( p, &middle, &reach ) )
	{
		return false;
	}
	*center = bv_add( t->origin, bv_scale( t->step, middle ) );
	*radius = t->step * reach;
	return true;
}
