// Best-first refinement of regions. See search.h, and README.md for why the bounds hold.

#include "hausdorff/search.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "hausdorff/combine.h"

#include <math.h>
#include <string.h>

enum
{
	direct_triangles = 32, // so few triangles all have rows
	most_bisections = 2,   // in a row
	first_capacity = 64,
};

struct bvb_search
{
	bvb_arena* arena;
	const bvb_index* index;
	const bvb_index* source; // whose triangles are measured, if any are
	bvb_index_ref root;
	bv_vec3 axis[3];
	bvb_goal goal;
	double slack;
	double lower; // -1 before the first point
	bv_vec3 witness;
	double settled; // largest bound of the regions that need no more work
	uint64_t regions;
	bvb_region* pool;
	uint32_t pool_count;
	uint32_t capacity;
	uint32_t* heap; // of places in the pool, largest bound first
	uint32_t heap_count;
	uint32_t* free_places;
	uint32_t free_count;
	uint32_t new_place; // of the region that is being added
	bvb_cut cut;
	bvb_cut trim;
};

bvb_search* bvb_search_create( bvb_arena* arena )
{
	bvb_search* s = bvb_arena_allocate( arena, 1, sizeof *s );
	if ( s )
	{
		s->arena = arena;
	}
	return s;
}

void bvb_search_begin( bvb_search* s, const bvb_index* index, bvb_index_ref root, const bv_vec3 axis[3],
                       double size, const bvb_goal* goal )
{
	s->index = index;
	s->root = root;
	memcpy( s->axis, axis, sizeof s->axis );
	s->goal = *goal;
	s->slack = 0x1p-45 * size;
	s->lower = -1;
	s->witness = ( bv_vec3 ){ 0, 0, 0 };
	s->settled = 0;
	s->regions = 0;
	s->pool_count = 0;
	s->heap_count = 0;
	s->free_count = 0;
}

static bool uses( const bvb_search* s, bvb_bound bound )
{
	return s->goal.bounds & bound;
}

// What need not be refined further.
static double enough( const bvb_search* s )
{
	double lower = bv_max( s->lower, 0 );
	return bv_max( lower * ( 1 + s->goal.relative ), lower + s->goal.absolute );
}

static bool is_inside_shape( const bvb_search* s, bv_vec3 point )
{
	return s->goal.inside && bvb_winding_number( s->goal.inside, point ) >= 0.5;
}

// Returns whether the point counts, as far as that was looked at.
static bool raise_lower( bvb_search* s, bv_vec3 point, double distance )
{
	if ( distance > s->lower )
	{
		if ( is_inside_shape( s, point ) )
		{
			return false;
		}
		s->lower = distance;
		s->witness = point;
	}
	return true;
}

static void raise_by_point( bvb_search* s, bv_vec3 point )
{
	bvb_nearest found = { INFINITY, 0 };
	raise_lower( s, point, bvb_index_nearest( s->index, s->root, point, found ).distance );
}

static double ref_distance( const bvb_search* s, bvb_index_ref ref, bv_vec3 point )
{
	return bvb_ref_is_triangle( ref ) ? bvb_triangle_distance( bvb_ref_triangle( s->index, ref ), point )
	                                  : bvb_box_distance( &s->index->nodes[ref].box, point );
}

static void fill_row( const bvb_search* s, bvb_index_ref ref, const bvb_points* points, double row[bvb_row] )
{
	if ( bvb_ref_is_triangle( ref ) )
	{
		bvb_triangle_row( bvb_ref_triangle( s->index, ref ), points, row );
		return;
	}
	const bvb_index_node* node = s->index->nodes + ref;
	bvb_box_row( &node->box, points, row );
	for ( int i = 0; i < points->count; ++i )
	{
		row[i] += node->error;
	}
}

static double largest_of( const double* values, int count )
{
	double largest = values[0];
	for ( int i = 1; i < count; ++i )
	{
		largest = bv_max( largest, values[i] );
	}
	return largest;
}

// Takes a row into account.
static void use_row( bvb_region* r, int k )
{
	const double* row = r->row[k];
	double largest = 0;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		r->upper[i] = bv_min( r->upper[i], row[i] );
		largest = bv_max( largest, row[i] );
	}
	if ( largest < r->single )
	{
		r->single = largest;
		r->best = k;
	}
}

static void forget_rows( bvb_region* r )
{
	r->rows = 0;
	r->best = 0;
	r->single = INFINITY;
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		r->upper[i] = INFINITY;
	}
}

