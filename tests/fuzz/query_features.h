// Moving vertices and faces, and moving edges, with every finder. Contacts of the certified finder are compared with exact
// positions at some times, with distances, and with those of features in another order.

#pragma once

#include "motions.h"

#include "bv/convex.h"

enum
{
	features_points = 4,
	parts_of_time = 16,
};

// Two features, and the same in whole numbers if they are on a lattice.
typedef struct features
{
	bool edges;
	bool on_lattice;
	bool is_usual; // coordinates for which decisions are certain
	double size;   // of all coordinates
	bv_vec3 start[features_points];
	bv_vec3 end[features_points];
	int whole[2][features_points][3];
} features;

static inline void take_features( numbers* n, const subject* s, features* out )
{
	uint8_t kind = take_byte( n );
	memset( out, 0, sizeof *out );
	out->edges = kind & 1;
	out->on_lattice = kind & 6;
	out->is_usual = true;
	for ( int i = 0; i < 2 * features_points; ++i )
	{
		bv_vec3* p = i % 2 ? out->end + i / 2 : out->start + i / 2;
		int* whole = out->whole[i % 2][i / 2];
		if ( out->on_lattice )
		{
			uint8_t x = take_byte( n );
			uint8_t y = take_byte( n );
			whole[0] = x % 5 - 2;
			whole[1] = y % 5 - 2;
			whole[2] = kind & 8 ? 0 : x / 5 % 5 - 2;
			*p = bv_vec3_make( whole[0], whole[1], whole[2] );
		}
		else
		{
			*p = take_place_of( n, s, kind / 8 );
		}
		if ( i % 2 && kind >= 240 )
		{
			*p = bv_add( out->start[i / 2], bv_scale( 0x1p-20, *p ) );
			out->on_lattice = false;
		}
		const double x[3] = { p->x, p->y, p->z };
		for ( int k = 0; k < 3; ++k )
		{
			out->is_usual = out->is_usual && ( x[k] == 0 || ( fabs( x[k] ) > 1e-30 && fabs( x[k] ) < 1e30 ) );
		}
		out->size = fmax( out->size, largest( *p ) );
	}
}

// Three whole numbers, at most some hundreds.
typedef struct whole3
{
	int64_t x[3];
} whole3;

static inline whole3 whole_at( const features* f, int point, int time )
{
	whole3 out;
	for ( int k = 0; k < 3; ++k )
	{
		out.x[k] = ( parts_of_time - time ) * f->whole[0][point][k] + time * f->whole[1][point][k];
	}
	return out;
}

static inline whole3 whole_minus( whole3 a, whole3 b )
{
	return ( whole3 ){ { a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2] } };
}

static inline whole3 whole_cross( whole3 a, whole3 b )
{
	return ( whole3 ){ { a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
		                 a.x[0] * b.x[1] - a.x[1] * b.x[0] } };
}

