// The generalized winding number of a triangle soup (Jacobson, Kavan, Sorkine-Hornung 2013, "Robust
// inside-outside segmentation using generalized winding numbers"): the sum of the solid angles of the
// triangles seen from the point, divided by 4 pi, with the exact hierarchical evaluation of section 4.
//
// The tree halves the triangles at the median of their centers. The triangles of a node and, reversed, a fan
// from one vertex to all boundary edges of the node form a closed surface inside the node's box. The winding
// number of this surface is 0 outside the box, so that the fan has the same solid angle as all triangles of
// the node. Boundary edges are directed, and their multiplicity is the number of forward minus backward
// traversals. Therefore non-manifold edges and duplicate triangles need no special treatment. Boundary edges
// are computed from the leaves to the root by merging the sorted edges of both children.
//
// A fan is stored only if it has at most 3/4 of the triangles that would be summed without it. Each stored
// triangle thus saves a third of a triangle, and all fans together have at most 3 times as many triangles as
// the mesh.
//
// The winding number of a closed surface is an integer. Counting the crossings of a ray takes far fewer
// steps. An open surface is closed by caps (openings.h), whose solid angles are subtracted again.
//
// Coordinates are scaled by a power of two to at most 1, so that no product overflows or underflows.

#include "offline/mesh/winding.h"

#include "bv/shape.h"
#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/system.h"
#include "offline/mesh/openings.h"
#include "offline/mesh/seen.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum
{
	leaf_triangles = 8, // in a leaf at most
	fan_share = 3,      // kept triangles of fans for each of the mesh at most
};

static const uint32_t no_fan = UINT32_MAX;

// A fan runs through the space between its triangles, and next to it rounding decides on which side of it a
// point is. So a box has a margin around it, in units of its longest side: the error of an angle stays below
// some 2^-52 / margin.
static const double margin = 0x1p-6;

// In units of the mesh's largest coordinate. A triangle covers less than 2^-116 of what is seen from there.
static const double far_away = 0x1p60;

// A triangle of a fan, without its apex, which is the node's. It counts `times` times.
typedef struct fan_triangle
{
	uint32_t from;
	uint32_t to;
	uint32_t times;
} fan_triangle;

// Nodes stand in preorder: the left child is the next one.
typedef struct winding_node
{
	bv_aabb box;    // of the vertices, and a margin
	uint32_t first; // of a leaf, its triangles
	uint32_t count; // of a leaf, how many; else 0
	uint32_t right; // of an inner node, its right child
	uint32_t apex;  // of the fan
	uint32_t fan;   // its first triangle
	uint32_t fan_count;
} winding_node;

struct bvb_winding
{
	double scale;       // from mesh units to these
	bv_vec3* positions; // scaled
	bvb_triangle* triangles;
	winding_node* nodes;
	fan_triangle* fans;
	bvmesh_openings openings;
	uint32_t node_count;
	uint32_t fan_count;
	uint32_t triangle_count;
};

// Of the triangle of three vertices seen from p.
static double half_angle_at( const bvb_winding* w, uint32_t a, uint32_t b, uint32_t c, bv_vec3 p )
{
	return bvmesh_half_solid_angle( bv_sub( w->positions[a], p ), bv_sub( w->positions[b], p ),
	                                bv_sub( w->positions[c], p ) );
}

static bool is_finite( bv_vec3 p )
{
	return isfinite( p.x ) && isfinite( p.y ) && isfinite( p.z );
}

static bool is_outside( const bv_aabb* box, bv_vec3 p )
{
	return p.x < box->lower.x || p.y < box->lower.y || p.z < box->lower.z || p.x > box->upper.x ||
	       p.y > box->upper.y || p.z > box->upper.z;
}

// Half the solid angle of all triangles of a node.
static double half_angle_of( const bvb_winding* w, uint32_t index, bv_vec3 p, uint64_t* evaluated )
{
	const winding_node* n = w->nodes + index;
	double sum = 0;
	if ( n->fan_count != no_fan && is_outside( &n->box, p ) )
	{
		*evaluated += n->fan_count;
		for ( uint32_t i = n->fan; i < n->fan + n->fan_count; ++i )
		{
			const fan_triangle* t = w->fans + i;
			sum += t->times * half_angle_at( w, n->apex, t->from, t->to, p );
		}
		return sum;
	}
	if ( n->count > 0 )
	{
		*evaluated += n->count;
		for ( uint32_t i = n->first; i < n->first + n->count; ++i )
		{
			const uint32_t* corner = w->triangles[i].corner;
			sum += half_angle_at( w, corner[0], corner[1], corner[2], p );
		}
		return sum;
	}
	return half_angle_of( w, index + 1, p, evaluated ) + half_angle_of( w, n->right, p, evaluated );
}

