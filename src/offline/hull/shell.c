// Moves corners of shells. See shell.h.
//
// If the neighbors of a corner are fixed, the corner may move to all points from which its triangles neither
// cut into the core nor make the surface concave. These points are an intersection of half-spaces. The volume
// is a linear function of the corner's position, so that the best position is the solution of a linear
// program (as for the corners of progressive hulls: Sander, Gu, Gortler, Hoppe, Snyder 2000, section 3). When
// a triangle becomes coplanar with its neighbor, their common edge is flipped, so that the corner can move
// on.

#include "offline/hull/shell.h"

#include "offline/hull/nearest.h"
#include "offline/hull/rough.h"
#include "offline/hull/surface.h"
#include "runtime/math/vec.h"

#include <math.h>

// Lengths below this are made of rounding.
static const double tiny = 1e-11;

// Triangles of less height than this have no plane to speak of.
static const double least_height = 1e-7;

bv_status bvhull_core_create( const bvb_hull_polygons* hull, const bvhull_round_frame* frame, double volume,
                              bvb_arena* arena, bvhull_core* out )
{
	*out = ( bvhull_core ){ .vertex_count = hull->vertex_count, .polygons = hull, .frame = frame };
	out->volume = volume / frame->scale[0] / frame->scale[1] / frame->scale[2];
	out->at = bvb_arena_allocate( arena, hull->vertex_count, sizeof *out->at );
	for ( uint32_t v = 0; out->at && v < hull->vertex_count; ++v )
	{
		out->at[v] = bvhull_into_frame( frame, hull->positions[v] );
	}
	return out->at ? bv_ok : bv_error_memory;
}

uint32_t bvhull_core_support( const bvhull_core* core, bv_vec3 direction, uint32_t start )
{
	uint32_t best = start;
	double highest = bv_dot( direction, core->at[best] );
	const uint32_t* first = core->polygons->first_neighbor;
	for ( bool higher = true; higher; )
	{
		higher = false;
		uint32_t from = best;
		for ( uint32_t i = first[from]; i < first[from + 1]; ++i )
		{
			uint32_t other = core->polygons->neighbors[i];
			double height = bv_dot( direction, core->at[other] );
			if ( height > highest )
			{
				highest = height;
				best = other;
				higher = true;
			}
		}
	}
	return best;
}

// How far a point stands off the core, in the coordinates that these are made from.
static double stand_off( const bvhull_core* core, bv_vec3 point, uint32_t start )
{
	return bvhull_find_nearest( core->polygons, bvhull_out_of_frame( core->frame, point ), start ).distance;
}

static uint32_t origin( const bvhull_shell* s, uint32_t side )
{
	return s->faces[side / 3].corner[side % 3];
}

static bool allocate( bvhull_shell* s, uint32_t corners, uint32_t faces, bvb_arena* arena )
{
	s->at = bvb_arena_allocate( arena, corners, sizeof *s->at );
	s->leaving = bvb_arena_allocate( arena, corners, sizeof *s->leaving );
	s->faces = bvb_arena_allocate( arena, faces, sizeof *s->faces );
	s->twin = bvb_arena_allocate( arena, 3 * (size_t)faces, sizeof *s->twin );
	s->touched = bvb_arena_allocate( arena, 3 * (size_t)faces, sizeof *s->touched );
	s->tangent = bvb_arena_allocate( arena, 3 * (size_t)faces, sizeof *s->tangent );
	s->square = bvb_arena_allocate( arena, corners, sizeof *s->square );
	return s->at && s->square && s->leaving && s->faces && s->twin && s->touched && s->tangent;
}

