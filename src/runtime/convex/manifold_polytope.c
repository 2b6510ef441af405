// Support features of polytopes. See manifold.h.
//
// Faces are not listed: a feature is found by tilting a plane. It lies on the farthest corner. The edge
// that it meets first when it tilts is the one of the least slope, and the faces at both sides of that edge are those that the
// plane meets when it turns around the edge. Of all corners as far along the normal of such a face, the hull is the face. Where
// neighbors are known, those of the farthest corner are enough: the others are inside of the cone that they span.
//
// All of this is in the shape's own coordinates. Only the corners that are found are placed.

#include "runtime/convex/manifold.h"

#include "runtime/convex/closed.h"
#include "runtime/math/matrix.h"

static const double most_slope = 0.0524077792830412; // the tangent of 3 degrees
static const double least_cosine = 0.998629534754574;

enum
{
	most_ways = 24,  // that are kept
	most_climb = 32, // corners that a climb from a corner nearby visits
};

// The corners around one of a polytope, or all of them.
typedef struct surroundings
{
	const bvconvex_pair* pair;
	const bvconvex_body* body;
	int which;
	bv_vec3 along;
	uint32_t name; // of the corner
	bv_vec3 at;
	uint32_t count;
	const uint32_t* neighbors; // null for all corners
	double rough;              // heights that differ by less are equal
	bv_vec3 way[most_ways];    // from the corner to the first of them
	double depth[most_ways];   // of these, below the corner
} surroundings;

static inline bv_vec3 point_of( const surroundings* s, uint32_t name )
{
	const bvconvex_prepared* own = &s->body->own;
	return own->hull.points ? own->hull.points[name] : bvconvex_shape_corner( own, name );
}

static bv_vec3 placed_point( const surroundings* s, uint32_t name )
{
	return bvconvex_body_point( s->body, point_of( s, name ) );
}

static uint32_t name_of( const surroundings* s, uint32_t index )
{
	return s->neighbors ? s->neighbors[index] : index;
}

// @return the way to one of them; 0 for the corner itself and for one that a graph only says that it has
static inline bv_vec3 find_way( const surroundings* s, uint32_t index )
{
	uint32_t name = name_of( s, index );
	return name < s->body->own.corners ? bv_sub( point_of( s, name ), s->at ) : ( bv_vec3 ){ 0, 0, 0 };
}

static bv_vec3 way_to( const surroundings* s, uint32_t index )
{
	return index < most_ways ? s->way[index] : find_way( s, index );
}

// Puts the plane on a corner.
// @return the neighbor that is farthest above it; the number of those around if none is
static uint32_t look_around( surroundings* s, uint32_t name )
{
	const bvconvex_prepared* own = &s->body->own;
	s->name = name;
	s->at = point_of( s, name );
	s->count = own->first_neighbor ? own->first_neighbor[name + 1] - own->first_neighbor[name] : 0;
	s->neighbors = s->count > 0 ? own->neighbors + own->first_neighbor[name] : NULL;
	s->count = s->neighbors ? s->count : own->corners;
	const uint32_t* neighbors = s->neighbors;
	const bv_vec3* points = own->hull.points;
	bv_vec3 at = s->at;
	bv_vec3 along = s->along;
	uint32_t corners = own->corners;
	uint32_t count = s->count;
	uint32_t best = count;
	double most = 0;
	double size = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t other = neighbors ? neighbors[i] : i;
		bv_vec3 way = other >= corners ? ( bv_vec3 ){ 0, 0, 0 }
		              : points         ? bv_sub( points[other], at )
		                               : bv_sub( bvconvex_shape_corner( own, other ), at );
		double height = bv_dot( way, along );
		if ( i < most_ways )
		{
			s->way[i] = way;
			s->depth[i] = -height;
		}
		best = height > most ? i : best;
		most = bvmath_max( height, most );
		size = bvmath_max( bv_dot( way, way ), size );
	}
	double scale = s->body->placed ? s->body->placed->scale : 1;
	s->rough = 0x1p-30 * sqrt( size ) + 4 * s->pair->rounding / scale;
	return best;
}

