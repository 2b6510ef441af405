// Hill climbing on hulls with neighbors. See climb.h.
//
// Based on: Gilbert and Foo 1990. A climb moves to the highest neighbor until there is no higher one. Heights are rounded,
// and a climb can end below the farthest corner. All corners from its end to the farthest one along an ascending path
// then are as high to rounding, and connected: they are visited, too.

#include "runtime/convex/climb.h"

BVSIMD_INLINE bv_vec3 point_of( const bvconvex_prepared* s, bool stored, uint32_t index )
{
	return stored ? bvconvex_hull_point( s, index ) : s->hull.points[index];
}

typedef struct summit
{
	uint32_t corner;
	double height;
} summit;

BVSIMD_INLINE summit summit_at( const bvconvex_prepared* s, bool stored, bv_vec3 along, uint32_t index )
{
	return ( summit ){ index, bv_dot( along, point_of( s, stored, index ) ) };
}

BVSIMD_INLINE summit higher_of( const bvconvex_prepared* s, bool stored, bv_vec3 along, summit best,
                                uint32_t index )
{
	double height = bv_dot( along, point_of( s, stored, index ) );
	bool is_higher = height > best.height;
	best.corner = is_higher ? index : best.corner;
	best.height = is_higher ? height : best.height;
	return best;
}

BVSIMD_INLINE summit highest_of_all( const bvconvex_prepared* s, bool stored, bv_vec3 along )
{
	summit best = { 0, -INFINITY };
	for ( uint32_t i = 0; i < s->corners; ++i )
	{
		best = higher_of( s, stored, along, best, i );
	}
	return best;
}

// Collects the corners that are at least so high and connected with the first of the list by others that are.
// @param out  has one
// @return how many there are, or a number above `most`
BVSIMD_INLINE uint32_t collect( const bvconvex_prepared* s, bool stored, bv_vec3 along, double least,
                                uint32_t* out, uint32_t most )
{
	uint32_t count = 1;
	for ( uint32_t at = 0; at < count; ++at )
	{
		for ( uint32_t i = s->first_neighbor[out[at]]; i < s->first_neighbor[out[at] + 1]; ++i )
		{
			uint32_t index = s->neighbors[i];
			bool is_new = index < s->corners && bv_dot( along, point_of( s, stored, index ) ) >= least;
			for ( uint32_t k = 0; k < count && is_new; ++k )
			{
				is_new = out[k] != index;
			}
			if ( is_new && count == most )
			{
				return most + 1;
			}
			if ( is_new )
			{
				out[count++] = index;
			}
		}
	}
	return count;
}

enum
{
	most_level = 12, // more of them are rare, and then all corners are compared
};

// Visits the corners that are as high as the summit to rounding, and those that can be reached from there on such corners.
// @return a higher one, or the summit
BVSIMD_NOINLINE summit search_plateau( const bvconvex_prepared* s, bool stored, bv_vec3 along, double doubt,
                                       summit best )
{
	uint32_t level[most_level] = { best.corner };
	uint32_t count = 1;
	double least = best.height - doubt;
	for ( uint32_t at = 0; at < count; ++at )
	{
		for ( uint32_t i = s->first_neighbor[level[at]]; i < s->first_neighbor[level[at] + 1]; ++i )
		{
			uint32_t index = s->neighbors[i] < s->corners ? s->neighbors[i] : level[at];
			double height = bv_dot( along, point_of( s, stored, index ) );
			bool is_new = height >= least;
			best = height > best.height ? ( summit ){ index, height } : best;
			for ( uint32_t k = 0; k < count && is_new; ++k )
			{
				is_new = level[k] != index;
			}
			if ( is_new && count == most_level )
			{
				return highest_of_all( s, stored, along );
			}
			if ( is_new )
			{
				level[count++] = index;
			}
		}
	}
	return best;
}

// Where a climb begins if no better place is known.
BVSIMD_INLINE summit begin_climb( const bvconvex_prepared* s, bool stored, bv_vec3 along )
{
	enum
	{
		samples = 8,
	};
	uint32_t stride = s->corners / samples;
	summit best = summit_at( s, stored, along, 0 );
	for ( uint32_t i = 1; i < samples && stride > 0; ++i )
	{
		best = higher_of( s, stored, along, best, i * stride );
	}
	return best;
}

BVSIMD_INLINE summit climb( const bvconvex_prepared* s, bool stored, bv_vec3 along, uint32_t near )
{
	summit best = near < s->corners ? summit_at( s, stored, along, near ) : begin_climb( s, stored, along );
	double doubt = 0x1p-49 * bvmath_norm1( along ) * s->reach;
	for ( ;; )
	{
		uint32_t here = best.corner;
		double second = -INFINITY; // of the neighbors, if none is higher
		for ( uint32_t i = s->first_neighbor[here]; i < s->first_neighbor[here + 1]; ++i )
		{
			uint32_t index = s->neighbors[i] < s->corners ? s->neighbors[i] : here;
			double height = bv_dot( along, point_of( s, stored, index ) );
			bool is_higher = height > best.height;
			best.corner = is_higher ? index : best.corner;
			best.height = is_higher ? height : best.height;
			second = bvmath_max( height, second );
		}
		if ( best.corner == here && second >= best.height - doubt )
		{
			best = search_plateau( s, stored, along, doubt, best );
		}
		if ( best.corner == here )
		{
			return best;
		}
	}
}