// The faces of a rough hull that are alive, with numbers of their own for their corners.
static bool copy_rough( const bvhull_rough* r, bvb_arena* arena, bvhull_shell* s )
{
	uint32_t* number = bvb_arena_allocate( arena, r->face_count, sizeof *number );
	uint32_t* corner = bvb_arena_allocate( arena, r->point_count, sizeof *corner );
	uint32_t faces = 0;
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		faces += !r->faces[f].dead;
	}
	if ( !number || !corner || !allocate( s, faces / 2 + 2, faces, arena ) )
	{
		return false;
	}
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		const bvhull_rough_face* face = &r->faces[f];
		for ( int k = 0; k < 3 && !face->dead; ++k )
		{
			uint32_t point = face->corner[k];
			if ( corner[point] == 0 )
			{
				s->at[s->corner_count] = r->points[point];
				s->leaving[s->corner_count++] = 3 * s->face_count + (uint32_t)k;
				corner[point] = s->corner_count;
			}
			s->faces[s->face_count].corner[k] = corner[point] - 1;
		}
		number[f] = s->face_count;
		s->face_count += !face->dead;
	}
	for ( uint32_t f = 0; f < r->face_count; ++f )
	{
		const bvhull_rough_face* face = &r->faces[f];
		for ( uint32_t k = 0; k < 3 && !face->dead; ++k )
		{
			uint32_t twin = 3 * number[face->neighbor[k]];
			while ( origin( s, twin ) != s->faces[number[f]].corner[( k + 1 ) % 3] )
			{
				++twin;
			}
			s->twin[3 * number[f] + k] = twin;
		}
	}
	return true;
}

bv_status bvhull_shell_create( const bv_vec3* points, uint32_t count, bvb_arena* arena, bvhull_shell* out )
{
	*out = ( bvhull_shell ){ 0 };
	bvhull_rough rough = { .arena = arena };
	for ( uint32_t i = 0; i < count && !rough.failed; ++i )
	{
		bvhull_rough_add( &rough, points[i] );
	}
	bvhull_rough_hull( &rough, tiny );
	if ( rough.failed ||
	     ( rough.point_count == count && rough.face_count > 0 && !copy_rough( &rough, arena, out ) ) )
	{
		return bv_error_memory;
	}
	return bv_ok;
}

double bvhull_shell_volume( const bvhull_shell* s )
{
	double sum = 0;
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		const uint32_t* corner = s->faces[f].corner;
		bv_vec3 a = bv_sub( s->at[corner[0]], s->at[0] );
		bv_vec3 b = bv_sub( s->at[corner[1]], s->at[0] );
		bv_vec3 c = bv_sub( s->at[corner[2]], s->at[0] );
		sum += bv_dot( a, bv_cross( b, c ) );
	}
	return sum / 6;
}

// At corners and midpoints, with weights that are exact for quadratic functions.
double bvhull_shell_gap( bvhull_shell* s, const bvhull_core* core )
{
	double sum = 0;
	for ( uint32_t c = 0; c < s->corner_count; ++c )
	{
		double distance = stand_off( core, s->at[c], BVB_ANY_VERTEX );
		s->square[c] = distance * distance;
	}
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		const uint32_t* corner = s->faces[f].corner;
		bv_vec3 a = bvhull_out_of_frame( core->frame, s->at[corner[0]] );
		bv_vec3 ab = bv_sub( bvhull_out_of_frame( core->frame, s->at[corner[1]] ), a );
		bv_vec3 ac = bv_sub( bvhull_out_of_frame( core->frame, s->at[corner[2]] ), a );
		bv_vec3 normal = bv_cross( ab, ac );
		bv_vec3 middle = bv_add( a, bv_scale( 1.0 / 3, bv_add( ab, ac ) ) );
		double distance = bvhull_find_nearest( core->polygons, middle, BVB_ANY_VERTEX ).distance;
		double at_corners = s->square[corner[0]] + s->square[corner[1]] + s->square[corner[2]];
		sum += sqrt( bv_dot( normal, normal ) ) / 2 * ( at_corners / 12 + distance * distance * 3 / 4 );
	}
	return sum;
}

// What is around a corner.
typedef struct shell_ring
{
	uint32_t spoke[BVHULL_MOST_NEIGHBORS]; // sides that start at the corner, counter-clockwise
	uint32_t side[BVHULL_MOST_NEIGHBORS];  // from the end of one spoke to that of the next
	uint32_t count;
} shell_ring;

// @return false when there are too many
static bool find_ring( const bvhull_shell* s, uint32_t corner, shell_ring* out )
{
	uint32_t spoke = s->leaving[corner];
	out->count = 0;
	do
	{
		if ( out->count == BVHULL_MOST_NEIGHBORS )
		{
			return false;
		}
		out->side[out->count] = bvhull_next_side( spoke );
		out->spoke[out->count++] = spoke;
		spoke = s->twin[bvhull_previous_side( spoke )];
	} while ( spoke != s->leaving[corner] );
	return true;
}