static void add_row( bvb_search* s, bvb_region* r, bvb_index_ref ref )
{
	r->row_ref[r->rows] = ref;
	fill_row( s, ref, &r->cell.corner, r->row[r->rows] );
	use_row( r, r->rows++ );
}

// A row for what has none yet. Without room the one that says least makes way.
static void add_helper( bvb_search* s, bvb_region* r, bvb_index_ref ref )
{
	int worst = -1;
	double most = -1;
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( r->row_ref[k] == ref )
		{
			return;
		}
		double largest = r->rows == bvb_most_rows ? largest_of( r->row[k], r->cell.corner.count ) : 0;
		if ( largest > most && k != r->best )
		{
			most = largest;
			worst = k;
		}
	}
	if ( r->rows < bvb_most_rows )
	{
		add_row( s, r, ref );
		return;
	}
	r->row_ref[worst] = ref;
	fill_row( s, ref, &r->cell.corner, r->row[worst] );
	use_row( r, worst );
}

// The row that says most where the best one says least.
static int second_row( const bvb_region* r )
{
	const double* best = r->row[r->best];
	int worst = 0;
	for ( int i = 1; i < r->cell.corner.count; ++i )
	{
		worst = best[i] > best[worst] ? i : worst;
	}
	int second = r->best;
	for ( int k = 0; k < r->rows; ++k )
	{
		second = r->row[k][worst] < r->row[second][worst] ? k : second;
	}
	return second;
}

// Tries what one row or two together say. Returns whether that is enough.
static bool is_settled( bvb_search* s, bvb_region* r )
{
	r->bound = bv_min( r->bound, r->single );
	double wanted = enough( s );
	int n = r->cell.corner.count;
	if ( r->bound > wanted && r->rows > 1 && uses( s, bvb_bound_combined ) &&
	     largest_of( r->upper, n ) <= wanted )
	{
		r->bound = bv_min( r->bound, bvb_combined_bound( r->row[r->best], r->row[second_row( r )], n ) );
	}
	return r->bound <= wanted;
}

static void raise_by_corner( bvb_search* s, bvb_region* r, int corner )
{
	if ( r->cell.inside >> corner & 1 &&
	     !raise_lower( s, bvb_cell_corner( &r->cell, corner ), r->upper[corner] ) )
	{
		r->cell.inside &= ~( 1u << corner );
	}
}

// Corners whose nearest triangle is among the rows are exact.
static void raise_by_exact_corners( bvb_search* s, bvb_region* r )
{
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		if ( r->upper[i] > s->lower && r->exact >> i & 1 )
		{
			raise_by_corner( s, r, i );
		}
	}
}

// The nearest triangle of a point not far from the region's middle.
static bvb_nearest find_nearest( const bvb_search* s, const bvb_region* r, bv_vec3 point, bvb_nearest found )
{
	bv_vec3 off = bv_sub( point, r->middle );
	double away = sqrt( bv_dot( off, off ) ) + s->slack;
	for ( int k = 0; k < r->rows && r->complete; ++k )
	{
		found = bvb_index_nearest( s->index, r->row_ref[k], point, found );
	}
	for ( int i = 0; i < r->cover_count; ++i )
	{
		const bvb_candidate* c = r->cover + i;
		if ( c->distance - c->moved - away < found.distance )
		{
			found = bvb_index_nearest( s->index, c->ref, point, found );
		}
	}
	return found;
}

// Finds the nearest triangles of the corners whose bounds are still too large, the largest first: either they raise
// the lower bound, or they bring the upper one down.
static void settle_corners( bvb_search* s, bvb_region* r )
{
	for ( ;; )
	{
		int at = -1;
		for ( int i = 0; i < r->cell.corner.count; ++i )
		{
			if ( !( r->exact >> i & 1 ) && ( at < 0 || r->upper[i] > r->upper[at] ) )
			{
				at = i;
			}
		}
		if ( at < 0 || r->upper[at] <= enough( s ) )
		{
			return;
		}
		bvb_nearest found = { r->upper[at], UINT32_MAX };
		found = find_nearest( s, r, bvb_cell_corner( &r->cell, at ), found );
		r->exact |= 1u << at;
		if ( found.ref != UINT32_MAX )
		{
			add_helper( s, r, found.ref );
			r->upper[at] = bv_min( r->upper[at], found.distance );
		}
		raise_by_corner( s, r, at );
	}
}

