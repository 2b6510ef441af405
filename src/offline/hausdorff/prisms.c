// Boxes cut into prisms. See prisms.h, and README.md for why the bounds hold.
//
// A prism is what lies above a convex polygon in the plane of the box's two longer axes, from one height to
// another. It is settled when all its upright edges are near enough to one triangle, or to one node of known
// error. Prisms are looked at depth first: the corners of the box, which are looked at before all else,
// nearly always give the lower bound.

#include "offline/hausdorff/prisms.h"

#include "offline/base/arena.h"
#include "offline/hausdorff/eight.h"
#include "offline/hausdorff/slots.h"
#include "runtime/math/vec.h"

#include <math.h>

enum
{
	lanes = bvhaus_lanes_of_group,
	most_corners = 16,
	most_waiting = 64,
	most_depth = 64, // each cut moves what is covered by some rounding
	most_looks = 400,
};

// Of the box's longest side, which is 1/2 to 1: distances and edges are that exact, and more.
static const double rounding = 0x1p-16;

// The triangles lie in the box; where they do not, rounding is larger than that.
static const double most_reach = 4;

// Of a polygon's radius: how deep a cut must be.
static const float least_depth = 0.02f;

typedef struct prism
{
	int corners;    // of the polygon
	int edges;      // how many there are when it is taken up
	int depth;      // cuts that made it
	uint32_t slots; // those that may be near
	float low;      // third coordinate of the lower end
	float high;     // of the upper end
	uint8_t edge[most_corners];
} prism;

struct bvhaus_prisms
{
	bvhaus_slots slots;
	bvhaus_index_ref root;
	uint32_t root_slots;
	bool is_direct;  // all triangles are in a slot
	float half[3];   // extents of the box, the longest first; 0 where it is thin
	double relative; // as in the goal
	double absolute; // in units of the frame, as all that follows
	double reserve;
	double margin; // what rounding may hide
	double lower;  // -1 before the first point
	float witness[3];
	float enough; // prisms no farther than that are settled
	float enough_square;
	float settled_square; // the largest bound of those that are
	uint64_t looks;
	int edges;
	float x[bvhaus_most_edges];
	float y[bvhaus_most_edges];
	int waiting;
	prism stack[most_waiting];
};

bvhaus_prisms* bvhaus_prisms_create( bvb_arena* arena )
{
	return bvb_arena_allocate( arena, 1, sizeof( bvhaus_prisms ) );
}

static void raise_lower( bvhaus_prisms* p, int edge, float height, double distance )
{
	if ( distance <= p->lower )
	{
		return;
	}
	p->lower = distance;
	p->witness[0] = p->x[edge];
	p->witness[1] = p->y[edge];
	p->witness[2] = height;
	double lower = bvmath_max( distance - p->margin, 0 );
	double wanted = bvmath_max( lower * ( 1 + p->relative ), lower + p->absolute );
	wanted = bvmath_max( wanted - p->reserve - 2 * p->margin, 0 );
	p->enough = (float)wanted;
	p->enough_square = (float)( wanted * wanted );
}

// Where there are more triangles than those in slots.
// @param bound  a square that is not less, but for rounding
static void raise_by_end( bvhaus_prisms* p, int edge, float height, float bound )
{
	const bvhaus_local_frame* f = &p->slots.frame;
	double at[3] = { p->x[edge], p->y[edge], height };
	bv_vec3 point = f->center;
	for ( int i = 0; i < 3; ++i )
	{
		point = bv_add( point, bv_scale( at[i] / f->scale, f->axis[i] ) );
	}
	bvhaus_nearest known = { ( sqrt( (double)bound ) + 2 * p->margin ) / f->scale, BVHAUS_NO_REF };
	bvhaus_nearest found = bvhaus_index_within( p->slots.index, p->root, point, p->lower / f->scale, known );
	if ( found.ref != BVHAUS_NO_REF )
	{
		raise_lower( p, edge, height, f->scale * found.distance );
	}
}

