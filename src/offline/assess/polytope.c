// Convex polyhedra that are cut by planes: I. E. Sutherland, G. W. Hodgman, "Reentrant polygon clipping", 1974, of all faces at once.
// On which side of the plane a corner is, is decided once, and edges are cut once for both of their faces, so that whatever rounding
// decides the result is closed.

#include "offline/assess/polytope.h"

#include "runtime/math/vec.h"

void bvassess_polytope_begin( bvassess_cut_polytope* out )
{
	static const uint16_t side[24] = {
		0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5
	};
	out->corners = 8;
	out->faces = 6;
	for ( int i = 0; i < 8; ++i )
	{
		out->corner[i] = ( bv_vec3 ){ i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 };
	}
	for ( int i = 0; i < 24; ++i )
	{
		out->side[i] = side[i];
	}
	for ( int i = 0; i <= 6; ++i )
	{
		out->first[i] = (uint16_t)( 4 * i );
	}
}

enum
{
	no_corner = 0xffff,
};

// An edge that is cut, from the corner that is kept to the one that is not.
typedef struct crossing
{
	uint16_t kept;
	uint16_t lost;
	uint16_t next; // round the new face
} crossing;

typedef struct cut
{
	const bvassess_cut_polytope* from;
	bvassess_cut_polytope* to;
	double height[bvassess_polytope_corners]; // above the plane: those above 0 are lost
	uint16_t kept[bvassess_polytope_corners]; // of corners that are kept, where they go
	uint32_t first_new;                       // corners from here on are crossings, in the same order
	uint32_t crossings;
	crossing crossing[bvassess_polytope_corners];
	uint32_t sides;
	bool full;
} cut;

static uint16_t cross( cut* c, uint16_t kept, uint16_t lost )
{
	for ( uint32_t i = 0; i < c->crossings; ++i )
	{
		if ( c->crossing[i].kept == kept && c->crossing[i].lost == lost )
		{
			return (uint16_t)i;
		}
	}
	if ( c->first_new + c->crossings >= bvassess_polytope_corners )
	{
		c->full = true;
		return 0;
	}
	bv_vec3 a = c->from->corner[kept];
	bv_vec3 b = c->from->corner[lost];
	double part = c->height[kept] / ( c->height[kept] - c->height[lost] );
	c->to->corner[c->first_new + c->crossings] = bv_add( a, bv_scale( part, bv_sub( b, a ) ) );
	c->crossing[c->crossings] = ( crossing ){ kept, lost, no_corner };
	return (uint16_t)c->crossings++;
}

static void add_side( cut* c, uint32_t corner )
{
	if ( c->sides < bvassess_polytope_sides )
	{
		c->to->side[c->sides++] = (uint16_t)corner;
	}
	else
	{
		c->full = true;
	}
}

static void end_face( cut* c )
{
	bvassess_cut_polytope* to = c->to;
	if ( c->sides == to->first[to->faces] )
	{
		return;
	}
	if ( to->faces >= bvassess_polytope_faces )
	{
		c->full = true;
		return;
	}
	to->first[++to->faces] = (uint16_t)c->sides;
}

// Where a face leaves what is kept and where it comes back it has a new side, which the new face has the other way round.
static void cut_face( cut* c, const uint16_t* side, uint32_t count )
{
	uint32_t start = 0;
	while ( start < count && c->height[side[start]] > 0 )
	{
		start += 1;
	}
	if ( start == count )
	{
		return;
	}
	uint16_t left = no_corner;
	for ( uint32_t i = 0; i < count && !c->full; ++i )
	{
		uint16_t here = side[( start + i ) % count];
		uint16_t there = side[( start + i + 1 ) % count];
		bool keeps_here = !( c->height[here] > 0 );
		bool keeps_there = !( c->height[there] > 0 );
		if ( keeps_here )
		{
			add_side( c, c->kept[here] );
		}
		if ( keeps_here && !keeps_there )
		{
			left = cross( c, here, there );
			add_side( c, c->first_new + left );
		}
		if ( !keeps_here && keeps_there )
		{
			uint16_t back = cross( c, there, here );
			add_side( c, c->first_new + back );
			c->crossing[back].next = left;
		}
	}
	end_face( c );
}

// Each crossing has one successor, so that they are loops.
static void add_new_faces( cut* c )
{
	for ( uint32_t i = 0; i < c->crossings && !c->full; ++i )
	{
		for ( uint32_t at = i; c->crossing[at].next != no_corner; )
		{
			uint32_t next = c->crossing[at].next;
			add_side( c, c->first_new + at );
			c->crossing[at].next = no_corner;
			at = next;
		}
		end_face( c );
	}
}

bvassess_cut_polytope* bvassess_polytope_cut_by( bvassess_cut_polytope* polytope,
                                                 bvassess_cut_polytope* other, bv_vec3 normal, double offset )
{
	cut c;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < polytope->corners; ++i )
	{
		c.height[i] = bv_dot( normal, polytope->corner[i] ) - offset;
		if ( !( c.height[i] > 0 ) )
		{
			c.kept[i] = (uint16_t)kept;
			other->corner[kept++] = polytope->corner[i];
		}
	}
	if ( kept == polytope->corners )
	{
		return polytope;
	}
	c.from = polytope;
	c.to = other;
	c.first_new = kept;
	c.crossings = c.sides = 0;
	c.full = false;
	other->faces = 0;
	other->first[0] = 0;
	for ( uint32_t i = 0; kept > 0 && i < polytope->faces; ++i )
	{
		cut_face( &c, polytope->side + polytope->first[i],
		          (uint32_t)( polytope->first[i + 1] - polytope->first[i] ) );
	}
	add_new_faces( &c );
	other->corners = kept > 0 ? kept + c.crossings : 0;

	// Only rounding could make more of them than the planes can; such a plane takes nothing away.
	return c.full ? polytope : other;
}

// Tetrahedra from one of the corners to all triangles of the faces.
double bvassess_polytope_volume( const bvassess_cut_polytope* polytope )
{
	double sum = 0;
	for ( uint32_t i = 0; i < polytope->faces; ++i )
	{
		const uint16_t* side = polytope->side + polytope->first[i];
		uint32_t count = (uint32_t)( polytope->first[i + 1] - polytope->first[i] );
		bv_vec3 a = polytope->corner[side[0]];
		bv_vec3 to_a = bv_sub( a, polytope->corner[0] );
		for ( uint32_t k = 2; k < count; ++k )
		{
			bv_vec3 b = bv_sub( polytope->corner[side[k - 1]], a );
			sum += bv_dot( to_a, bv_cross( b, bv_sub( polytope->corner[side[k]], a ) ) );
		}
	}
	return sum / 6;
}
