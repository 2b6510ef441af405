// Best-first refinement of regions. See search.h, and README.md for why the bounds hold.

#include "hausdorff/search.h"

#include "base/core/vec.h"
#include "base/offline/arena.h"
#include "hausdorff/combine.h"

#include <math.h>
#include <string.h>

enum
{
	direct_triangles = 12, // so few triangles all have rows
	most_bisections = 3,   // in a row
	first_capacity = 64,
};

struct bvb_search
{
	bvb_arena* arena;
	const bvb_index* index;
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
	bvb_cut cut;
	bvb_region part[2];
	double upper[bvb_row]; // of the region being examined: the least of each column
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

void bvb_search_begin( bvb_search* s, const bvb_index* index, bvb_index_ref root, const bv_vec3 axis[3], double size,
                       const bvb_goal* goal )
{
	s->index = index;
	s->root = root;
	memcpy( s->axis, axis, sizeof s->axis );
	s->goal = *goal;
	s->slack = 0x1p-44 * size;
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

static bool counts( const bvb_search* s, bv_vec3 point )
{
	return !s->goal.inside || bvb_winding_number( s->goal.inside, point ) < 0.5;
}

static void raise_lower( bvb_search* s, bv_vec3 point, double distance )
{
	if ( distance > s->lower && counts( s, point ) )
	{
		s->lower = distance;
		s->witness = point;
	}
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

// The least of each column.
static void find_upper( bvb_search* s, const bvb_region* r )
{
	int n = r->cell.corner.count;
	for ( int i = 0; i < n; ++i )
	{
		s->upper[i] = INFINITY;
	}
	for ( int k = 0; k < r->rows; ++k )
	{
		for ( int i = 0; i < n; ++i )
		{
			s->upper[i] = bv_min( s->upper[i], r->row[k][i] );
		}
	}
}

// The row whose largest value is least; -1 when there is none.
static int best_row( const bvb_region* r, double* value )
{
	int best = -1;
	*value = INFINITY;
	for ( int k = 0; k < r->rows; ++k )
	{
		double largest = largest_of( r->row[k], r->cell.corner.count );
		if ( largest < *value )
		{
			*value = largest;
			best = k;
		}
	}
	return best;
}

static bool add_row( bvb_search* s, bvb_region* r, bvb_index_ref ref )
{
	for ( int k = 0; k < r->rows; ++k )
	{
		if ( r->row_ref[k] == ref )
		{
			return false;
		}
	}
	if ( r->rows == bvb_most_rows )
	{
		return false;
	}
	double* row = r->row[r->rows];
	r->row_ref[r->rows++] = ref;
	fill_row( s, ref, &r->cell.corner, row );
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		s->upper[i] = bv_min( s->upper[i], row[i] );
	}
	return true;
}

// Tries what one row or several rows together say. Returns whether that is enough.
static bool is_settled( bvb_search* s, bvb_region* r, int* best )
{
	double value;
	*best = best_row( r, &value );
	r->bound = bv_min( r->bound, value );
	double wanted = enough( s );
	if ( r->bound > wanted && *best >= 0 && r->rows > 1 && uses( s, bvb_bound_combined ) &&
	     largest_of( s->upper, r->cell.corner.count ) <= wanted )
	{
		value = bvb_combined_bound( (const double( * )[bvb_row])r->row, r->rows, r->cell.corner.count, *best, wanted );
		r->bound = bv_min( r->bound, value );
	}
	return r->bound <= wanted;
}

// Corners whose nearest triangle is among the rows are exact.
static void raise_by_exact_corners( bvb_search* s, bvb_region* r )
{
	for ( int i = 0; i < r->cell.corner.count; ++i )
	{
		if ( s->upper[i] > s->lower && ( r->cell.inside & r->exact ) >> i & 1 )
		{
			raise_lower( s, bvb_cell_corner( &r->cell, i ), s->upper[i] );
		}
	}
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
			if ( !( r->exact >> i & 1 ) && ( at < 0 || s->upper[i] > s->upper[at] ) )
			{
				at = i;
			}
		}
		if ( at < 0 || s->upper[at] <= enough( s ) )
		{
			return;
		}
		bv_vec3 point = bvb_cell_corner( &r->cell, at );
		bvb_nearest found = { s->upper[at], UINT32_MAX };
		found = bvb_index_nearest( s->index, r->cover, r->cover_count, point, found, -1 );
		r->exact |= 1u << at;
		if ( found.ref != UINT32_MAX )
		{
			add_row( s, r, found.ref );
			s->upper[at] = bv_min( s->upper[at], found.distance );
		}
		if ( r->cell.inside >> at & 1 )
		{
			raise_lower( s, point, s->upper[at] );
		}
	}
}