// Ends whose bounds are largest come first, until no other can be any farther.
static void raise_by_ends( bvhaus_prisms* p, int first, int count, float low, float high,
                           float ( *bound )[2] )
{
	for ( ;; )
	{
		int at = 0;
		for ( int i = 1; i < 2 * count; ++i )
		{
			at = bound[i / 2][i % 2] > bound[at / 2][at % 2] ? i : at;
		}
		float square = bound[at / 2][at % 2];
		if ( square < 0 || sqrt( (double)square ) <= p->lower )
		{
			return;
		}
		bound[at / 2][at % 2] = -1;
		raise_by_end( p, first + at / 2, at % 2 ? high : low, square );
	}
}

// Looks at new edges.
static void look_at_edges( bvhaus_prisms* p, int first, int count, const prism* c, bool are_corners )
{
	float least[most_corners][2];
	bvhaus_segments edges = { p->x + first, p->y + first, count, c->low, c->high };
	bvhaus_slots_look( &p->slots, &edges, first, c->slots, least );
	if ( p->is_direct )
	{
		for ( int i = 0; i < count; ++i )
		{
			raise_lower( p, first + i, c->low, sqrt( (double)least[i][0] ) );
			raise_lower( p, first + i, c->high, sqrt( (double)least[i][1] ) );
		}
	}
	else if ( are_corners )
	{
		raise_by_ends( p, first, count, c->low, c->high, least );
	}
}

// A prism's polygon.
typedef struct outline
{
	float x[most_corners];
	float y[most_corners];
	float height[most_corners]; // above the line where it is to be cut
	float middle_x;
	float middle_y;
	float radius; // about the middle
} outline;

static void trace( const bvhaus_prisms* p, const prism* c, outline* o )
{
	float x = 0;
	float y = 0;
	for ( int i = 0; i < c->corners; ++i )
	{
		o->x[i] = p->x[c->edge[i]];
		o->y[i] = p->y[c->edge[i]];
		x += o->x[i];
		y += o->y[i];
	}
	float scale = 1.0f / (float)c->corners;
	o->middle_x = x * scale;
	o->middle_y = y * scale;
	float square = 0;
	for ( int i = 0; i < c->corners; ++i )
	{
		float dx = o->x[i] - o->middle_x;
		float dy = o->y[i] - o->middle_y;
		float r = dx * dx + dy * dy;
		square = r > square ? r : square;
	}
	o->radius = sqrtf( square );
}

static void find_extents( const float* v, int count, float* low, float* high )
{
	*low = *high = v[0];
	for ( int i = 1; i < count; ++i )
	{
		*low = v[i] < *low ? v[i] : *low;
		*high = v[i] > *high ? v[i] : *high;
	}
}

static void halve( outline* o, int count )
{
	float low_x;
	float high_x;
	float low_y;
	float high_y;
	find_extents( o->x, count, &low_x, &high_x );
	find_extents( o->y, count, &low_y, &high_y );
	bool wide = high_x - low_x > high_y - low_y;
	float at = 0.5f * ( wide ? low_x + high_x : low_y + high_y );
	for ( int i = 0; i < count; ++i )
	{
		o->height[i] = ( wide ? o->x[i] : o->y[i] ) - at;
	}
}

// The line on which two rows are equal, fitted to their difference at the corners by least squares. Returns
// whether it leaves something on both sides.
static bool bisect( const bvhaus_prisms* p, const prism* c, int f, int g, outline* o )
{
	float xx = 0;
	float xy = 0;
	float yy = 0;
	float x_d = 0;
	float y_d = 0;
	float mean = 0;
	for ( int i = 0; i < c->corners; ++i )
	{
		float d = sqrtf( bvhaus_slots_square( &p->slots, c->edge[i], f ) ) -
		          sqrtf( bvhaus_slots_square( &p->slots, c->edge[i], g ) );
		float x = o->x[i] - o->middle_x;
		float y = o->y[i] - o->middle_y;
		mean += d;
		xx += x * x;
		xy += x * y;
		yy += y * y;
		x_d += x * d;
		y_d += y * d;
	}
	mean /= (float)c->corners;
	float regular = 0x1p-17f * ( xx + yy );
	xx += regular;
	yy += regular;

	// Times the determinant, all of it.
	float gradient_x = yy * x_d - xy * y_d;
	float gradient_y = xx * y_d - xy * x_d;
	mean *= xx * yy - xy * xy;
	float below = 0;
	float above = 0;
	for ( int i = 0; i < c->corners; ++i )
	{
		float h = gradient_x * ( o->x[i] - o->middle_x ) + gradient_y * ( o->y[i] - o->middle_y ) + mean;
		o->height[i] = h;
		below = -h > below ? -h : below;
		above = h > above ? h : above;
	}
	float steepness = sqrtf( gradient_x * gradient_x + gradient_y * gradient_y );
	float least = least_depth * o->radius * steepness;
	return below > least && above > least;
}

