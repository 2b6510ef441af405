// Rotating calipers (Toussaint 1983, "Solving geometric problems with the rotating calipers") over a
// silhouette, with a bound for directions nearby.
//
// Tilted by an angle, a side of the rectangle loses at most sin z + ( 1 - cos ) r of its length times a
// share, where r and z are the length in the plane and across it of the vector between the two corners it is
// measured by; the squares of the two sides' shares add up to 1. While the corners stay the same the area is
// least at either end of the turn.

#include "offline/fit/calipers.h"

#include <math.h>

// The calipers: the corners of a silhouette at its bottom, right, top and left, seen along sides that have
// turned by the direction `side`, of any length, from the x axis.
typedef struct calipers
{
	uint32_t corner[4];
	double x;
	double y;
} calipers;

static calipers open_calipers( const bv_vec3* ring, uint32_t count )
{
	calipers c = { .x = 1 };
	for ( uint32_t i = 1; i < count; ++i )
	{
		c.corner[0] = ring[i].y < ring[c.corner[0]].y ? i : c.corner[0];
		c.corner[1] = ring[i].x > ring[c.corner[1]].x ? i : c.corner[1];
		c.corner[2] = ring[i].y > ring[c.corner[2]].y ? i : c.corner[2];
		c.corner[3] = ring[i].x < ring[c.corner[3]].x ? i : c.corner[3];
	}
	return c;
}

// Turns the calipers to the next edge of the silhouette.
// @return which of the four corners moves along that edge next
static int turn_calipers( calipers* c, const bv_vec3* ring, uint32_t count )
{
	int next = 0;
	double x[4];
	double y[4];
	for ( int i = 0; i < 4; ++i )
	{
		bv_vec3 p = ring[c->corner[i]];
		bv_vec3 q = ring[c->corner[i] + 1 < count ? c->corner[i] + 1 : 0];
		double u = q.x - p.x;
		double v = q.y - p.y;

		// Turned back to how the bottom's edge would be.
		x[i] = i == 0 ? u : i == 1 ? v : i == 2 ? -u : -v;
		y[i] = i == 0 ? v : i == 1 ? -u : i == 2 ? -v : u;
		next = x[i] * y[next] - y[i] * x[next] > 0 ? i : next;
	}
	if ( x[next] != 0 || y[next] != 0 )
	{
		c->x = x[next];
		c->y = y[next];
	}
	return next;
}

// What is between the calipers: two vectors from corner to corner.
typedef struct opening
{
	bv_vec3 wide; // from the left to the right
	bv_vec3 high; // from the bottom to the top
	double area;  // of the rectangle
} opening;

static opening measure_opening( const calipers* c, const bv_vec3* ring )
{
	opening o = {
		.wide = bv_sub( ring[c->corner[1]], ring[c->corner[3]] ),
		.high = bv_sub( ring[c->corner[2]], ring[c->corner[0]] ),
	};
	double width = c->x * o.wide.x + c->y * o.wide.y;
	double height = c->x * o.high.y - c->y * o.high.x;
	o.area = width * height / ( c->x * c->x + c->y * c->y );
	return o;
}

// What the area loses at most.
static double loss_of( const opening* o, double cosine, double sine )
{
	double width2 = o->wide.x * o->wide.x + o->wide.y * o->wide.y;
	double height2 = o->high.x * o->high.x + o->high.y * o->high.y;
	return sine * sqrt( height2 * ( o->wide.z * o->wide.z ) + width2 * ( o->high.z * o->high.z ) ) +
	       2 * ( 1 - cosine ) * sqrt( width2 * height2 );
}

double bvfit_bound_rectangles( const bv_vec3* ring, uint32_t count, double cosine, double sine,
                               bvfit_seen_rectangle* least )
{
	calipers c = open_calipers( ring, count );
	double first = measure_opening( &c, ring ).area;
	double before = first;
	double bound = INFINITY;
	*least = ( bvfit_seen_rectangle ){ c.x, c.y, before };

	// A quarter turn brings every edge to one of the four sides.
	for ( uint32_t i = 0; i < count; ++i )
	{
		int moving = turn_calipers( &c, ring, count );
		opening o = measure_opening( &c, ring );
		bound = bvmath_min( bound, bvmath_min( before, o.area ) - loss_of( &o, cosine, sine ) );
		before = o.area;
		if ( o.area < least->area )
		{
			*least = ( bvfit_seen_rectangle ){ c.x, c.y, o.area };
		}
		c.corner[moving] = c.corner[moving] + 1 < count ? c.corner[moving] + 1 : 0;
	}

	// And from the last edge to where it began, with two sides for the other two.
	opening rest = measure_opening( &c, ring );
	return bvmath_min( bound, bvmath_min( before, first ) - loss_of( &rest, cosine, sine ) );
}
