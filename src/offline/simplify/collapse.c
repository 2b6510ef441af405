// One collapse of an edge. See collapse.h.

#include "offline/simplify/collapse.h"

#include "offline/base/exact.h"
#include "offline/simplify/cross.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

#include <math.h>

// How much a place is drawn towards the middle of the edge, against the distances from the planes.
static const double towards_middle = 1e-3;

// A face of a star as it is.
typedef struct star_plane
{
	bvsimplify_half_space space; // in units of the star's size, from its middle
	double area;                 // of the face, in square units
	bool is_free;                // the face has a twin: what one of them adds the other takes away
} star_plane;

// A star in numbers of about 1.
typedef struct star_frame
{
	bv_vec3 origin;
	double unit;
	star_plane plane[bvsimplify_star_faces];
} star_frame;

static void corners_of( const bvsimplify_surface* s, uint32_t face, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = s->positions[s->faces[face].corner[k]];
	}
}

// @return false where a face has no normal
static bool frame_star( const bvsimplify_surface* s, uint32_t a, uint32_t b, const bvsimplify_star* star,
                        star_frame* out )
{
	out->origin = bv_scale( 0.5, bv_add( s->positions[a], s->positions[b] ) );
	double reach = 0;
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		bv_vec3 c[3];
		corners_of( s, star->face[i], c );
		for ( int k = 0; k < 3; ++k )
		{
			reach = bvmath_max( reach, bvmath_norm1( bv_sub( c[k], out->origin ) ) );
		}
	}
	out->unit = reach;
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		bv_vec3 c[3];
		corners_of( s, star->face[i], c );
		for ( int k = 0; k < 3; ++k )
		{
			c[k] = bv_scale( 1 / reach, bv_sub( c[k], out->origin ) );
		}
		bv_vec3 cross = bv_cross( bv_sub( c[1], c[0] ), bv_sub( c[2], c[0] ) );
		double length = bvmath_length( cross );
		if ( !( length > 0x1p-60 ) )
		{
			return false;
		}
		bv_vec3 normal = bv_scale( 1 / length, cross );
		double offset = bvmath_max( bv_dot( normal, c[0] ),
		                            bvmath_max( bv_dot( normal, c[1] ), bv_dot( normal, c[2] ) ) );
		out->plane[i] =
			( star_plane ){ { normal, offset }, length / 2, bvsimplify_surface_has_twin( s, star->face[i] ) };
	}
	return true;
}

// Whether a point is in front of all faces that have a vertex and bound something, or in their planes.
static bool is_in_front( const bvsimplify_surface* s, const bvsimplify_star* star, const star_frame* frame,
                         uint32_t vertex, bv_vec3 point )
{
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		bv_vec3 c[3];
		corners_of( s, star->face[i], c );
		if ( !frame->plane[i].is_free &&
		     ( vertex == BVSIMPLIFY_NONE || bvsimplify_face_has( s, star->face[i], vertex ) ) &&
		     bvbase_orient3d( c[0], c[1], c[2], point ) < 0 )
		{
			return false;
		}
	}
	return true;
}

// The volume that a vertex at a position adds, in front of all faces of its star, or where it is behind some
// what it takes away.
static double cost_at( const bvsimplify_star* star, const star_frame* frame, bv_vec3 position )
{
	bv_vec3 x = bv_scale( 1 / frame->unit, bv_sub( position, frame->origin ) );
	double sum = 0;
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		const star_plane* p = frame->plane + i;
		sum += p->area * fabs( bv_dot( p->space.normal, x ) - p->space.offset );
	}
	return sum * ( frame->unit * frame->unit * frame->unit );
}

static double round_coordinate( const bvsimplify_simplifier* s, double x )
{
	if ( s->lattice > 0 )
	{
		return s->lattice * rint( x / s->lattice );
	}
	volatile float rounded = (float)ldexp( x, s->exponent );
	return ldexp( (double)rounded, -s->exponent );
}

// The least of the summed squares of distances from the planes, drawn a little towards the middle where they
// leave it open.
static bool find_best( const bvsimplify_simplifier* s, const bvsimplify_star* star, const star_frame* frame,
                       bv_vec3* out )
{
	bvsimplify_half_space spaces[bvsimplify_star_faces];
	bvsimplify_quadratic f = { 0 };
	double total = 0;
	uint32_t count = 0;
	double reach = bvmath_largest( frame->origin );
	double rounding = 0x1p-24 * ( reach + frame->unit );
	rounding = s->lattice > 0 ? bvmath_max( rounding, s->lattice / 2 ) : rounding;
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		const star_plane* p = frame->plane + i;
		bvsimplify_quadratic_add( &f, &p->space, p->area );
		total += p->area;
		if ( p->is_free )
		{
			continue;
		}
		spaces[count] = p->space;
		spaces[count++].offset += 0x1p-40 + bvmath_norm1( p->space.normal ) * ( rounding / frame->unit );
	}
	for ( int k = 0; k < 3; ++k )
	{
		f.square[k][k] += towards_middle * total;
	}
	bv_vec3 x;
	if ( !bvsimplify_place( &f, spaces, count, &x ) || !( bvmath_norm1( x ) < 64 ) )
	{
		return false;
	}
	x = bv_add( frame->origin, bv_scale( frame->unit, x ) );
	*out = ( bv_vec3 ){ round_coordinate( s, x.x ), round_coordinate( s, x.y ), round_coordinate( s, x.z ) };
	return bvmath_largest( x ) < 0.25;
}