static prism* begin_part( bvhaus_prisms* p, int which, const prism* whole, uint32_t slots )
{
	prism* part = p->stack + p->waiting + which;
	part->corners = 0;
	part->depth = whole->depth + 1;
	part->slots = slots;
	part->low = whole->low;
	part->high = whole->high;
	return part;
}

static void end_parts( bvhaus_prisms* p )
{
	p->stack[p->waiting].edges = p->stack[p->waiting + 1].edges = p->edges;
	p->waiting += 2;
}

static float largest_height( const outline* o, int count )
{
	float largest = 0;
	for ( int i = 0; i < count; ++i )
	{
		float h = fabsf( o->height[i] );
		largest = h > largest ? h : largest;
	}
	return largest;
}

// Cuts a polygon along a chord, by heights. Whatever these are, the parts hold all of it. Returns false when
// they leave it whole.
static bool cut( bvhaus_prisms* p, const prism* c, const outline* o, uint32_t slots )
{
	if ( p->waiting + 2 > most_waiting || p->edges + 2 > bvhaus_most_edges || c->corners + 2 > most_corners )
	{
		return false;
	}
	float near = 0x1p-12f * largest_height( o, c->corners );
	prism* below = begin_part( p, 0, c, slots );
	prism* above = begin_part( p, 1, c, slots );
	int first = p->edges;
	int fresh = 0;
	int sides = c->corners == 2 ? 1 : c->corners;
	for ( int i = 0; i < c->corners; ++i )
	{
		int next = i + 1 < c->corners ? i + 1 : 0;
		float h = o->height[i];
		float to = o->height[next];
		if ( h <= near )
		{
			below->edge[below->corners++] = c->edge[i];
		}
		if ( h >= -near )
		{
			above->edge[above->corners++] = c->edge[i];
		}
		bool is_cut = ( h > near && to < -near ) || ( h < -near && to > near );
		if ( is_cut && i < sides )
		{
			if ( fresh == 2 )
			{
				return false;
			}
			float t = h / ( h - to );
			int at = first + fresh++;
			p->x[at] = o->x[i] + t * ( o->x[next] - o->x[i] );
			p->y[at] = o->y[i] + t * ( o->y[next] - o->y[i] );
			below->edge[below->corners++] = above->edge[above->corners++] = (uint8_t)at;
		}
	}
	int all = c->corners + fresh;
	if ( below->corners == all || above->corners == all )
	{
		return false;
	}
	p->edges += fresh;
	look_at_edges( p, first, fresh, below, false );
	end_parts( p );
	return true;
}

// Halves the height.
static bool split( bvhaus_prisms* p, const prism* c, const outline* o, uint32_t slots )
{
	if ( p->waiting + 2 > most_waiting || p->edges + 2 * c->corners > bvhaus_most_edges )
	{
		return false;
	}
	float middle = 0.5f * ( c->low + c->high );
	for ( int k = 0; k < 2; ++k )
	{
		prism* part = begin_part( p, k, c, slots );
		int first = p->edges;
		part->low = k ? middle : c->low;
		part->high = k ? c->high : middle;
		part->corners = c->corners;
		for ( int i = 0; i < c->corners; ++i )
		{
			part->edge[i] = (uint8_t)p->edges;
			p->x[p->edges] = o->x[i];
			p->y[p->edges++] = o->y[i];
		}
		look_at_edges( p, first, c->corners, part, false );
	}
	end_parts( p );
	return true;
}

// What a prism is near to.
typedef struct prisms_finding
{
	float most[bvhaus_most_slots][lanes]; // of each row the largest square at an edge
	int best;                             // the row of which that is least
	float least;                          // its largest square
	int worst;                            // the edge that is farthest from the best row
	int second;                           // the row that is nearest there
	float nearest;                        // its square there
} prisms_finding;

