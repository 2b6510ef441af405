// Bottom-up construction: boxes of adjacent or overlapping parts are merged in pairs, those with the smallest
// parents first.
//
// The algorithm works in stages. In each stage every part is in at most one pair, and parts without a partner
// go on to the next stage. Pairs are ranked by the size of the parent: volume or area, as --quality says, or
// diameter. A parent's axis-aligned box encloses both children. A parent's oriented box is computed from the
// sixteen corners of its children's boxes, not from the faces. Its axes are the eigenvectors of their
// covariance (boxtree), or only that of the greatest (boxtree-max) or the smallest eigenvalue (boxtree-min),
// with the other two from the smallest rectangle around the projection along it. The box of a face is its
// smallest rectangle. "Pie slices" are prisms, computed in the same way from the twelve corners of their
// children's: along the axis of the greatest (boxtree-pie-max) or the smallest eigenvalue (boxtree-pie-min),
// over the smallest isosceles triangle. With volumes of any type other than a builder's own, pairs are ranked
// by axis-aligned boxes, and volumes are fitted to the faces of the subtree.
//
// Differences: boxes are as tight as their axes allow, while the text uses the box of all three eigenvectors
// about the corners' mean, which is never smaller. Faces with a common side are adjacent, and so are parts
// that contain such faces. Overlaps are searched, by axis-aligned boxes, among the parts that are near along
// a space-filling curve; a part without any partner may be paired with the next one there. If few parts find
// a partner, as around a hub that is the best partner of all, the remaining ones are merged with their
// neighbors along the curve. The same happens to all parts if the number of remaining levels requires it:
// each stage must remove a fixed share.
//
// Based on: G. Barequet, B. Chazelle, L. J. Guibas, J. S. B. Mitchell, A. Tal, "BOXTREE: A hierarchical
// representation for surfaces in 3D", Eurographics 1996, as described by J. Eckstein, "Echtzeitfähige
// Kollisionserkennung", 1998, section 3.2.5.

#include "offline/literature/build_boxtree.h"

#include "offline/base/arena.h"
#include "offline/base/sort.h"
#include "offline/fit/obb.h"
#include "offline/fit/prism.h"
#include "offline/fit/rectangle.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/curve.h"
#include "runtime/math/vec.h"
#include "runtime/volume/prisms.h"

#include <math.h>
#include <string.h>

enum
{
	reach = 8,      // places along the curve to either side where overlaps are looked for
	few_pairs = 16, // fewer than one of so many parts: others merge too
	box_corners = 8,
	prism_corners = 6,
	most_points = 2 * box_corners,
};

// Which principal axes a box keeps, or a prism.
typedef enum axis_rule
{
	rule_all,
	rule_max,
	rule_min,
	rule_pie_max,
	rule_pie_min,
} axis_rule;

static bool is_pie( axis_rule rule )
{
	return rule >= rule_pie_max;
}

// Parts in the order of the curve.
typedef struct boxtree_part
{
	uint32_t node; // of the links
	bv_aabb box;   // of its faces
} boxtree_part;

// Two parts that may be merged, by place; low < high.
typedef struct boxtree_candidate
{
	uint32_t low;
	uint32_t high;
} boxtree_candidate;

typedef struct boxtree_work
{
	const bvhier_build* build;
	axis_rule rule;
	bool own; // whether pairs go by volumes of the builder's own, by its rule
	bvb_box_objective objective;
	bvhier_binary links;
	uint8_t* height;
	uint32_t nodes;
	uint32_t highest;
	bv_obb* boxes; // of each node, if own: of prisms those round them
	boxtree_part* parts;
	uint32_t count;
	uint32_t* place;  // of each part its place in the next stage
	uint32_t* merged; // of each part the node it became; BVHIER_NO_NODE for none

	boxtree_candidate* candidates; // of this stage
	bvfit_box_cost* costs;         // of each
	uint32_t candidate_count;
	uint64_t* sides; // pairs of adjacent parts: the lower place above 32 bits
	uint32_t side_count;
	bvbase_sort_entry* entries;
	bvbase_sort_entry* other;
} boxtree_work;

