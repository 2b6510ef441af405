// Contacts of one triangle and the shape, along a normal that is given. See contacts.h, and manifold.h for how features meet.

#include "runtime/tree/contacts.h"

#include "runtime/convex/closed.h"
#include "runtime/triangle/nearest.h"

bool bvtree_contacts_place( bvtree_contacts* q, const bvtree_near* t, bv_vec3 moved )
{
	for ( int k = 0; k < 3; ++k )
	{
		q->triangle.corner[k] = bv_sub( t->corner[k], moved );
	}
	bvconvex_pair_room* room = &q->query.room;
	bool is_placed = bvconvex_shape_read( &q->triangle, &room->body[0].own ) &&
	                 bvconvex_pair_place_shapes( NULL, room, &q->query.pair );
	q->query.pair.closed_is_enough = true;
	return is_placed;
}

// The same as bvconvex_query_distance, of bodies that are placed.
void bvtree_contacts_distance( bvtree_contacts* q, bv_convex_result* out )
{
	*out = ( bv_convex_result ){ .lower = -INFINITY, .upper = INFINITY };
	q->query.method->distance( &q->query.pair, &q->query.asked, out );
	bvconvex_query_finish( &q->query, out );
}

double bvtree_contacts_lowest( bvtree_contacts* q, bv_vec3 along )
{
	const bvconvex_pair* pair = &q->query.pair;
	bv_vec3 against = bv_negate( along );
	if ( q->is_ball )
	{
		return bv_dot( along, q->middle ) - q->shape->radius;
	}
	bv_vec3 at = pair->search.support[1]( pair->search.shape[1], &against, BVCONVEX_NO_POINT ).at;
	return bv_dot( along, bv_add( at, pair->origin ) ) - pair->one_radius[1];
}

static void take_face( const bvtree_contacts* q, const bvtree_near* t, bvconvex_contact_feature* out )
{
	out->count = 3;
	out->ordered = true;
	out->normal = t->normal;
	out->disc = out->bend = out->radius = 0;
	out->center = out->inwards = ( bv_vec3 ){ 0, 0, 0 };
	for ( int k = 0; k < 3; ++k )
	{
		out->name[k] = t->vertex[k];
		out->corner[k] = bv_sub( t->corner[k], q->query.pair.origin );
	}
	out->face = bvconvex_identity_of_face( t->vertex, 3 );
}

// Features of the triangle are known by the vertices of the mesh.
static void take_feature( const bvtree_contacts* q, const bvtree_near* t, bv_vec3 normal, bv_vec3 witness,
                          bvconvex_contact_feature* out )
{
	bvconvex_feature_find( &q->query.pair, 0, normal, BVCONVEX_NO_POINT, witness, out );
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		out->name[i] = t->vertex[out->name[i] < 3 ? out->name[i] : 0];
	}
	out->face = bvconvex_identity_of_face( t->vertex, 3 );
}

// @param feature  of the triangle: its identity
static bv_contact* add( bvtree_contacts* q, const bvtree_near* t, bv_vec3 normal, uint32_t feature )
{
	bvtree_touch* touch = q->touch + q->touch_count++;
	touch->mesh = t->mesh;
	touch->group = 0;
	touch->contact = ( bv_mesh_contact ){ .triangle = t->triangle };
	touch->contact.normal = normal;
	touch->contact.feature = bvtree_near_feature( t, feature );
	return &touch->contact.at;
}