// A half-space through `through`, of points as seen from `from`. One without a direction always holds.
static bvhull_constraint half_space( bv_vec3 normal, bv_vec3 through, bv_vec3 from )
{
	double length = sqrt( bv_dot( normal, normal ) );
	if ( !( length > tiny * tiny ) )
	{
		return ( bvhull_constraint ){ .least = -1 };
	}
	normal = bv_scale( 1 / length, normal );
	return ( bvhull_constraint ){ normal, bv_dot( normal, bv_sub( through, from ) ) };
}

// Finds the plane through a side that touches the core under its triangle. A vertex is x in front of the side
// and -y below the triangle; what is wanted is the greatest y / x, which is raised until no vertex is above
// (Dinkelbach 1967).
// @return false when there is no telling where it is
static bool find_tangent( bvhull_shell* s, const bvhull_core* core, uint32_t side )
{
	enum
	{
		most_steps = 30,
	};
	bv_vec3 a = s->at[origin( s, side )];
	bv_vec3 along = bv_sub( s->at[origin( s, bvhull_next_side( side ) )], a );
	bv_vec3 up = bv_cross( along, bv_sub( s->at[origin( s, bvhull_previous_side( side ) )], a ) );
	double height = sqrt( bv_dot( up, up ) );
	double length = sqrt( bv_dot( along, along ) );
	if ( !( height > tiny * length ) )
	{
		return false;
	}
	up = bv_scale( 1 / height, up );
	bv_vec3 inwards = bv_scale( 1 / length, bv_cross( up, along ) );
	uint32_t vertex = s->touched[side];
	double slope = -1e4;
	for ( int step = 0; step < most_steps; ++step )
	{
		bv_vec3 d = bv_sub( core->at[vertex], a );
		double x = bv_dot( inwards, d );
		double y = bv_dot( up, d );
		if ( step > 0 && !( y - slope * x > tiny ) )
		{
			break;
		}
		if ( x > 0 && y > slope * x )
		{
			slope = bvmath_min( y / x, 0 );
		}
		vertex = bvhull_core_support( core, bv_sub( up, bv_scale( slope, inwards ) ), vertex );
	}
	s->touched[side] = vertex;
	s->tangent[side] = half_space( bv_sub( up, bv_scale( slope, inwards ) ), a, ( bv_vec3 ){ 0 } );
	return true;
}

// Forgets the planes through all sides of a corner.
static void forget_tangents( bvhull_shell* s, uint32_t corner )
{
	uint32_t spoke = s->leaving[corner];
	do
	{
		s->tangent[spoke] = ( bvhull_constraint ){ 0 };
		s->tangent[s->twin[spoke]] = ( bvhull_constraint ){ 0 };
		spoke = s->twin[bvhull_previous_side( spoke )];
	} while ( spoke != s->leaving[corner] );
}

static bv_vec3 normal_of( const bvhull_shell* s, uint32_t face )
{
	const uint32_t* corner = s->faces[face].corner;
	return bv_cross( bv_sub( s->at[corner[1]], s->at[corner[0]] ),
	                 bv_sub( s->at[corner[2]], s->at[corner[0]] ) );
}

static void set_side( bvhull_shell* s, uint32_t side, uint32_t from, uint32_t twin )
{
	s->faces[side / 3].corner[side % 3] = from;
	s->twin[side] = twin;
	s->twin[twin] = side;
	s->leaving[from] = side;
}