// Keeps the cover in ascending order of distance.
static void put_into_cover( bvb_region* r, bvb_candidate c )
{
	int at = r->cover_count++;
	while ( at > 0 && r->cover[at - 1].distance > c.distance )
	{
		r->cover[at] = r->cover[at - 1];
		at -= 1;
	}
	r->cover[at] = c;
}

// Replaces nodes that are large beside the region by what is below them, and drops what is nowhere nearest. Nodes that
// may bound the region get rows.
static void refine_cover( bvb_search* s, bvb_region* r )
{
	double limit = r->bound + r->radius + s->slack;
	double wanted = enough( s );
	bvb_candidate from[bvb_most_cover];
	int count = r->cover_count;
	memcpy( from, r->cover, (size_t)count * sizeof *from );
	r->cover_count = 0;
	int room = bvb_most_cover - count; // for more than there are
	for ( int i = 0; i < count; ++i )
	{
		bvb_candidate c = from[i];
		if ( c.distance - c.moved <= limit && c.distance + c.moved > limit )
		{
			c = ( bvb_candidate ){ c.ref, ref_distance( s, c.ref, r->middle ), 0 };
		}
		if ( c.distance - c.moved > limit )
		{
			room += 1;
			continue;
		}
		const bvb_index_node* node = bvb_ref_is_triangle( c.ref ) ? NULL : s->index->nodes + c.ref;
		if ( node && uses( s, bvb_bound_node ) && c.distance + node->error < wanted )
		{
			add_helper( s, r, c.ref );
		}
		if ( !node || node->error * 2 < r->radius || (int)node->child_count - 1 > room )
		{
			put_into_cover( r, c );
			continue;
		}
		room += 1;
		for ( uint32_t k = 0; k < node->child_count; ++k )
		{
			bvb_index_ref child = s->index->children[node->first_child + k];
			double d = ref_distance( s, child, r->middle );
			if ( d <= limit )
			{
				put_into_cover( r, ( bvb_candidate ){ child, d, 0 } );
				room -= 1;
			}
		}
	}
}

static void halve( const bvb_search* s, bvb_region* r )
{
	bvb_extents e = bvb_cell_extents( &r->cell, s->axis );
	int longest = 0;
	for ( int i = 1; i < 3; ++i )
	{
		longest = e.upper[i] - e.lower[i] > e.upper[longest] - e.lower[longest] ? i : longest;
	}
	r->cut = ( bvb_plane ){ s->axis[longest], 0.5 * ( e.lower[longest] + e.upper[longest] ) };
	r->bisections = 0;
}

// The plane on which two rows are equal, fitted to their difference at the corners by least squares.
static bool bisect( const bvb_region* r, const double* f, const double* g, bvb_plane* out )
{
	double a00 = 0, a10 = 0, a11 = 0, a20 = 0, a21 = 0, a22 = 0;
	bv_vec3 b = { 0, 0, 0 };
	double mean = 0;
	int n = r->cell.corner.count;
	for ( int i = 0; i < n; ++i )
	{
		bv_vec3 p = bv_sub( bvb_cell_corner( &r->cell, i ), r->middle );
		double d = f[i] - g[i];
		mean += d;
		b = bv_add( b, bv_scale( d, p ) );
		a00 += p.x * p.x;
		a10 += p.y * p.x;
		a11 += p.y * p.y;
		a20 += p.z * p.x;
		a21 += p.z * p.y;
		a22 += p.z * p.z;
	}
	mean /= n;

	// A flat cell leaves one direction open.
	double regular = 1e-9 * ( a00 + a11 + a22 );
	double l00 = sqrt( a00 + regular );
	double l10 = a10 / l00;
	double l20 = a20 / l00;
	double l11 = sqrt( bv_max( a11 + regular - l10 * l10, regular ) );
	double l21 = ( a21 - l20 * l10 ) / l11;
	double l22 = sqrt( bv_max( a22 + regular - l20 * l20 - l21 * l21, regular ) );
	double y0 = b.x / l00;
	double y1 = ( b.y - l10 * y0 ) / l11;
	double y2 = ( b.z - l20 * y0 - l21 * y1 ) / l22;
	bv_vec3 normal;
	normal.z = y2 / l22;
	normal.y = ( y1 - l21 * normal.z ) / l11;
	normal.x = ( y0 - l10 * normal.y - l20 * normal.z ) / l00;
	double length = sqrt( bv_dot( normal, normal ) );
	if ( !( length > 0 ) || !( length < INFINITY ) )
	{
		return false;
	}
	out->normal = bv_scale( 1 / length, normal );
	out->offset = bv_dot( out->normal, r->middle ) - mean / length;

	// A cut that leaves next to nothing on one side is no progress.
	double least = INFINITY;
	double most = -INFINITY;
	for ( int i = 0; i < n; ++i )
	{
		double h = bv_dot( out->normal, bvb_cell_corner( &r->cell, i ) ) - out->offset;
		least = bv_min( least, h );
		most = bv_max( most, h );
	}
	return least < -0.01 * r->radius && most > 0.01 * r->radius;
}