static void corners_of_box( const bv_obb* box, bv_vec3 out[box_corners] )
{
	for ( int i = 0; i < box_corners; ++i )
	{
		bv_vec3 p = box->center;
		for ( int axis = 0; axis < 3; ++axis )
		{
			double along = i >> axis & 1 ? box->half_extents[axis] : -box->half_extents[axis];
			p = bv_add( p, bv_scale( along, box->axis[axis] ) );
		}
		out[i] = p;
	}
}

static bv_obb box_in_frame( const bv_vec3 axis[3], const bv_vec3* points, uint32_t count )
{
	bvfit_span span = bvfit_span_begin( axis, points[0] );
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvfit_span_add( &span, points[i] );
	}
	bvvol_packed_obb packed = bvfit_span_end( &span );
	return bvvol_obb_unpack( &packed );
}

static void corners_of_prism( const bv_obb* box, bv_vec3 out[prism_corners] )
{
	bv_vec3 all[box_corners];
	corners_of_box( box, all );
	for ( int end = 0; end < 2; ++end )
	{
		const bv_vec3* c = all + 4 * end; // the base's, then the tip's
		out[3 * end] = c[0];
		out[3 * end + 1] = c[1];
		out[3 * end + 2] = bv_scale( 0.5, bv_add( c[2], c[3] ) );
	}
}

static uint32_t corners_of( axis_rule rule, const bv_obb* box, bv_vec3 out[box_corners] )
{
	if ( is_pie( rule ) )
	{
		corners_of_prism( box, out );
		return prism_corners;
	}
	corners_of_box( box, out );
	return box_corners;
}

// @param room  for 2 * count + 1
static bv_obb box_of_points( axis_rule rule, const bv_vec3* points, uint32_t count, bvbase_vec2* room )
{
	if ( is_pie( rule ) )
	{
		bv_prism prism;
		bvfit_prism_of_points( points, count, rule == rule_pie_max ? bvfit_prism_max : bvfit_prism_min,
		                       &prism );
		return prism.box;
	}
	bv_vec3 principal[3];
	bvfit_point_axes( points, NULL, count, principal );
	if ( rule == rule_all )
	{
		return box_in_frame( principal, points, count );
	}
	bv_vec3 axis[3] = { [2] = principal[rule == rule_max ? 0 : 2] };
	bvfit_rectangle_turn( points, count, room, bvb_box_volume, axis );
	return box_in_frame( axis, points, count );
}

static bv_obb box_of_pair( axis_rule rule, const bv_obb* a, const bv_obb* b )
{
	bv_vec3 points[most_points];
	bvbase_vec2 room[2 * most_points + 1];
	uint32_t count = corners_of( rule, a, points );
	count += corners_of( rule, b, points + count );
	return box_of_points( rule, points, count, room );
}

static bv_aabb round_both( const bv_aabb* a, const bv_aabb* b )
{
	return ( bv_aabb ){ bvmath_least( a->lower, b->lower ), bvmath_greatest( a->upper, b->upper ) };
}

// A side so short that rounding may have made it counts for nothing.
static bvfit_box_cost cost_of_sides( double a, double b, double c, bvb_box_objective objective )
{
	double least = 0x1p-20 * bvmath_max( a, bvmath_max( b, c ) );
	double length[3] = { a > least ? a : 0, b > least ? b : 0, c > least ? c : 0 };
	return bvfit_box_cost_of( length, objective );
}

// Of one without a volume its area counts, of one without an area its length, as of boxes.
static bvfit_box_cost cost_of_prism( const double half[3], bvb_box_objective objective )
{
	bv_volume v = { .type = bv_volume_prism };
	double least = 0x1p-20 * bvmath_max( half[0], bvmath_max( half[1], half[2] ) );
	for ( int i = 0; i < 3; ++i )
	{
		v.prism.box.half_extents[i] = half[i] > least ? half[i] : 0;
	}
	double volume = bvb_volume_of( &v );
	double area = bvb_area_of( &v );
	double diameter = bvb_diameter_of( &v );
	switch ( objective )
	{
	case bvb_box_area: return ( bvfit_box_cost ){ area, 0, area > 0 ? 0 : diameter };
	case bvb_box_diameter: return ( bvfit_box_cost ){ diameter, 0, 0 };
	default:
		return ( bvfit_box_cost ){ volume, volume > 0 ? 0 : area, volume > 0 || area > 0 ? 0 : diameter };
	}
}