// Turns a side within its two triangles, where they are in one plane and make a convex polygon.
static void turn_side( bvhull_shell* s, uint32_t side )
{
	uint32_t other = s->twin[side];
	uint32_t a = origin( s, side );
	uint32_t b = origin( s, other );
	uint32_t c = origin( s, bvhull_previous_side( side ) );
	uint32_t d = origin( s, bvhull_previous_side( other ) );
	bv_vec3 before = bv_add( normal_of( s, side / 3 ), normal_of( s, other / 3 ) );
	bv_vec3 cd = bv_sub( s->at[d], s->at[c] );
	bv_vec3 with_a = bv_cross( bv_sub( s->at[a], s->at[c] ), cd );
	bv_vec3 with_b = bv_cross( cd, bv_sub( s->at[b], s->at[c] ) );
	double least = 1e-4 * bv_dot( before, before );
	if ( !( bv_dot( with_a, before ) > least && bv_dot( with_b, before ) > least ) )
	{
		return;
	}
	uint32_t ca = s->twin[bvhull_previous_side( side )];
	uint32_t bc = s->twin[bvhull_next_side( side )];
	uint32_t db = s->twin[bvhull_previous_side( other )];
	uint32_t ad = s->twin[bvhull_next_side( other )];
	uint32_t f = side / 3;
	uint32_t g = other / 3;
	const uint32_t touched[2] = { s->touched[side], s->touched[other] };

	// c a d and c d b.
	set_side( s, 3 * f, c, ca );
	set_side( s, 3 * f + 1, a, ad );
	set_side( s, 3 * g + 1, d, db );
	set_side( s, 3 * g + 2, b, bc );
	set_side( s, 3 * f + 2, d, 3 * g );
	set_side( s, 3 * g, c, 3 * f + 2 );
	for ( uint32_t k = 0; k < 3; ++k )
	{
		s->touched[3 * f + k] = touched[0];
		s->touched[3 * g + k] = touched[1];
		s->tangent[3 * f + k] = ( bvhull_constraint ){ 0 };
		s->tangent[3 * g + k] = ( bvhull_constraint ){ 0 };
	}
}

// Whether both ends of a side keep three neighbors without it.
static bool may_turn( const bvhull_shell* s, uint32_t side )
{
	shell_ring a;
	shell_ring b;
	return find_ring( s, origin( s, side ), &a ) && find_ring( s, origin( s, s->twin[side] ), &b ) &&
	       a.count > 3 && b.count > 3;
}

// Turns the side if it is still where it was.
static void turn_if_there( bvhull_shell* s, uint32_t side, uint32_t from, uint32_t to )
{
	if ( origin( s, side ) == from && origin( s, bvhull_next_side( side ) ) == to && may_turn( s, side ) )
	{
		turn_side( s, side );
	}
}

// The constraints of a corner within a ring of sides, as seen from `from`: for each side, a plane through it
// that touches the core, the triangle beyond it, which must not come below the corner, and the triangle that
// it and the next side make, which must not come above.
static bool find_constraints( bvhull_shell* s, const bvhull_core* core, const uint32_t* sides, uint32_t count,
                              bv_vec3 from, bvhull_constraint* out )
{
	bool found = true;
	for ( uint32_t i = 0; i < count && found; ++i )
	{
		uint32_t next = sides[( i + 1 ) % count];
		bv_vec3 a = s->at[origin( s, sides[i] )];
		bv_vec3 b = s->at[origin( s, next )];
		bv_vec3 c = s->at[origin( s, bvhull_next_side( next ) )];
		const bvhull_constraint* tangent = &s->tangent[sides[i]];
		found = bvmath_norm1( tangent->normal ) > 0 || find_tangent( s, core, sides[i] );
		out[i] = ( bvhull_constraint ){ tangent->normal, tangent->least - bv_dot( tangent->normal, from ) };
		out[count + 2 * i] = half_space( bv_negate( normal_of( s, s->twin[sides[i]] / 3 ) ), a, from );
		out[count + 2 * i + 1] = half_space( bv_cross( bv_sub( b, a ), bv_sub( c, a ) ), a, from );
	}
	return found;
}

// Twice the area that a ring of sides spans, as a vector: how six volumes below it grow with where its corner
// is.
static bv_vec3 span( const bvhull_shell* s, const uint32_t* sides, uint32_t count, bv_vec3 from,
                     double* reach )
{
	bv_vec3 sum = { 0 };
	*reach = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 a = bv_sub( s->at[origin( s, sides[i] )], from );
		bv_vec3 b = bv_sub( s->at[origin( s, bvhull_next_side( sides[i] ) )], from );
		sum = bv_add( sum, bv_cross( a, b ) );
		*reach = bvmath_max( bvmath_norm1( a ), *reach );
	}
	return sum;
}

