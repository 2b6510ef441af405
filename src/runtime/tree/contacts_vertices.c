// Contacts of the vertices of one body with the surface of another one. See contacts_meshes.h.
//
// A vertex outside of the other surface has contacts where its distance from the surface has a local minimum. One that is inside
// is pushed out of the nearest face in front of it, or out of all faces of a concave edge. A normal counts
// if it is in the normal cone of the vertex, too: all triangles of the vertex are behind the plane through it. So a contact is a
// face of the Minkowski difference of what is near (vertex-face contacts: Eckstein 1998, section 5.2).
//
// Inside or outside is decided by the nearest point: Baerentzen, Aanaes 2005. Where triangles of two bodies side by side lie on each
// other there is no surface.

#include "runtime/tree/contacts_meshes.h"

// A vertex of one side.
typedef struct contact_vertex
{
	bvtree_mesh_contacts* q;
	int which;
	const bvtree_near* near; // a triangle that has it
	bv_feature feature;      // of this triangle
	bv_vec3 point;
	bvtree_surface other; // triangles of the other side near it
} contact_vertex;

// Whether the vertex can be pushed along a normal: it is in the normal cone of the vertex.
// @param owner   a triangle of the other side at the contact
// @param normal  from the other side to the vertex
static bool is_in_cone( const contact_vertex* v, const bvtree_near* owner, bv_vec3 normal )
{
	bvtree_surface own = bvtree_mesh_contacts_beside( v->q, 1 - v->which, owner );
	bool faces;
	return bvtree_surface_allows( &own, v->near, v->point, bv_negate( normal ), &faces ) &&
	       ( faces || !v->q->side[v->which].has_front );
}

// @param point   of the other surface
// @param normal  from there to the vertex
static bvtree_mesh_spot spot_of( const contact_vertex* v, const bvtree_near* other, bv_feature feature,
                                 bv_vec3 point, bv_vec3 normal, double separation )
{
	int which = v->which;
	bvtree_mesh_spot spot = { .maker = (bvtree_mesh_maker)which, .separation = separation };
	spot.near[which] = v->near;
	spot.near[1 - which] = other;
	spot.feature[which] = v->feature;
	spot.feature[1 - which] = feature;
	spot.point[which] = v->point;
	spot.point[1 - which] = point;
	spot.normal = which == 1 ? normal : bv_negate( normal );
	return spot;
}

static void add( const contact_vertex* v, const bvtree_near* other, bv_feature feature, bv_vec3 point,
                 bv_vec3 normal, double separation )
{
	bvtree_mesh_spot spot = spot_of( v, other, feature, point, normal, separation );
	bvtree_mesh_contacts_add( v->q, &spot );
}

// @return whether a normal leads from the other surface at a point
static bool is_allowed( const contact_vertex* v, const bvtree_near* owner, bv_vec3 point, bv_vec3 normal )
{
	bool faces;
	if ( !bvtree_surface_allows( &v->other, owner, point, normal, &faces ) )
	{
		return false;
	}
	faces &= bv_dot( owner->normal, normal ) >= -BVTREE_FLAT_SINE;
	return faces || !v->q->side[1 - v->which].has_front;
}

// @param from  where the vertex is, or will be when it has been pushed out of a face
static void look_outside( const contact_vertex* v, bv_vec3 from )
{
	const bvtree_mesh_contacts* q = v->q;
	double most = q->speculative + q->slack;
	for ( uint32_t i = 0; i < v->other.count; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( &v->other, i );
		bvtri_nearest at;
		if ( bvtree_near_gap( t, from ) > most || bvtree_mesh_contacts_skip( q, 1 - v->which, t ) )
		{
			continue;
		}
		bvtri_nearest_on_triangle( from, t->corner, &at );
		double distance = sqrt( at.square );
		if ( distance > most || distance <= q->touch ||
		     bvtree_surface_has_opposite( &v->other, t, at.point ) )
		{
			continue;
		}
		// Of points that are close to each other, the distance is more precise than the way.
		bv_vec3 normal = bv_normalize( bv_sub( from, at.point ) );
		// A face has its own normal up to its sides, also where these are concave.
		bool is_face = bvtree_is_along( normal, t->normal );
		normal = is_face ? t->normal : normal;
		if ( ( is_face || is_allowed( v, t, at.point, normal ) ) && is_in_cone( v, t, normal ) )
		{
			add( v, t, at.feature, bv_add( at.point, bv_sub( v->point, from ) ), normal, distance );
		}
	}
}

// Normals of the triangles at a point, each once.
typedef struct contact_normals
{
	const bvtree_near* near[bvtree_most_ways];
	uint32_t count;
} contact_normals;

