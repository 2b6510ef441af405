// Faces and edges of placed polytopes. See topology.h.

#include "runtime/convex/topology.h"

#include <math.h>

// Sides of faces in counterclockwise order, and of each side the one in the other direction. Bit k of a box's corner is
// set where it is at the end of axis k; faces are those at the start and at the end of axis 0, 1 and 2.
static const uint8_t box_origin[24] = {
	0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6
};
static const uint16_t box_twin[24] = { 11, 23, 12, 16, 18, 14, 21, 9, 19, 7, 20, 0,
	                                   2,  22, 5,  17, 3,  15, 4,  8, 10, 6, 13, 1 };
static const uint8_t triangle_origin[6] = { 0, 1, 2, 0, 2, 1 };
static const uint16_t triangle_twin[6] = { 5, 4, 3, 2, 1, 0 };
static const uint8_t segment_origin[2] = { 0, 1 };
static const uint16_t segment_twin[2] = { 1, 0 };

static const bvconvex_half_edge no_edge = { 0, 0, BVCONVEX_NO_EDGE };

static bool is_known( const bvconvex_prepared* s )
{
	switch ( s->convex->kind )
	{
	case bv_convex_of_box:
	case bv_convex_of_corners:
	case bv_convex_of_part:
	case bv_convex_of_graph: return true;
	case bv_convex_of_hull: return s->topology.head;
	default: return false;
	}
}

bool bvconvex_topology_is_known( const bvconvex_pair* pair )
{
	return is_known( &pair->body[0].own ) && is_known( &pair->body[1].own );
}

static void take_faces( const uint8_t* origin, const uint16_t* twin, uint32_t count, uint32_t sides,
                        bvconvex_polyhedron* out )
{
	out->origin = origin;
	out->twin = twin;
	out->count = count;
	out->sides = sides;
}

// Counts and lists the sides that begin in each corner, and searches among those of the corner where a side ends.
static void find_twins( const uint8_t* origin, uint32_t sides, uint16_t* twins )
{
	uint16_t first[257] = { 0 };
	uint16_t leaving[bvconvex_most_part_sides];
	for ( uint32_t i = 0; i < sides; ++i )
	{
		++first[origin[i] + 1];
	}
	for ( int i = 0; i < 256; ++i )
	{
		first[i + 1] = (uint16_t)( first[i + 1] + first[i] );
	}
	for ( uint32_t i = sides; i-- > 0; )
	{
		leaving[--first[origin[i] + 1]] = (uint16_t)i;
	}
	for ( uint32_t i = 0; i < sides; ++i )
	{
		uint8_t to = origin[i % 3 == 2 ? i - 2 : i + 1];
		uint32_t end = to < 255 ? first[to + 2] : sides;
		for ( uint32_t k = first[to + 1]; k < end; ++k )
		{
			uint32_t j = leaving[k];
			if ( origin[j % 3 == 2 ? j - 2 : j + 1] == origin[i] )
			{
				twins[i] = (uint16_t)j;
			}
		}
	}
}

static void take_part( const bvconvex_prepared* s, bvconvex_polyhedron* out )
{
	const bvfile_header* header = (const bvfile_header*)s->convex->file;
	bvfile_parts_view v = bvfile_parts_view_of( bvfile_find( header, bvfile_section_parts ) );
	const uint8_t* origin = v.faces[bvfile_first_part_face( &v, s->convex->part )];
	uint32_t sides = 3 * ( 2 * s->corners - 4 );
	find_twins( origin, sides, out->twins );
	take_faces( origin, out->twins, sides, 3, out );
}

static bv_vec3 placed_direction( const bvconvex_body* body, bv_vec3 own )
{
	return body->placed ? bvmath_times( &body->placed->turn, own ) : own;
}

