// Shapes slide over floors that are cut into convex leaves: no normal is another than that of the floor or of a step in it, and the
// deepest contact is as deep as the lowest point.

#include "../tree/flat_meshes.h"

#include "compounds.h"

typedef enum floor_kind
{
	floor_tiles = 0, // squares of several sizes
	floor_strips,    // narrower than the slider is deep
	floor_needles,   // prisms between rays from one corner, as shapes
	floor_offset,    // tiles of a file far from the origin
	floor_layers,    // tiles on tiles that do not match, and overlap
	floor_mixed,     // tiles of two files and shapes, in a union, turned and scaled
	floors,
} floor_kind;

static const char* const floor_names[floors] = { "tiles", "strips", "needles", "offset", "layers", "mixed" };

enum
{
	most_leaves = 1024,
};

typedef struct floor_boxes
{
	bv_aabb box[most_leaves];
	uint32_t count;
} floor_boxes;

static void add_box( floor_boxes* b, double x0, double y0, double z0, double x1, double y1, double z1 )
{
	assert_true( b->count < most_leaves );
	b->box[b->count++] = ( bv_aabb ){ { x0, y0, z0 }, { x1, y1, z1 } };
}

// The square from -4 to 4, below z = 0.
static void add_tiles( floor_boxes* b, double x0, double x1, int columns, int rows, double bottom,
                       double top )
{
	for ( int i = 0; i < columns * rows; ++i )
	{
		double width = ( x1 - x0 ) / columns;
		double x = x0 + width * ( i % columns );
		double y = -4 + 8.0 * ( i / columns ) / rows;
		add_box( b, x, y, bottom, x + width, -4 + 8.0 * ( i / columns + 1 ) / rows, top );
	}
}

static bv_compound of_boxes_as_shapes( fixture* f, const floor_boxes* b )
{
	bv_convex* shapes = bvb_arena_allocate( f->arena, b->count, sizeof *shapes );
	bv_compound* members = bvb_arena_allocate( f->arena, b->count, sizeof *members );
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		bv_vec3 half = bv_scale( 0.5, minus( b->box[i].upper, b->box[i].lower ) );
		shapes[i] = bv_convex_box( plus( b->box[i].lower, 1, half ), half );
		members[i] = bv_compound_of_shape( shapes + i );
	}
	return join( f, members, NULL, b->count );
}

static bv_compound make_needles( fixture* f )
{
	enum
	{
		count = 64,
	};
	bv_convex* shapes = bvb_arena_allocate( f->arena, count, sizeof *shapes );
	bv_compound members[count];
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3* p = bvb_arena_allocate( f->arena, 6, sizeof *p );
		for ( int k = 0; k < 6; ++k )
		{
			double z = k < 3 ? 0 : -0.5;
			double y = 16.0 * ( i + k % 3 - 1 ) / count - 4;
			p[k] = k % 3 == 0 ? bv_vec3_make( -8, 0, z ) : bv_vec3_make( 8, y * 4, z );
		}
		shapes[i] = bv_convex_points( p, 6, 0 );
		members[i] = bv_compound_of_shape( shapes + i );
	}
	return join( f, members, NULL, count );
}

static bv_compound make_floor( fixture* f, floor_kind kind, bv_transform* place )
{
	floor_boxes* b = bvb_arena_allocate( f->arena, 1, sizeof *b );
	*place = bv_transform_identity();
	b->count = 0;
	switch ( kind )
	{
	case floor_tiles:
		add_tiles( b, -4, 0, 9, 14, -0.7, 0 );
		add_tiles( b, 0, 4, 4, 3, -0.5, 0 );
		break;
	case floor_strips: add_tiles( b, -4, 4, 800, 1, -0.5, 0 ); break;
	case floor_needles: return make_needles( f );
	case floor_offset:
	{
		add_tiles( b, -4, 4, 12, 12, -0.5, 0 );
		*place = bv_transform_translation( 1000.1, -500.3, 0 );
		bv_compound c = of_boxes_as_shapes( f, b );
		return join( f, &c, place, 1 );
	}
	case floor_layers:
		add_tiles( b, -4, 4, 7, 5, -0.05, 0 );
		add_tiles( b, -4, 4, 11, 13, -0.5, -0.05 );
		add_tiles( b, -4, 4, 3, 3, -0.4, -0.02 );
		break;
	default:
	{
		bv_compound members[3];
		bv_transform places[3] = { bv_transform_translation( 0, 0, 0.5 ), bv_transform_translation( 0, 0, 0 ),
			                       bv_transform_identity() };
		add_tiles( b, -4, -1, 7, 5, -1, -0.5 );
		members[0] = bv_compound_of_parts( file_of_boxes( f, b->box, b->count ) );
		b->count = 0;
		add_tiles( b, -1, 2, 5, 9, -0.5, 0 );
		members[1] = bv_compound_of_parts( file_of_boxes( f, b->box, b->count ) );
		b->count = 0;
		add_tiles( b, 2, 4, 2, 7, -0.5, 0 );
		members[2] = of_boxes_as_shapes( f, b );
		bv_compound all = join( f, members, places, 3 );
		*place = random_transform( f, 2, true, bv_vec3_make( 1, 2, 3 ) );
		return join( f, &all, place, 1 );
	}
	}
	return bv_compound_of_parts( file_of_boxes( f, b->box, b->count ) );
}

typedef struct counts
{
	uint32_t steps;
	uint32_t contacts;
	uint32_t ghosts;
	uint32_t missed;
	uint32_t wrong_depths;
	uint32_t filtered;
} counts;

