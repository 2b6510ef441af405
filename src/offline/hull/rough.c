// Quickhull (Barber, Dobkin, Huhdanpaa 1996) with a tolerance that is larger than all rounding errors. Points
// within the tolerance are skipped, and so are points whose horizon is not a simple loop.

#include "offline/hull/rough.h"

#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

static const uint32_t none = UINT32_MAX;

static bool grow_points( bvhull_rough* r )
{
	uint32_t room = r->point_room ? 2 * r->point_room : 1024;
	bv_vec3* points = bvb_arena_allocate( r->arena, room, sizeof *points );
	uint32_t* next = bvb_arena_allocate( r->arena, room, sizeof *next );
	uint32_t* loose = bvb_arena_allocate( r->arena, room, sizeof *loose );
	uint32_t* face_from = bvb_arena_allocate( r->arena, room, sizeof *face_from );
	if ( !points || !next || !loose || !face_from )
	{
		r->failed = true;
		return false;
	}
	if ( r->point_count > 0 )
	{
		memcpy( points, r->points, r->point_count * sizeof *points );
	}
	r->points = points;
	r->next = next;
	r->loose = loose;
	r->face_from = face_from;
	r->point_room = room;
	return true;
}

void bvhull_rough_add( bvhull_rough* r, bv_vec3 point )
{
	if ( r->point_count < r->point_room || grow_points( r ) )
	{
		r->points[r->point_count++] = point;
	}
}

void bvhull_rough_add_all( bvhull_rough* r, const bv_vec3* points, uint32_t count )
{
	while ( count > r->point_room - r->point_count )
	{
		if ( !grow_points( r ) )
		{
			return;
		}
	}
	if ( count > 0 )
	{
		memcpy( r->points + r->point_count, points, count * sizeof *points );
		r->point_count += count;
	}
}

static bool grow_faces( bvhull_rough* r )
{
	uint32_t room = r->face_room ? 2 * r->face_room : 512;
	bvhull_rough_face* faces = bvb_arena_allocate( r->arena, room, sizeof *faces );
	uint32_t* stack = bvb_arena_allocate( r->arena, room, sizeof *stack );
	uint32_t* seen = bvb_arena_allocate( r->arena, room, sizeof *seen );

	// There are three sides to two faces, and any of them may be of the horizon of a point that rounding
	// misplaces.
	uint32_t( *horizon )[3] = bvb_arena_allocate( r->arena, room + room / 2, sizeof *horizon );
	if ( !faces || !stack || !seen || !horizon )
	{
		r->failed = true;
		return false;
	}
	if ( r->face_count > 0 )
	{
		memcpy( faces, r->faces, r->face_count * sizeof *faces );
	}
	r->faces = faces;
	r->stack = stack;
	r->seen = seen;
	r->horizon = horizon;
	r->face_room = room;
	return true;
}

static double height_over( const bvhull_rough_face* face, bv_vec3 point )
{
	return bv_dot( face->normal, point ) - face->offset;
}

static inline void set_face( bvhull_rough* r, uint32_t index, uint32_t a, uint32_t b, uint32_t c )
{
	bvhull_rough_face* face = r->faces + index;
	bv_vec3 normal = bv_cross( bv_sub( r->points[b], r->points[a] ), bv_sub( r->points[c], r->points[a] ) );
	double length = sqrt( bv_dot( normal, normal ) );
	normal = length > 0 ? bv_scale( 1 / length, normal ) : ( bv_vec3 ){ 0 };
	face->corner[0] = a;
	face->corner[1] = b;
	face->corner[2] = c;
	face->normal = normal;
	face->offset = bv_dot( normal, r->points[a] );
	face->outside = none;
	face->farthest = none;
	face->height = 0;
	face->mark = 0;
	face->dead = false;
}

// Gives loose points to a face that they are above by more than the tolerance, and leaves the others. Without
// branches: which points these are cannot be predicted.
static uint32_t give_to_face( bvhull_rough* r, uint32_t index, uint32_t count, double tolerance )
{
	bvhull_rough_face* face = r->faces + index;
	bv_vec3 normal = face->normal;
	double offset = face->offset;
	const bv_vec3* points = r->points;
	uint32_t* next = r->next;
	uint32_t* loose = r->loose;
	uint32_t outside = face->outside;
	uint32_t farthest = face->farthest;
	double highest = tolerance;
	uint32_t left = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		// What is written after a point that stays loose is not read.
		uint32_t point = loose[i];
		double height = bv_dot( normal, points[point] ) - offset;
		bool above = height > tolerance;
		next[point] = outside;
		outside = above ? point : outside;
		loose[left] = point;
		left += !above;
		farthest = height > highest ? point : farthest;
		highest = bvmath_max( height, highest );
	}
	face->outside = outside;
	face->farthest = farthest;
	face->height = highest;
	return left;
}