static void choose_cut( bvb_search* s, bvb_region* r )
{
	if ( uses( s, bvb_bound_bisector ) && r->bisections < most_bisections && r->rows > 1 )
	{
		int second = second_row( r );
		if ( second != r->best && bisect( r, r->row[r->best], r->row[second], &r->cut ) )
		{
			r->bisections += 1;
			return;
		}
	}
	halve( s, r );
}

// Corners of round shapes mostly lie beside them: a point of the shape near the farthest corner is tried instead.
static void raise_by_projection( bvb_search* s, const bvb_region* r )
{
	int worst = 0;
	for ( int i = 1; i < r->cell.corner.count; ++i )
	{
		worst = r->upper[i] > r->upper[worst] ? i : worst;
	}
	if ( r->upper[worst] > s->lower )
	{
		raise_by_point( s, bvb_shape_project( r->shape, bvb_cell_corner( &r->cell, worst ) ) );
	}
}

// Whether a cell lies on one side of a plane, or touches it.
static bool is_one_sided( const bvb_cell* cell, const bvb_plane* plane, double near )
{
	bool below = true;
	bool above = true;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = bv_dot( plane->normal, bvb_cell_corner( cell, i ) ) - plane->offset;
		below = below && h <= near;
		above = above && h >= -near;
	}
	return below || above;
}

static bool is_apart( const bvb_extents* e, const bvb_framed_triangle* t, const bv_vec3 axis[3], double near )
{
	for ( int i = 0; i < 3; ++i )
	{
		double a = bv_dot( axis[i], t->origin );
		double b = a + t->length * bv_dot( axis[i], t->u );
		double c = a + ( t->apex_u * bv_dot( axis[i], t->u ) + t->apex_v * bv_dot( axis[i], t->v ) );
		double lower = bv_min( a, bv_min( b, c ) );
		double upper = bv_max( a, bv_max( b, c ) );
		if ( lower >= e->upper[i] - near || upper <= e->lower[i] + near )
		{
			return true;
		}
	}
	return false;
}

// What triangles do to a region.
typedef enum crossing
{
	crossing_none,    // no triangle passes through its inside
	crossing_known,   // one does, on a known plane
	crossing_unknown, // there are too many to look at
} crossing;

// Looks for a triangle that passes through a region, the first one that is found among the nearest nodes.
static crossing find_crossing( const bvb_search* s, const bvb_region* r, bvb_plane* out )
{
	enum
	{
		most_visits = 96,
	};
	bvb_index_ref stack[most_visits + bvb_most_rows + 16];
	int top = 0;
	for ( int k = 0; k < r->rows && r->complete; ++k )
	{
		stack[top++] = r->row_ref[k];
	}
	for ( int i = 0; i < r->cover_count; ++i )
	{
		stack[top++] = r->cover[i].ref;
	}
	double near = 0x1p-40 * r->radius + s->slack;
	bvb_extents extents = bvb_cell_extents( &r->cell, s->axis );
	for ( int visits = 0; top > 0; ++visits )
	{
		if ( visits == most_visits )
		{
			return crossing_unknown;
		}
		bvb_index_ref ref = stack[--top];
		if ( ref_distance( s, ref, r->middle ) > r->radius + s->slack )
		{
			continue;
		}
		if ( !bvb_ref_is_triangle( ref ) )
		{
			const bvb_index_node* node = s->index->nodes + ref;
			for ( uint32_t i = 0; i < node->child_count && i < 8; ++i )
			{
				stack[top++] = s->index->children[node->first_child + i];
			}
			if ( node->child_count > 8 || top > most_visits + bvb_most_rows )
			{
				return crossing_unknown;
			}
			continue;
		}
		const bvb_framed_triangle* t = bvb_ref_triangle( s->index, ref );
		bvb_plane plane;
		plane.normal = bv_cross( t->u, t->v );
		plane.offset = bv_dot( plane.normal, t->origin );
		if ( !is_one_sided( &r->cell, &plane, near ) && !is_apart( &extents, t, s->axis, near ) )
		{
			*out = plane;
			return crossing_known;
		}
	}
	return crossing_none;
}

