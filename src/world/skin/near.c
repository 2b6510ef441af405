// What is near regions, as a pose has it. See bvworld/skin.h.
//
// Vertices that are not skinned are parked: in the boxes of all leaves that have them, or of whole subtrees that no region touches. So
// triangles that have a vertex which is not skinned are in a box that does not touch a region, and do not touch one either, whatever a query
// makes of the volumes on its way to them. All triangles that touch a region have skinned vertices, and are found, because the volumes of their
// nodes enclose them.

#include "world/skin/skin.h"

#include "runtime/math/vec.h"

#include <math.h>

typedef struct skin_region
{
	double lower[3]; // relative to the offset
	double upper[3];
	double slack;
} skin_region;

static double largest( bv_vec3 v )
{
	return bvmath_max( bvmath_max( fabs( v.x ), fabs( v.y ) ), fabs( v.z ) );
}

static skin_region region_of( const bv_aabb* box, bv_vec3 offset )
{
	skin_region r = {
		.lower = { box->lower.x - offset.x, box->lower.y - offset.y, box->lower.z - offset.z },
		.upper = { box->upper.x - offset.x, box->upper.y - offset.y, box->upper.z - offset.z },
	};
	double size = largest( offset );
	for ( int i = 0; i < 3; ++i )
	{
		// Nothing is near an end that is infinite.
		size = bvmath_max( size, isfinite( r.lower[i] ) ? fabs( r.lower[i] ) : 0 );
		size = bvmath_max( size, isfinite( r.upper[i] ) ? fabs( r.upper[i] ) : 0 );
	}
	r.slack = 0x1p-40 * size;
	return r;
}

// Boxes that nearly touch the region count as well, so that rounding errors of queries, which are about 2^-50 of the greatest coordinate
// along any axis, cannot make a triangle outside of it appear to touch what is inside.
static bool touches( const skin_region* in, const bvtree_refit_box* box )
{
	double size = 0;
	for ( int i = 0; i < 3; ++i )
	{
		size = bvmath_max( size, bvmath_max( fabs( box->lower[i] ), fabs( box->upper[i] ) ) );
	}
	double margin = in->slack + 0x1p-40 * size;
	bool is_apart = false;
	for ( int i = 0; i < 3; ++i )
	{
		is_apart = is_apart || in->upper[i] < box->lower[i] - margin || in->lower[i] > box->upper[i] + margin;
	}
	return !is_apart;
}

// @return whether one of the regions touches the box
static bool touch( const skin_region* in, uint32_t count, const bvtree_refit_box* box )
{
	uint32_t i = 0;
	while ( i < count && !touches( in + i, box ) )
	{
		++i;
	}
	return i < count;
}

static uint32_t skin_once( bvw_skin* s, uint32_t vertex )
{
	uint64_t bit = UINT64_C( 1 ) << vertex % 64;
	if ( s->exact[vertex / 64] & bit )
	{
		return 0;
	}
	s->exact[vertex / 64] |= bit;
	bvwskin_move_vertex( s, vertex, s->deform->positions[vertex] );
	return 1;
}

static uint32_t skin_leaf( bvw_skin* s, uint32_t leaf )
{
	const bvtree_refit* r = &s->deform->refit;
	uint32_t count = 0;
	for ( uint32_t i = r->leaf_begin[leaf]; i < r->leaf_begin[leaf + 1]; ++i )
	{
		count += skin_once( s, r->vertices[i] );
	}
	return count;
}

// Skins the leaves among the children of a node that touch the region.
static uint32_t skin_children( bvw_skin* s, const bvtree_refit_inner* inner, const skin_region* in )
{
	const bvtree_refit* r = &s->deform->refit;
	const bvfile_packed_node* node = (const bvfile_packed_node*)( r->words + inner->place );
	uint32_t count = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		uint32_t number = node->first_child + i;
		if ( bvfile_node_kinds( node )[i] % bvfile_kind_counts != bvfile_kind_inner &&
		     touches( in, r->boxes + number ) )
		{
			count += skin_leaf( s, r->first_leaf[number] );
		}
	}
	return count;
}

// Nodes are in depth-first order, so that skipping a subtree is a step to its end.
static uint32_t skin_leaves( bvw_skin* s, const skin_region* in )
{
	const bvtree_refit* r = &s->deform->refit;
	uint32_t count = 0;
	if ( r->inner_count == 0 && touches( in, r->boxes ) )
	{
		count = skin_leaf( s, 0 );
	}
	for ( uint32_t i = 0; i < r->inner_count; )
	{
		if ( touches( in, r->boxes + r->inner[i].number ) )
		{
			count += skin_children( s, r->inner + i, in );
			i += 1;
		}
		else
		{
			i = r->inner[i].end;
		}
	}
	return count;
}

