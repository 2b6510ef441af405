// Points of former steps that are still near. See bvw_kept_points.
//
// Bullet and other engines keep points in this way in place of a manifold of their own (G. van den Bergen, "Collision detection in
// interactive 3D environments", 2003).

#include "world/contacts/contacts.h"

#include <math.h>
#include <string.h>

static double distance_of( const bv_contact* x, bv_vec3 place_x, const bv_contact* y, bv_vec3 place_y,
                           double scale )
{
	double on_a = bv_length( bv_sub( x->point[0], y->point[0] ) );
	double on_b = scale * bv_length( bv_sub( place_x, place_y ) );
	return on_a > on_b ? on_a : on_b;
}

// @return the kept point that a point of the manifold is; `count` if it is none
static uint32_t find( const bvw_contact_pair* pair, uint32_t i, const bvw_kept_points* kept, double scale,
                      double tolerance )
{
	uint32_t found = (uint32_t)kept->count;
	double least = INFINITY;
	for ( uint32_t k = 0; k < kept->count; ++k )
	{
		const bvw_kept_point* p = kept->point + k;
		bool is_same = p->at.identity == pair->manifold.contact[i].identity;
		double distance =
			is_same ? -1 : distance_of( &p->at, p->place, pair->manifold.contact + i, pair->place[i], scale );
		if ( distance <= tolerance && distance < least )
		{
			found = k;
			least = distance;
		}
	}
	return found;
}

static void take_data( bvw_contact_pair* pair, uint32_t begun, bvw_kept_points* kept, double scale,
                       double tolerance )
{
	for ( uint32_t i = 0; i < pair->manifold.count; ++i )
	{
		bool is_new = begun >> i & 1;
		uint32_t k = is_new ? find( pair, i, kept, scale, tolerance ) : (uint32_t)kept->count;
		if ( k < kept->count )
		{
			memcpy( pair->data[i], kept->point[k].data, sizeof pair->data[i] );
			kept->count -= 1;
			memmove( kept->point + k, kept->point + k + 1, ( kept->count - k ) * sizeof *kept->point );
		}
	}
}

// Moves a point to where it is now.
// @return whether it is still near, and none of those that stay is
static bool stays( const bvw_contact_pair* pair, const bvw_kept_points* kept, const bv_transform* placement,
                   double tolerance, bvw_kept_point* p )
{
	bv_contact* at = &p->at;
	at->point[1] = bv_transform_point( placement, p->place );
	bv_vec3 between = bv_sub( at->point[1], at->point[0] );
	at->separation = bv_dot( between, pair->manifold.normal );
	at->position = bv_scale( 0.5, bv_add( at->point[0], at->point[1] ) );
	bv_vec3 aside = bv_sub( between, bv_scale( at->separation, pair->manifold.normal ) );
	bool is_near = at->separation <= tolerance && bv_length( aside ) <= tolerance;
	for ( uint32_t i = 0; i < pair->manifold.count && is_near; ++i )
	{
		is_near = !( distance_of( at, p->place, pair->manifold.contact + i, pair->place[i],
		                          placement->scale ) <= tolerance );
	}
	for ( uint32_t i = 0; i < kept->count && is_near; ++i )
	{
		const bvw_kept_point* other = kept->point + i;
		is_near = !( distance_of( at, p->place, &other->at, other->place, placement->scale ) <= tolerance );
	}
	return is_near && pair->manifold.count > 0;
}

void bvwcontact_keep( bvw_contact_pair* pair, uint32_t begun, bvw_kept_points* kept,
                      const bvw_kept_point* ended, uint32_t count, const bv_transform* placement,
                      double tolerance )
{
	take_data( pair, begun, kept, placement->scale, tolerance );
	uint32_t before = (uint32_t)kept->count;
	kept->count = 0;
	for ( uint32_t i = 0; i < before + count && kept->count < BVW_KEPT_POINTS; ++i )
	{
		bvw_kept_point p = i < before ? kept->point[i] : ended[i - before];
		if ( stays( pair, kept, placement, tolerance, &p ) )
		{
			kept->point[kept->count++] = p;
		}
	}
	memset( kept->point + kept->count, 0, ( BVW_KEPT_POINTS - kept->count ) * sizeof *kept->point );
}