// Where no triangle passes through a region, all of it is inside of the shape or nothing. Otherwise it is cut along the
// triangle. Returns whether that settles the region.
static bool is_settled_inside( bvb_search* s, bvb_region* r, bool* has_cut )
{
	crossing c = find_crossing( s, r, &r->cut );
	*has_cut = c == crossing_known;
	if ( c == crossing_none && is_inside_shape( s, r->middle ) )
	{
		// Up to what touching may hide.
		r->bound = bv_min( r->bound, 0x1p-38 * r->radius + s->slack );
		return r->bound <= enough( s );
	}
	return false;
}

// Bounds a region. Returns whether it needs more work; then its cut and cover are ready.
static bool examine( bvb_search* s, bvb_region* r )
{
	s->regions += 1;
	raise_by_exact_corners( s, r );
	if ( is_settled( s, r ) )
	{
		return false;
	}
	if ( !r->complete )
	{
		settle_corners( s, r );
		refine_cover( s, r );
	}
	if ( r->shape )
	{
		raise_by_projection( s, r );
	}
	if ( is_settled( s, r ) )
	{
		return false;
	}
	bool has_cut = false;
	if ( s->goal.inside && r->source == BVB_NO_SOURCE && is_settled_inside( s, r, &has_cut ) )
	{
		return false;
	}
	if ( r->source == BVB_NO_SOURCE && !has_cut )
	{
		choose_cut( s, r );
	}
	return true;
}

static bool is_larger( const bvb_search* s, uint32_t a, uint32_t b )
{
	return s->pool[a].bound > s->pool[b].bound;
}

static bool grow( bvb_search* s )
{
	uint32_t capacity = s->capacity ? 2 * s->capacity : first_capacity;
	bvb_region* pool = bvb_arena_allocate( s->arena, capacity, sizeof *pool );
	uint32_t* heap = bvb_arena_allocate( s->arena, capacity, sizeof *heap );
	uint32_t* free_places = bvb_arena_allocate( s->arena, capacity, sizeof *free_places );
	if ( !pool || !heap || !free_places )
	{
		return false;
	}
	if ( s->capacity )
	{
		memcpy( pool, s->pool, s->pool_count * sizeof *pool );
		memcpy( heap, s->heap, s->heap_count * sizeof *heap );
		memcpy( free_places, s->free_places, s->free_count * sizeof *free_places );
	}
	s->pool = pool;
	s->heap = heap;
	s->free_places = free_places;
	s->capacity = capacity;
	return true;
}

// Room for one more region.
static bool take_place( bvb_search* s, uint32_t* place )
{
	if ( s->free_count > 0 )
	{
		*place = s->free_places[--s->free_count];
		return true;
	}
	if ( s->pool_count == s->capacity && !grow( s ) )
	{
		return false;
	}
	*place = s->pool_count++;
	return true;
}

static void give_back( bvb_search* s, uint32_t place )
{
	s->free_places[s->free_count++] = place;
}