static bvfit_box_cost cost_of( const boxtree_work* w, const boxtree_candidate* c )
{
	const boxtree_part* a = w->parts + c->low;
	const boxtree_part* b = w->parts + c->high;
	if ( w->own )
	{
		bv_obb box = box_of_pair( w->rule, w->boxes + a->node, w->boxes + b->node );
		const double* half = box.half_extents;
		return is_pie( w->rule ) ? cost_of_prism( half, w->objective )
		                         : cost_of_sides( 2 * half[0], 2 * half[1], 2 * half[2], w->objective );
	}
	bv_aabb box = round_both( &a->box, &b->box );
	bv_vec3 size = bv_sub( box.upper, box.lower );
	return cost_of_sides( size.x, size.y, size.z, w->objective );
}

static bool overlap( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

// Sorts pairs and keeps each once; none is of one part with itself.
static uint32_t sort_sides( const boxtree_work* w, uint64_t* sides, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		w->entries[i] = ( bvbase_sort_entry ){ sides[i], 0 };
	}
	bvbase_sort( w->entries, w->other, count );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t side = w->entries[i].key;
		if ( side >> 32 != ( side & UINT32_MAX ) && ( kept == 0 || sides[kept - 1] != side ) )
		{
			sides[kept++] = side;
		}
	}
	return kept;
}

static uint64_t side_between( uint32_t a, uint32_t b )
{
	return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

// Faces with a common side. Of several at one, each is the next one's neighbor.
// @param place  of each face, the part it is in
static void find_adjacent( boxtree_work* w, const uint32_t* place )
{
	const bvb_mesh* mesh = w->build->mesh;
	uint32_t count = 3 * mesh->triangle_count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i / 3].corner;
		w->entries[i] = ( bvbase_sort_entry ){ side_between( corner[i % 3], corner[( i + 1 ) % 3] ), i / 3 };
	}
	bvbase_sort( w->entries, w->other, count );
	for ( uint32_t i = 1; i < count; ++i )
	{
		if ( w->entries[i].key == w->entries[i - 1].key )
		{
			w->sides[w->side_count++] =
				side_between( place[w->entries[i - 1].value], place[w->entries[i].value] );
		}
	}
	w->side_count = sort_sides( w, w->sides, w->side_count );
}

// Sides come before overlaps, so that of pairs that are there twice the first counts; the second finds both
// merged.
static void find_candidates( boxtree_work* w )
{
	w->candidate_count = 0;
	memset( w->merged, 0, w->count * sizeof *w->merged );
	for ( uint32_t i = 0; i < w->side_count; ++i )
	{
		boxtree_candidate c = { (uint32_t)( w->sides[i] >> 32 ), (uint32_t)w->sides[i] };
		w->candidates[w->candidate_count++] = c;
		w->merged[c.low] = w->merged[c.high] = 1;
	}
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		for ( uint32_t k = i + 1; k < w->count && k - i <= reach; ++k )
		{
			if ( overlap( &w->parts[i].box, &w->parts[k].box ) )
			{
				w->candidates[w->candidate_count++] = ( boxtree_candidate ){ i, k };
				w->merged[i] = w->merged[k] = 1;
			}
		}
	}
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		if ( !w->merged[i] )
		{
			w->candidates[w->candidate_count++] =
				i + 1 < w->count ? ( boxtree_candidate ){ i, i + 1 } : ( boxtree_candidate ){ i - 1, i };
		}
	}
}

static uint64_t ordered( double value )
{
	uint64_t bits;
	memcpy( &bits, &value, sizeof bits );
	return bits; // none is negative
}

// The last measure first: sorting keeps the order of what is equal.
static void sort_candidates( boxtree_work* w )
{
	uint32_t count = w->candidate_count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		w->entries[i] = ( bvbase_sort_entry ){ ordered( w->costs[i].third ), i };
	}
	bvbase_sort( w->entries, w->other, count );
	for ( int measure = 1; measure >= 0; --measure )
	{
		for ( uint32_t i = 0; i < count; ++i )
		{
			const bvfit_box_cost* cost = w->costs + w->entries[i].value;
			w->entries[i].key = ordered( measure ? cost->second : cost->first );
		}
		bvbase_sort( w->entries, w->other, count );
	}
}

