// V-Clip. See vclip.h.
//
// Based on: B. Mirtich, "V-Clip: fast and robust polyhedral collision detection", 1998. Two features are the nearest ones if
// each has a point in the Voronoi region of the other. If one has none, a plane of the region leads to a nearer feature;
// edges are clipped by these planes, and the distance along the remaining part says through which end to leave.
//
// Every step is to features that are nearer, or as near and of fewer dimensions, except for rounding; a cap at their number
// ends what rounding makes a circle. What the features are is only where the proof begins: their nearest points, the slab
// between them, and exact arithmetic where both do not agree.

#include "runtime/convex/vclip.h"

#include "runtime/convex/proof.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

// An edge, and the part of it that is in a Voronoi region.
typedef struct vclip_clip
{
	bv_vec3 tail;
	bv_vec3 along;
	double from; // 0 to 1
	double to;
	bvconvex_feature before; // on the other side of the plane at the start
	bvconvex_feature after;
	bool has_before;
	bool has_after;
	bool outside; // no part of it is in the region
	bool simply;  // because of one plane, that of `before`
} vclip_clip;

typedef struct vclip_walk
{
	const bvconvex_polyhedron* p[2];
	bvconvex_feature f[2];
	bool penetrates;
} vclip_walk;

static bv_vec3 corner_of( const vclip_walk* w, int k, uint32_t name )
{
	return bvconvex_polyhedron_corner( w->p[k], name );
}

static bv_vec3 vector_of( const vclip_walk* w, int k, bvconvex_half_edge e )
{
	return bv_sub( corner_of( w, k, e.to ), corner_of( w, k, e.from ) );
}

static bvconvex_half_edge next_of( const vclip_walk* w, int k, bvconvex_half_edge e )
{
	return bvconvex_half_edge_next( w->p[k], e );
}

static bvconvex_half_edge twin_of( const vclip_walk* w, int k, bvconvex_half_edge e )
{
	return bvconvex_half_edge_twin( w->p[k], e );
}

static bool is_edge( bvconvex_half_edge e )
{
	return e.id != BVCONVEX_NO_EDGE;
}

static bvconvex_feature feature( bvconvex_feature_kind kind, bvconvex_half_edge e )
{
	return ( bvconvex_feature ){ kind, e };
}

// The vertex where a half-edge ends.
static bvconvex_feature head_of( const vclip_walk* w, int k, bvconvex_half_edge e )
{
	bvconvex_half_edge back = twin_of( w, k, e );
	return is_edge( back )
	           ? feature( bvconvex_feature_vertex, back )
	           : ( bvconvex_feature ){ bvconvex_feature_vertex, { e.to, e.to, BVCONVEX_NO_EDGE } };
}

// The next edge around the vertex where a half-edge begins.
static bvconvex_half_edge turn( const vclip_walk* w, int k, bvconvex_half_edge e )
{
	bvconvex_half_edge back = twin_of( w, k, e );
	return is_edge( back ) ? next_of( w, k, back ) : back;
}

static vclip_clip clip_begin( const vclip_walk* w, int k )
{
	bvconvex_half_edge e = w->f[k].edge;
	return ( vclip_clip ){ .tail = corner_of( w, k, e.from ), .along = vector_of( w, k, e ), .to = 1 };
}

static bv_vec3 clip_point( const vclip_clip* c, double at )
{
	return bv_add( c->tail, bv_scale( at, c->along ) );
}

// Cuts off what is in front of a plane.
static void clip( vclip_clip* c, bv_vec3 point, bv_vec3 outwards, bvconvex_feature beyond )
{
	if ( c->outside )
	{
		return;
	}
	double tail = -bv_dot( outwards, bv_sub( c->tail, point ) );
	double head = tail - bv_dot( outwards, c->along );
	if ( tail < 0 && head < 0 )
	{
		c->outside = c->simply = true;
		c->before = beyond;
		return;
	}
	double at = tail / ( tail - head );
	if ( tail < 0 && at > c->from )
	{
		c->from = at;
		c->before = beyond;
		c->has_before = true;
	}
	else if ( head < 0 && at < c->to )
	{
		c->to = at;
		c->after = beyond;
		c->has_after = true;
	}
	c->outside = c->from > c->to;
}