static void find_best( bvhaus_prisms* p, const prism* c, uint32_t slots, prisms_finding* f )
{
	for ( uint32_t left = slots; left != 0; left &= left - 1 )
	{
		int k = __builtin_ctz( left );
		float here;
		bvhaus_eight_most( p->slots.most[k], c->edge, c->corners, f->most[k] );
		int lane = bvhaus_eight_least( f->most[k], &here );
		f->best = here < f->least ? k * lanes + lane : f->best;
		f->least = here < f->least ? here : f->least;
	}
}

static void find_second( const bvhaus_prisms* p, const prism* c, prisms_finding* f )
{
	float farthest = -1;
	for ( int i = 0; i < c->corners; ++i )
	{
		float square = bvhaus_slots_square( &p->slots, c->edge[i], f->best );
		f->worst = square > farthest ? c->edge[i] : f->worst;
		farthest = square > farthest ? square : farthest;
	}
	f->nearest = INFINITY;
	for ( uint32_t left = c->slots; left != 0; left &= left - 1 )
	{
		int k = __builtin_ctz( left );
		float here;
		int lane = bvhaus_eight_least( p->slots.most[k][f->worst], &here );
		f->second = here < f->nearest ? k * lanes + lane : f->second;
		f->nearest = here < f->nearest ? here : f->nearest;
	}
}

static bool is_open( const bvhaus_prisms* p, uint32_t slots, bvhaus_index_ref node )
{
	for ( uint32_t left = slots; left != 0; left &= left - 1 )
	{
		if ( p->slots.slot[__builtin_ctz( left )].owner == node )
		{
			return true;
		}
	}
	return false;
}

// A node whose box is near enough to all of the prism, or to one edge, while its error is too large: the one
// for which least is missing.
// @param edge  -1 for all of the prism
static bvhaus_index_ref find_node( const bvhaus_prisms* p, const prism* c, const prisms_finding* f, int edge )
{
	bvhaus_index_ref best = BVHAUS_NO_REF;
	float least = INFINITY;
	for ( uint32_t left = c->slots; left != 0; left &= left - 1 )
	{
		int k = __builtin_ctz( left );
		const bvhaus_slot* slot = p->slots.slot + k;
		const float* square = edge < 0 ? f->most[k] : p->slots.most[k][edge];
		uint32_t near = slot->has_boxes ? bvhaus_eight_within( square, slot->error, p->enough ) : 0;
		for ( ; near != 0; near &= near - 1 )
		{
			int i = __builtin_ctz( near );
			if ( square[i] < least && slot->ref[i] != BVHAUS_NO_REF && !is_open( p, c->slots, slot->ref[i] ) )
			{
				least = square[i];
				best = slot->ref[i];
			}
		}
	}
	return best;
}

// Slots that prisms need.
static uint32_t needed_slots( const bvhaus_prisms* p, const prism* c )
{
	uint32_t needed = p->root_slots | c->slots;
	for ( int i = 0; i < p->waiting; ++i )
	{
		needed |= p->stack[i].slots;
	}
	return needed;
}

// Opens nodes as long as that may settle the prism, or its worst edge.
static void open_nodes( bvhaus_prisms* p, prism* c, prisms_finding* f )
{
	while ( f->least > p->enough_square )
	{
		bvhaus_index_ref node = find_node( p, c, f, -1 );
		if ( node == BVHAUS_NO_REF )
		{
			find_second( p, c, f );
			node = f->nearest > p->enough_square ? find_node( p, c, f, f->worst ) : BVHAUS_NO_REF;
		}
		if ( node == BVHAUS_NO_REF )
		{
			return;
		}
		p->slots.needed = needed_slots( p, c );
		uint32_t more = bvhaus_slots_open( &p->slots, node );
		if ( !more )
		{
			return;
		}
		float x[most_corners];
		float y[most_corners];
		bvhaus_segments edges = { x, y, c->corners, c->low, c->high };
		for ( int i = 0; i < c->corners; ++i )
		{
			x[i] = p->x[c->edge[i]];
			y[i] = p->y[c->edge[i]];
		}
		bvhaus_slots_look_at( &p->slots, &edges, c->edge, more );
		c->slots |= more;
		find_best( p, c, more, f );
	}
}