static void merge( boxtree_work* w, uint32_t low, uint32_t high )
{
	uint32_t a = w->parts[low].node;
	uint32_t b = w->parts[high].node;
	uint32_t n = w->nodes++;
	w->links.child[n][0] = a;
	w->links.child[n][1] = b;
	w->links.count[n] = w->links.count[a] + w->links.count[b];
	w->height[n] = (uint8_t)( 1 + ( w->height[a] > w->height[b] ? w->height[a] : w->height[b] ) );
	w->highest = w->height[n] > w->highest ? w->height[n] : w->highest;
	w->merged[low] = n;
	w->merged[high] = n;
}

static uint32_t merge_side_by_side( boxtree_work* w )
{
	uint32_t pairs = 0;
	uint32_t last = BVHIER_NO_NODE;
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		if ( w->merged[i] != BVHIER_NO_NODE )
		{
			continue;
		}
		if ( last == BVHIER_NO_NODE )
		{
			last = i;
			continue;
		}
		merge( w, last, i );
		last = BVHIER_NO_NODE;
		pairs += 1;
	}
	return pairs;
}

static uint32_t merge_best( boxtree_work* w )
{
	uint32_t pairs = 0;
	for ( uint32_t i = 0; i < w->candidate_count; ++i )
	{
		const boxtree_candidate* c = w->candidates + w->entries[i].value;
		if ( w->merged[c->low] == BVHIER_NO_NODE && w->merged[c->high] == BVHIER_NO_NODE )
		{
			merge( w, c->low, c->high );
			pairs += 1;
		}
	}
	return pairs < w->count / few_pairs ? pairs + merge_side_by_side( w ) : pairs;
}

// Boxes of the nodes that a stage made.
static void fit_boxes( boxtree_work* w, uint32_t first )
{
#pragma omp parallel for schedule( static ) num_threads( w->build->team ) if ( w->build->team > 1 )
	for ( uint32_t n = first; n < w->nodes; ++n )
	{
		const uint32_t* child = w->links.child[n];
		w->boxes[n] = box_of_pair( w->rule, w->boxes + child[0], w->boxes + child[1] );
	}
}

// Each pair has the place of its first part.
static void close_ranks( boxtree_work* w )
{
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		uint32_t n = w->merged[i];
		bool second = n != BVHIER_NO_NODE && w->links.child[n][1] == w->parts[i].node;
		w->place[i] = kept;
		kept += second ? 0 : 1;
	}
	// Where the first parts went is known by their nodes' children.
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		uint32_t n = w->merged[i];
		if ( n == BVHIER_NO_NODE )
		{
			w->parts[w->place[i]] = w->parts[i];
		}
		else if ( w->links.child[n][0] == w->parts[i].node )
		{
			w->links.first[n] = w->place[i];
			w->parts[w->place[i]] = ( boxtree_part ){ n, w->parts[i].box };
		}
		else
		{
			w->place[i] = w->links.first[n];
			boxtree_part* p = w->parts + w->place[i];
			p->box = round_both( &p->box, &w->parts[i].box );
		}
	}
	w->count = kept;
	for ( uint32_t i = 0; i < w->side_count; ++i )
	{
		w->sides[i] = side_between( w->place[w->sides[i] >> 32], w->place[w->sides[i] & UINT32_MAX] );
	}
	w->side_count = sort_sides( w, w->sides, w->side_count );
}

static void merge_stage( boxtree_work* w )
{
	uint32_t nodes = w->nodes;
	uint32_t highest = w->highest;
	find_candidates( w );
#pragma omp parallel for schedule( static ) num_threads( w->build->team ) if ( w->build->team > 1 )
	for ( uint32_t i = 0; i < w->candidate_count; ++i )
	{
		w->costs[i] = cost_of( w, w->candidates + i );
	}
	sort_candidates( w );
	memset( w->merged, 0xff, w->count * sizeof *w->merged );
	uint32_t pairs = merge_best( w );
	if ( w->highest + bvhier_ceil_log2( w->count - pairs ) > w->build->options->max_depth )
	{
		w->nodes = nodes;
		w->highest = highest;
		memset( w->merged, 0xff, w->count * sizeof *w->merged );
		merge_side_by_side( w );
	}
	if ( w->own )
	{
		fit_boxes( w, nodes );
	}
	close_ranks( w );
}