// The normal in the plane of a half-edge's face, away from the face.
static bv_vec3 side_normal( const vclip_walk* w, int k, bvconvex_half_edge e )
{
	const bvconvex_polyhedron* p = w->p[k];
	return bv_scale( p->turned,
	                 bv_cross( bvconvex_half_edge_direction( p, e ), bvconvex_face_normal( p, e ) ) );
}

// By the planes between an edge and its ends.
static void clip_by_ends( const vclip_walk* w, int k, bvconvex_half_edge e, vclip_clip* c )
{
	bv_vec3 along = vector_of( w, k, e );
	clip( c, corner_of( w, k, e.from ), bv_negate( along ), feature( bvconvex_feature_vertex, e ) );
	clip( c, corner_of( w, k, e.to ), along, head_of( w, k, e ) );
}

// By the planes between an edge and its faces.
static void clip_by_wings( const vclip_walk* w, int k, bvconvex_half_edge e, vclip_clip* c )
{
	bvconvex_half_edge wing = e;
	for ( int i = 0; i < 2 && is_edge( wing ); ++i )
	{
		bv_vec3 outwards = bv_negate( side_normal( w, k, wing ) );
		clip( c, corner_of( w, k, e.from ), outwards, feature( bvconvex_feature_face, wing ) );
		wing = twin_of( w, k, e );
	}
}

// How the height above a plane changes along an edge. Rounding must not decide which way an edge goes that is parallel:
// one step would take it to be falling, and the next one rising.
static double rise_above( bv_vec3 normal, bv_vec3 along )
{
	double rise = bv_dot( normal, along );
	return fabs( rise ) > 0x1p-44 * bvmath_norm1( along ) ? rise : 0;
}

// How the distance from a feature changes along an edge.
static double rise_at( const vclip_walk* w, int k, bvconvex_feature from, const vclip_clip* c, double at )
{
	bv_vec3 way = bv_sub( clip_point( c, at ), corner_of( w, k, from.edge.from ) );
	if ( from.kind == bvconvex_feature_face )
	{
		bv_vec3 normal = bvconvex_face_normal( w->p[k], from.edge );
		double rise = rise_above( normal, c->along );
		return bv_dot( normal, way ) < 0 ? -rise : rise;
	}
	return bv_dot( way, c->along );
}

// Leaves a vertex or an edge through the plane that the clipped edge of the other shape is nearer beyond.
// @param k       the shape whose Voronoi region it is
// @param vertex  what distances are measured from; null for the feature beyond the plane
// @return whether there is one
static bool leave_through( vclip_walk* w, int k, const vclip_clip* c, const bvconvex_feature* vertex )
{
	if ( c->simply )
	{
		w->f[k] = c->before;
		return true;
	}
	if ( c->has_before && rise_at( w, k, vertex ? *vertex : c->before, c, c->from ) > 0 )
	{
		w->f[k] = c->before;
		return true;
	}
	if ( c->has_after && rise_at( w, k, vertex ? *vertex : c->after, c, c->to ) < 0 )
	{
		w->f[k] = c->after;
		return true;
	}
	if ( c->outside )
	{
		w->f[k] = c->has_before ? c->before : c->after;
	}
	return c->outside;
}