// Whether a corner makes triangles with all sides of a ring whose planes can be told.
static bool is_apart( const bvhull_shell* s, const shell_ring* around, bv_vec3 corner )
{
	bool apart = true;
	for ( uint32_t i = 0; i < around->count && apart; ++i )
	{
		bv_vec3 a = s->at[origin( s, around->side[i] )];
		bv_vec3 along = bv_sub( s->at[origin( s, bvhull_next_side( around->side[i] ) )], a );
		bv_vec3 up = bv_cross( along, bv_sub( corner, a ) );
		apart = bv_dot( up, up ) > least_height * least_height * bv_dot( along, along );
	}
	return apart;
}

// Moves a corner to the best place.
// @return by how much that makes the volume less
static double move_corner( bvhull_shell* s, const bvhull_core* core, uint32_t corner )
{
	shell_ring around;
	bvhull_constraint constraints[3 * BVHULL_MOST_NEIGHBORS];
	bv_vec3 from = s->at[corner];
	if ( !find_ring( s, corner, &around ) ||
	     !find_constraints( s, core, around.side, around.count, from, constraints ) )
	{
		return 0;
	}

	// What the corner violates by rounding it may go on to violate: so there always is a way to stay.
	for ( uint32_t i = 0; i < 3 * around.count; ++i )
	{
		constraints[i].least = bvmath_min( constraints[i].least, 0 );
	}
	double reach;
	bv_vec3 step;
	bv_vec3 cost = span( s, around.side, around.count, from, &reach );
	if ( !bvhull_solve_linear( cost, constraints, 3 * around.count, reach, &step ) ||
	     !( bv_dot( cost, step ) < 0 ) )
	{
		return 0;
	}

	// A corner that nothing needs ends at another one, but for this.
	if ( !is_apart( s, &around, bv_add( from, step ) ) )
	{
		step = bv_scale( 0.75, step );
	}
	if ( !is_apart( s, &around, bv_add( from, step ) ) )
	{
		return 0;
	}
	s->at[corner] = bv_add( from, step );
	forget_tangents( s, corner );
	uint32_t end[BVHULL_MOST_NEIGHBORS];
	for ( uint32_t i = 0; i < around.count; ++i )
	{
		end[i] = origin( s, around.side[i] );
	}
	for ( uint32_t i = 0; i < around.count; ++i )
	{
		uint32_t next = ( i + 1 ) % around.count;
		const bvhull_constraint* beyond = &constraints[around.count + 2 * i];
		const bvhull_constraint* below = beyond + 1;
		if ( bv_dot( beyond->normal, step ) - beyond->least < tiny )
		{
			turn_if_there( s, around.side[i], end[i], end[next] );
		}
		else if ( bv_dot( below->normal, step ) - below->least < tiny )
		{
			turn_if_there( s, around.spoke[next], corner, end[next] );
		}
	}
	return -bv_dot( cost, step ) / 6;
}

void bvhull_shell_tighten( bvhull_shell* s, const bvhull_core* core, uint32_t sweeps )
{
	double excess = bvhull_shell_volume( s ) - core->volume;
	double gained = excess;
	for ( uint32_t sweep = 0; sweep < sweeps && gained > 0.01 * excess; ++sweep )
	{
		gained = 0;
		for ( uint32_t corner = 0; corner < s->corner_count; ++corner )
		{
			gained += move_corner( s, core, corner );
		}
		excess -= gained;
	}
}

// The ring around both ends of a side.
// @return false when there are too many, or the ends have a third neighbor in common, so that they can't be
//         made one
static bool find_double_ring( const bvhull_shell* s, uint32_t side, shell_ring* out )
{
	out->count = 0;
	for ( int end = 0; end < 2; ++end )
	{
		uint32_t along = end == 0 ? side : s->twin[side];
		uint32_t last = bvhull_next_side( s->twin[along] );
		for ( uint32_t spoke = s->twin[bvhull_previous_side( along )]; spoke != last;
		      spoke = s->twin[bvhull_previous_side( spoke )] )
		{
			if ( out->count == BVHULL_MOST_NEIGHBORS )
			{
				return false;
			}
			out->spoke[out->count] = spoke;
			out->side[out->count++] = bvhull_next_side( spoke );
		}
	}
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		for ( uint32_t j = 0; j < i; ++j )
		{
			if ( origin( s, out->side[i] ) == origin( s, out->side[j] ) )
			{
				return false;
			}
		}
	}
	return out->count >= 3;
}