static void keep( bvb_search* s, uint32_t place )
{
	uint32_t at = s->heap_count++;
	while ( at > 0 && is_larger( s, place, s->heap[( at - 1 ) / 2] ) )
	{
		s->heap[at] = s->heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	s->heap[at] = place;
}

static uint32_t take_largest( bvb_search* s )
{
	uint32_t place = s->heap[0];
	uint32_t last = s->heap[--s->heap_count];
	uint32_t at = 0;
	for ( ;; )
	{
		uint32_t child = 2 * at + 1;
		if ( child >= s->heap_count )
		{
			break;
		}
		if ( child + 1 < s->heap_count && is_larger( s, s->heap[child + 1], s->heap[child] ) )
		{
			child += 1;
		}
		if ( !is_larger( s, s->heap[child], last ) )
		{
			break;
		}
		s->heap[at] = s->heap[child];
		at = child;
	}
	s->heap[at] = last;
	return place;
}

static void settle_or_keep( bvb_search* s, uint32_t place )
{
	if ( examine( s, s->pool + place ) )
	{
		keep( s, place );
		return;
	}
	s->settled = bv_max( s->settled, s->pool[place].bound );
	give_back( s, place );
}

// Everything below the root may be nearest.
static void begin_region( bvb_search* s, bvb_region* r )
{
	r->middle = bvb_cell_middle( &r->cell );
	r->radius = bvb_cell_radius( &r->cell, r->middle );
	r->bisections = 0;
	r->cover_count = 0;
	r->complete = true;
	forget_rows( r );
	if ( bvb_ref_is_triangle( s->root ) )
	{
		add_row( s, r, s->root );
	}
	else
	{
		const bvb_index_node* node = s->index->nodes + s->root;
		r->complete = node->triangles <= direct_triangles;
		for ( uint32_t i = 0; r->complete && i < node->triangles; ++i )
		{
			add_row( s, r, ( node->first_triangle + i ) | BVB_REF_TRIANGLE );
		}
		for ( uint32_t i = 0; !r->complete && i < node->child_count; ++i )
		{
			r->cover[r->cover_count++] = ( bvb_candidate ){ s->index->children[node->first_child + i], 0, 0 };
		}
	}
	r->exact = r->complete ? UINT32_MAX : 0;
}

bvb_cell* bvb_search_new_cell( bvb_search* s )
{
	return take_place( s, &s->new_place ) ? &s->pool[s->new_place].cell : NULL;
}

// Some point of what is measured, before one is known that counts.
static void begin_witness( bvb_search* s, const bvb_shape* shape, bv_vec3 corner )
{
	s->witness = shape ? bvb_shape_project( shape, corner ) : corner;
	if ( shape )
	{
		raise_by_point( s, s->witness );
	}
}

void bvb_search_add( bvb_search* s, const bvb_shape* shape, double bound )
{
	bvb_region* r = s->pool + s->new_place;
	if ( shape && !bvb_shape_tighten( shape, &r->cell, &s->cut ) )
	{
		give_back( s, s->new_place );
		return;
	}
	bvb_pad_points( &r->cell.corner );
	r->bound = bound;
	r->shape = shape;
	r->source = BVB_NO_SOURCE;
	if ( s->lower < 0 )
	{
		begin_witness( s, shape, bvb_cell_corner( &r->cell, 0 ) );
	}
	begin_region( s, r );
	settle_or_keep( s, s->new_place );
}

static void make_source_cell( const bvb_index* source, bvb_index_ref ref, bvb_cell* out )
{
	if ( bvb_ref_is_triangle( ref ) )
	{
		const bvb_framed_triangle* t = bvb_ref_triangle( source, ref );
		bv_vec3 corner[3];
		corner[0] = t->origin;
		corner[1] = bv_add( t->origin, bv_scale( t->length, t->u ) );
		corner[2] = bv_add( t->origin, bv_add( bv_scale( t->apex_u, t->u ), bv_scale( t->apex_v, t->v ) ) );
		bvb_cell_make_polygon( corner, 3, out );
		return;
	}
	const bvb_solid_box* box = &source->nodes[ref].box;
	bvb_cell_make_box( box->center, box->axis, box->half_extents, out );
	out->inside = 0;
}

bool bvb_search_add_triangles( bvb_search* s, const bvb_index* source )
{
	bvb_cell* cell = bvb_search_new_cell( s );
	if ( !cell )
	{
		return false;
	}
	s->source = source;
	s->witness = source->triangles[0].origin;
	raise_by_point( s, s->witness );
	make_source_cell( source, source->root, cell );
	bvb_region* r = s->pool + s->new_place;
	bvb_pad_points( &cell->corner );
	r->bound = INFINITY;
	r->shape = NULL;
	r->source = bvb_ref_is_triangle( source->root ) ? BVB_NO_SOURCE : source->root;
	begin_region( s, r );
	settle_or_keep( s, s->new_place );
	return true;
}

// Whether a row says something about a region: it is least at some corner, or, where every triangle that is nearest
// somewhere must have a row, it may be that.
static bool is_needed( const bvb_region* r, const double* row, double largest, double limit )
{
	if ( r->complete )
	{
		return largest <= limit;
	}
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		if ( row[i] <= r->upper[i] )
		{
			return true;
		}
	}
	return false;
}

// Drops the rows that say nothing. No distance changes by more than the region's diameter within it.
static void keep_needed_rows( bvb_region* r, const double* largest )
{
	double limit = bv_min( r->bound, r->single ) + 2 * r->radius;
	int kept = 0;
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( !is_needed( r, r->row[k], largest[k], limit ) )
		{
			continue;
		}
		if ( r->best == k )
		{
			r->best = kept;
		}
		r->row_ref[kept] = r->row_ref[k];
		if ( kept != k )
		{
			memcpy( r->row[kept], r->row[k], (size_t)r->cell.corner.count * sizeof( double ) );
		}
		kept += 1;
	}
	r->rows = kept;
}