// Whether a point is beyond a plane between a vertex and one of its edges: then that is nearer.
static bool leave_vertex_for_point( vclip_walk* w, int k, bv_vec3 point )
{
	bvconvex_half_edge first = w->f[k].edge;
	bv_vec3 way = bv_sub( point, corner_of( w, k, first.from ) );
	bvconvex_half_edge e = first;
	for ( uint32_t i = 0; i < w->p[k]->count && is_edge( e ); ++i )
	{
		if ( bv_dot( way, vector_of( w, k, e ) ) > 0 )
		{
			w->f[k] = feature( bvconvex_feature_edge, e );
			return true;
		}
		e = turn( w, k, e );
		if ( e.id == first.id )
		{
			break;
		}
	}
	return false;
}

static bool step_vertices( vclip_walk* w )
{
	return leave_vertex_for_point( w, 0, corner_of( w, 1, w->f[1].edge.from ) ) ||
	       leave_vertex_for_point( w, 1, corner_of( w, 0, w->f[0].edge.from ) );
}

// The region of an edge between coplanar faces is flat, and has points behind both of them.
static bool is_behind( const vclip_walk* w, int k, bv_vec3 point )
{
	bvconvex_half_edge wing = w->f[k].edge;
	bv_vec3 way = bv_sub( point, corner_of( w, k, wing.from ) );
	bool behind = true;
	for ( int i = 0; i < 2 && is_edge( wing ); ++i )
	{
		behind = behind && bv_dot( bvconvex_face_normal( w->p[k], wing ), way ) < 0;
		wing = twin_of( w, k, w->f[k].edge );
	}
	return behind;
}

// @param k  the shape with the edge
static bool leave_edge_for_point( vclip_walk* w, int k, bv_vec3 point )
{
	bvconvex_half_edge e = w->f[k].edge;
	bv_vec3 along = vector_of( w, k, e );
	if ( bv_dot( along, bv_sub( point, corner_of( w, k, e.from ) ) ) < 0 )
	{
		w->f[k] = feature( bvconvex_feature_vertex, e );
		return true;
	}
	if ( bv_dot( along, bv_sub( point, corner_of( w, k, e.to ) ) ) > 0 )
	{
		w->f[k] = head_of( w, k, e );
		return true;
	}
	bvconvex_half_edge wing = e;
	bv_vec3 way = bv_sub( point, corner_of( w, k, e.from ) );
	for ( int i = 0; i < 2 && is_edge( wing ); ++i )
	{
		// Between coplanar faces rounding must not decide for each that the point is over the other one.
		bv_vec3 outwards = side_normal( w, k, wing );
		double doubt = 0x1p-44 * bvmath_norm1( outwards ) * bvmath_norm1( way );
		if ( bv_dot( outwards, way ) < -doubt )
		{
			w->f[k] = feature( bvconvex_feature_face, wing );
			return true;
		}
		wing = twin_of( w, k, e );
	}
	if ( is_behind( w, k, point ) )
	{
		w->f[k].kind = bvconvex_feature_face;
		return true;
	}
	return false;
}

static bool step_vertex_edge( vclip_walk* w, int v )
{
	int k = 1 - v;
	bv_vec3 point = corner_of( w, v, w->f[v].edge.from );
	if ( leave_edge_for_point( w, k, point ) )
	{
		return true;
	}
	vclip_clip c = clip_begin( w, k );
	bvconvex_feature vertex = w->f[v];
	bvconvex_half_edge e = vertex.edge;
	for ( uint32_t i = 0; i < w->p[v]->count && is_edge( e ); ++i )
	{
		clip( &c, point, vector_of( w, v, e ), feature( bvconvex_feature_edge, e ) );
		e = turn( w, v, e );
		if ( e.id == vertex.edge.id )
		{
			break;
		}
	}
	return leave_through( w, v, &c, &vertex );
}

static bool step_edges( vclip_walk* w )
{
	for ( int k = 0; k < 2; ++k )
	{
		vclip_clip c = clip_begin( w, 1 - k );
		clip_by_ends( w, k, w->f[k].edge, &c );
		if ( leave_through( w, k, &c, NULL ) )
		{
			return true;
		}
		clip_by_wings( w, k, w->f[k].edge, &c );
		if ( leave_through( w, k, &c, NULL ) )
		{
			return true;
		}
		if ( is_behind( w, k, clip_point( &c, 0.5 * ( c.from + c.to ) ) ) )
		{
			w->f[k].kind = bvconvex_feature_face;
			return true;
		}
	}
	return false;
}