// Where a rim that passes through a vertex goes on.
// @return how many other vertices there are; one of them is not `but`
static int find_next_on_rim( const bvsimplify_surface* s, uint32_t vertex, uint32_t but, uint32_t* next )
{
	bvsimplify_star star;
	uint32_t seen[bvsimplify_star_faces * 2];
	int seen_count = 0;
	int count = 0;
	if ( !bvsimplify_surface_star( s, vertex, BVSIMPLIFY_NONE, &star ) )
	{
		return 0;
	}
	for ( uint32_t i = 0; i < 3 * star.count; ++i )
	{
		uint32_t other = s->faces[star.face[i / 3]].corner[i % 3];
		bool known = other == vertex;
		for ( int k = 0; k < seen_count && !known; ++k )
		{
			known = seen[k] == other;
		}
		if ( !known )
		{
			seen[seen_count++] = other;
			if ( bvsimplify_surface_edge( s, vertex, other ).is_rim )
			{
				count += 1;
				*next = other == but ? *next : other;
			}
		}
	}
	return count;
}

// Leaves out one vertex of a rim.
static bool may_follow_rim( const bvsimplify_surface* s, uint32_t from, uint32_t to, double* cost )
{
	uint32_t next = BVSIMPLIFY_NONE;
	if ( !bvsimplify_surface_edge( s, from, to ).is_rim || find_next_on_rim( s, from, to, &next ) != 2 ||
	     next == BVSIMPLIFY_NONE )
	{
		return false;
	}
	bv_vec3 side = bv_sub( s->positions[next], s->positions[to] );
	bv_vec3 way = bv_sub( s->positions[from], s->positions[to] );
	double square = bv_dot( side, side );
	bv_vec3 away = bv_cross( side, way );
	*cost += bv_dot( away, away ) / sqrt( bvmath_max( square, 0x1p-200 ) );
	return true;
}

static void add_place( const bvsimplify_star* star, const star_frame* frame, bv_vec3 position, double more,
                       int* count, bvsimplify_place_choice places[bvsimplify_most_places] )
{
	bvsimplify_place_choice choice = { position, cost_at( star, frame, position ) + more };
	int at = ( *count )++;
	for ( ; at > 0 && choice.cost < places[at - 1].cost; --at )
	{
		places[at] = places[at - 1];
	}
	places[at] = choice;
}

int bvsimplify_find_places( const bvsimplify_simplifier* s, uint32_t a, uint32_t b, bvsimplify_star* star,
                            bvsimplify_place_choice places[bvsimplify_most_places] )
{
	const bvsimplify_surface* surface = &s->surface;
	star_frame frame;
	if ( !bvsimplify_surface_star( surface, a, b, star ) ||
	     !bvsimplify_surface_may_collapse( surface, a, b, star ) ||
	     !frame_star( surface, a, b, star, &frame ) )
	{
		return 0;
	}
	int count = 0;
	for ( int end = 0; end < 2; ++end )
	{
		uint32_t stays = end == 0 ? a : b;
		uint32_t goes = end == 0 ? b : a;
		bv_vec3 position = surface->positions[stays];
		double more = 0;
		bool may = surface->rim[goes] ? surface->rim[stays] && may_follow_rim( surface, goes, stays, &more )
		                              : is_in_front( surface, star, &frame, goes, position );
		if ( may )
		{
			add_place( star, &frame, position, more, &count, places );
		}
	}
	bv_vec3 best;
	if ( !surface->rim[a] && !surface->rim[b] && find_best( s, star, &frame, &best ) &&
	     is_in_front( surface, star, &frame, BVSIMPLIFY_NONE, best ) )
	{
		add_place( star, &frame, best, 0, &count, places );
	}
	return count;
}

// What becomes of a star.
typedef struct collapse_change
{
	uint32_t source[bvsimplify_star_faces]; // faces that vanish or move
	uint32_t source_count;
	uint32_t face[bvsimplify_star_faces]; // faces that are left, those that move first
	uint32_t count;
	uint32_t moved;
	bv_vec3 corner[bvsimplify_star_faces][3]; // of those that move, then
	bvhaus_framed_triangle framed[bvsimplify_star_faces];
} collapse_change;