// Gives loose points to the face that they are highest over, if that is by more than the tolerance.
static void give_to_highest( bvhull_rough* r, uint32_t first, uint32_t faces, uint32_t count,
                             double tolerance )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t point = r->loose[i];
		bvhull_rough_face* best = NULL;
		double highest = tolerance;
		for ( uint32_t f = first; f < first + faces; ++f )
		{
			double height = height_over( &r->faces[f], r->points[point] );
			if ( height > highest )
			{
				highest = height;
				best = r->faces + f;
			}
		}
		if ( best )
		{
			r->next[point] = best->outside;
			best->outside = point;
			if ( best->farthest == none || highest > best->height )
			{
				best->farthest = point;
				best->height = highest;
			}
		}
	}
}

#ifdef __x86_64__
// As give_to_face with up to four faces at once, in the same order and with the same numbers.
__attribute__( ( target( "avx2" ) ) ) static uint32_t
give_to_four( bvhull_rough* r, uint32_t first, uint32_t faces, uint32_t count, double tolerance )
{
	enum
	{
		lanes = 4,
	};

	// What no face gets is for one that is not there.
	uint32_t outside[lanes + 1] = { none, none, none, none, none };
	uint32_t farthest[lanes + 1] = { none, none, none, none, none };
	double highest[lanes + 1] = { tolerance, tolerance, tolerance, tolerance, tolerance };
	double height[lanes + 1] = { 0 };
	const bvhull_rough_face* f = r->faces + first;
	const bvhull_rough_face* of[lanes];
	for ( uint32_t k = 0; k < lanes; ++k )
	{
		of[k] = f + ( k < faces ? k : 0 );
	}
	__m256d x = _mm256_set_pd( of[3]->normal.x, of[2]->normal.x, of[1]->normal.x, of[0]->normal.x );
	__m256d y = _mm256_set_pd( of[3]->normal.y, of[2]->normal.y, of[1]->normal.y, of[0]->normal.y );
	__m256d z = _mm256_set_pd( of[3]->normal.z, of[2]->normal.z, of[1]->normal.z, of[0]->normal.z );
	__m256d offset = _mm256_set_pd( of[3]->offset, of[2]->offset, of[1]->offset, of[0]->offset );
	__m256d least = _mm256_set1_pd( tolerance );
	const bv_vec3* points = r->points;
	uint32_t* next = r->next;
	uint32_t* loose = r->loose;
	uint32_t left = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t point = loose[i];
		__m256d sum = _mm256_add_pd( _mm256_mul_pd( x, _mm256_broadcast_sd( &points[point].x ) ),
		                             _mm256_mul_pd( y, _mm256_broadcast_sd( &points[point].y ) ) );
		sum = _mm256_add_pd( sum, _mm256_mul_pd( z, _mm256_broadcast_sd( &points[point].z ) ) );
		sum = _mm256_sub_pd( sum, offset );
		unsigned above = (unsigned)_mm256_movemask_pd( _mm256_cmp_pd( sum, least, _CMP_GT_OQ ) );
		_mm256_storeu_pd( height, sum );
		unsigned k = (unsigned)__builtin_ctz( above | 1u << lanes );
		next[point] = outside[k];
		outside[k] = point;
		loose[left] = point;
		left += k == lanes;
		farthest[k] = height[k] > highest[k] ? point : farthest[k];
		highest[k] = bvmath_max( height[k], highest[k] );
	}
	for ( uint32_t k = 0; k < faces; ++k )
	{
		r->faces[first + k].outside = outside[k];
		r->faces[first + k].farthest = farthest[k];
		r->faces[first + k].height = highest[k];
	}
	return left;
}

#endif