// Of all faces of a polytope, the one that a point is farthest in front of.
// @return whether it is in front of any
static bool find_face( vclip_walk* w, int k, bv_vec3 point )
{
	const bvconvex_polyhedron* p = w->p[k];
	double most = 0;
	for ( uint32_t i = p->begin; i < p->count; ++i )
	{
		bvconvex_half_edge e = bvconvex_half_edge_at( p, i );
		if ( is_edge( e ) && bvconvex_half_edge_leads( p, e ) )
		{
			double height =
				bv_dot( bvconvex_face_normal( p, e ), bv_sub( point, corner_of( w, k, e.from ) ) );
			if ( height > most )
			{
				most = height;
				w->f[k] = feature( bvconvex_feature_face, e );
			}
		}
	}
	return most > 0;
}

static bool step_vertex_face( vclip_walk* w, int v )
{
	int k = 1 - v;
	bv_vec3 point = corner_of( w, v, w->f[v].edge.from );
	bvconvex_half_edge side = w->f[k].edge;
	bvconvex_half_edge worst = side;
	double most = 0;
	for ( uint32_t i = 0; i < w->p[k]->count && is_edge( side ); ++i )
	{
		double out = bv_dot( side_normal( w, k, side ), bv_sub( point, corner_of( w, k, side.from ) ) );
		worst = out > most ? side : worst;
		most = out > most ? out : most;
		side = next_of( w, k, side );
		if ( side.id == w->f[k].edge.id )
		{
			break;
		}
	}
	if ( most > 0 )
	{
		w->f[k] = feature( bvconvex_feature_edge, worst );
		return true;
	}
	bv_vec3 normal = bvconvex_face_normal( w->p[k], w->f[k].edge );
	double height = bv_dot( normal, bv_sub( point, corner_of( w, k, w->f[k].edge.from ) ) );
	bvconvex_half_edge e = w->f[v].edge;
	for ( uint32_t i = 0; i < w->p[v]->count && is_edge( e ); ++i )
	{
		double rise = rise_above( normal, vector_of( w, v, e ) );
		if ( ( height > 0 && rise < 0 ) || ( height < 0 && rise > 0 ) )
		{
			w->f[v] = feature( bvconvex_feature_edge, e );
			return true;
		}
		e = turn( w, v, e );
		if ( e.id == w->f[v].edge.id )
		{
			break;
		}
	}
	// Behind its plane and nowhere nearer to it: a minimum from the wrong side.
	w->penetrates = !( height > 0 ) && !find_face( w, k, point );
	return !w->penetrates && !( height > 0 );
}

// The side or corner of the face that is nearest to the edge of the other shape; of sides as near, as a face without a
// width has them, the one that the edge is farthest beyond.
static void take_nearest_side( vclip_walk* w, int k )
{
	int other = 1 - k;
	bvconvex_half_edge first = w->f[k].edge;
	bvconvex_half_edge e = first;
	bvconvex_feature best = feature( bvconvex_feature_edge, first );
	double least = INFINITY;
	double most = 0;
	for ( uint32_t i = 0; i < w->p[k]->count && is_edge( e ); ++i )
	{
		bvtri_nearest_pair near;
		bv_vec3 corner = corner_of( w, k, e.from );
		bvtri_nearest_on_segments( corner, vector_of( w, k, e ), corner_of( w, other, w->f[other].edge.from ),
		                           vector_of( w, other, w->f[other].edge ), &near );
		double out = bv_dot( side_normal( w, k, e ), bv_sub( near.b, corner ) );
		double tie = 0x1p-40 * least;
		if ( near.square < least - tie || ( near.square <= least + tie && out > most ) || i == 0 )
		{
			best = near.s <= 0   ? feature( bvconvex_feature_vertex, e )
			       : near.s >= 1 ? head_of( w, k, e )
			                     : feature( bvconvex_feature_edge, e );
			least = near.square;
			most = out;
		}
		e = next_of( w, k, e );
		if ( e.id == first.id )
		{
			break;
		}
	}
	w->f[k] = best;
}