static bool is_near( bv_vec3 p )
{
	return fabs( p.x ) < far_away && fabs( p.y ) < far_away && fabs( p.z ) < far_away;
}

double bvmesh_winding_number_counted( const bvb_winding* winding, bv_vec3 point, uint64_t* evaluated )
{
	bv_vec3 p = bv_scale( winding->scale, point );
	if ( winding->node_count == 0 || !is_near( p ) )
	{
		return 0;
	}
	return half_angle_of( winding, 0, p, evaluated ) / ( 2 * pi );
}

static double crossings( const bvb_winding* w, bv_vec3 p )
{
	double sum = 0;
	uint32_t stack[64]; // halving makes a tree no deeper than the logarithm of its triangles
	int height = 1;
	stack[0] = 0;
	while ( height > 0 )
	{
		uint32_t index = stack[--height];
		const winding_node* n = w->nodes + index;
		if ( p.x > n->box.upper.x || p.y < n->box.lower.y || p.z < n->box.lower.z || p.y > n->box.upper.y ||
		     p.z > n->box.upper.z )
		{
			continue;
		}
		if ( n->count == 0 )
		{
			stack[height++] = n->right;
			stack[height++] = index + 1;
		}
		for ( uint32_t i = n->first; i < n->first + n->count; ++i )
		{
			const uint32_t* c = w->triangles[i].corner;
			sum += bvmesh_ray_crossing( w->positions[c[0]], w->positions[c[1]], w->positions[c[2]], p );
		}
	}
	return sum;
}

// Less than any difference between coordinates that a mesh of record has: products of it would be no numbers
// any more.
static double without_dust( double x )
{
	return fabs( x ) < 0x1p-288 ? 0 : x;
}

// A winding number that is off by rounding and `error` at most.
static double winding_within( const bvb_winding* w, bv_vec3 point, bvmesh_accuracy accuracy, double* error,
                              uint64_t* work )
{
	bv_vec3 p = bv_scale( w->scale, point );
	*error = 0;
	if ( w->node_count == 0 || !is_finite( p ) )
	{
		return 0;
	}
	p = ( bv_vec3 ){ without_dust( p.x ), without_dust( p.y ), without_dust( p.z ) };
	double open = 0;
	bool seen = w->openings.edge_count == 0;
	if ( !seen && is_near( p ) && ( accuracy.error > 0 || w->openings.cap_count <= w->triangle_count ) )
	{
		seen = bvmesh_openings_winding( &w->openings, p, &accuracy, &open, error, work );
	}
	if ( !seen )
	{
		*error = 0;
		return bvmesh_winding_number_counted( w, point, work );
	}
	return crossings( w, p ) + open;
}

double bvb_winding_number( const bvb_winding* winding, bv_vec3 point )
{
	double error;
	uint64_t work = 0;
	return winding_within( winding, point, ( bvmesh_accuracy ){ 0 }, &error, &work );
}

double bvb_winding_estimate( const bvb_winding* winding, bv_vec3 point, uint64_t* work )
{
	// By experiment: errors are some 0.01.
	static const bvmesh_accuracy rough = { .error = 0x1p-5, .far = 0.5, .products = true };
	double error;
	uint64_t unused = 0;
	return winding_within( winding, point, rough, &error, work ? work : &unused );
}