void bvconvex_polyhedron_begin( const bvconvex_pair* pair, int which, bvconvex_polyhedron* out )
{
	const bvconvex_body* body = pair->body + which;
	const bvconvex_prepared* s = &body->own;
	out->pair = pair;
	out->which = which;
	out->origin = NULL;
	out->half_edges = NULL;
	out->begin = 0;
	out->count = 0;
	out->turned = 1;
	if ( body->placed )
	{
		const bv_vec3* row = body->placed->turn.row;
		out->turned = bv_dot( row[0], bv_cross( row[1], row[2] ) ) < 0 ? -1 : 1;
	}
	switch ( s->convex->kind )
	{
	case bv_convex_of_box:
		take_faces( box_origin, box_twin, 24, 4, out );
		for ( int k = 0; k < 3; ++k )
		{
			out->axis[k] = placed_direction( body, s->convex->box.axis[k] );
		}
		break;
	case bv_convex_of_corners:
		if ( s->corners == 3 )
		{
			take_faces( triangle_origin, triangle_twin, 6, 3, out );
		}
		else if ( s->corners == 2 )
		{
			take_faces( segment_origin, segment_twin, 2, 2, out );
		}
		break;
	case bv_convex_of_part: take_part( s, out ); break;
	case bv_convex_of_hull:
		out->half_edges = s->topology.half_edges;
		out->count = s->topology.head->half_edges;
		break;
	default:
		out->first_neighbor = s->first_neighbor;
		out->neighbors = s->neighbors;
		out->begin = s->first_neighbor[0];
		out->count = s->first_neighbor[s->corners];
	}
}

static bvconvex_half_edge edge_of_faces( const bvconvex_polyhedron* p, uint32_t id )
{
	uint32_t next = id % p->sides == p->sides - 1 ? id + 1 - p->sides : id + 1;
	return ( bvconvex_half_edge ){ p->origin[id], p->origin[next], id };
}

static bvconvex_half_edge edge_of_hull( const bvconvex_polyhedron* p, uint32_t id )
{
	const bvfile_half_edge* e = p->half_edges + id;
	return ( bvconvex_half_edge ){ e->origin, p->half_edges[e->next].origin, id };
}

static bvconvex_half_edge edge_of_graph( const bvconvex_polyhedron* p, uint32_t from, uint32_t id )
{
	uint32_t to = p->neighbors[id];
	return to < p->pair->body[p->which].own.corners ? ( bvconvex_half_edge ){ from, to, id } : no_edge;
}

bvconvex_half_edge bvconvex_half_edge_at( const bvconvex_polyhedron* p, uint32_t id )
{
	if ( p->origin || p->half_edges )
	{
		return p->origin ? edge_of_faces( p, id ) : edge_of_hull( p, id );
	}
	// The last corner whose neighbors do not begin after it.
	uint32_t low = 0;
	uint32_t high = p->pair->body[p->which].own.corners;
	while ( high - low > 1 )
	{
		uint32_t middle = low + ( high - low ) / 2;
		low = p->first_neighbor[middle] <= id ? middle : low;
		high = p->first_neighbor[middle] <= id ? high : middle;
	}
	return edge_of_graph( p, low, id );
}

// @return where a corner is among the neighbors of another one
static uint32_t slot_of( const bvconvex_polyhedron* p, uint32_t from, uint32_t to )
{
	uint32_t end = p->first_neighbor[from + 1];
	for ( uint32_t i = p->first_neighbor[from]; i < end; ++i )
	{
		if ( p->neighbors[i] == to )
		{
			return i;
		}
	}
	return BVCONVEX_NO_EDGE;
}

// Seen from outside, a face is clockwise of the way back, next to it.
bvconvex_half_edge bvconvex_half_edge_next( const bvconvex_polyhedron* p, bvconvex_half_edge e )
{
	if ( p->origin )
	{
		return edge_of_faces( p, e.id % p->sides == p->sides - 1 ? e.id + 1 - p->sides : e.id + 1 );
	}
	if ( p->half_edges )
	{
		return edge_of_hull( p, p->half_edges[e.id].next );
	}
	uint32_t back = slot_of( p, e.to, e.from );
	if ( back == BVCONVEX_NO_EDGE )
	{
		return no_edge;
	}
	return edge_of_graph( p, e.to,
	                      ( back == p->first_neighbor[e.to] ? p->first_neighbor[e.to + 1] : back ) - 1 );
}