// Climbs from a corner nearby, and along the way finds what is around it.
// @return false if that is not possible
static bool climb( surroundings* s, uint32_t near )
{
	const bvconvex_prepared* own = &s->body->own;
	bool has_loose =
		own->convex->kind == bv_convex_of_hull && own->topology.head && own->topology.head->loose > 0;
	if ( !own->first_neighbor || has_loose || near >= own->corners )
	{
		return false;
	}
	for ( int i = 0; i < most_climb; ++i )
	{
		uint32_t higher = look_around( s, near );
		if ( !s->neighbors || higher == s->count )
		{
			return s->neighbors != NULL;
		}
		near = s->neighbors[higher];
	}
	return false;
}

static void find_surroundings( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                               surroundings* out )
{
	out->pair = pair;
	out->body = pair->body + which;
	out->which = which;
	out->along = bvconvex_body_direction( out->body, along );
	if ( !climb( out, near ) )
	{
		const bvconvex_gjk_pair* search = &pair->search;
		look_around( out, search->support[which]( search->shape[which], &along, near ).name );
	}
}

// @param depth   below the corner
// @param square  receives that of the way's part along the plane
static bool is_flat( const surroundings* s, bv_vec3 way, double depth, double* square )
{
	*square = bv_dot( way, way ) - depth * depth;
	depth = bvmath_max( depth, 0 );
	return *square > s->rough * s->rough && depth * depth <= most_slope * most_slope * *square;
}

static double depth_of( const surroundings* s, uint32_t index )
{
	return index < most_ways ? s->depth[index] : -bv_dot( find_way( s, index ), s->along );
}

// Where slopes are equal to rounding, the edge to the farthest corner is the most certain one.
// @param flat  receives the number of edges that are flat enough
// @return its index; the number of corners around for none
static uint32_t flattest_edge( const surroundings* s, uint32_t* flat )
{
	*flat = 0;
	uint32_t best = s->count;
	double least = INFINITY;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		double depth = depth_of( s, i );
		double square;
		if ( is_flat( s, way_to( s, i ), depth, &square ) )
		{
			double slope = ( bvmath_max( depth, 0 ) + s->rough ) / sqrt( square );
			++*flat;
			best = slope < least ? i : best;
			least = bvmath_min( slope, least );
		}
	}
	return best;
}

// @param edge    a direction along the edge, of length 1
// @param normal  receives the unit normal of the face that is nearer to the direction
// @return false if neither side has one that is near enough
static bool turn_to_face( const surroundings* s, bv_vec3 edge, bv_vec3* normal )
{
	bv_vec3 up = bv_normalize( bv_sub( s->along, bv_scale( bv_dot( s->along, edge ), edge ) ) );
	bv_vec3 side = bv_cross( edge, up );
	double least[2] = { INFINITY, INFINITY };
	double across[2] = { 0, 0 };
	double depth[2] = { 0, 0 };
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 way = way_to( s, i );
		double x = bv_dot( way, side );
		double down =
			-bv_dot( way, up ); // below 0 by rounding, or for an edge that is the flattest to rounding only
		double width = fabs( x );
		double slope = ( bvmath_max( down, 0 ) + s->rough ) / width;
		int which = x > 0;
		if ( width > s->rough && slope < least[which] )
		{
			least[which] = slope;
			across[which] = width;
			depth[which] = down;
		}
	}
	// The direction is in the plane of `up` and the edge: the less steep side is the nearer one.
	int which = fabs( depth[1] ) * across[0] < fabs( depth[0] ) * across[1] ? 1 : 0;
	which = across[which] > 0 ? which : 1 - which;
	if ( !( across[which] > 0 ) )
	{
		return false;
	}
	double lateral = which == 1 ? depth[which] : -depth[which];
	*normal = bv_normalize( bv_add( bv_scale( across[which], up ), bv_scale( lateral, side ) ) );
	return bv_dot( *normal, s->along ) >= least_cosine;
}