bv_interval bvb_winding_bounds( const bvb_winding* winding, bv_vec3 point, double threshold, uint64_t* work )
{
	uint64_t unused = 0;
	uint64_t* looked_at = work ? work : &unused;
	// Those who follow the number to where it is the threshold need an eighth of the way.
	static const double accuracies[] = { 0x1p-5, 0x1p-9, 0x1p-14 };
	static const double share = 0.125;
	static const double rounding = 0x1p-36;
	for ( size_t i = 0; i < sizeof accuracies / sizeof *accuracies && winding->openings.edge_count > 0; ++i )
	{
		double error;
		bvmesh_accuracy accuracy = { .error = accuracies[i] };
		double value = winding_within( winding, point, accuracy, &error, looked_at );
		if ( error > 0 && error + rounding < share * fabs( value - threshold ) )
		{
			return ( bv_interval ){ value - error - rounding, value + error + rounding };
		}
		if ( error == 0 )
		{
			break;
		}
	}
	double error;
	double value = winding_within( winding, point, ( bvmesh_accuracy ){ 0 }, &error, looked_at );
	return ( bv_interval ){ value, value };
}

bool bvb_winding_is_inside( const bvb_winding* winding, bv_vec3 point )
{
	static const double accuracies[] = { 0x1p-5, 0x1p-8, 0x1p-11, 0x1p-14, 0x1p-18 };
	static const double threshold = 0.5;
	static const double rounding = 0x1p-36;
	for ( size_t i = 0; i < sizeof accuracies / sizeof *accuracies && winding->openings.edge_count > 0; ++i )
	{
		// What is looked at is no less than the number of caps.
		bvmesh_accuracy accuracy = { .error = accuracies[i], .products = true };
		double error;
		uint64_t work = 0;
		double value = winding_within( winding, point, accuracy, &error, &work );
		if ( fabs( value - threshold ) > error + rounding + BVMESH_PRODUCT_ERROR * (double)work )
		{
			return value > threshold;
		}
		if ( error == 0 )
		{
			break;
		}
	}
	return bvb_winding_number( winding, point ) >= threshold;
}

uint32_t bvb_winding_open_edges( const bvb_winding* winding )
{
	return winding->openings.edge_count;
}

bool bvb_winding_is_closed( const bvb_winding* winding )
{
	return winding->openings.edge_count == 0;
}

bvb_winding_slope bvb_winding_bound_slope( const bvb_winding* winding, bv_vec3 center, double radius,
                                           uint64_t* work )
{
	uint64_t unused = 0;
	bvb_winding_slope slope = bvmesh_openings_slope( &winding->openings, bv_scale( winding->scale, center ),
	                                                 winding->scale * radius, work ? work : &unused );
	slope.gradient = bv_scale( winding->scale, slope.gradient );
	return slope;
}

uint32_t bvmesh_winding_closing_triangles( const bvb_winding* winding )
{
	return winding->fan_count;
}

// What is needed to make the tree.
typedef struct winding_builder
{
	const bvb_mesh* mesh;
	bvb_winding* winding;
	bv_vec3* middles;        // of each triangle of the mesh, times 3
	uint64_t* order;         // the triangles in the low halves, a key to split by in the high ones
	bvmesh_net_edge* edges;  // a stack of sorted boundaries, with room for 3 edges a triangle
	bvmesh_net_edge* merged; // as much for a merged one
	fan_triangle* fans;      // of all nodes so far
	uint32_t edge_count;     // on the stack
	uint32_t triangle_count;
} winding_builder;

static bool is_before( const bvmesh_net_edge* a, const bvmesh_net_edge* b )
{
	return a->lesser != b->lesser ? a->lesser < b->lesser : a->greater < b->greater;
}

static bool is_same( const bvmesh_net_edge* a, const bvmesh_net_edge* b )
{
	return a->lesser == b->lesser && a->greater == b->greater;
}

// Merges the boundary from `middle` to the stack's top into the one from `base` to `middle`.
static void merge_boundaries( winding_builder* b, uint32_t base, uint32_t middle )
{
	uint32_t count = 0;
	for ( uint32_t i = base, k = middle; i < middle || k < b->edge_count; )
	{
		bvmesh_net_edge next;
		if ( k == b->edge_count || ( i < middle && is_before( b->edges + i, b->edges + k ) ) )
		{
			next = b->edges[i++];
		}
		else
		{
			next = b->edges[k++];
			if ( i < middle && is_same( b->edges + i, &next ) )
			{
				next.net += b->edges[i++].net;
			}
		}
		if ( next.net != 0 )
		{
			b->merged[count++] = next;
		}
	}
	memcpy( b->edges + base, b->merged, count * sizeof *b->edges );
	b->edge_count = base + count;
}