// What it costs to make the ends of a side one, and where it would be best: the volume that is added times
// the square of how far the corner stands off, so that there are no spikes that are thin but long.
static double cost_of_collapse( bvhull_shell* s, const bvhull_core* core, uint32_t side, bv_vec3* best )
{
	shell_ring around;
	bvhull_constraint constraints[3 * BVHULL_MOST_NEIGHBORS];
	bv_vec3 from = bv_scale( 0.5, bv_add( s->at[origin( s, side )], s->at[origin( s, s->twin[side] )] ) );
	if ( !find_double_ring( s, side, &around ) ||
	     !find_constraints( s, core, around.side, around.count, from, constraints ) )
	{
		return INFINITY;
	}
	double reach;
	bv_vec3 step;
	bv_vec3 cost = span( s, around.side, around.count, from, &reach );
	if ( !bvhull_solve_linear( cost, constraints, 3 * around.count, reach, &step ) ||
	     !is_apart( s, &around, bv_add( from, step ) ) )
	{
		return INFINITY;
	}
	double before = 0;
	for ( uint32_t i = 0; i < around.count; ++i )
	{
		bv_vec3 a = bv_sub( s->at[origin( s, around.side[i] )], from );
		bv_vec3 b = bv_sub( s->at[origin( s, bvhull_next_side( around.side[i] ) )], from );
		bv_vec3 c = bv_sub( s->at[origin( s, around.spoke[i] )], from );
		before += bv_dot( bv_cross( a, b ), c );
	}
	*best = bv_add( from, step );
	double distance = stand_off( core, *best, s->touched[around.side[0]] );
	return ( bv_dot( cost, step ) - before ) * distance * distance;
}

// What is known of the sides that could be collapsed.
typedef struct collapses
{
	double* cost;    // of each side; infinite for none, and for those whose twin stands for them
	bool* old;       // of each side: something near it has changed since
	uint32_t* best;  // of node i of a binary tree, the side of least cost below; side j is leaf `leaves` + j
	uint32_t leaves; // a power of two
} collapses;

static bool begin_collapses( collapses* c, uint32_t sides, bvb_arena* arena )
{
	c->leaves = 1;
	while ( c->leaves < sides )
	{
		c->leaves *= 2;
	}
	c->cost = bvb_arena_allocate( arena, c->leaves, sizeof *c->cost );
	c->old = bvb_arena_allocate( arena, c->leaves, sizeof *c->old );
	c->best = bvb_arena_allocate( arena, 2 * (size_t)c->leaves, sizeof *c->best );
	if ( !c->cost || !c->old || !c->best )
	{
		return false;
	}
	for ( uint32_t side = 0; side < c->leaves; ++side )
	{
		c->cost[side] = INFINITY;
		c->best[c->leaves + side] = side;
	}
	for ( uint32_t node = c->leaves - 1; node > 0; --node )
	{
		c->best[node] = c->best[2 * node];
	}
	return true;
}

static void set_cost( collapses* c, uint32_t side, double cost, bool old )
{
	c->old[side] = old;
	if ( c->cost[side] == cost )
	{
		return;
	}
	c->cost[side] = cost;
	for ( uint32_t node = ( c->leaves + side ) / 2; node > 0; node /= 2 )
	{
		uint32_t left = c->best[2 * node];
		uint32_t right = c->best[2 * node + 1];
		c->best[node] = c->cost[right] < c->cost[left] ? right : left;
	}
}

// Costs near a corner may have changed. They seldom get less, so they are found anew only where they seem to
// be least.
static void mark_old( const bvhull_shell* s, uint32_t corner, collapses* known )
{
	uint32_t spoke = s->leaving[corner];
	do
	{
		uint32_t side = spoke < s->twin[spoke] ? spoke : s->twin[spoke];
		set_cost( known, side, known->cost[side] < INFINITY ? known->cost[side] : 0, true );
		spoke = s->twin[bvhull_previous_side( spoke )];
	} while ( spoke != s->leaving[corner] );
}