// Hands on what does not depend on the corners.
static void inherit_head( const bvb_region* whole, bvb_region* part )
{
	bvb_pad_points( &part->cell.corner );
	part->bound = whole->bound;
	part->shape = whole->shape;
	part->bisections = whole->bisections;
	part->complete = whole->complete;
	part->exact = part->complete ? UINT32_MAX : 0;
	part->middle = bvb_cell_middle( &part->cell );
	part->radius = bvb_cell_radius( &part->cell, part->middle );
	bv_vec3 d = bv_sub( part->middle, whole->middle );
	double moved = sqrt( bv_dot( d, d ) );
	part->cover_count = whole->cover_count;
	for ( int i = 0; i < whole->cover_count; ++i )
	{
		part->cover[i] = whole->cover[i];
		part->cover[i].moved += moved;
	}
}

// Hands on what is known to a part whose corners are all new.
static void inherit_candidates( bvb_search* s, const bvb_region* whole, bvb_region* part )
{
	inherit_head( whole, part );
	forget_rows( part );
	double largest[bvb_most_rows];
	for ( int k = 0; k < whole->rows; ++k )
	{
		add_row( s, part, whole->row_ref[k] );
		largest[k] = largest_of( part->row[k], part->cell.corner.count );
	}
	keep_needed_rows( part, largest );
}

// Hands on what is known to a part: only the new corners had to be looked at.
static void inherit( const bvb_region* whole, const uint8_t* from, bvb_region* part )
{
	inherit_head( whole, part );
	part->source = BVB_NO_SOURCE;
	int n = part->cell.corner.count;
	for ( int i = 0; i < n && !part->complete; ++i )
	{
		bool known = from[i] < whole->cell.corner.count && whole->exact >> from[i] & 1;
		part->exact |= known ? 1u << i : 0;
	}
	double largest[bvb_most_rows];
	forget_rows( part );
	part->rows = whole->rows;
	memcpy( part->row_ref, whole->row_ref, (size_t)whole->rows * sizeof *part->row_ref );
	for ( int k = 0; k < whole->rows; ++k )
	{
		double* row = part->row[k];
		largest[k] = 0;
		for ( int i = 0; i < n; ++i )
		{
			double value = whole->row[k][from[i]];
			row[i] = value;
			part->upper[i] = bv_min( part->upper[i], value );
			largest[k] = bv_max( largest[k], value );
		}
		if ( largest[k] < part->single )
		{
			part->single = largest[k];
			part->best = k;
		}
	}
	keep_needed_rows( part, largest );
}

// Most parts are settled by one of the rows of the whole, and need not be made then.
static bool is_settled_by_row( bvb_search* s, const bvb_region* whole, const uint8_t* from, int count )
{
	double wanted = enough( s );
	for ( int k = 0; k < whole->rows; ++k )
	{
		double largest = 0;
		for ( int i = 0; i < count && largest <= wanted; ++i )
		{
			largest = bv_max( largest, whole->row[k][from[i]] );
		}
		if ( largest <= wanted )
		{
			s->settled = bv_max( s->settled, largest );
			s->regions += 1;
			return true;
		}
	}
	return false;
}

// New corners raise the lower bound where all nearest triangles have rows.
static void raise_by_fresh_corners( bvb_search* s, const bvb_region* r )
{
	int first = r->cell.corner.count;
	for ( int i = 0; i < s->cut.fresh.count && r->complete; ++i )
	{
		double least = r->row[0][first + i];
		for ( int k = 1; k < r->rows; ++k )
		{
			least = bv_min( least, r->row[k][first + i] );
		}
		if ( s->cut.inside >> i & 1 )
		{
			bv_vec3 p = { s->cut.fresh.x[i], s->cut.fresh.y[i], s->cut.fresh.z[i] };
			s->cut.inside &= raise_lower( s, p, least ) ? UINT32_MAX : ~( 1u << i );
		}
	}
}