bvconvex_half_edge bvconvex_half_edge_twin( const bvconvex_polyhedron* p, bvconvex_half_edge e )
{
	if ( p->origin )
	{
		return edge_of_faces( p, p->twin[e.id] );
	}
	if ( p->half_edges )
	{
		return edge_of_hull( p, p->half_edges[e.id].twin );
	}
	uint32_t back = slot_of( p, e.to, e.from );
	return back == BVCONVEX_NO_EDGE ? no_edge : ( bvconvex_half_edge ){ e.to, e.from, back };
}

bvconvex_half_edge bvconvex_half_edge_of( const bvconvex_polyhedron* p, uint32_t corner )
{
	if ( !p->origin && !p->half_edges && p->count > p->begin )
	{
		uint32_t first = p->first_neighbor[corner];
		return first < p->first_neighbor[corner + 1] ? edge_of_graph( p, corner, first ) : no_edge;
	}
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		if ( ( p->origin ? p->origin[i] : p->half_edges[i].origin ) == corner )
		{
			return bvconvex_half_edge_at( p, i );
		}
	}
	return no_edge;
}

bool bvconvex_half_edge_leads( const bvconvex_polyhedron* p, bvconvex_half_edge e )
{
	if ( p->origin )
	{
		return e.id % p->sides == 0;
	}
	if ( p->half_edges )
	{
		return e.id == p->pair->body[p->which].own.topology.polygons[p->half_edges[e.id].polygon].first_edge;
	}
	bvconvex_half_edge second = bvconvex_half_edge_next( p, e );
	bvconvex_half_edge third = second.id == BVCONVEX_NO_EDGE ? no_edge : bvconvex_half_edge_next( p, second );
	return e.id <= second.id && e.id <= third.id;
}

static bool is_box( const bvconvex_polyhedron* p )
{
	return p->origin == box_origin;
}

// Edges of a flat box have no length, but they have a direction.
bv_vec3 bvconvex_half_edge_direction( const bvconvex_polyhedron* p, bvconvex_half_edge e )
{
	if ( is_box( p ) )
	{
		uint32_t changed = e.from ^ e.to;
		bv_vec3 axis = p->axis[changed >> 1];
		return e.to & changed ? axis : bv_negate( axis );
	}
	return bv_sub( bvconvex_polyhedron_corner( p, e.to ), bvconvex_polyhedron_corner( p, e.from ) );
}

static bv_vec3 unit_or_zero( bv_vec3 v )
{
	double length = bv_length( v );
	return length > 0 && length < INFINITY ? bv_scale( 1 / length, v ) : ( bv_vec3 ){ 0, 0, 0 };
}

// Half the sum of cross products of sides is the area times the normal (Newell).
bv_vec3 bvconvex_face_normal( const bvconvex_polyhedron* p, bvconvex_half_edge e )
{
	if ( is_box( p ) )
	{
		uint32_t k = e.id / 8;
		bv_vec3 normal = bv_cross( p->axis[( k + 1 ) % 3], p->axis[( k + 2 ) % 3] );
		return unit_or_zero( bv_scale( e.id / 4 % 2 ? p->turned : -p->turned, normal ) );
	}
	bv_vec3 start = bvconvex_polyhedron_corner( p, e.from );
	bv_vec3 side = bv_sub( bvconvex_polyhedron_corner( p, e.to ), start );
	bv_vec3 sum = { 0, 0, 0 };
	bvconvex_half_edge next = bvconvex_half_edge_next( p, e );
	for ( uint32_t i = 0; i < p->count && next.id != BVCONVEX_NO_EDGE && next.id != e.id; ++i )
	{
		bv_vec3 other = bv_sub( bvconvex_polyhedron_corner( p, next.to ), start );
		sum = bv_add( sum, bv_cross( side, other ) );
		side = other;
		next = bvconvex_half_edge_next( p, next );
	}
	return unit_or_zero( bv_scale( p->turned, sum ) );
}