// Replaces nodes that are large beside the region by what is below them, and drops what is nowhere nearest. Small nodes
// that may bound the region get rows.
static void refine_cover( bvb_search* s, bvb_region* r, bv_vec3 middle )
{
	double limit = r->bound + r->radius + s->slack;
	double wanted = enough( s );
	bvb_index_ref from[bvb_most_cover];
	int count = r->cover_count;
	memcpy( from, r->cover, (size_t)count * sizeof *from );
	r->cover_count = 0;
	int room = bvb_most_cover - count; // for more than there are
	for ( int i = 0; i < count; ++i )
	{
		double d = ref_distance( s, from[i], middle );
		if ( d > limit )
		{
			room += 1;
			continue;
		}
		const bvb_index_node* node = bvb_ref_is_triangle( from[i] ) ? NULL : s->index->nodes + from[i];
		if ( !node || node->error * 2 < r->radius || (int)node->child_count - 1 > room )
		{
			r->cover[r->cover_count++] = from[i];
			if ( node && uses( s, bvb_bound_node ) && d + node->error < wanted )
			{
				add_row( s, r, from[i] );
			}
			continue;
		}
		room += 1;
		for ( uint32_t k = 0; k < node->child_count; ++k )
		{
			bvb_index_ref child = s->index->children[node->first_child + k];
			if ( ref_distance( s, child, middle ) <= limit )
			{
				r->cover[r->cover_count++] = child;
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
static bool bisect( const bvb_region* r, bv_vec3 middle, const double* f, const double* g, bvb_plane* out )
{
	double a00 = 0, a10 = 0, a11 = 0, a20 = 0, a21 = 0, a22 = 0;
	bv_vec3 b = { 0, 0, 0 };
	double mean = 0;
	int n = r->cell.corner.count;
	for ( int i = 0; i < n; ++i )
	{
		bv_vec3 p = bv_sub( bvb_cell_corner( &r->cell, i ), middle );
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
	out->offset = bv_dot( out->normal, middle ) - mean / length;

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

static void choose_cut( bvb_search* s, bvb_region* r, bv_vec3 middle, int best )
{
	if ( uses( s, bvb_bound_bisector ) && r->bisections < most_bisections && r->rows > 1 )
	{
		const double* f = r->row[best];
		int worst = 0;
		for ( int i = 1; i < r->cell.corner.count; ++i )
		{
			worst = f[i] > f[worst] ? i : worst;
		}
		int g = 0;
		for ( int k = 1; k < r->rows; ++k )
		{
			g = r->row[k][worst] < r->row[g][worst] ? k : g;
		}
		if ( g != best && bisect( r, middle, f, r->row[g], &r->cut ) )
		{
			r->bisections += 1;
			return;
		}
	}
	halve( s, r );
}

// Bounds a region. Returns whether it needs more work; then its cut and cover are ready.
static bool examine( bvb_search* s, bvb_region* r )
{
	s->regions += 1;
	int best;
	find_upper( s, r );
	raise_by_exact_corners( s, r );
	if ( is_settled( s, r, &best ) )
	{
		return false;
	}
	bv_vec3 middle = bvb_cell_middle( &r->cell );
	r->radius = bvb_cell_radius( &r->cell, middle );
	if ( !r->complete )
	{
		settle_corners( s, r );
		refine_cover( s, r, middle );
		if ( is_settled( s, r, &best ) )
		{
			return false;
		}
	}
	choose_cut( s, r, middle, best );
	return true;
}

static void copy_region( bvb_region* to, const bvb_region* from )
{
	memcpy( to, from, offsetof( bvb_region, row ) );
	for ( int k = 0; k < from->rows; ++k )
	{
		memcpy( to->row[k], from->row[k], (size_t)from->cell.corner.count * sizeof( double ) );
	}
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

static bool keep_region( bvb_search* s, const bvb_region* r )
{
	if ( s->free_count == 0 && s->pool_count == s->capacity && !grow( s ) )
	{
		return false;
	}
	uint32_t place = s->free_count > 0 ? s->free_places[--s->free_count] : s->pool_count++;
	copy_region( s->pool + place, r );
	uint32_t at = s->heap_count++;
	while ( at > 0 && is_larger( s, place, s->heap[( at - 1 ) / 2] ) )
	{
		s->heap[at] = s->heap[( at - 1 ) / 2];
		at = ( at - 1 ) / 2;
	}
	s->heap[at] = place;
	return true;
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
	s->free_places[s->free_count++] = place;
	return place;
}

static bool add_region( bvb_search* s, bvb_region* r )
{
	if ( examine( s, r ) )
	{
		return keep_region( s, r );
	}
	s->settled = bv_max( s->settled, r->bound );
	return true;
}

// Everything below the root may be nearest.
static void begin_region( const bvb_search* s, bvb_region* r )
{
	r->exact = 0;
	r->rows = 0;
	r->cover_count = 0;
	r->complete = true;
	if ( bvb_ref_is_triangle( s->root ) )
	{
		r->row_ref[r->rows++] = s->root;
	}
	else
	{
		const bvb_index_node* node = s->index->nodes + s->root;
		r->complete = node->triangles <= direct_triangles;
		for ( uint32_t i = 0; r->complete && i < node->triangles; ++i )
		{
			r->row_ref[r->rows++] = ( node->first_triangle + i ) | BVB_REF_TRIANGLE;
		}
		for ( uint32_t i = 0; !r->complete && i < node->child_count; ++i )
		{
			r->cover[r->cover_count++] = s->index->children[node->first_child + i];
		}
	}
	for ( int k = 0; k < r->rows; ++k )
	{
		fill_row( s, r->row_ref[k], &r->cell.corner, r->row[k] );
		r->exact = UINT32_MAX;
	}
}

bool bvb_search_add( bvb_search* s, const bvb_cell* cell, double bound )
{
	bvb_region* r = s->part;
	r->cell = *cell;
	for ( int i = cell->corner.count; i % bvb_lanes != 0; ++i )
	{
		r->cell.corner.x[i] = r->cell.corner.y[i] = r->cell.corner.z[i] = 0;
	}
	r->bound = bound;
	r->bisections = 0;
	begin_region( s, r );
	return add_region( s, r );
}

void bvb_search_add_point( bvb_search* s, bv_vec3 point )
{
	bvb_nearest found = { INFINITY, 0 };
	found = bvb_index_nearest( s->index, &s->root, 1, point, found, s->lower );
	raise_lower( s, point, found.distance );
}

// A row of a whole region that says something about a part: it is nearest at some corner, or all are needed.
static bool is_needed( const bvb_region* part, const double* row, const double* least )
{
	for ( int i = 0; i < part->cell.corner.count; ++i )
	{
		if ( row[i] <= least[i] )
		{
			return true;
		}
	}
	return part->complete;
}

// Hands on what is known: only the new corners need be looked at.
static void inherit( bvb_search* s, const bvb_region* whole, double ( *fresh )[bvb_row], int side )
{
	bvb_region* part = s->part + side;
	const int8_t* from = s->cut.from[side];
	part->cell = s->cut.part[side];
	part->bound = whole->bound;
	part->bisections = whole->bisections;
	part->complete = whole->complete;
	part->cover_count = whole->cover_count;
	memcpy( part->cover, whole->cover, sizeof part->cover );
	int n = part->cell.corner.count;
	part->exact = 0;
	for ( int i = 0; i < n; ++i )
	{
		bool known = part->complete || ( from[i] < bvb_cell_corners && whole->exact >> from[i] & 1 );
		part->exact |= known ? 1u << i : 0;
	}
	double least[bvb_row];
	for ( int i = 0; i < n; ++i )
	{
		least[i] = INFINITY;
	}
	for ( int k = 0; k < whole->rows; ++k )
	{
		for ( int i = 0; i < n; ++i )
		{
			double value = from[i] < bvb_cell_corners ? whole->row[k][from[i]] : fresh[k][from[i] - bvb_cell_corners];
			part->row[k][i] = value;
			least[i] = bv_min( least[i], value );
		}
	}
	part->rows = 0;
	for ( int k = 0; k < whole->rows; ++k )
	{
		if ( is_needed( part, part->row[k], least ) )
		{
			part->row_ref[part->rows] = whole->row_ref[k];
			if ( part->rows != k )
			{
				memcpy( part->row[part->rows], part->row[k], (size_t)n * sizeof( double ) );
			}
			part->rows += 1;
		}
	}
}

static bool cut_region( bvb_search* s, const bvb_region* r )
{
	if ( !bvb_cell_cut( &r->cell, &r->cut, r->radius, &s->cut ) )
	{
		return false;
	}
	bvb_points* fresh = &s->cut.fresh;
	for ( int i = fresh->count; i % bvb_lanes != 0; ++i )
	{
		fresh->x[i] = fresh->y[i] = fresh->z[i] = 0;
	}
	double row[bvb_most_rows][bvb_row];
	for ( int k = 0; k < r->rows; ++k )
	{
		fill_row( s, r->row_ref[k], fresh, row[k] );
	}
	inherit( s, r, row, 0 );
	inherit( s, r, row, 1 );
	return true;
}

// The box of a cell whose cut failed, halved. Its corners need not count.
static bool halve_box( bvb_search* s, const bvb_region* r )
{
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
		bvb_region* part = s->part + i;
		part->cell = bvb_cell_of_box( i ? bv_add( center, shift ) : bv_sub( center, shift ), s->axis, half );
		part->cell.inside = 0;
		part->bound = r->bound;
		part->bisections = 0;
		begin_region( s, part );
	}
	return true;
}

bool bvb_search_run( bvb_search* s, bvb_hausdorff* out )
{
	while ( s->heap_count > 0 && s->pool[s->heap[0]].bound > enough( s ) &&
	        ( s->goal.max_regions == 0 || s->regions < s->goal.max_regions ) )
	{
		const bvb_region* r = s->pool + take_largest( s );
		if ( !cut_region( s, r ) && !halve_box( s, r ) )
		{
			s->settled = bv_max( s->settled, r->bound );
			continue;
		}
		if ( !add_region( s, s->part ) || !add_region( s, s->part + 1 ) )
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