// Cuts a region where it says. Returns false when that can't be done.
static bool cut_region( bvb_search* s, uint32_t place, const uint32_t part_place[2] )
{
	bvb_region* r = s->pool + place;
	if ( !bvb_cell_cut( &r->cell, &r->cut, r->radius, &s->cut ) )
	{
		return false;
	}
	bvb_pad_points( &s->cut.fresh );
	for ( int k = 0; k < r->rows; ++k )
	{
		fill_row( s, r->row_ref[k], &s->cut.fresh, r->row[k] + r->cell.corner.count );
	}
	raise_by_fresh_corners( s, r );
	for ( int i = 0; i < 2; ++i )
	{
		if ( is_settled_by_row( s, r, s->cut.from[i], s->cut.count[i] ) )
		{
			give_back( s, part_place[i] );
			continue;
		}
		bvb_region* part = s->pool + part_place[i];
		bvb_cell_make_part( &r->cell, &s->cut, i, &part->cell );
		if ( !r->shape )
		{
			inherit( r, s->cut.from[i], part );
		}
		else if ( bvb_shape_tighten( r->shape, &part->cell, &s->trim ) )
		{
			part->source = BVB_NO_SOURCE;
			inherit_candidates( s, r, part );
		}
		else
		{
			give_back( s, part_place[i] );
			continue;
		}
		settle_or_keep( s, part_place[i] );
	}
	return true;
}

// The box of a cell whose cut failed, halved. Its corners need not count.
static bool halve_box( bvb_search* s, uint32_t place, const uint32_t part_place[2] )
{
	const bvb_region* r = s->pool + place;
	bvb_extents e = bvb_cell_extents( &r->cell, s->axis );
	double half[3];
	bv_vec3 center = { 0, 0, 0 };
	int longest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = 0.5 * ( e.upper[i] - e.lower[i] );
		center = bv_add( center, bv_scale( 0.5 * ( e.lower[i] + e.upper[i] ), s->axis[i] ) );
		longest = half[i] > half[longest] ? i : longest;
	}
	half[longest] *= 0.5;
	if ( !( half[longest] > s->slack ) )
	{
		return false;
	}
	bv_vec3 shift = bv_scale( half[longest], s->axis[longest] );
	for ( int i = 0; i < 2; ++i )
	{
		bvb_region* part = s->pool + part_place[i];
		bvb_cell_make_box( i ? bv_add( center, shift ) : bv_sub( center, shift ), s->axis, half,
		                   &part->cell );
		part->cell.inside = 0;
		part->source = BVB_NO_SOURCE;
		if ( r->shape && !bvb_shape_tighten( r->shape, &part->cell, &s->trim ) )
		{
			give_back( s, part_place[i] );
			continue;
		}
		inherit_candidates( s, r, part );
		settle_or_keep( s, part_place[i] );
	}
	return true;
}

// What is below a node of the source takes its place.
static bool open_source( bvb_search* s, uint32_t place )
{
	const bvb_index_node* node = s->source->nodes + s->pool[place].source;
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		uint32_t part_place;
		if ( !take_place( s, &part_place ) )
		{
			return false;
		}
		bvb_index_ref ref = s->source->children[node->first_child + i];
		bvb_region* part = s->pool + part_place;
		make_source_cell( s->source, ref, &part->cell );
		part->source = bvb_ref_is_triangle( ref ) ? BVB_NO_SOURCE : ref;
		inherit_candidates( s, s->pool + place, part );
		settle_or_keep( s, part_place );
	}
	give_back( s, place );
	return true;
}

// Cuts the region of largest bound in two.
static bool refine( bvb_search* s )
{
	if ( s->pool[s->heap[0]].source != BVB_NO_SOURCE )
	{
		return open_source( s, take_largest( s ) );
	}
	uint32_t part[2];
	if ( !take_place( s, &part[0] ) || !take_place( s, &part[1] ) )
	{
		return false;
	}
	uint32_t place = take_largest( s );
	if ( !cut_region( s, place, part ) && !halve_box( s, place, part ) )
	{
		s->settled = bv_max( s->settled, s->pool[place].bound );
		give_back( s, part[0] );
		give_back( s, part[1] );
	}
	give_back( s, place );
	return true;
}

bool bvb_search_run( bvb_search* s, bvb_hausdorff* out )
{
	while ( s->heap_count > 0 && s->pool[s->heap[0]].bound > enough( s ) &&
	        ( s->goal.max_regions == 0 || s->regions < s->goal.max_regions ) )
	{
		if ( !refine( s ) )
		{
			return false;
		}
	}
	double upper = s->heap_count > 0 ? bv_max( s->settled, s->pool[s->heap[0]].bound ) : s->settled;
	double lower = bv_max( s->lower, 0 );
	upper = bv_max( upper, lower );
	out->lower = bv_max( lower * ( 1 - 0x1p-46 ) - s->slack, 0 );
	out->upper = upper * ( 1 + 0x1p-46 ) + s->slack;
	out->witness = s->witness;
	out->regions = s->regions;
	return true;
}