static bool step_edge_face( vclip_walk* w, int edge )
{
	int k = 1 - edge;
	vclip_clip c = clip_begin( w, edge );
	bvconvex_half_edge side = w->f[k].edge;
	for ( uint32_t i = 0; i < w->p[k]->count && is_edge( side ); ++i )
	{
		clip( &c, corner_of( w, k, side.from ), side_normal( w, k, side ),
		      feature( bvconvex_feature_edge, side ) );
		side = next_of( w, k, side );
		if ( side.id == w->f[k].edge.id )
		{
			break;
		}
	}
	if ( c.outside )
	{
		take_nearest_side( w, k );
		return true;
	}
	bv_vec3 normal = bvconvex_face_normal( w->p[k], w->f[k].edge );
	bv_vec3 on_face = corner_of( w, k, w->f[k].edge.from );
	double from = bv_dot( normal, bv_sub( clip_point( &c, c.from ), on_face ) );
	double to = bv_dot( normal, bv_sub( clip_point( &c, c.to ), on_face ) );
	if ( !( ( from > 0 && to > 0 ) || ( from < 0 && to < 0 ) ) )
	{
		w->penetrates = true;
		return false;
	}
	double rise = rise_at( w, k, w->f[k], &c, c.from );
	bool at_start = rise >= 0;
	if ( from < 0 && rise == 0 )
	{
		// Parallel to the face, and behind it: from one of its ends the search goes on with all faces.
		w->f[edge] = feature( bvconvex_feature_vertex, w->f[edge].edge );
		return true;
	}
	bool cut = at_start ? c.has_before : c.has_after;
	if ( cut )
	{
		w->f[k] = at_start ? c.before : c.after;
	}
	else
	{
		w->f[edge] = at_start ? feature( bvconvex_feature_vertex, w->f[edge].edge )
		                      : head_of( w, edge, w->f[edge].edge );
	}
	return true;
}

// @return false at the end of the walk
static bool step( vclip_walk* w )
{
	bvconvex_feature_kind a = w->f[0].kind;
	bvconvex_feature_kind b = w->f[1].kind;
	int low = a <= b ? 0 : 1;
	switch ( a + b )
	{
	case 0: return step_vertices( w );
	case 1: return step_vertex_edge( w, low );
	case 2: return a == b ? step_edges( w ) : step_vertex_face( w, low );
	case 3: return step_edge_face( w, low );
	default:
		// Two faces are never nearest: one of their vertices or edges is.
		w->f[0].kind = bvconvex_feature_vertex;
		return true;
	}
}

void bvconvex_vclip_walk( const bvconvex_polyhedron* a, const bvconvex_polyhedron* b,
                          bvconvex_vclip_result* out )
{
	// Faces, edges and vertices of both: by Euler at most half-edges and 2 each.
	uint64_t most = ( a->count - a->begin ) + (uint64_t)( b->count - b->begin ) + 4;
	vclip_walk w = { { a, b }, { out->feature[0], out->feature[1] }, false };
	bool going = true;
	uint64_t i = 0;
	for ( ; i < most && going; ++i )
	{
		going = step( &w );
	}
	out->feature[0] = w.f[0];
	out->feature[1] = w.f[1];
	out->penetrates = w.penetrates;
	out->found = !going && !w.penetrates;
	out->steps = (uint32_t)i;
}