static inline int64_t whole_dot( whole3 a, whole3 b )
{
	return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

static inline bool whole_is_zero( whole3 a )
{
	return a.x[0] == 0 && a.x[1] == 0 && a.x[2] == 0;
}

static inline bool is_on_segment( whole3 p, whole3 from, whole3 to )
{
	whole3 d = whole_minus( to, from );
	whole3 e = whole_minus( p, from );
	int64_t along = whole_dot( d, e );
	return whole_is_zero( whole_cross( d, e ) ) &&
	       ( whole_is_zero( d ) ? whole_is_zero( e ) : along >= 0 && along <= whole_dot( d, d ) );
}

static inline bool is_on_triangle( whole3 p, const whole3 corner[3] )
{
	whole3 n = whole_cross( whole_minus( corner[1], corner[0] ), whole_minus( corner[2], corner[0] ) );
	bool is_flat = whole_is_zero( n );
	bool inside = whole_dot( n, whole_minus( p, corner[0] ) ) == 0;
	bool on_side = false;
	for ( int i = 0; i < 3; ++i )
	{
		whole3 side = whole_minus( corner[( i + 1 ) % 3], corner[i] );
		inside = inside && whole_dot( n, whole_cross( side, whole_minus( p, corner[i] ) ) ) >= 0;
		on_side = on_side || is_on_segment( p, corner[i], corner[( i + 1 ) % 3] );
	}
	return is_flat ? on_side : inside;
}

static inline bool do_edges_touch( const whole3 p[features_points] )
{
	whole3 d = whole_minus( p[1], p[0] );
	whole3 e = whole_minus( p[3], p[2] );
	whole3 n = whole_cross( d, e );
	if ( whole_is_zero( n ) )
	{
		return is_on_segment( p[0], p[2], p[3] ) || is_on_segment( p[1], p[2], p[3] ) ||
		       is_on_segment( p[2], p[0], p[1] ) || is_on_segment( p[3], p[0], p[1] );
	}
	whole3 way = whole_minus( p[2], p[0] );
	int64_t s = whole_dot( whole_cross( way, e ), n );
	int64_t t = whole_dot( whole_cross( way, d ), n );
	int64_t most = whole_dot( n, n );
	return whole_dot( n, way ) == 0 && s >= 0 && s <= most && t >= 0 && t <= most;
}

static inline bool do_touch_at( const features* f, int time )
{
	whole3 p[features_points];
	for ( int i = 0; i < features_points; ++i )
	{
		p[i] = whole_at( f, i, time );
	}
	return f->edges ? do_edges_touch( p ) : is_on_triangle( p[0], p + 1 );
}

// @return bounds of the distance at a time
static inline bv_interval features_distance( const features* f, double time )
{
	bv_vec3 p[features_points];
	for ( int i = 0; i < features_points; ++i )
	{
		p[i] = bv_add( bv_scale( 1 - time, f->start[i] ), bv_scale( time, f->end[i] ) );
	}
	bv_convex a = f->edges ? bv_convex_segment( p[0], p[1] ) : bv_convex_point( p[0] );
	bv_convex b = f->edges ? bv_convex_segment( p[2], p[3] ) : bv_convex_triangle( p[1], p[2], p[3] );
	bv_convex_result r;
	expect( bv_convex_distance( &a, &b, NULL, NULL, &r ) == bv_ok );
	return ( bv_interval ){ r.lower, r.upper };
}

static inline bool is_option_in_range( const bv_feature_options* o )
{
	return (uint32_t)o->finder < bv_finders && (uint32_t)o->inside < bv_inside_tests && o->limit >= 0 &&
	       o->limit <= 1 && o->tolerance >= 0 && o->tolerance <= 1 && o->separation >= 0 &&
	       o->separation <= BV_MAX_LENGTH && ( o->separation == 0 || o->finder == bv_finder_certified ) &&
	       ( o->samples == 0 || ( o->samples >= 2 && o->samples <= 65536 ) );
}

// @return whether there is a result
static inline bool find_contact( const features* f, const bv_feature_options* options, bv_feature_time* r )
{
	bv_feature_time before;
	memset( &before, 0x5a, sizeof before );
	before.found = before.certain = true;
	memcpy( r, &before, sizeof before );
	bv_feature_options o = options ? *options : bv_feature_options_default();
	bv_status status = f->edges ? bv_moving_edge_edge( f->start, f->end, options, r )
	                            : bv_moving_vertex_face( f->start, f->end, options, r );
	bool is_valid = is_option_in_range( &o ) && f->size <= BV_MAX_LENGTH;
	for ( int i = 0; i < features_points; ++i )
	{
		is_valid = is_valid && is_finite( f->start[i] ) && is_finite( f->end[i] );
	}
	expect( status == ( is_valid ? bv_ok : bv_error_argument ) );
	if ( status != bv_ok )
	{
		expect( memcmp( r, &before, sizeof before ) == 0 );
		return false;
	}
	double limit = o.limit > 0 ? o.limit : 1;
	expect( r->lower >= 0 && r->lower <= limit && r->lower <= r->upper );
	expect( r->found ? r->upper <= limit || r->upper == INFINITY : r->upper == INFINITY );
	expect( r->found || r->lower == limit );
	expect( o.finder == bv_finder_certified || !r->certain );
	return true;
}

static inline bool is_same_time( const bv_feature_time* a, const bv_feature_time* b )
{
	return a->found == b->found && a->certain == b->certain && a->tests == b->tests &&
	       memcmp( &a->lower, &b->lower, 2 * sizeof a->lower ) == 0;
}

// What is certain of both agrees, and what is free until a time does not touch before.
static inline void compare_times( const bv_feature_time* a, const bv_feature_time* b )
{
	expect( a->lower <= b->upper && b->lower <= a->upper );
	expect( !a->certain || !b->certain || a->found == b->found );
}

// The same features, with their points in another order.
static inline features reordered( const features* f, uint8_t kind )
{
	static const uint8_t edges[4][features_points] = {
		{ 2, 3, 0, 1 }, { 1, 0, 2, 3 }, { 0, 1, 3, 2 }, { 3, 2, 1, 0 }
	};
	static const uint8_t faces[4][features_points] = {
		{ 0, 2, 3, 1 }, { 0, 3, 1, 2 }, { 0, 2, 1, 3 }, { 0, 1, 3, 2 }
	};
	features out = *f;
	for ( int i = 0; i < features_points; ++i )
	{
		int from = f->edges ? edges[kind % 4][i] : faces[kind % 4][i];
		out.start[i] = f->start[from];
		out.end[i] = f->end[from];
	}
	return out;
}

static inline void compare_with_exact( const features* f, double limit, bool sharp, const bv_feature_time* r )
{
	for ( int i = 0; i <= parts_of_time && i <= limit * parts_of_time; ++i )
	{
		bool touch = do_touch_at( f, i );
		expect( !touch || ( r->found && r->lower <= (double)i / parts_of_time ) );
		expect( touch || i > 0 || !sharp || !r->found || r->lower > 0 );
	}
}

static inline void compare_with_distances( numbers* n, const features* f, double separation,
                                           const bv_feature_time* r )
{
	double slack = part_of_rounding * f->size + 0x1p-900;
	bv_vec3 fastest = { 0, 0, 0 };
	for ( int i = 0; i < features_points; ++i )
	{
		bv_vec3 v = bv_sub( f->end[i], f->start[i] );
		fastest = length_of( v ) > length_of( fastest ) ? v : fastest;
	}
	for ( int i = 0; i < 3; ++i )
	{
		double time = i == 0 ? 0 : r->lower * ( 0.5 + 0.5 * take_unit( n ) );
		if ( time < r->lower )
		{
			expect( features_distance( f, time ).upper >= separation * ( 1 - 1e-9 ) - slack );
		}
	}
	if ( r->found && r->certain )
	{
		double near = separation + 2 * length_of( fastest ) * ( r->upper - r->lower );
		expect( features_distance( f, r->lower ).lower <= near * ( 1 + 1e-9 ) + slack );
	}
}

static inline bv_feature_options take_feature_options( numbers* n, const subject* s )
{
	uint8_t kind = take_byte( n );
	bv_feature_options o = { .finder = (bv_finder)( kind < 128 ? 0 : kind % ( bv_finders + 2 ) ) };
	uint8_t more = take_byte( n );
	o.inside = (bv_inside_test)( more % ( more < 250 ? 2 : 4 ) );
	o.limit = more & 4 ? 0 : more < 240 ? ( 1 + more / 16 ) * 0.0625 : take_number( n, s );
	o.tolerance = more & 8 ? 0 : more < 240 ? ldexp( 1, -( more / 4 ) ) : take_number( n, s );
	if ( kind & 64 )
	{
		o.separation = kind & 32 ? s->size * 0.25 * ( kind % 8 ) : fabs( take_number( n, s ) );
	}
	uint8_t samples = take_byte( n );
	o.samples = samples < 128   ? 0
	            : samples < 224 ? samples % 32u
	            : samples < 254 ? (uint32_t)( 2 * samples )
	                            : (uint32_t)take_bits( n, 4 );
	// What takes long by design.
	o.samples = o.samples > 1024 && o.samples <= 65536 ? 1024 : o.samples;
	return o;
}

static inline void query_certified( numbers* n, const features* f, const bv_feature_options* options,
                                    const bv_feature_time* first )
{
	double limit = options->limit > 0 ? options->limit : 1;
	bv_feature_options o = *options;
	bv_feature_time r;
	uint8_t kind = take_byte( n );
	bool sharp = o.separation == 0;
	expect( !sharp || !f->is_usual || first->certain );
	expect( !sharp || !first->found || !first->certain || first->upper - first->lower <= 2e-11 );
	if ( f->on_lattice )
	{
		compare_with_exact( f, limit, sharp && first->certain, first );
	}
	// Interpolated points can be larger than the given ones, by rounding.
	if ( f->size < 0.5 * BV_MAX_LENGTH )
	{
		compare_with_distances( n, f, o.separation, first );
	}
	features other = reordered( f, kind );
	expect( find_contact( &other, &o, &r ) );
	compare_times( first, &r );
	// No limit: the same contact, or one after the limit.
	o.limit = 0;
	expect( find_contact( f, &o, &r ) && r.lower <= first->upper );
	expect( !first->found || !first->certain || r.found );
	expect( first->lower <= r.upper );
	expect( first->found || !first->certain || r.upper > limit || !r.certain );
	expect( !r.certain || r.found || !first->certain || !first->found );
	// With a larger separation the contact is not later.
	o.limit = options->limit;
	o.separation = o.separation * 1.5 + ldexp( f->size, -( kind / 4 ) );
	if ( find_contact( f, &o, &r ) )
	{
		expect( r.lower <= first->upper && ( r.found || !first->certain || !first->found ) );
	}
}

static inline void query_features( numbers* n, const subject* s )
{
	features f;
	bv_feature_time first;
	bv_feature_time again;
	take_features( n, s, &f );
	bv_feature_options o = take_feature_options( n, s );
	if ( !find_contact( &f, &o, &first ) )
	{
		return;
	}
	expect( find_contact( &f, &o, &again ) && is_same_time( &first, &again ) );
	if ( o.finder == bv_finder_certified )
	{
		query_certified( n, &f, &o, &first );
	}
	find_contact( &f, NULL, &first );
}