// Adds an edge to the boundary that starts at `base`, for the few edges of a leaf.
static void insert_edge( winding_builder* b, uint32_t base, uint32_t from, uint32_t to )
{
	bvmesh_net_edge new = { from < to ? from : to, from < to ? to : from, from < to ? 1 : -1 };
	uint32_t i = b->edge_count;
	while ( i > base && is_before( &new, b->edges + i - 1 ) )
	{
		--i;
	}
	if ( i > base && is_same( &new, b->edges + i - 1 ) )
	{
		b->edges[i - 1].net += new.net;
		return;
	}
	memmove( b->edges + i + 1, b->edges + i, ( b->edge_count - i ) * sizeof *b->edges );
	b->edges[i] = new;
	b->edge_count += 1;
}

static void drop_even_edges( winding_builder* b, uint32_t base )
{
	uint32_t kept = base;
	for ( uint32_t i = base; i < b->edge_count; ++i )
	{
		b->edges[kept] = b->edges[i];
		kept += b->edges[i].net != 0;
	}
	b->edge_count = kept;
}

static const bv_aabb empty_box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

static bv_aabb box_with( const bv_aabb* box, bv_vec3 p )
{
	return ( bv_aabb ){ bvmath_least( box->lower, p ), bvmath_greatest( box->upper, p ) };
}

// Takes over the triangles of a leaf, and puts its boundary on the stack.
static void fill_leaf( winding_builder* b, winding_node* n, uint32_t first, uint32_t count )
{
	bvb_winding* w = b->winding;
	uint32_t base = b->edge_count;
	n->first = first;
	n->count = count;
	n->box = empty_box;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		w->triangles[i] = b->mesh->triangles[(uint32_t)b->order[i]];
		const uint32_t* corner = w->triangles[i].corner;
		for ( int k = 0; k < 3; ++k )
		{
			n->box = box_with( &n->box, w->positions[corner[k]] );
			insert_edge( b, base, corner[k], corner[( k + 1 ) % 3] );
		}
	}
	drop_even_edges( b, base );
}

// Moves the least `wanted` of different numbers to the front, bit by bit from the highest one (radix
// exchange, Hildebrandt and Isbitz 1959), so that the time is linear for any input.
static void select_least( uint64_t* values, uint32_t count, uint32_t wanted )
{
	for ( uint64_t bit = (uint64_t)1 << 63; bit && wanted > 0 && wanted < count; bit >>= 1 )
	{
		uint32_t low = 0;
		for ( uint32_t high = count; low < high; )
		{
			if ( values[low] & bit )
			{
				uint64_t other = values[--high];
				values[high] = values[low];
				values[low] = other;
			}
			else
			{
				++low;
			}
		}
		if ( wanted < low )
		{
			count = low;
		}
		else
		{
			values += low;
			count -= low;
			wanted -= low;
		}
	}
}

// Moves the lesser half of a range to its front, along the longest side of the middles' box.
static void split( winding_builder* b, uint32_t first, uint32_t count )
{
	bv_aabb box = empty_box;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		box = box_with( &box, b->middles[(uint32_t)b->order[i]] );
	}
	bv_vec3 size = bv_sub( box.upper, box.lower );
	int axis = size.y > size.x ? 1 : 0;
	axis = size.z > bvmath_component( size, axis ) ? 2 : axis;
	double lower = bvmath_component( box.lower, axis );
	double length = bvmath_component( size, axis );
	for ( uint32_t i = first; i < first + count; ++i )
	{
		uint32_t triangle = (uint32_t)b->order[i];
		double x = bvmath_component( b->middles[triangle], axis ) - lower;
		uint64_t key = length > 0 ? (uint64_t)( x / length * 0xffffffffu ) : 0;
		b->order[i] = key << 32 | triangle;
	}
	select_least( b->order + first, count, count / 2 );
}