// @param found  receives whether an edge joins the corners
// @return that edge, or any edge of the first corner
static bvconvex_half_edge edge_to( const bvconvex_polyhedron* p, uint32_t from, uint32_t to, bool* found )
{
	bvconvex_half_edge first = bvconvex_half_edge_of( p, from );
	bvconvex_half_edge e = first;
	*found = false;
	for ( uint32_t i = 0; i < p->count && is_edge( e ); ++i )
	{
		if ( e.to == to )
		{
			*found = true;
			return e;
		}
		bvconvex_half_edge back = bvconvex_half_edge_twin( p, e );
		e = is_edge( back ) ? bvconvex_half_edge_next( p, back ) : back;
		if ( e.id == first.id )
		{
			break;
		}
	}
	first.from = from;
	return first;
}

// Features are stored by their corners: one, two, or three for a face.
static bvconvex_feature recall( const bvconvex_polyhedron* p, const bv_convex_cache* cache )
{
	uint32_t corners = p->pair->body[p->which].own.corners;
	uint32_t name[3] = { 0, 0, 0 };
	if ( cache && cache->count == 3 )
	{
		for ( int i = 0; i < 3; ++i )
		{
			name[i] = cache->name[i][p->which] < corners ? cache->name[i][p->which] : 0;
		}
	}
	bool found;
	bvconvex_half_edge e = edge_to( p, name[0], name[1], &found );
	found = found && name[1] != name[0];
	bool face = found && name[2] != name[0] && bvconvex_half_edge_next( p, e ).to == name[2];
	return feature( face    ? bvconvex_feature_face
	                : found ? bvconvex_feature_edge
	                        : bvconvex_feature_vertex,
	                e );
}

static void store( const bvconvex_polyhedron* a, const bvconvex_polyhedron* b, const bvconvex_feature f[2],
                   bv_convex_cache* cache )
{
	const bvconvex_polyhedron* p[2] = { a, b };
	cache->count = 3;
	for ( int k = 0; k < 2; ++k )
	{
		bool wide = f[k].kind != bvconvex_feature_vertex;
		bvconvex_half_edge next = { 0, f[k].edge.from, BVCONVEX_NO_EDGE };
		if ( f[k].kind == bvconvex_feature_face )
		{
			next = bvconvex_half_edge_next( p[k], f[k].edge );
		}
		cache->name[0][k] = f[k].edge.from;
		cache->name[1][k] = wide ? f[k].edge.to : f[k].edge.from;
		cache->name[2][k] = is_edge( next ) ? next.to : f[k].edge.from;
	}
}

// The corners of a feature, of a face those of a triangle of it.
static int corners_of( const bvconvex_polyhedron* p, bvconvex_feature f, bvconvex_half_edge third,
                       uint32_t out[3] )
{
	(void)p;
	out[0] = f.edge.from;
	out[1] = f.edge.to;
	out[2] = third.to;
	return f.kind == bvconvex_feature_vertex ? 1 : f.kind == bvconvex_feature_edge ? 2 : 3;
}