// The least rectangle round a face, or the least isosceles triangle.
static bv_obb box_of_face( axis_rule rule, const bv_vec3 corners[3] )
{
	bv_vec3 axis[3];
	bv_prism prism;
	bvfit_triangle_axes( corners, axis );
	if ( !is_pie( rule ) )
	{
		return box_in_frame( axis, corners, 3 );
	}
	bvfit_prism_along( axis[2], axis[0], corners, 3, &prism );
	return prism.box;
}

// @param corners  room for those of the faces
// @param room     for twice as many, and one
static void make_leaf( boxtree_work* w, uint32_t leaf, bv_vec3* corners, bvbase_vec2* room )
{
	uint32_t count = w->links.count[leaf];
	const uint32_t* faces = w->links.order + w->links.first[leaf];
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		corners[i] = w->build->faces[faces[i / 3]].corner[i % 3];
	}
	boxtree_part* p = w->parts + leaf;
	*p = ( boxtree_part ){ leaf, { corners[0], corners[0] } };
	for ( uint32_t i = 1; i < 3 * count; ++i )
	{
		p->box.lower = bvmath_least( p->box.lower, corners[i] );
		p->box.upper = bvmath_greatest( p->box.upper, corners[i] );
	}
	if ( !w->own )
	{
		return;
	}
	w->boxes[leaf] =
		count == 1 ? box_of_face( w->rule, corners ) : box_of_points( w->rule, corners, 3 * count, room );
}

static bool allocate( boxtree_work* w, uint32_t leaves, uint32_t faces )
{
	bvb_arena* arena = w->build->scratch;
	size_t nodes = 2 * (size_t)leaves - 1;
	size_t sides = 3 * (size_t)faces;
	size_t candidates = sides + ( reach + 1 ) * (size_t)leaves;
	w->links.child = bvb_arena_allocate( arena, nodes, sizeof *w->links.child );
	w->links.first = bvb_arena_allocate( arena, nodes, sizeof *w->links.first );
	w->links.count = bvb_arena_allocate( arena, nodes, sizeof *w->links.count );
	w->height = bvb_arena_allocate( arena, nodes, sizeof *w->height );
	w->boxes = w->own ? bvb_arena_allocate( arena, nodes, sizeof *w->boxes ) : NULL;
	w->parts = bvb_arena_allocate( arena, leaves, sizeof *w->parts );
	w->place = bvb_arena_allocate( arena, leaves, sizeof *w->place );
	w->merged = bvb_arena_allocate( arena, leaves, sizeof *w->merged );
	w->candidates = bvb_arena_allocate( arena, candidates, sizeof *w->candidates );
	w->costs = bvb_arena_allocate( arena, candidates, sizeof *w->costs );
	w->entries = bvb_arena_allocate( arena, candidates, sizeof *w->entries );
	w->other = bvb_arena_allocate( arena, candidates, sizeof *w->other );
	w->sides = bvb_arena_allocate( arena, sides, sizeof *w->sides );
	return w->links.child && w->links.first && w->links.count && w->height && ( w->boxes || !w->own ) &&
	       w->parts && w->place && w->merged && w->candidates && w->costs && w->entries && w->other &&
	       w->sides;
}