// Gives a node its fan over the boundary from `base` to the stack's top, if it is worth it.
// @param cost  how many triangles are summed for a point outside of its box without the fan
// @return how many are summed with it
static uint32_t close_node( winding_builder* b, winding_node* n, uint32_t base, uint32_t cost )
{
	uint32_t apex = b->edge_count > base ? b->edges[base].lesser : 0;
	uint32_t count = 0;
	for ( uint32_t i = base; i < b->edge_count; ++i )
	{
		count += b->edges[i].lesser != apex && b->edges[i].greater != apex;
	}
	if ( 4 * (uint64_t)count > 3 * (uint64_t)cost )
	{
		n->fan_count = no_fan;
		return cost;
	}
	n->apex = apex;
	n->fan = b->winding->fan_count;
	n->fan_count = count;
	for ( uint32_t i = base; i < b->edge_count; ++i )
	{
		const bvmesh_net_edge* e = b->edges + i;
		if ( e->lesser != apex && e->greater != apex )
		{
			bool forward = e->net > 0;
			b->fans[b->winding->fan_count++] =
				( fan_triangle ){ forward ? e->lesser : e->greater, forward ? e->greater : e->lesser,
				                  (uint32_t)( forward ? e->net : -e->net ) };
		}
	}
	return count;
}

// Makes the node of a range and all below it, and leaves its boundary on the stack.
// @return how many triangles are summed for a point outside of its box
static uint32_t build( winding_builder* b, uint32_t first, uint32_t count )
{
	bvb_winding* w = b->winding;
	winding_node* n = w->nodes + w->node_count++;
	uint32_t base = b->edge_count;
	uint32_t cost = count;
	if ( count <= leaf_triangles )
	{
		fill_leaf( b, n, first, count );
	}
	else
	{
		split( b, first, count );
		cost = build( b, first, count / 2 );
		uint32_t middle = b->edge_count;
		n->right = w->node_count;
		cost += build( b, first + count / 2, count - count / 2 );
		merge_boundaries( b, base, middle );
		n->box = box_with( &n[1].box, w->nodes[n->right].box.lower );
		n->box = box_with( &n->box, w->nodes[n->right].box.upper );
	}
	return close_node( b, n, base, cost );
}

static void widen_boxes( bvb_winding* w )
{
	for ( uint32_t i = 0; i < w->node_count; ++i )
	{
		bv_aabb* box = &w->nodes[i].box;
		bv_vec3 size = bv_sub( box->upper, box->lower );
		double m = margin * bvmath_max( bvmath_max( size.x, size.y ), size.z );
		box->lower = bv_sub( box->lower, ( bv_vec3 ){ m, m, m } );
		box->upper = bv_add( box->upper, ( bv_vec3 ){ m, m, m } );
	}
}

static uint32_t leaves_of( uint32_t count )
{
	return count <= leaf_triangles ? 1 : leaves_of( count / 2 ) + leaves_of( count - count / 2 );
}

// A triangle that uses a vertex twice has no solid angle, and one with a coordinate that is no number has
// none that is one.
static bool has_angle( const bvb_mesh* mesh, const bvb_triangle* t )
{
	const uint32_t* corner = t->corner;
	return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0] &&
	       is_finite( mesh->positions[corner[0]] ) && is_finite( mesh->positions[corner[1]] ) &&
	       is_finite( mesh->positions[corner[2]] );
}

// Finds which triangles count, and how large they are.
static void choose_triangles( winding_builder* b )
{
	const bvb_mesh* mesh = b->mesh;
	double largest = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		if ( has_angle( mesh, mesh->triangles + t ) )
		{
			b->order[b->triangle_count++] = t;
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 p = mesh->positions[mesh->triangles[t].corner[k]];
				largest = fmax( largest, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
			}
		}
	}

	// The factor must stay finite for subnormal coordinates.
	int exponent;
	frexp( largest, &exponent );
	b->winding->scale = ldexp( 1, -( exponent > -1000 ? exponent : -1000 ) );
}

// Scales the vertices, and finds the triangles' middles.
static void place_triangles( winding_builder* b )
{
	const bvb_mesh* mesh = b->mesh;
	bv_vec3* positions = b->winding->positions;
	for ( uint32_t v = 0; v < mesh->vertex_count; ++v )
	{
		positions[v] = bv_scale( b->winding->scale, mesh->positions[v] );
	}
	for ( uint32_t i = 0; i < b->triangle_count; ++i )
	{
		const uint32_t* corner = mesh->triangles[b->order[i]].corner;
		b->middles[b->order[i]] =
			bv_add( bv_add( positions[corner[0]], positions[corner[1]] ), positions[corner[2]] );
	}
}