// Gives loose points to new faces that they are above by more than the tolerance: the first one, or that which
// they are highest over.
static void give( bvhull_rough* r, uint32_t first, uint32_t faces, uint32_t count, double tolerance )
{
	if ( r->to_highest )
	{
		give_to_highest( r, first, faces, count, tolerance );
		return;
	}
	uint32_t given = 0;
#ifdef __x86_64__
	bool wide = !r->one_by_one && __builtin_cpu_supports( "avx2" );
	for ( ; wide && given < faces && count > 0; given += 4 )
	{
		uint32_t some = faces - given < 4 ? faces - given : 4;
		count = give_to_four( r, first + given, some, count, tolerance );
	}
#endif
	for ( ; given < faces && count > 0; ++given )
	{
		count = give_to_face( r, first + given, count, tolerance );
	}
}

// The point farthest from what `from` measures.
typedef struct extreme
{
	uint32_t point;
	double value;
} extreme;

static extreme farthest_from_point( const bvhull_rough* r, bv_vec3 from )
{
	extreme best = { 0, -1 };
	for ( uint32_t i = 0; i < r->point_count; ++i )
	{
		bv_vec3 d = bv_sub( r->points[i], from );
		double square = bv_dot( d, d );
		best = square > best.value ? ( extreme ){ i, square } : best;
	}
	best.value = sqrt( best.value );
	return best;
}

static extreme farthest_from_line( const bvhull_rough* r, bv_vec3 from, bv_vec3 direction )
{
	extreme best = { 0, -1 };
	for ( uint32_t i = 0; i < r->point_count; ++i )
	{
		bv_vec3 d = bv_cross( bv_sub( r->points[i], from ), direction );
		double square = bv_dot( d, d );
		best = square > best.value ? ( extreme ){ i, square } : best;
	}
	best.value = sqrt( best.value );
	return best;
}

static extreme farthest_from_plane( const bvhull_rough* r, bv_vec3 from, bv_vec3 normal )
{
	extreme best = { 0, 0 };
	for ( uint32_t i = 0; i < r->point_count; ++i )
	{
		double height = bv_dot( normal, bv_sub( r->points[i], from ) );
		best = fabs( height ) > fabs( best.value ) ? ( extreme ){ i, height } : best;
	}
	return best;
}

static bv_vec3 unit( bv_vec3 v )
{
	return bv_scale( 1 / sqrt( bv_dot( v, v ) ), v );
}

static bv_vec3 across( bv_vec3 v )
{
	bv_vec3 x = fabs( v.x ) < 0.6 ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	return unit( bv_cross( v, x ) );
}

// Every point stays, and comes back moved to both sides.
static void thicken( bvhull_rough* r, bv_vec3 direction, double tolerance )
{
	uint32_t count = r->point_count;
	for ( uint32_t i = 0; i < count && !r->failed; ++i )
	{
		bvhull_rough_add( r, bv_add( r->points[i], bv_scale( 2 * tolerance, direction ) ) );
		if ( !r->failed )
		{
			bvhull_rough_add( r, bv_sub( r->points[i], bv_scale( 2 * tolerance, direction ) ) );
		}
	}
}

// Four points that are not flat, thickening the set where there are none.
static bool find_first( bvhull_rough* r, double tolerance, uint32_t corner[4] )
{
	for ( int round = 0; round < 4 && !r->failed; ++round )
	{
		corner[0] = farthest_from_point( r, r->points[0] ).point;
		bv_vec3 from = r->points[corner[0]];
		extreme end = farthest_from_point( r, from );
		corner[1] = end.point;
		if ( end.value <= 2 * tolerance )
		{
			thicken( r, ( bv_vec3 ){ 1, 0, 0 }, tolerance );
			continue;
		}
		bv_vec3 along = unit( bv_sub( r->points[corner[1]], from ) );
		extreme side = farthest_from_line( r, from, along );
		corner[2] = side.point;
		if ( side.value <= 2 * tolerance )
		{
			thicken( r, across( along ), tolerance );
			continue;
		}
		bv_vec3 normal = unit( bv_cross( along, bv_sub( r->points[corner[2]], from ) ) );
		extreme top = farthest_from_plane( r, from, normal );
		corner[3] = top.point;
		if ( fabs( top.value ) > 2 * tolerance )
		{
			if ( top.value > 0 )
			{
				uint32_t swap = corner[1];
				corner[1] = corner[2];
				corner[2] = swap;
			}
			return true;
		}
		thicken( r, normal, tolerance );
	}
	return false;
}