static void list_normals( const bvtree_surface* s, const bvtree_near* owner, bv_vec3 point,
                          contact_normals* out )
{
	double reach = bvtree_surface_reach( s, owner );
	out->count = 0;
	for ( uint32_t i = 0; i < s->count && out->count < bvtree_most_ways; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( s, i );
		bvtri_nearest at;
		bool is_new = bv_dot( t->normal, t->normal ) > 0 && bvtree_surface_meets( t, point, reach, &at ) &&
		              !bvtree_surface_has_opposite( s, t, at.point );
		for ( uint32_t k = 0; k < out->count && is_new; ++k )
		{
			is_new = !bvtree_is_along( out->near[k]->normal, t->normal );
		}
		if ( is_new )
		{
			out->near[out->count++] = t;
		}
	}
}

// @return whether a point is below or above a triangle, which is wider by a border
static bool is_across( const bvtree_near* t, bv_vec3 point, double border )
{
	bool found = true;
	for ( int k = 0; k < 3 && found; ++k )
	{
		bv_vec3 side = bv_sub( t->corner[( k + 1 ) % 3], t->corner[k] );
		bv_vec3 inwards = bv_cross( bv_scale( t->winding, t->normal ), side );
		found = bv_dot( inwards, bv_sub( point, t->corner[k] ) ) >= -border * bv_length( side );
	}
	return found;
}

static bvtree_mesh_spot spot_below( const contact_vertex* v, const bvtree_near* t, double depth )
{
	bvtri_nearest at;
	bvtri_nearest_on_triangle( v->point, t->corner, &at );
	return spot_of( v, t, at.feature, bv_add( v->point, bv_scale( depth, t->normal ) ), t->normal, -depth );
}

// Pushes a vertex out of the nearest face that it is behind of and that it can be pushed out of.
// @param is_inside  the vertex is; otherwise triangles of the vertex must cross the face
static bool push_out_of_face( const contact_vertex* v, bool is_inside )
{
	bvtree_mesh_contacts* q = v->q;
	bvtree_mesh_spot best = { .near = { NULL, NULL } };
	double least = q->depth + q->slack;
	double border = 0x1p-20 * q->size + q->slack;
	for ( uint32_t i = 0; i < v->other.count; ++i )
	{
		const bv_vec3 none = { 0, 0, 0 };
		const bvtree_near* t = bvtree_surface_at( &v->other, i );
		double depth = bv_dot( t->normal, bv_sub( t->corner[0], v->point ) );
		if ( !( depth > q->touch && depth < least ) || bvtree_mesh_contacts_skip( q, 1 - v->which, t ) ||
		     ( !is_inside && !( t->state & bvtree_near_crosses ) ) || !is_across( t, v->point, border ) ||
		     !is_in_cone( v, t, t->normal ) )
		{
			continue;
		}
		bvtree_mesh_spot spot = spot_below( v, t, depth );
		if ( !bvtree_surface_has_opposite( &v->other, t, spot.point[1 - v->which] ) &&
		     ( is_inside || bvtree_mesh_contacts_overlap( q, &spot, none ) ) )
		{
			best = spot;
			least = depth;
		}
	}
	if ( best.near[0] )
	{
		bvtree_mesh_contacts_add( q, &best );
		look_outside( v, best.point[1 - v->which] );
	}
	return best.near[0];
}

// Behind a concave edge a vertex is pushed out of each of its faces.
static void push_out_of_edge( const contact_vertex* v, const bvtree_mesh_nearest* nearest )
{
	contact_normals of;
	list_normals( &v->other, nearest->near, nearest->at.point, &of );
	for ( uint32_t i = 0; i < of.count; ++i )
	{
		const bvtree_near* t = of.near[i];
		double depth = bv_dot( t->normal, bv_sub( t->corner[0], v->point ) );
		if ( depth > v->q->touch && is_in_cone( v, t, t->normal ) )
		{
			bvtree_mesh_spot spot = spot_below( v, t, depth );
			bvtree_mesh_contacts_add( v->q, &spot );
		}
	}
}