static bool is_above_all( const surroundings* s, bv_vec3 normal )
{
	bool is_above = true;
	for ( uint32_t i = 0; i < s->count && is_above; ++i )
	{
		is_above = bv_dot( normal, way_to( s, i ) ) <= s->rough;
	}
	return is_above;
}

// The face that is near enough need not be at the edge that is met first. A corner can be inside of a face: then planes through
// it can be below other corners.
BVSIMD_NOINLINE bool find_other_face( const surroundings* s, uint32_t edge, bv_vec3* normal )
{
	bool found = false;
	for ( uint32_t i = 0; i < s->count && !found; ++i )
	{
		bv_vec3 way = way_to( s, i );
		double square;
		found = i != edge && is_flat( s, way, depth_of( s, i ), &square ) &&
		        turn_to_face( s, bv_normalize( way ), normal ) && is_above_all( s, *normal );
	}
	return found;
}

// A face with too many corners for a list: all corners of the polytope that are next to its plane.
typedef struct crowded_face
{
	const surroundings* s;
	bv_vec3 at; // of the corner, like the rest in the pair's coordinates
	bv_vec3 normal;
	bv_vec3 axis[2]; // in the face; they turn with the shape
	double doubt;
} crowded_face;

// @return whether a corner is next to the plane
static bool place_in_face( const crowded_face* f, uint32_t name, double out[2] )
{
	bv_vec3 way = bv_sub( bvconvex_pair_corner( f->s->pair, f->s->which, name ), f->at );
	out[0] = bv_dot( way, f->axis[0] );
	out[1] = bv_dot( way, f->axis[1] );
	return bv_dot( way, f->normal ) >= -f->doubt;
}

// @return the corner that is farthest along a direction in the face
static uint32_t farthest_in_face( const crowded_face* f, double x, double y )
{
	uint32_t corners = f->s->body->own.corners;
	uint32_t best = f->s->name;
	double most = -INFINITY;
	for ( uint32_t i = 0; i < corners; ++i )
	{
		double at[2];
		bool counts = place_in_face( f, i, at ) && x * at[0] + y * at[1] > most;
		best = counts ? i : best;
		most = counts ? x * at[0] + y * at[1] : most;
	}
	return best;
}

// The next corner of the face's hull, counterclockwise: all others are to the left of the way there. Of corners on one side the
// farthest.
static uint32_t next_around( const crowded_face* f, uint32_t from )
{
	uint32_t corners = f->s->body->own.corners;
	double start[2];
	double way[2] = { 0, 0 };
	double length = 0;
	uint32_t best = from;
	place_in_face( f, from, start );
	for ( uint32_t i = 0; i < corners; ++i )
	{
		double at[2];
		if ( !place_in_face( f, i, at ) )
		{
			continue;
		}
		at[0] -= start[0];
		at[1] -= start[1];
		double distance = sqrt( at[0] * at[0] + at[1] * at[1] );
		double left = way[0] * at[1] - way[1] * at[0];
		bool is_beside = fabs( left ) <= f->doubt * length;
		bool is_better = length == 0 || ( is_beside ? distance > length : left < 0 );
		if ( distance > f->doubt && is_better )
		{
			best = i;
			way[0] = at[0];
			way[1] = at[1];
			length = distance;
		}
	}
	return best;
}

static void take_named( const crowded_face* f, uint32_t name, bvconvex_contact_feature* out )
{
	bvconvex_feature_add( name, bvconvex_pair_corner( f->s->pair, f->s->which, name ), out );
}

static bool are_in_one_place( bv_vec3 a, bv_vec3 b, double doubt )
{
	bv_vec3 way = bv_sub( a, b );
	return bv_dot( way, way ) <= 4 * doubt * doubt;
}