static bool is_same( bv_vec3 a, bv_vec3 b )
{
	return a.x == b.x && a.y == b.y && a.z == b.z;
}

// Neither turned over nor much thinner than faces may be.
static bool is_sound( const bv_vec3 before[3], const bv_vec3 after[3] )
{
	bv_vec3 old = bv_cross( bv_sub( before[1], before[0] ), bv_sub( before[2], before[0] ) );
	bv_vec3 u = bv_sub( after[1], after[0] );
	bv_vec3 v = bv_sub( after[2], after[0] );
	bv_vec3 new = bv_cross( u, v );
	double longest = bvmath_max( bv_dot( u, u ), bv_dot( v, v ) );
	double square = bv_dot( new, new );
	return square > 0x1p-40 * ( longest * longest ) &&
	       bv_dot( old, new ) > 0.1 * sqrt( bv_dot( old, old ) * square );
}

static bool change_star( const bvsimplify_surface* s, uint32_t a, uint32_t b, const bvsimplify_star* star,
                         bv_vec3 position, collapse_change* out )
{
	bool moves_a = !is_same( position, s->positions[a] );
	bool moves_b = !is_same( position, s->positions[b] );
	uint32_t still[bvsimplify_star_faces];
	uint32_t still_count = 0;
	out->source_count = 0;
	out->count = 0;
	for ( uint32_t i = 0; i < star->count; ++i )
	{
		uint32_t f = star->face[i];
		bool has_a = bvsimplify_face_has( s, f, a );
		bool has_b = bvsimplify_face_has( s, f, b );
		bool vanishes = has_a && has_b;
		bool moves = ( has_a && moves_a ) || ( has_b && moves_b );
		if ( !vanishes && !moves )
		{
			still[still_count++] = f;
			continue;
		}
		out->source[out->source_count++] = f;
		if ( !vanishes )
		{
			bv_vec3 before[3];
			bv_vec3* after = out->corner[out->count];
			corners_of( s, f, before );
			for ( int k = 0; k < 3; ++k )
			{
				uint32_t v = s->faces[f].corner[k];
				after[k] = v == a || v == b ? position : before[k];
			}
			if ( !is_sound( before, after ) )
			{
				return false;
			}
			out->framed[out->count] = bvhaus_frame_triangle( after );
			out->face[out->count++] = f;
		}
	}
	out->moved = out->count;
	for ( uint32_t i = 0; i < still_count; ++i )
	{
		bv_vec3 c[3];
		corners_of( s, still[i], c );
		out->framed[out->count] = bvhaus_frame_triangle( c );
		out->face[out->count++] = still[i];
	}
	return true;
}

static bool overlap( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

// Whether a face reaches behind triangles of the mesh below a node that it must not.
static bool reaches_behind( const bvsimplify_simplifier* s, bvhaus_index_ref ref, const bv_vec3 face[3],
                            const bv_aabb* box, uint32_t component )
{
	const bvhaus_index* index = s->near.index;
	if ( bvhaus_ref_is_triangle( ref ) )
	{
		const bvhaus_placed_triangle* t = index->placed + ( ref & ~BVHAUS_REF_TRIANGLE );
		return s->home[t->number] == component && bvsimplify_reaches_behind( t->corner, face );
	}
	if ( !overlap( box, index->aligned_boxes + ref ) )
	{
		return false;
	}
	const bvhaus_index_node* node = bvhaus_index_opened( index, ref );
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		if ( reaches_behind( s, index->children[node->first_child + i], face, box, component ) )
		{
			return true;
		}
	}
	return false;
}

static bool is_allowed( bvsimplify_simplifier* s, uint32_t component, const collapse_change* c,
                        bv_vec3 position )
{
	if ( !bvsimplify_is_point_near( &s->near, position ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < c->moved; ++i )
	{
		if ( !bvsimplify_is_triangle_near( &s->near, c->corner[i] ) )
		{
			return false;
		}
	}
	for ( uint32_t i = 0; i < c->moved; ++i )
	{
		bv_aabb box = bvmath_box_of_points( c->corner[i], 3 );
		if ( reaches_behind( s, s->near.index->root, c->corner[i], &box, component ) )
		{
			return false;
		}
	}
	return bvsimplify_pieces_find( &s->pieces, c->source, c->source_count, c->framed, c->count );
}

bool bvsimplify_try_collapse( bvsimplify_simplifier* s, uint32_t a, uint32_t b, const bvsimplify_star* star,
                              bv_vec3 position )
{
	collapse_change c;
	if ( !change_star( &s->surface, a, b, star, position, &c ) || c.count == 0 ||
	     !is_allowed( s, s->surface.component[a], &c, position ) )
	{
		return false;
	}
	bvsimplify_pieces_keep( &s->pieces, c.source, c.source_count, c.face );
	bvsimplify_surface_collapse( &s->surface, a, b, position, star );
	return true;
}