// On the surface no direction is known. Normals of faces are tried: those of the other side first.
static void look_at_touching( const contact_vertex* v, const bvtree_mesh_nearest* nearest )
{
	const bvtree_near* owner = nearest->near;
	bv_vec3 point = nearest->at.point;
	contact_normals of;
	list_normals( &v->other, owner, point, &of );
	bool is_convex = true;
	for ( uint32_t i = 0; i < of.count; ++i )
	{
		is_convex &= is_allowed( v, of.near[i], point, of.near[i]->normal );
	}
	uint32_t added = 0;
	for ( uint32_t i = 0; i < of.count && !( is_convex && added > 0 ); ++i )
	{
		const bvtree_near* t = of.near[i];
		if ( is_in_cone( v, t, t->normal ) )
		{
			bvtri_nearest at;
			bvtri_nearest_on_triangle( v->point, t->corner, &at );
			add( v, t, at.feature, at.point, t->normal, bv_dot( t->normal, bv_sub( v->point, at.point ) ) );
			++added;
		}
	}
	bvtree_surface own = bvtree_mesh_contacts_beside( v->q, 1 - v->which, owner );
	list_normals( &own, v->near, v->point, &of );
	for ( uint32_t i = 0; i < of.count && added == 0; ++i )
	{
		bv_vec3 normal = bv_negate( of.near[i]->normal );
		if ( is_allowed( v, owner, point, normal ) && is_in_cone( v, owner, normal ) )
		{
			double separation = bv_dot( normal, bv_sub( v->point, point ) );
			add( v, owner, nearest->at.feature, point, normal, separation );
			++added;
		}
	}
	bv_vec3 middle = bvtree_surface_pseudonormal( &own, v->near, v->point );
	middle = bv_sub( nearest->pseudonormal, middle );
	double length = bv_length( middle );
	if ( added == 0 && length > 0 )
	{
		bv_vec3 normal = bv_scale( 1 / length, middle );
		if ( is_allowed( v, owner, point, normal ) && is_in_cone( v, owner, normal ) )
		{
			double separation = bv_dot( normal, bv_sub( v->point, point ) );
			add( v, owner, nearest->at.feature, point, normal, separation );
		}
	}
}

// Faces of both that are in one plane leave it to rounding whether a vertex is inside. It is if what is behind the vertex is:
// bodies that are side by side touch there, too, but have nothing in common.
// @param border  how near to the other surface this matters
static bool is_inside_next_to( const contact_vertex* v, const bvtree_near* owner, double border )
{
	const bvtree_mesh_contacts* q = v->q;
	bvtree_surface own = bvtree_mesh_contacts_beside( q, 1 - v->which, owner );
	bv_vec3 front = bv_normalize( bvtree_surface_pseudonormal( &own, v->near, v->point ) );
	bv_vec3 behind = bv_sub( v->point, bv_scale( 4 * border, front ) );
	bvtree_mesh_nearest nearest;
	return bvtree_mesh_contacts_nearest( q, 1 - v->which, &v->other, behind, q->depth + q->touch,
	                                     &nearest ) &&
	       nearest.place < 0;
}

static void look_at( const contact_vertex* v )
{
	const bvtree_mesh_contacts* q = v->q;
	bvtree_mesh_nearest nearest;
	double most = bvmath_max( q->speculative, q->depth ) + q->touch;
	if ( !bvtree_mesh_contacts_nearest( q, 1 - v->which, &v->other, v->point, most, &nearest ) )
	{
		return;
	}
	// Far behind a surface without a front is beside its back.
	bool is_inside = nearest.place < 0;
	bool is_deep = is_inside && nearest.distance > q->depth + q->slack;
	if ( is_deep && q->side[1 - v->which].has_front )
	{
		return;
	}
	double border = 0x1p-20 * q->size + q->slack;
	bool is_near = !is_inside && nearest.distance <= border && is_inside_next_to( v, nearest.near, border );
	if ( !is_deep && push_out_of_face( v, is_inside || is_near ) )
	{
		return;
	}
	if ( nearest.place == 0 )
	{
		look_at_touching( v, &nearest );
	}
	if ( is_inside && !is_deep )
	{
		push_out_of_edge( v, &nearest );
		return;
	}
	look_outside( v, v->point );
}

void bvtree_mesh_contacts_of_vertices( bvtree_mesh_contacts* q, int which )
{
	const bvtree_mesh_side* s = q->side + which;
	const bvtree_mesh_record* corner = s->corner;
	uint32_t end = 0;
	for ( uint32_t first = 0; first < 3 * s->count && !q->is_full; first = end )
	{
		// All triangles near the vertex are near each triangle that has it: the shortest list is enough.
		uint32_t best = corner[first].b;
		for ( end = first; end < 3 * s->count && corner[end].mesh == corner[first].mesh &&
		                   corner[end].a == corner[first].a;
		      ++end )
		{
			uint32_t t = corner[end].b / 3;
			uint32_t least = best / 3;
			bool is_less = s->first[t + 1] - s->first[t] < s->first[least + 1] - s->first[least];
			best = is_less ? corner[end].b : best;
		}
		const bvtree_near* near = s->near + best / 3;
		contact_vertex v = {
			.q = q,
			.which = which,
			.near = near,
			.feature = (bv_feature)( best % 3 ),
			.point = near->corner[best % 3],
			.other = bvtree_mesh_contacts_beside( q, which, near ),
		};
		look_at( &v );
	}
}