// Written so that a NaN fails.
static bool is_box( const bv_aabb* box )
{
	return box->lower.x <= box->upper.x && box->lower.y <= box->upper.y && box->lower.z <= box->upper.z;
}

bv_status bvw_skin_exact( bvw_skin* skin, const bv_aabb* region, bvw_deform_report* report )
{
	if ( !bvwskin_is_valid( skin ) || skin->deform->posed_by != skin || ( region && !is_box( region ) ) )
	{
		return bv_error_argument;
	}
	if ( !region )
	{
		bvwskin_move_all( skin, report );
		return bv_ok;
	}
	skin_region in = region_of( region, skin->deform->offset );
	uint32_t vertices = skin_leaves( skin, &in );
	if ( report )
	{
		*report = ( bvw_deform_report ){ .vertices = vertices };
	}
	return bv_ok;
}

// The vertices of a node are in the box of its parent as well, and the grids of volumes reach no farther than that of the root.
static void pose_child( const bvw_skin* s, uint32_t number, uint32_t parent )
{
	bvwskin_pose_box( s, number );
	bvtree_refit_box* box = s->deform->refit.boxes + number;
	const bvtree_refit_box* around = s->deform->refit.boxes + parent;
	for ( int i = 0; i < 3; ++i )
	{
		box->lower[i] = around->lower[i] > box->lower[i] ? around->lower[i] : box->lower[i];
		box->upper[i] = around->upper[i] < box->upper[i] ? around->upper[i] : box->upper[i];
	}
}

// Poses the children of a node: skins or parks those that are leaves. Inner ones wait for their turn.
// @return how many vertices were skinned
static uint32_t pose_children( bvw_skin* s, uint32_t index, const skin_region* in, uint32_t count )
{
	const bvtree_refit* r = &s->deform->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	bvtree_refit_what what = { .all = true };
	uint32_t vertices = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		uint32_t number = node->first_child + i;
		uint32_t leaf = r->first_leaf[number];
		pose_child( s, number, r->inner[index].number );
		if ( bvfile_node_kinds( node )[i] % bvfile_kind_counts == bvfile_kind_inner )
		{
			continue;
		}
		if ( touch( in, count, r->boxes + number ) )
		{
			vertices += skin_leaf( s, leaf );
			bvtree_refit_leaf_box( r, number );
			what.exact |= 1u << i;
		}
		else
		{
			bvwskin_park( s, leaf, leaf + 1, r->boxes[number].lower );
		}
	}
	bvwdeform_fit_children( s->deform, index, what );
	return vertices;
}

// From the root down. Subtrees that no region touches keep their old volumes: nothing in them can be found there.
static bvw_deform_report pose_near( bvw_skin* s, const skin_region* in, uint32_t count )
{
	const bvtree_refit* r = &s->deform->refit;
	bvw_deform_report report = { .nodes = 1 };
	for ( uint32_t i = 0; i < r->inner_count; )
	{
		uint32_t number = r->inner[i].number;
		if ( touch( in, count, r->boxes + number ) )
		{
			report.vertices += pose_children( s, i, in, count );
			report.nodes += bvtree_refit_inner_at( r, i )->children;
			i += 1;
		}
		else
		{
			bvwskin_park( s, r->first_leaf[number], r->end_leaf[number], r->boxes[number].lower );
			i = r->inner[i].end;
		}
	}
	return report;
}

static bool are_regions( const bv_aabb* regions, uint32_t count )
{
	bool good = regions && count > 0 && count <= BVW_MAX_REGIONS;
	for ( uint32_t i = 0; good && i < count; ++i )
	{
		good = is_box( regions + i );
	}
	return good;
}

bv_status bvw_skin_near( bvw_skin* skin, const bvw_bones* bones, const bv_aabb* regions, uint32_t count,
                         bvw_deform_report* report )
{
	if ( !bvwskin_is_valid( skin ) || !are_regions( regions, count ) || !bvwskin_take_bones( skin, bones ) )
	{
		return bv_error_argument;
	}
	skin_region in[BVW_MAX_REGIONS];
	for ( uint32_t i = 0; i < count; ++i )
	{
		in[i] = region_of( regions + i, skin->deform->offset );
	}
	bvwskin_begin_parking( skin );
	bvwskin_pose_box( skin, 0 );
	bvwdeform_begin_boxes( skin->deform );
	bvw_deform_report what = pose_near( skin, in, count );
	if ( skin->deform->refit.inner_count == 0 )
	{
		what.vertices = skin_leaf( skin, 0 );
	}
	bvwdeform_fit_root( skin->deform, true );
	// Boxes of nodes that were passed over are old ones.
	skin->deform->posed_by = NULL;
	if ( report )
	{
		*report = what;
	}
	return bv_ok;
}