// Slots of which something may be near enough somewhere in the prism.
static uint32_t near_slots( const bvhaus_prisms* p, const prism* c, const outline* o,
                            const prisms_finding* f )
{
	float height = c->high - c->low;
	float diameter = 2 * o->radius;
	float far = p->enough + 1.001f * sqrtf( diameter * diameter + height * height );
	uint32_t slots = 0;
	for ( uint32_t left = c->slots; left != 0; left &= left - 1 )
	{
		int k = __builtin_ctz( left );
		slots |= bvhaus_eight_within( f->most[k], p->slots.slot[k].error, far ) ? 1u << k : 0;
	}
	return slots ? slots : c->slots;
}

// Parts a prism that is not settled. Returns false when that can't be done.
static bool part( bvhaus_prisms* p, const prism* c, prisms_finding* f )
{
	outline o;
	trace( p, c, &o );
	uint32_t slots = p->is_direct ? c->slots : near_slots( p, c, &o, f );
	find_second( p, c, f );
	if ( f->nearest > p->enough_square )
	{
		// No row is near enough to all of an edge: an end of it may be farther than all points before.
		double lower = p->lower;
		for ( int end = 0; end < 2 && !p->is_direct; ++end )
		{
			raise_by_end( p, f->worst, end ? c->high : c->low, f->nearest );
		}
		if ( p->lower > lower )
		{
			p->stack[p->waiting++] = *c;
			return true;
		}
		if ( c->high > c->low )
		{
			return split( p, c, &o, slots );
		}
	}
	if ( f->second != f->best && bisect( p, c, f->best, f->second, &o ) && cut( p, c, &o, slots ) )
	{
		return true;
	}
	halve( &o, c->corners );
	return cut( p, c, &o, slots );
}

static bool is_settled( bvhaus_prisms* p, const prisms_finding* f )
{
	bool settled = f->least <= p->enough_square;
	p->settled_square = settled && f->least > p->settled_square ? f->least : p->settled_square;
	return settled;
}

// Looks at the prism on top of the stack. Returns false when it can neither be settled nor parted.
static bool settle_or_part( bvhaus_prisms* p )
{
	const prism* top = p->stack + --p->waiting;
	prisms_finding f;
	f.best = f.worst = f.second = 0;
	f.least = INFINITY;
	p->edges = top->edges;
	p->looks += 1;
	find_best( p, top, top->slots, &f );
	if ( is_settled( p, &f ) )
	{
		return true;
	}

	// Its parts take its place.
	prism c = *top;
	if ( !p->is_direct )
	{
		open_nodes( p, &c, &f );
		if ( is_settled( p, &f ) )
		{
			return true;
		}
	}
	return p->looks <= most_looks && c.depth < most_depth && part( p, &c, &f );
}

static bool run( bvhaus_prisms* p )
{
	while ( p->waiting > 0 )
	{
		if ( !settle_or_part( p ) )
		{
			return false;
		}
	}
	return true;
}

static void begin( bvhaus_prisms* p )
{
	p->lower = -1;
	p->enough = p->enough_square = p->settled_square = 0;
	p->edges = p->waiting = 0;
}

static void add_prism( bvhaus_prisms* p, float ( *corner )[2], int count, float low, float high )
{
	prism* c = p->stack + p->waiting++;
	int first = p->edges;
	c->corners = count;
	c->depth = 0;
	c->slots = p->root_slots;
	c->low = low;
	c->high = high;
	for ( int i = 0; i < count; ++i )
	{
		p->x[p->edges] = corner[i][0];
		p->y[p->edges] = corner[i][1];
		c->edge[i] = (uint8_t)p->edges++;
	}
	c->edges = p->edges;
	look_at_edges( p, first, count, c, true );
}

// A rectangle, a segment or a point. Returns how many corners it has; the first is repeated behind the last
// one.
static int base_of( const bvhaus_prisms* p, float corner[5][2] )
{
	float a = p->half[0];
	float b = p->half[1];
	for ( int i = 0; i < 5; ++i )
	{
		corner[i][0] = i % 4 == 0 || i == 3 ? -a : a;
		corner[i][1] = i % 4 < 2 ? -b : b;
	}
	return b > 0 ? 4 : a > 0 ? 2 : 1;
}