// Squares and products of other directions overflow or vanish.
BVSIMD_INLINE bv_vec3 safe_scale( bv_vec3 along )
{
	double size = bvmath_largest( along );
	return size > 0x1p-400 && size < 0x1p400 ? along
	       : size > 0 && size < INFINITY     ? ( bv_vec3 ){ along.x / size, along.y / size, along.z / size }
	                                         : ( bv_vec3 ){ 1, 0, 0 };
}

uint32_t bvconvex_climb_hull( const bvconvex_prepared* s, const bv_vec3* direction, uint32_t near )
{
	bv_vec3 along = safe_scale( *direction );
	summit best = s->first_neighbor ? climb( s, true, along, near ) : highest_of_all( s, true, along );
	for ( uint32_t i = 0; s->first_neighbor && i < s->topology.head->loose; ++i )
	{
		best = higher_of( s, true, along, best, s->topology.loose[i] );
	}
	return best.corner;
}

uint32_t bvconvex_climb_graph( const bvconvex_prepared* s, const bv_vec3* direction, uint32_t near )
{
	enum
	{
		few = 16,  // comparing so many takes no longer than a climb from a corner nearby
		some = 32, // or than one from anywhere
	};
	bv_vec3 along = safe_scale( *direction );
	uint32_t most = near < s->corners ? few : some;
	summit best = s->corners <= most ? highest_of_all( s, false, along ) : climb( s, false, along, near );
	return best.corner;
}

// Lists the corners that are at least so high, of all.
// @return how many there are, or a number above `most`
static uint32_t list_above( const bvconvex_prepared* s, bv_vec3 along, double least, uint32_t* out,
                            uint32_t most )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < s->corners && count <= most; ++i )
	{
		if ( bv_dot( along, bvconvex_shape_corner( s, i ) ) >= least )
		{
			if ( count < most )
			{
				out[count] = i;
			}
			++count;
		}
	}
	return count;
}

uint32_t bvconvex_shape_level( const bvconvex_prepared* s, bv_vec3 along, uint32_t corner, double doubt,
                               uint32_t* out, uint32_t most )
{
	bool stored = s->convex->kind == bv_convex_of_hull;
	out[0] = corner;
	double least = bv_dot( along, bvconvex_shape_corner( s, corner ) ) - doubt;
	if ( s->first_neighbor && !( stored && s->topology.head->loose > 0 ) )
	{
		return collect( s, stored, along, bv_dot( along, point_of( s, stored, corner ) ) - doubt, out, most );
	}
	return list_above( s, along, least, out, most );
}

enum
{
	few_points = 48, // comparing so many takes no longer than a climb and a search around its end
};

// As list_above, of few points. Four at a time, because maxima depend on each other and most points are far below.
static uint32_t list_highest( const bv_vec3* points, uint32_t count, bv_vec3 along, double doubt,
                              uint32_t* out, uint32_t most )
{
	double height[few_points];
	double greatest[4] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY };
	uint32_t rounded = ( count + 3 ) & ~3u;
	for ( uint32_t i = 0; i < rounded; i += 4 )
	{
		for ( uint32_t k = 0; k < 4; ++k )
		{
			height[i + k] = i + k < count ? bv_dot( along, points[i + k] ) : -INFINITY;
			greatest[k] = bvmath_max( height[i + k], greatest[k] );
		}
	}
	double least =
		bvmath_max( bvmath_max( greatest[0], greatest[1] ), bvmath_max( greatest[2], greatest[3] ) ) - doubt;
	uint32_t found = 0;
	for ( uint32_t i = 0; i < rounded; i += 4 )
	{
		if ( !( height[i] >= least || height[i + 1] >= least || height[i + 2] >= least ||
		        height[i + 3] >= least ) )
		{
			continue;
		}
		for ( uint32_t k = i; k < i + 4 && k < count; ++k )
		{
			if ( height[k] >= least )
			{
				if ( found == most )
				{
					return most + 1;
				}
				out[found++] = k;
			}
		}
	}
	return found;
}

uint32_t bvconvex_shape_highest( const bvconvex_prepared* s, bv_vec3 along, uint32_t near, double doubt,
                                 uint32_t* out, uint32_t most )
{
	if ( s->hull.points && s->corners <= few_points )
	{
		return list_highest( s->hull.points, s->corners, along, doubt, out, most );
	}
	bool stored = s->convex->kind == bv_convex_of_hull;
	out[0] = bvconvex_shape_support( s, &along, near ).name;
	if ( s->first_neighbor && !( stored && s->topology.head->loose > 0 ) )
	{
		double least = bv_dot( along, point_of( s, stored, out[0] ) ) - doubt;
		return collect( s, stored, along, least, out, most );
	}
	return list_above( s, along, bv_dot( along, bvconvex_shape_corner( s, out[0] ) ) - doubt, out, most );
}
