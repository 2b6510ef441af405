// How far from the origin nodes reach.

#include "bvh_damage.h"

#include "runtime/file/local.h"

static bvb_bytes radius_file( fixture* f, const bvb_mesh* mesh, bv_volume_type type )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = 1u << type;
	options.sections |= 1u << bvb_section_radius;
	return build_bytes( f, mesh, &options );
}

// The file whose nodes are visited, and of each type a way to sample a volume's boundary.
typedef struct sampling
{
	fixture* f;
	const bv_file* file;
	bool stored; // without the offset
	uint32_t nodes;
} sampling;

static bv_vec3 along( bv_vec3 p, double t, bv_vec3 d )
{
	return ( bv_vec3 ){ p.x + t * d.x, p.y + t * d.y, p.z + t * d.z };
}

static double length( bv_vec3 p )
{
	return sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
}

// A point of the volume, mostly one of its corners. k-DOPs are within their boxes, whose corners stand for them.
static bv_vec3 sample( fixture* f, const bv_volume* v )
{
	double s[3];
	for ( int i = 0; i < 3; ++i )
	{
		s[i] = random_bits( f ) & 256 ? 1 : -1;
	}
	bv_vec3 p = { 0, 0, 0 };
	switch ( v->type )
	{
	case bv_volume_obb:
		p = v->obb.center;
		for ( int i = 0; i < 3; ++i )
		{
			p = along( p, s[i] * v->obb.half_extents[i], v->obb.axis[i] );
		}
		return p;
	case bv_volume_prism:
		p = along( v->prism.box.center, s[1] * v->prism.box.half_extents[1], v->prism.box.axis[1] );
		p = along( p, s[2] * v->prism.box.half_extents[2], v->prism.box.axis[2] );
		return s[1] > 0 ? p : along( p, s[0] * v->prism.box.half_extents[0], v->prism.box.axis[0] );
	case bv_volume_aabb:
		return ( bv_vec3 ){ s[0] > 0 ? v->aabb.lower.x : v->aabb.upper.x,
			                s[1] > 0 ? v->aabb.lower.y : v->aabb.upper.y,
			                s[2] > 0 ? v->aabb.lower.z : v->aabb.upper.z };
	case bv_volume_sphere: p = v->sphere.center; break;
	case bv_volume_rss:
		p = v->rss.center;
		for ( int i = 0; i < 2; ++i )
		{
			p = along( p, s[i] * v->rss.half_extents[i], v->rss.axis[i] );
		}
		break;
	default:
		return ( bv_vec3 ){ s[0] > 0 ? v->kdop.lower[0] : v->kdop.upper[0],
			                s[1] > 0 ? v->kdop.lower[1] : v->kdop.upper[1],
			                s[2] > 0 ? v->kdop.lower[2] : v->kdop.upper[2] };
	}

	// Outwards from the origin by the radius: the farthest of that ball.
	double radius = v->type == bv_volume_sphere ? v->sphere.radius : v->rss.radius;
	double from = length( p );
	return from > 0 ? along( p, radius / from, p ) : ( bv_vec3 ){ radius, 0, 0 };
}

static bool sample_node( void* context, const bv_node_info* node )
{
	sampling* s = context;
	double radius;
	double farthest = 0;
	assert_true(
		( s->stored ? bvfile_local_node_radius : bv_file_get_node_radius )( s->file, node->index, &radius ) );
	for ( int i = 0; i < 100; ++i )
	{
		farthest = fmax( farthest, length( sample( s->f, &node->volume ) ) );
	}
	// All eight corners are among a hundred at random but for one of 10^5 nodes, and no sample errs by 1e-12.
	assert_true( farthest <= radius * ( 1 + 1e-12 ) );
	// With an offset, it adds to the length that is stored.
	assert_true( farthest >= radius * ( 1 - 1e-6 ) || !s->stored );
	s->nodes += 1;
	return true;
}

// Away from the origin, round it, and far off, in volumes of every type.
static void radii_are_those_of_the_farthest_points( void** state )
{
	fixture* f = *state;
	static const double shifts[] = { 0, 1, 1000 };
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		for ( int i = 0; i < 3; ++i )
		{
			bvb_mesh mesh = bumpy_ball( f, 5 );
			for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
			{
				mesh.positions[k].x += shifts[i];
				mesh.positions[k].y -= 0.5 * shifts[i];
			}
			sampling s = { .f = f, .file = open_bytes( radius_file( f, &mesh, (bv_volume_type)type ) ) };
			double none;
			assert_true( bv_file_visit_nodes( s.file, sample_node, &s ) );
			assert_int_equal( s.nodes, bv_file_get_hierarchy( s.file ).nodes );
			s = ( sampling ){ .f = f, .file = s.file, .stored = true };
			assert_true( bvfile_local_visit_nodes( s.file, sample_node, &s ) );
			assert_int_equal( s.nodes, bv_file_get_hierarchy( s.file ).nodes );
			assert_false( bv_file_get_node_radius( s.file, s.nodes, &none ) );
		}
	}
}

static void break_sign( bvb_bytes b )
{
	( (float*)section_of( b, bvfile_section_radius ) )[3] = -1;
}
static void break_number( bvb_bytes b )
{
	( (float*)section_of( b, bvfile_section_radius ) )[4] = NAN;
}
static void break_infinity( bvb_bytes b )
{
	( (float*)section_of( b, bvfile_section_radius ) )[0] = INFINITY;
}
static void shorten( bvb_bytes b )
{
	entry_of( b, bvfile_section_radius )->bytes -= 4;
	( (bvfile_header*)b.data )->file_bytes -= 4;
}

static void damage_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "a node's radius is negative or not finite", break_sign },
		{ "a node's radius is negative or not finite", break_number },
		{ "a node's radius is negative or not finite", break_infinity },
	};
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes bytes = radius_file( f, &mesh, bv_volume_obb );
	expect_refused( f, bytes, damages, sizeof damages / sizeof *damages );

	// It is the last section, so that the file can end earlier.
	bvb_bytes shorter = copy_of( f, bytes );
	const char* reason;
	shorten( shorter );
	shorter.size -= 4;
	repair( shorter );
	assert_int_equal( open_status( shorter, &reason ), bv_error_damaged );
	assert_string_equal( reason, "the radius section has the wrong size" );
}

static void verify_finds_a_radius_too_small( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 5 );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		bvb_bytes bytes = copy_of( f, radius_file( f, &mesh, (bv_volume_type)type ) );
		bvb_error error;
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		float* radius = section_of( bytes, bvfile_section_radius );
		radius[7] = nextafterf( radius[7], 0 );
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
		assert_string_equal( error.message, "the volume of node 7 extends beyond its stored radius" );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( radii_are_those_of_the_farthest_points ),
		fixture_test( damage_is_named ),
		fixture_test( verify_finds_a_radius_too_small ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