// Orders edges by the places of their ends.
static int compare_places( const void* first, const void* second, void* positions )
{
	const bvmesh_net_edge* a = first;
	const bvmesh_net_edge* b = second;
	const bv_vec3* p = positions;
	int order = bvmath_compare( p[a->lesser], p[b->lesser] );
	return order != 0 ? order : bvmath_compare( p[a->greater], p[b->greater] );
}

// What is open only because vertices at one place have several numbers is not: makes edges at one place one.
static void join_boundary( winding_builder* b )
{
	for ( uint32_t i = 0; i < b->edge_count; ++i )
	{
		bvmesh_net_edge* e = b->edges + i;
		if ( bvmath_compare( b->winding->positions[e->lesser], b->winding->positions[e->greater] ) > 0 )
		{
			*e = ( bvmesh_net_edge ){ e->greater, e->lesser, -e->net };
		}
	}
	bvbase_sort_with( b->edges, b->edge_count, sizeof *b->edges, compare_places, b->winding->positions );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < b->edge_count; )
	{
		bvmesh_net_edge sum = b->edges[i++];
		while ( i < b->edge_count && compare_places( &sum, b->edges + i, b->winding->positions ) == 0 )
		{
			sum.net += b->edges[i++].net;
		}
		if ( sum.net != 0 &&
		     bvmath_compare( b->winding->positions[sum.lesser], b->winding->positions[sum.greater] ) != 0 )
		{
			b->edges[kept++] = sum;
		}
	}
	b->edge_count = kept;
}

// Fills a winding whose arrays but the fans are there.
static bv_status create_in( winding_builder* b, bvb_arena* arena, bvb_arena* scratch, bvb_error* error )
{
	bvb_winding* w = b->winding;
	size_t count = b->mesh->triangle_count;
	b->order = bvb_arena_allocate( scratch, count, sizeof *b->order );
	b->middles = bvb_arena_allocate( scratch, count, sizeof *b->middles );
	if ( !b->order || !b->middles )
	{
		return bvbase_fail_memory( error );
	}
	choose_triangles( b );
	count = b->triangle_count;
	if ( count == 0 )
	{
		return bv_ok;
	}
	size_t nodes = 2 * (size_t)leaves_of( b->triangle_count ) - 1;
	w->positions = bvb_arena_allocate( arena, b->mesh->vertex_count, sizeof *w->positions );
	w->triangles = bvb_arena_allocate( arena, count, sizeof *w->triangles );
	w->nodes = bvb_arena_allocate( arena, nodes, sizeof *w->nodes );
	b->edges = bvb_arena_allocate( scratch, 3 * count, sizeof *b->edges );
	b->merged = bvb_arena_allocate( scratch, 3 * count, sizeof *b->merged );
	b->fans = bvb_arena_allocate( scratch, fan_share * count, sizeof *b->fans );
	if ( !w->positions || !w->triangles || !w->nodes || !b->edges || !b->merged || !b->fans )
	{
		return bvbase_fail_memory( error );
	}
	place_triangles( b );
	build( b, 0, b->triangle_count );
	widen_boxes( w );

	w->triangle_count = b->triangle_count;
	w->fans = bvb_arena_allocate( arena, w->fan_count, sizeof *w->fans );
	if ( !w->fans )
	{
		return bvbase_fail_memory( error );
	}
	memcpy( w->fans, b->fans, w->fan_count * sizeof *w->fans );
	join_boundary( b );
	return bvmesh_openings_create( w->positions, b->mesh->vertex_count, b->edges, b->edge_count, arena,
	                               scratch, &w->openings )
	           ? bv_ok
	           : bvbase_fail_memory( error );
}

bv_status bvb_winding_create( const bvb_mesh* mesh, bvb_arena* arena, bvb_winding** out, bvb_error* error )
{
	if ( mesh->triangle_count > BVB_MAX_TRIANGLES )
	{
		return bvbase_fail( error, bv_error_limit, "%u triangles exceed the limit of %u",
		                    mesh->triangle_count, BVB_MAX_TRIANGLES );
	}
	winding_builder b = { .mesh = mesh, .winding = bvb_arena_allocate( arena, 1, sizeof *b.winding ) };
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bv_status status =
		b.winding && scratch ? create_in( &b, arena, scratch, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	*out = status == bv_ok ? b.winding : NULL;
	return status;
}