static bv_vec3 turned( const bv_transform* t, bv_vec3 v )
{
	return minus( placed( t, v ), t->pose.translation );
}

// More than 0.1 degree.
static bool is_off( bv_vec3 normal, bv_vec3 up )
{
	return !( dot( normal, up ) > 0 && length( plus( normal, -dot( normal, up ), up ) ) < 0.001745 );
}

static void step( const bv_compound* floor, const bv_transform* place, const bv_convex* shape, slider kind,
                  const bv_transform* turn, double x, double y, double height, double speculative,
                  bool exchanged, const bv_compound_room* room, counts* c )
{
	bv_vec3 up_in_shape = turned( turn, ( bv_vec3 ){ 0, 0, 1 } ); // turn: floor to shape
	double lowest = lowest_of( shape, kind, up_in_shape );
	bv_transform back = bv_transform_inverse( turn );
	back.pose.translation = ( bv_vec3 ){ x, y, height - lowest };
	bv_transform at = bv_transform_compose( place, &back );
	bv_vec3 up = bv_scale( 1 / place->scale, turned( place, ( bv_vec3 ){ 0, 0, 1 } ) );
	double scale = place->scale;
	bv_compound body = bv_compound_of_shape( shape );
	bv_compound_contacts_options o = { .speculative = speculative * ( exchanged ? 1 : scale ) };
	bv_transform in_slider = bv_transform_inverse( &at );
	bv_compound_contacts_result r = exchanged ? find_contacts( &body, floor, &in_slider, &o, room )
	                                          : find_contacts( floor, &body, &at, &o, room );
	double least = INFINITY;
	for ( uint32_t i = 0; i < r.count; ++i )
	{
		const bv_manifold* m = &room->contacts[i].manifold;
		bv_vec3 normal = m->normal;
		if ( exchanged )
		{
			normal = bv_transform_direction( &at, bv_negate( normal ) );
		}
		c->ghosts += is_off( normal, up );
		for ( uint32_t k = 0; k < m->count; ++k )
		{
			c->contacts += 1;
			least = fmin( least, m->contact[k].separation / ( exchanged ? 1 : scale ) );
		}
	}
	c->steps += 1;
	c->filtered += r.ghosts > 0;
	c->missed += r.count == 0 && height <= speculative;
	c->wrong_depths += r.count > 0 && !( fabs( least - height ) < 1e-5 );
}

static void slide_over( fixture* f, floor_kind kind, slider s, int steps, counts* c )
{
	bv_vec3 corners[hull_corners];
	bv_transform place;
	bv_compound floor = make_floor( f, kind, &place );
	bv_convex shape = make_slider( f, s, corners );
	bv_compound body = bv_compound_of_shape( &shape );
	bv_compound_room room[2] = { room_for( f, &floor, &body ), room_for( f, &body, &floor ) };
	// Several lines, each with a turn of its own: flat on a face, on an edge, or in general position.
	for ( int line = 0; line < 8; ++line )
	{
		bv_transform turn = random_transform( f, 1, false, ( bv_vec3 ){ 0, 0, 0 } );
		if ( line % 4 == 0 )
		{
			turn = bv_transform_identity();
		}
		else if ( line % 4 == 1 )
		{
			double angle = in_range( f, 0, 6 );
			assert_int_equal( bv_transform_from_axis_angle( bv_vec3_make( 0, 0, 1 ), angle,
			                                                bv_vec3_make( 0, 0, 0 ), &turn ),
			                  bv_ok );
		}
		bv_vec3 from = { in_range( f, -2.5, 2.5 ), in_range( f, -2.5, 2.5 ), 0 };
		bv_vec3 way = { in_range( f, -2.5, 2.5 ), in_range( f, -2.5, 2.5 ), 0 };
		double height = line < 4 ? -0.01 : line < 6 ? -0.04 : 0.01;
		for ( int i = 0; i < steps; ++i )
		{
			double t = (double)i / steps;
			bool exchanged = i % 8 == 7;
			step( &floor, &place, &shape, s, &turn, from.x + t * ( way.x - from.x ),
			      from.y + t * ( way.y - from.y ), height, 0.02, exchanged, room + exchanged, c );
		}
	}
}

static void nothing_catches_on_faces_between_leaves( void** state )
{
	fixture* f = *state;
	int steps = is_thorough() ? 4000 : 40;
	for ( int kind = 0; kind < floors; ++kind )
	{
		counts all = { 0 };
		for ( int s = 0; s < sliders; ++s )
		{
			counts c = { 0 };
			slide_over( f, (floor_kind)kind, (slider)s, steps, &c );
			if ( c.ghosts + c.missed + c.wrong_depths > 0 || getenv( "BV_PRINT" ) )
			{
				print_message( "%s over %s: %u steps, %u contacts, %u ghosts, %u missed, %u wrong depths, %u "
				               "with the test\n",
				               slider_names[s], floor_names[kind], c.steps, c.contacts, c.ghosts, c.missed,
				               c.wrong_depths, c.filtered );
			}
			all.ghosts += c.ghosts;
			all.missed += c.missed;
			all.wrong_depths += c.wrong_depths;
			all.filtered += c.filtered;
		}
		assert_int_equal( all.ghosts, 0 );
		assert_int_equal( all.missed, 0 );
		assert_int_equal( all.wrong_depths, 0 );
		assert_true( all.filtered > 0 ); // without the test there would be some
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( nothing_catches_on_faces_between_leaves ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