uint32_t bvtree_contacts_along( bvtree_contacts* q, const bvtree_near* t, bv_vec3 normal,
                                const bv_convex_result* found )
{
	const bvconvex_pair* pair = &q->query.pair;
	bvconvex_contact_feature feature[2];
	bv_vec3 core[2];
	if ( found )
	{
		core[0] = found->point[0];
		core[1] = bv_add( found->point[1], bv_scale( pair->one_radius[1], found->normal ) );
		take_feature( q, t, normal, core[0], feature );
	}
	else
	{
		bv_vec3 against = bv_negate( normal );
		core[1] = pair->search.support[1]( pair->search.shape[1], &against, BVCONVEX_NO_POINT ).at;
		core[0] = core[1];
		take_face( q, t, feature );
	}
	bvconvex_feature_find( pair, 1, bv_negate( normal ), BVCONVEX_NO_POINT, core[1], feature + 1 );
	bvconvex_frame frame = bvconvex_frame_of( normal, core );
	bvconvex_touches touches;
	double upper = found ? found->upper : INFINITY;
	bvconvex_features_meet( feature, &frame, core, upper, pair->rounding, &touches );
	if ( touches.count == 0 )
	{
		return 0;
	}
	double slack = 0x1p-30 * ( touches.size + pair->radius ) + 4 * pair->rounding;
	// Depths that are equal to a part of the size of a feature are: the size of what both have in common.
	touches.size = bvmath_min( touches.size, q->shape_size );
	double merged = pair->polytopes ? 0 : 1e-4 * touches.size;
	bvconvex_touches_choose( &touches, q->speculative + slack, merged );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < touches.count; ++i )
	{
		if ( touches.at[i].separation <= q->speculative + slack )
		{
			bvconvex_touch_describe( &touches, touches.at + i, &frame, pair->origin,
			                         add( q, t, normal, touches.at[i].feature[0] ) );
			++count;
		}
	}
	return count;
}

// A middle on the triangle is pushed out of its front. A triangle that is too thin for a normal pushes it to where it is, if that is known.
uint32_t bvtree_contacts_of_ball( bvtree_contacts* q, const bvtree_near* t, bv_convex_result* out,
                                  bool* is_face )
{
	double radius = q->shape->radius;
	bvtri_nearest nearest;
	bvtri_nearest_on_triangle( q->middle, t->corner, &nearest );
	bv_vec3 way = bv_sub( q->middle, nearest.point );
	double distance = bv_length( way );
	double separation = distance - radius;
	bool has_normal = bv_dot( t->normal, t->normal ) > 0;
	if ( !( separation <= q->speculative + q->slack ) || ( !has_normal && distance == 0 ) )
	{
		return 0;
	}
	out->lower = out->upper = separation;
	out->normal = distance > q->slack || !has_normal ? bv_scale( 1 / distance, way ) : t->normal;
	*is_face = nearest.feature == bv_feature_face;
	uint32_t identity = bvtree_near_identity( t, nearest.feature );
	bool is_front = *is_face && bv_dot( out->normal, t->normal ) > 0;
	bv_contact* c = add( q, t, is_front ? t->normal : out->normal, identity );
	c->point[0] = nearest.point;
	c->point[1] = bv_sub( q->middle, bv_scale( radius, out->normal ) );
	c->position = bv_scale( 0.5, bv_add( c->point[0], c->point[1] ) );
	c->separation = separation;
	c->identity = (uint64_t)identity << 32 | bvconvex_identity_of_corner( 0 );
	return 1;
}

uint32_t bvtree_contacts_beside( bvtree_contacts* q, const bvtree_near* t )
{
	const bvconvex_pair* pair = &q->query.pair;
	bv_vec3 against = bv_negate( t->normal );
	bvconvex_support low = pair->search.support[1]( pair->search.shape[1], &against, BVCONVEX_NO_POINT );
	bv_vec3 at = bv_sub( bv_add( low.at, pair->origin ), bv_scale( pair->one_radius[1], t->normal ) );
	bvtri_nearest nearest;
	bvtri_nearest_on_triangle( at, t->corner, &nearest );
	double separation = bv_dot( t->normal, bv_sub( at, nearest.point ) );
	if ( !( separation <= q->speculative + q->slack ) )
	{
		return 0;
	}
	uint32_t identity = bvconvex_identity_of_face( t->vertex, 3 );
	bv_contact* out = add( q, t, t->normal, identity );
	out->point[0] = nearest.point;
	out->point[1] = at;
	out->position = bv_scale( 0.5, bv_add( nearest.point, at ) );
	out->separation = separation;
	out->identity = (uint64_t)identity << 32 | bvconvex_identity_of_corner( low.name );
	return 1;
}