// Makes the ends of a side one. Its triangles, and the other end, are left without anything that leads to
// them.
static void collapse_side( bvhull_shell* s, uint32_t side, bv_vec3 at, collapses* known )
{
	shell_ring around;
	find_double_ring( s, side, &around );
	uint32_t kept = origin( s, side );
	for ( uint32_t i = 0; i < around.count; ++i )
	{
		s->faces[around.spoke[i] / 3].corner[around.spoke[i] % 3] = kept;
		s->leaving[origin( s, around.side[i] )] = around.side[i];
	}
	for ( int end = 0; end < 2; ++end )
	{
		uint32_t along = end == 0 ? side : s->twin[side];
		uint32_t a = s->twin[bvhull_next_side( along )];
		uint32_t b = s->twin[bvhull_previous_side( along )];
		s->twin[a] = b;
		s->twin[b] = a;
		set_cost( known, a < b ? b : a, INFINITY, true );
		set_cost( known, a < b ? a : b, 0, true );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			set_cost( known, along / 3 * 3 + k, INFINITY, true );
		}
	}
	s->leaving[kept] = around.spoke[0];
	s->at[kept] = at;
	forget_tangents( s, kept );
	for ( uint32_t i = 0; i < around.count; ++i )
	{
		mark_old( s, origin( s, around.side[i] ), known );
	}
}

// Gives the corners and faces that are left numbers from 0.
static void renumber( bvhull_shell* s, const bool* gone, uint32_t* number )
{
	uint32_t faces = 0;
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		number[f] = faces;
		faces += !gone[f];
	}
	for ( uint32_t f = 0; f < s->face_count; ++f )
	{
		for ( uint32_t k = 0; k < 3 && !gone[f]; ++k )
		{
			uint32_t side = 3 * number[f] + k;
			uint32_t twin = s->twin[3 * f + k];
			s->twin[side] = 3 * number[twin / 3] + twin % 3;
			s->touched[side] = s->touched[3 * f + k];
			s->tangent[side] = s->tangent[3 * f + k];
			s->faces[number[f]].corner[k] = s->faces[f].corner[k];
		}
	}
	s->face_count = faces;
	for ( uint32_t c = 0; c < s->corner_count; ++c )
	{
		s->leaving[c] = UINT32_MAX;
	}
	for ( uint32_t side = 0; side < 3 * faces; ++side )
	{
		s->leaving[origin( s, side )] = side;
	}
	uint32_t corners = 0;
	for ( uint32_t c = 0; c < s->corner_count; ++c )
	{
		number[c] = corners;
		if ( s->leaving[c] != UINT32_MAX )
		{
			s->at[corners] = s->at[c];
			s->leaving[corners++] = s->leaving[c];
		}
	}
	s->corner_count = corners;
	for ( uint32_t side = 0; side < 3 * faces; ++side )
	{
		s->faces[side / 3].corner[side % 3] = number[origin( s, side )];
	}
}

bool bvhull_shell_collapse( bvhull_shell* s, const bvhull_core* core, uint32_t most, bvb_arena* arena )
{
	uint32_t sides = 3 * s->face_count;
	collapses known;
	bool* gone = bvb_arena_allocate( arena, s->face_count, sizeof *gone );
	uint32_t* number = bvb_arena_allocate( arena, sides, sizeof *number );
	if ( !gone || !number || !begin_collapses( &known, sides, arena ) )
	{
		return false;
	}
	bv_vec3 at;
	for ( uint32_t side = 0; side < sides; ++side )
	{
		if ( side < s->twin[side] )
		{
			set_cost( &known, side, cost_of_collapse( s, core, side, &at ), false );
		}
	}
	uint32_t left = s->corner_count;
	while ( left > most && known.cost[known.best[1]] < INFINITY )
	{
		uint32_t best = known.best[1];
		bool sure = !known.old[best];
		set_cost( &known, best, cost_of_collapse( s, core, best, &at ), false );
		if ( sure && known.cost[best] < INFINITY )
		{
			gone[best / 3] = true;
			gone[s->twin[best] / 3] = true;
			collapse_side( s, best, at, &known );
			--left;
		}
	}
	renumber( s, gone, number );
	return true;
}