// Goes around the hull until it comes to where it has been: R. A. Jarvis, "On the identification of the convex hull of a finite set
// of points in the plane", 1973. The first point can be on a side.
// @return false if it has too many corners
static bool wrap( const crowded_face* f, bvconvex_contact_feature* out )
{
	uint32_t at = farthest_in_face( f, 1, 0 );
	out->count = 0;
	while ( out->count < bvconvex_feature_most )
	{
		take_named( f, at, out );
		at = next_around( f, at );
		bv_vec3 next = bvconvex_pair_corner( f->s->pair, f->s->which, at );
		uint32_t known = 0;
		while ( known < out->count && !are_in_one_place( out->corner[known], next, f->doubt ) )
		{
			++known;
		}
		if ( known < out->count )
		{
			out->count -= known;
			memmove( out->name, out->name + known, out->count * sizeof *out->name );
			memmove( out->corner, out->corner + known, out->count * sizeof *out->corner );
			return true;
		}
	}
	return false;
}

// Takes the corners of the hull of such a face or, if they are too many, those that are farthest along as many directions.
// @param normal  in the shape's coordinates
// @param doubt   in the pair's
BVSIMD_NOINLINE void take_outermost( const surroundings* s, bv_vec3 normal, double doubt,
                                     bvconvex_contact_feature* out )
{
	static const double cosine[8] = { 1,
		                              0.98078528040323043,
		                              0.92387953251128674,
		                              0.83146961230254524,
		                              0.70710678118654757,
		                              0.55557023301960218,
		                              0.38268343236508978,
		                              0.19509032201612825 };
	crowded_face face = { .s = s, .normal = out->normal, .doubt = doubt };
	face.at = bvconvex_pair_corner( s->pair, s->which, s->name );
	face.axis[0] = bvconvex_body_placed( s->body, bvconvex_any_normal( normal ) );
	face.axis[1] = bv_cross( face.normal, face.axis[0] );
	if ( wrap( &face, out ) )
	{
		return;
	}
	out->count = 0;
	for ( int k = 0; k < bvconvex_feature_most; ++k )
	{
		// A quarter of a turn is eight directions.
		double c = cosine[k % 8];
		double d = k % 8 == 0 ? 0 : cosine[8 - k % 8];
		double sign = k / 16 == 0 ? 1 : -1;
		uint32_t name = k / 8 % 2 == 0 ? farthest_in_face( &face, sign * c, sign * d )
		                               : farthest_in_face( &face, -sign * d, sign * c );
		bool is_new = true;
		for ( uint32_t i = 0; i < out->count; ++i )
		{
			is_new &= out->name[i] != name;
		}
		if ( is_new )
		{
			take_named( &face, name, out );
		}
	}
}

void bvconvex_feature_of_polytope( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                                   bvconvex_contact_feature* out )
{
	surroundings s;
	find_surroundings( pair, which, along, near, &s );
	uint32_t flat;
	uint32_t edge = flattest_edge( &s, &flat );
	if ( edge == s.count )
	{
		bvconvex_feature_add( s.name, placed_point( &s, s.name ), out );
		return;
	}
	bv_vec3 normal;
	if ( !turn_to_face( &s, bv_normalize( way_to( &s, edge ) ), &normal ) &&
	     !( flat > 1 && find_other_face( &s, edge, &normal ) ) )
	{
		bvconvex_feature_add( s.name, placed_point( &s, s.name ), out );
		bvconvex_feature_add( name_of( &s, edge ), placed_point( &s, name_of( &s, edge ) ), out );
		return;
	}
	double doubt = 2 * s.rough;
	uint32_t count =
		bvconvex_shape_level( &s.body->own, normal, s.name, doubt, out->name, bvconvex_feature_most );
	out->normal = bvconvex_body_placed( s.body, normal );
	if ( count > bvconvex_feature_most )
	{
		double scale = s.body->placed ? s.body->placed->scale : 1;
		take_outermost( &s, normal, scale * doubt, out );
		return;
	}
	out->count = count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->corner[i] = placed_point( &s, out->name[i] );
	}
}