static void make_first( bvhull_rough* r, const uint32_t corner[4], double tolerance )
{
	static const int of[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
	static const uint32_t beyond[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
	for ( uint32_t f = 0; f < 4; ++f )
	{
		set_face( r, f, corner[of[f][0]], corner[of[f][1]], corner[of[f][2]] );
		memcpy( r->faces[f].neighbor, beyond[f], sizeof beyond[f] );
	}
	r->face_count = 4;
	for ( uint32_t i = 0; i < r->point_count; ++i )
	{
		r->loose[i] = i;
	}
	give( r, 0, 4, r->point_count, tolerance );
}

// All faces connected with `start` that the point is not clearly below, and the sides around them.
static uint32_t find_horizon( bvhull_rough* r, uint32_t start, uint32_t point, double slack,
                              uint32_t* seen_count )
{
	uint32_t stacked = 1;
	uint32_t sides = 0;
	bv_vec3 at = r->points[point];
	*seen_count = 0;
	r->stack[0] = start;
	r->faces[start].mark = point + 1;
	while ( stacked > 0 )
	{
		uint32_t index = r->stack[--stacked];
		r->seen[( *seen_count )++] = index;
		const bvhull_rough_face* face = r->faces + index;
		for ( int k = 0; k < 3; ++k )
		{
			bvhull_rough_face* other = r->faces + face->neighbor[k];
			if ( other->mark == point + 1 )
			{
				continue;
			}
			if ( height_over( other, at ) > -slack )
			{
				other->mark = point + 1;
				r->stack[stacked++] = face->neighbor[k];
				continue;
			}
			r->horizon[sides][0] = face->corner[k];
			r->horizon[sides][1] = face->corner[( k + 1 ) % 3];
			r->horizon[sides++][2] = face->neighbor[k];
		}
	}
	return sides;
}

static bool is_simple_loop( bvhull_rough* r, uint32_t sides, uint32_t first_new )
{
	for ( uint32_t i = 0; i < sides; ++i )
	{
		r->face_from[r->horizon[i][0]] = none;
	}
	for ( uint32_t i = 0; i < sides; ++i )
	{
		uint32_t* at = &r->face_from[r->horizon[i][0]];
		if ( *at != none )
		{
			return false;
		}
		*at = first_new + i;
	}
	uint32_t length = 0;
	uint32_t at = 0;
	do
	{
		at = r->face_from[r->horizon[at][1]] - first_new;
		++length;
	} while ( at != 0 && at < sides && length <= sides );
	return at == 0 && length == sides;
}

// Sets the face beyond the side of a face that starts at a corner.
static void set_neighbor( bvhull_rough_face* face, uint32_t from, uint32_t beyond )
{
	int side = face->corner[1] == from ? 1 : face->corner[2] == from ? 2 : 0;
	face->neighbor[side] = beyond;
}

static void drop_farthest( bvhull_rough* r, bvhull_rough_face* face, double tolerance )
{
	uint32_t count = 0;
	for ( uint32_t list = face->outside; list != none; list = r->next[list] )
	{
		r->loose[count] = list;
		count += list != face->farthest;
	}
	face->outside = none;
	face->farthest = none;
	give( r, (uint32_t)( face - r->faces ), 1, count, tolerance );
}

static void add_corner( bvhull_rough* r, uint32_t start, double tolerance )
{
	uint32_t point = r->faces[start].farthest;
	uint32_t seen_count;
	uint32_t first_new = r->face_count;
	uint32_t sides = find_horizon( r, start, point, 0.01 * tolerance, &seen_count );
	if ( sides < 3 || !is_simple_loop( r, sides, first_new ) )
	{
		drop_farthest( r, r->faces + start, tolerance );
		return;
	}
	while ( first_new + sides > r->face_room )
	{
		uint32_t( *horizon )[3] = r->horizon;
		uint32_t* seen = r->seen;
		if ( !grow_faces( r ) )
		{
			return;
		}
		memcpy( r->horizon, horizon, sides * sizeof *horizon );
		memcpy( r->seen, seen, seen_count * sizeof *seen );
	}
	r->face_count += sides;
	for ( uint32_t i = 0; i < sides; ++i )
	{
		uint32_t from = r->horizon[i][0];
		uint32_t to = r->horizon[i][1];
		set_face( r, first_new + i, from, to, point );
		r->faces[first_new + i].neighbor[0] = r->horizon[i][2];
		set_neighbor( r->faces + r->horizon[i][2], to, first_new + i );
	}
	for ( uint32_t i = 0; i < sides; ++i )
	{
		uint32_t after = r->face_from[r->horizon[i][1]];
		r->faces[first_new + i].neighbor[1] = after;
		r->faces[after].neighbor[2] = first_new + i;
	}
	uint32_t count = 0;
	for ( uint32_t i = 0; i < seen_count; ++i )
	{
		bvhull_rough_face* face = r->faces + r->seen[i];
		face->dead = true;
		for ( uint32_t list = face->outside; list != none; list = r->next[list] )
		{
			r->loose[count] = list;
			count += list != point;
		}
	}
	give( r, first_new, sides, count, tolerance );
}

static bool begin_hull( bvhull_rough* r, double tolerance )
{
	r->face_count = 0;
	r->given = r->point_count;
	uint32_t corner[4];
	if ( r->failed || r->point_count == 0 || ( r->face_room == 0 && !grow_faces( r ) ) ||
	     !find_first( r, tolerance, corner ) )
	{
		return false;
	}
	make_first( r, corner, tolerance );
	return true;
}

void bvhull_rough_hull( bvhull_rough* r, double tolerance )
{
	r->to_highest = false;
	if ( !begin_hull( r, tolerance ) )
	{
		return;
	}
	for ( uint32_t f = 0; f < r->face_count && !r->failed; ++f )
	{
		while ( !r->faces[f].dead && r->faces[f].outside != none && !r->failed )
		{
			add_corner( r, f, tolerance );
		}
	}
}

void bvhull_rough_hull_of_few( bvhull_rough* r, double tolerance, uint32_t most )
{
	// Which point is the farthest outside of all decides here.
	r->to_highest = true;
	if ( !begin_hull( r, tolerance ) )
	{
		return;
	}
	uint32_t corners = 4;
	uint32_t best = 0;
	while ( corners < most && best != none && !r->failed )
	{
		best = none;
		for ( uint32_t f = 0; f < r->face_count; ++f )
		{
			const bvhull_rough_face* face = r->faces + f;
			best = !face->dead && face->outside != none &&
			               ( best == none || face->height > r->faces[best].height )
			           ? f
			           : best;
		}
		if ( best != none )
		{
			uint32_t before = r->face_count;
			add_corner( r, best, tolerance );
			corners += r->face_count > before;
		}
	}
}

double bvhull_rough_volume( const bvhull_rough* r )
{
	double sum = 0;
	if ( r->face_count == 0 )
	{
		return 0;
	}
	bv_vec3 from = r->points[r->faces[0].corner[0]];
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		const bvhull_rough_face* face = r->faces + f;
		if ( !face->dead )
		{
			bv_vec3 a = bv_sub( r->points[face->corner[0]], from );
			bv_vec3 b = bv_sub( r->points[face->corner[1]], from );
			bv_vec3 c = bv_sub( r->points[face->corner[2]], from );
			sum += bv_dot( a, bv_cross( b, c ) );
		}
	}
	return sum / 6;
}

// What thickening has moved a point from.
static uint32_t source_of( const bvhull_rough* r, uint32_t point )
{
	while ( point >= r->given )
	{
		uint32_t count = r->given;
		while ( point >= 3 * count )
		{
			count *= 3;
		}
		point = ( point - count ) / 2;
	}
	return point;
}

bv_vec3* bvhull_rough_corners( bvhull_rough* r, bvb_arena* arena, uint32_t* count )
{
	uint32_t most = 0;
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		most += r->faces[f].dead ? 0 : 3;
		for ( int k = 0; k < 3; ++k )
		{
			r->face_from[source_of( r, r->faces[f].corner[k] )] = none;
		}
	}
	*count = 0;
	bv_vec3* out = bvb_arena_allocate( arena, most / 6 + 2, sizeof *out );
	for ( uint32_t f = 0; out && f < r->face_count; ++f )
	{
		for ( int k = 0; k < 3 && !r->faces[f].dead; ++k )
		{
			uint32_t point = source_of( r, r->faces[f].corner[k] );
			if ( r->face_from[point] == none )
			{
				r->face_from[point] = f;
				out[( *count )++] = r->points[point];
			}
		}
	}
	return out;
}