static void add_box( bvhaus_prisms* p )
{
	float corner[5][2];
	add_prism( p, corner, base_of( p, corner ), -p->half[2], p->half[2] );
}

// The sides of a box that is not flat.
static void add_sides( bvhaus_prisms* p )
{
	float corner[5][2];
	base_of( p, corner );
	add_prism( p, corner, 4, -p->half[2], -p->half[2] );
	add_prism( p, corner, 4, p->half[2], p->half[2] );
	for ( int i = 0; i < 4; ++i )
	{
		add_prism( p, corner + i, 2, -p->half[2], p->half[2] );
	}
	for ( int i = 0; i < p->waiting; ++i )
	{
		p->stack[i].edges = p->edges;
	}
}

static bool is_on_side( const bvhaus_prisms* p )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( fabsf( p->witness[i] ) >= p->half[i] - 0x1p-20f )
		{
			return true;
		}
	}
	return false;
}

// Numbers the axes by falling extents.
static void order_axes( const double half[3], int axis[3] )
{
	axis[2] = half[2] <= half[0] && half[2] <= half[1] ? 2 : half[1] <= half[0] ? 1 : 0;
	int i = ( axis[2] + 1 ) % 3;
	int k = ( axis[2] + 2 ) % 3;
	axis[0] = half[i] >= half[k] ? i : k;
	axis[1] = half[i] >= half[k] ? k : i;
}

static bvhaus_local_frame frame_of( const bvhaus_solid_box* box, const int axis[3] )
{
	int exponent;
	frexp( box->half_extents[axis[0]], &exponent );
	return ( bvhaus_local_frame ){
		.center = box->center,
		.axis = { box->axis[axis[0]], box->axis[axis[1]], box->axis[axis[2]] },
		.scale = ldexp( 1, -1 - exponent ),
	};
}

static bvb_hausdorff result_of( const bvhaus_prisms* p )
{
	double scale = p->slots.frame.scale;
	double lower = bvmath_max( p->lower - p->margin, 0 );
	double upper = bvmath_max( sqrt( (double)p->settled_square ) + p->margin, lower );
	return ( bvb_hausdorff ){ .lower = lower / scale, .upper = upper / scale, .regions = p->looks };
}

bool bvhaus_prisms_measure( bvhaus_prisms* p, const bvhaus_index* index, bvhaus_index_ref node,
                            const bvhaus_goal* goal, double size, double thin, bvb_hausdorff* solid,
                            bvb_hausdorff* surface )
{
	const bvhaus_solid_box* box = index->solid_boxes + node;
	int axis[3];
	order_axes( box->half_extents, axis );
	bvhaus_local_frame frame = frame_of( box, axis );
	double away = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double h = box->half_extents[axis[i]];
		away += h <= thin ? h * h : 0;
		p->half[i] = h <= thin ? 0 : (float)( frame.scale * h );
	}
	away = sqrt( away );
	p->root = node;
	p->is_direct = index->nodes[node].triangles <= lanes;
	p->relative = goal->relative;
	p->absolute = goal->absolute * frame.scale;
	p->reserve = ( 2 + goal->relative ) * away * frame.scale;
	p->margin = rounding + 0x1p-45 * size * frame.scale;
	p->looks = 0;
	bvhaus_slots_begin( &p->slots, index, &frame );
	p->root_slots = bvhaus_slots_open( &p->slots, node );
	if ( !p->root_slots )
	{
		return false;
	}
	begin( p );
	add_box( p );
	if ( !( p->enough > p->lower + 2 * p->margin ) || !run( p ) || !( p->slots.reach < most_reach ) )
	{
		return false;
	}
	*solid = result_of( p );
	solid->upper += away;
	*surface = *solid;
	if ( p->half[2] == 0 )
	{
		// The witness may be as far inside.
		surface->lower = bvmath_max( surface->lower - away, 0 );
	}
	else if ( !is_on_side( p ) )
	{
		begin( p );
		add_sides( p );
		if ( !run( p ) || !( p->slots.reach < most_reach ) )
		{
			return false;
		}
		*surface = result_of( p );
		surface->upper = bvmath_min( surface->upper, solid->upper );
	}
	return true;
}