// Faces of which a part holds so many are side by side along the curve, where otherwise there were not levels
// enough.
static bool begin( boxtree_work* w, uint32_t* order )
{
	const bvhier_build* build = w->build;
	uint32_t levels = build->options->max_depth;
	uint32_t size = levels >= 32 ? 1 : (uint32_t)( ( build->count - 1 ) >> levels ) + 1;
	uint32_t leaves = ( build->count - 1 ) / size + 1;
	bv_vec3* corners = bvb_arena_allocate( build->scratch, 3 * (size_t)size, sizeof *corners );
	bvbase_vec2* room = bvb_arena_allocate( build->scratch, 6 * (size_t)size + 1, sizeof *room );
	uint32_t* place = bvb_arena_allocate( build->scratch, build->count, sizeof *place );
	if ( !corners || !room || !place || !allocate( w, leaves, build->count ) ||
	     !bvhier_sort_along_curve( build, order ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < build->count; ++i )
	{
		place[order[i]] = i / size;
	}
	for ( uint32_t i = 0; i < leaves; ++i )
	{
		w->links.child[i][0] = BVHIER_NO_NODE;
		w->links.child[i][1] = BVHIER_NO_NODE;
		w->links.first[i] = i * size;
		w->links.count[i] = build->count - i * size < size ? build->count - i * size : size;
		make_leaf( w, i, corners, room );
	}
	w->nodes = leaves;
	w->count = leaves;
	find_adjacent( w, place );
	return true;
}

// What a node's volume is to enclose for certain.
typedef struct held
{
	const bvhier_build* build;
	const bvorder_stored_node* node;
} held;

static bv_vec3 corner_at( const void* context, uint32_t index )
{
	const held* h = context;
	return h->build->faces[h->build->order[h->node->first_triangle + index / 3]].corner[index % 3];
}

// The corners of boxes are rounded: that the faces themselves are held is up to the last step.
static bv_volume volume_of_box( const bv_obb* box, const held* h )
{
	bv_vec3 corners[box_corners];
	corners_of_box( box, corners );
	bvfit_span span = bvfit_span_begin( box->axis, corners[0] );
	for ( int k = 1; k < box_corners; ++k )
	{
		bvfit_span_add( &span, corners[k] );
	}
	for ( uint32_t k = 0; k < 3 * h->node->triangles; ++k )
	{
		bvfit_span_add( &span, corner_at( h, k ) );
	}
	bvvol_packed_obb packed = bvfit_span_end( &span );
	return ( bv_volume ){ .type = bv_volume_obb, .obb = bvvol_obb_unpack( &packed ) };
}

static bv_volume volume_of_prism( const bv_obb* box, const held* h )
{
	bvvol_point_list points = { h, corner_at, 3 * h->node->triangles };
	bv_volume volume = { .type = bv_volume_prism, .prism = { *box } };
	bvvol_prism_grow( &volume.prism, &points );
	return volume;
}

static void store_volumes( const boxtree_work* w, const uint32_t* source )
{
	const bvhier_build* build = w->build;
	int64_t count = build->tree->node_count;
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( build->team ) if ( build->team > 1 )
	for ( int64_t i = 0; i < count; ++i )
	{
		held h = { build, build->tree->nodes + i };
		const bv_obb* box = w->boxes + source[i];
		bv_volume volume = is_pie( w->rule ) ? volume_of_prism( box, &h ) : volume_of_box( box, &h );
		bvorder_set_volume( build->tree, (uint32_t)i, &volume );
	}
}

static bvb_box_objective objective_of( bvb_quality_measure quality )
{
	return quality == bvb_quality_volume ? bvb_box_volume
	       : quality == bvb_quality_area ? bvb_box_area
	                                     : bvb_box_diameter;
}

static bv_status build_by( const bvhier_build* build, axis_rule rule )
{
	const bvb_hierarchy_options* o = build->options;
	uint32_t* order = bvb_arena_allocate( build->scratch, build->count, sizeof *order );
	uint32_t* source = bvb_arena_allocate( build->scratch, 2 * (size_t)build->count - 1, sizeof *source );
	boxtree_work w = { .build = build,
		               .rule = rule,
		               .own = o->volume_types == 1u << ( is_pie( rule ) ? bv_volume_prism : bv_volume_obb ),
		               .objective = objective_of( o->quality ),
		               .links.order = order };
	if ( !order || !source || !begin( &w, order ) )
	{
		return bv_error_memory;
	}
	while ( w.count > 1 )
	{
		merge_stage( &w );
	}
	w.links.root = w.parts[0].node;
	bvhier_binary_store( build, &w.links, o->leaf_triangles, source );
	if ( w.own )
	{
		store_volumes( &w, source );
	}
	else
	{
		bvhier_fit_nodes( build );
	}
	return bv_ok;
}

bv_status bvlit_build_boxtree( const bvhier_build* build )
{
	return build_by( build, rule_all );
}

bv_status bvlit_build_boxtree_max( const bvhier_build* build )
{
	return build_by( build, rule_max );
}

bv_status bvlit_build_boxtree_min( const bvhier_build* build )
{
	return build_by( build, rule_min );
}

bv_status bvlit_build_boxtree_pie_max( const bvhier_build* build )
{
	return build_by( build, rule_pie_max );
}

bv_status bvlit_build_boxtree_pie_min( const bvhier_build* build )
{
	return build_by( build, rule_pie_min );
}