// Solves the simplex of the corners of both features. Of a face and a vertex, that triangle of the face counts that is
// nearest.
static void solve_features( const bvconvex_pair* pair, const bvconvex_polyhedron* a,
                            const bvconvex_polyhedron* b, const bvconvex_feature f[2],
                            bvconvex_gjk_simplex* out )
{
	const bvconvex_polyhedron* p[2] = { a, b };
	int k = f[0].kind >= f[1].kind ? 0 : 1;
	bvconvex_half_edge third =
		f[k].kind == bvconvex_feature_face ? bvconvex_half_edge_next( p[k], f[k].edge ) : f[k].edge;
	out->square = INFINITY;
	out->count = 0;
	for ( uint32_t i = 0; i < p[k]->count + 1; ++i )
	{
		uint32_t name[2][3];
		bvconvex_gjk_simplex s = { .count = 0 };
		bool triangle = f[k].kind == bvconvex_feature_face && is_edge( third );
		bvconvex_feature wide = f[k];
		wide.edge.to = triangle ? third.from : wide.edge.to;
		wide.kind = triangle || wide.kind == bvconvex_feature_vertex ? wide.kind : bvconvex_feature_edge;
		int wides = corners_of( p[k], wide, third, name[k] );
		int others = corners_of( p[1 - k], f[1 - k], f[1 - k].edge, name[1 - k] );
		others = wides == 3 ? 1 : others < 2 ? others : 2;
		for ( int m = 0; m < wides; ++m )
		{
			for ( int n = 0; n < others; ++n )
			{
				uint32_t both[2];
				both[k] = name[k][m];
				both[1 - k] = name[1 - k][n];
				s.vertex[s.count++] = bvconvex_pair_vertex( pair, both );
			}
		}
		bvconvex_gjk_solve( &s );
		if ( out->count == 0 || s.square < out->square )
		{
			*out = s;
		}
		third = triangle ? bvconvex_half_edge_next( p[k], third ) : third;
		if ( !triangle || third.id == f[k].edge.id || third.to == f[k].edge.from )
		{
			break;
		}
	}
}

// @return whether the walk found that they penetrate
static bool walk( const bvconvex_pair* pair, bv_convex_cache* cache, bvconvex_gjk_simplex* nearest )
{
	bvconvex_polyhedron a;
	bvconvex_polyhedron b;
	bvconvex_vclip_result found;
	bvconvex_polyhedron_begin( pair, 0, &a );
	bvconvex_polyhedron_begin( pair, 1, &b );
	found.feature[0] = recall( &a, cache );
	found.feature[1] = recall( &b, cache );
	bvconvex_vclip_walk( &a, &b, &found );
	solve_features( pair, &a, &b, found.feature, nearest );
	if ( cache )
	{
		store( &a, &b, found.feature, cache );
	}
	return found.penetrates;
}

// @param decided  the slab that ends the search for a decision
static void find( const bvconvex_pair* pair, const bvconvex_asked* asked, double decided, bool whole,
                  bvconvex_proof* proof )
{
	bvconvex_gjk_simplex nearest;
	bool penetrates = walk( pair, asked->cache, &nearest );
	bvconvex_proof_simplex( pair, &nearest, proof );
	// Features with a point in common are the nearest ones of shapes that touch or overlap.
	penetrates = penetrates || nearest.square <= pair->rounding * pair->rounding;
	if ( nearest.square > pair->rounding * pair->rounding )
	{
		bvconvex_proof_slab( pair, bv_negate( bvconvex_gjk_direction( pair->rounding, &nearest ) ),
		                     nearest.vertex[0].name, proof );
	}
	if ( penetrates && !( proof->lower > 0 ) )
	{
		bvconvex_proof_depth( pair, &nearest, asked->relative, whole, proof );
	}
	bool wide = proof->upper - proof->lower > asked->relative * ( proof->lower - pair->radius );
	bool decided_already = proof->lower > decided || ( !whole && proof->upper <= pair->radius );
	if ( !proof->meets && wide && !decided_already )
	{
		bvconvex_proof_decide( pair, &nearest, proof );
		if ( proof->meets && whole && !penetrates )
		{
			bvconvex_proof_depth( pair, &nearest, asked->relative, true, proof );
		}
	}
	bvconvex_proof_remember( asked->cache, proof->normal );
}

void bvconvex_vclip_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bvconvex_proof proof;
	bvconvex_proof_begin( &proof );
	find( pair, asked, INFINITY, true, &proof );
	bvconvex_proof_distance( pair, &proof, out );
}

void bvconvex_vclip_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                             bv_convex_overlap_result* out )
{
	bvconvex_proof proof;
	bvconvex_proof_begin( &proof );
	find( pair, asked, pair->radius * ( 1 + 0x1p-51 ), false, &proof );
	bvconvex_proof_overlap( pair, &proof, out );
}
