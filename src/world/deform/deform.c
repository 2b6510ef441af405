// The memory of a deformable mesh: an image of a file, and what refits need. See bvworld/deform.h.

#include "world/deform/deform.h"
#include "runtime/tree/refit_points.h"
#include "world/team/team.h"

#include <math.h>
#include <string.h>

static const uint64_t magic = UINT64_C( 0x316d726f66656462 ); // "bdeform1"

enum
{
	alignment = 64,
	// Triangles of a mesh that can be rebuilt: lists of leaves have up to 4 vertices of each, and numbers of 4 bytes.
	most_rebuilt = ( 1 << 30 ) - 1,
};

bvw_deform_options bvw_deform_options_default( void )
{
	return ( bvw_deform_options ){ .workers = 0 };
}

static bool complete( const bvw_deform_options* options, bvw_deform_options* out )
{
	*out = ( bvw_deform_options ){ .workers = 1 };
	if ( options )
	{
		out->frames = options->frames;
		out->no_lists = options->no_lists;
		out->motion = options->motion;
		out->errors = options->errors;
		out->rebuild_triangles = options->rebuild_triangles;
		out->workers = options->workers > 0 ? options->workers : 1;
	}
	return out->workers <= BVW_MAX_WORKERS && (uint32_t)out->frames < bvw_deform_rules;
}

static uint32_t types_of( const bvfile_hierarchy* head )
{
	uint32_t types = 0;
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		types |= ( bvfile_count_of_type( head, i ) > 0 ? 1u : 0u ) << i;
	}
	return types;
}

// @param rebuilds  leaves can get other triangles, which may have no vertex in common
static bvwdeform_counts count( const bvfile_view* view, bool rebuilds )
{
	const bvfile_hierarchy* head = view->hierarchy;
	uint32_t types = types_of( head );
	return ( bvwdeform_counts ){
		.vertices = view->mesh->vertices,
		.nodes = head->nodes,
		.inner = head->nodes - head->leaves,
		.leaves = head->leaves,
		.listed = rebuilds ? 3 * (uint64_t)view->mesh->triangles + head->leaves
		                   : bvwdeform_read_topology( view, NULL ),
		.blocks = bvtree_refit_blocks_of( types ),
		.sums = ( types >> bv_volume_kdop14 & 7 ) > 0,
		.measured = types != 1u << bv_volume_aabb,
	};
}

static uint64_t bytes_of( const bvfile_view* view, bvfile_section section )
{
	return bvfile_entry_of( view->header, section )->bytes;
}

// @return where the next array begins
static uint64_t add( uint64_t* where, uint64_t at, uint64_t count, uint64_t size )
{
	*where = at;
	return ( at + count * size + ( alignment - 1 ) ) & ~(uint64_t)( alignment - 1 );
}

static uint64_t bytes_of_triangles( const bvfile_view* view, const bvw_deform_options* options )
{
	return options->rebuild_triangles > 0 ? bvwdeform_apart_bytes( view->mesh )
	                                      : bytes_of( view, bvfile_section_triangles );
}

static uint64_t bytes_of_words( const bvfile_view* view )
{
	const char* section = bvfile_find( view->header, bvfile_section_nodes );
	return bytes_of( view, bvfile_section_nodes ) - (uint64_t)( (const char*)view->nodes - section );
}

static bool has_reference( const bvw_deform_options* options )
{
	return options->errors || options->frames == bvw_deform_turn;
}

// Of subtrees whose quality is kept.
static uint64_t rests_of( const bvwdeform_counts* c )
{
	return c->inner > 0 ? c->inner : 1;
}

// @return where the next array begins
static uint64_t add_rebuild( bvwdeform_layout* l, uint64_t at, const bvfile_view* view,
                             const bvw_deform_options* options, const bvwdeform_counts* c )
{
	uint64_t all = view->mesh->triangles;
	uint64_t most = options->rebuild_triangles < all ? options->rebuild_triangles : all;
	uint64_t words = most > 0 ? bytes_of_words( view ) : 0;
	at = add( &l->rebuild_number, at, most > 0 ? all : 0, sizeof( uint32_t ) );
	at = add( &l->rebuild_tried, at, most > 0 ? rests_of( c ) : 0, sizeof( double ) );
	at = add( &l->rebuild_heads, at, most > 0 ? 2 : 0, sizeof( bvfile_hierarchy ) );
	at = add( l->rebuild_words, at, 1, words );
	at = add( l->rebuild_words + 1, at, 1, words );
	at = add( &l->rebuild_anew, at, most > 0 && options->errors, c->nodes );
	at = add( &l->rebuild_box, at, most, sizeof( bvtree_refit_box ) );
	for ( int i = 0; i < 3; ++i )
	{
		at = add( l->rebuild_sorted + i, at, most, sizeof( uint32_t ) );
	}
	at = add( &l->rebuild_spare, at, most, sizeof( uint32_t ) );
	at = add( &l->rebuild_side, at, most, 1 );
	at = add( &l->rebuild_work, at, 2 * most, sizeof( uint64_t ) );
	return add( &l->rebuild_seen, at, most > 0 ? c->vertices : 0, sizeof( uint32_t ) );
}

// No node is brought up to date by a longer list than this (runtime/tree/refit_points.c). Axis-aligned boxes are not measured.
static uint32_t most_before( const bvwdeform_counts* c )
{
	return c->measured ? c->vertices / 4 : 0;
}

static bvwdeform_layout lay_out( const bvfile_view* view, const bvw_deform_options* options,
                                 const bvwdeform_counts* c )
{
	bvwdeform_layout l = { .image = 0 };
	uint64_t vertices = c->vertices;
	uint64_t positions = vertices * sizeof( float[3] ) + bvtree_refit_slack;
	uint64_t at = ( sizeof( bvw_deform ) + ( alignment - 1 ) ) & ~(uint64_t)( alignment - 1 );
	uint64_t before = 0;
	at = add( &l.image, at, 1, sizeof( bvfile_header ) + BVWDEFORM_SECTIONS * sizeof( bvfile_entry ) );
	at = add( &before, at, 1, bytes_of( view, bvfile_section_mesh ) );
	at = add( &l.image_positions, at, 1, positions );
	at = add( &l.image_triangles, at, 1, bytes_of_triangles( view, options ) );
	at = add( &l.image_nodes, at, 1, bytes_of( view, bvfile_section_nodes ) );
	uint64_t errors = options->errors ? 1 : 0;
	at = add( &l.image_errors, at, errors, errors ? bytes_of( view, bvfile_section_errors ) : 0 );
	at = add( &l.later, at, options->motion, positions );
	at = add( &l.reference, at, has_reference( options ), positions );
	at = add( &l.inner, at, c->inner, sizeof( bvtree_refit_inner ) );
	at = add( &l.first_leaf, at, c->nodes, sizeof( uint32_t ) );
	at = add( &l.end_leaf, at, c->nodes, sizeof( uint32_t ) );
	at = add( &l.leaf_begin, at, (uint64_t)c->leaves + 1, sizeof( uint32_t ) );
	at = add( &l.leaf_vertices, at, c->listed, sizeof( uint32_t ) );
	at = add( &l.distinct, at, c->measured ? c->inner : 0, sizeof( bvtree_refit_distinct ) );
	at = add( &l.shared, at, c->measured ? c->listed : 0, sizeof( uint32_t ) );
	at = add( &l.boxes, at, c->nodes, sizeof( bvtree_refit_box ) );
	at = add( &l.measures, at, (uint64_t)c->nodes * c->blocks, sizeof( bvtree_refit_measure ) );
	uint64_t lists = options->no_lists ? 0 : 1;
	at = add( &l.vertex_first, at, lists * ( vertices + 1 ), sizeof( uint32_t ) );
	at = add( &l.vertex_node, at, lists * (uint64_t)c->listed, sizeof( uint32_t ) );
	at = add( &l.vertex_lanes, at, lists, c->listed );
	at = add( &l.waiting, at, lists * ( c->inner / 64 + 1 ), sizeof( uint64_t ) );
	at = add( &l.lanes, at, lists * c->inner, sizeof( bvwdeform_lanes ) );
	at = add( &l.before, at, lists, most_before( c ) * sizeof( float[3] ) + bvtree_refit_slack );
	at = add( &l.spread, at, errors * c->nodes, sizeof( float ) );
	at = add( &l.levels, at, errors, c->inner );
	at = add( &l.rest, at, rests_of( c ), sizeof( bvwdeform_rest ) );
	at = add( &l.curve_leaves, at, c->leaves, sizeof( uint64_t ) );
	at = add( &l.curve_spare, at, c->leaves, sizeof( uint64_t ) );
	l.end = add_rebuild( &l, at, view, options, c );
	return l;
}

// @return whether a file can be deformed
static bool see( const bv_file* file, const bvw_deform_options* options, bvfile_view* view,
                 bvw_deform_options* completed )
{
	bool sees = file && complete( options, completed );
	*view = sees ? bvfile_view_of( file ) : ( bvfile_view ){ .header = NULL };
	return sees && view->hierarchy &&
	       ( completed->rebuild_triangles == 0 || view->mesh->triangles <= most_rebuilt ) &&
	       ( !completed->errors || bvfile_entry_of( view->header, bvfile_section_errors ) );
}

size_t bvw_deform_bytes( const bv_file* file, const bvw_deform_options* options )
{
	bvfile_view view;
	bvw_deform_options completed;
	if ( !see( file, options, &view, &completed ) )
	{
		return 0;
	}
	bvwdeform_counts counts = count( &view, completed.rebuild_triangles > 0 );
	uint64_t bytes = lay_out( &view, &completed, &counts ).end;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

static void write_entry( bvfile_entry* entry, bvfile_section section, uint16_t version, uint64_t offset,
                         uint64_t bytes )
{
	const bvfile_section_rule* rule = bvfile_rule_of( section );
	memcpy( entry->name, rule->name, sizeof entry->name );
	entry->version = version;
	entry->flags = rule->flags;
	entry->offset = offset;
	entry->bytes = bytes;
}

static uint64_t copy_section( bvw_deform* d, const bvfile_view* view, bvfile_entry* entry,
                              bvfile_section section, uint64_t offset )
{
	const bvfile_entry* from = bvfile_entry_of( view->header, section );
	write_entry( entry, section, from->version, offset, from->bytes );
	memcpy( (char*)d->image + offset, (const char*)view->header + from->offset, (size_t)from->bytes );
	return offset + from->bytes;
}

// The hash remains that of the file, so that what belongs to its triangles can be told.
static void write_triangles( bvw_deform* d, const bvfile_view* view, bvfile_entry* entry, uint64_t offset )
{
	const bvfile_entry* from = bvfile_entry_of( view->header, bvfile_section_triangles );
	if ( d->options.rebuild_triangles == 0 )
	{
		copy_section( d, view, entry, bvfile_section_triangles, offset );
	}
	else
	{
		write_entry( entry, bvfile_section_triangles, from->version, offset,
		             bvwdeform_apart_bytes( view->mesh ) );
		bvwdeform_write_apart( view, (bvfile_triangles*)( (char*)d->image + offset ) );
	}
	entry->hash = from->hash;
}

static void write_image( bvw_deform* d, const bvfile_view* view, const bvwdeform_layout* l )
{
	bvfile_header* image = d->image;
	bvfile_entry* entry = (bvfile_entry*)( image + 1 );
	uint64_t mesh = ( sizeof *image + BVWDEFORM_SECTIONS * sizeof *entry + ( alignment - 1 ) ) &
	                ~(uint64_t)( alignment - 1 );
	memcpy( image->magic, view->header->magic, sizeof image->magic );
	image->byte_order = view->header->byte_order;
	image->version_major = view->header->version_major;
	image->version_minor = view->header->version_minor;
	image->section_count = d->options.errors ? BVWDEFORM_SECTIONS : BVWDEFORM_SECTIONS - 1;
	copy_section( d, view, entry, bvfile_section_mesh, mesh );
	write_entry( entry + 1, bvfile_section_positions, 1, l->image_positions - l->image,
	             (uint64_t)d->counts.vertices * sizeof( float[3] ) );
	write_triangles( d, view, entry + 2, l->image_triangles - l->image );
	image->file_bytes = copy_section( d, view, entry + 3, bvfile_section_nodes, l->image_nodes - l->image );
	if ( d->options.errors )
	{
		image->file_bytes =
			copy_section( d, view, entry + 4, bvfile_section_errors, l->image_errors - l->image );
	}
	bvfile_mesh* out = (bvfile_mesh*)( (char*)image + mesh );
	out->quantized = 0;
	memset( out->grid_origin, 0, sizeof out->grid_origin );
	out->grid_step = 0;
}

static void set_rebuild( bvw_deform* d, const bvfile_view* view, const bvwdeform_layout* l )
{
	char* base = (char*)d;
	bvfile_hierarchy* heads = (bvfile_hierarchy*)( base + l->rebuild_heads );
	d->rebuild = ( bvwdeform_rebuild ){
		.number = (uint32_t*)( base + l->rebuild_number ),
		.tried = (double*)( base + l->rebuild_tried ),
		.axes = { heads, (uint32_t*)( base + l->rebuild_words[0] ) },
		.saved = { heads + 1, (uint32_t*)( base + l->rebuild_words[1] ) },
		.box = (bvtree_refit_box*)( base + l->rebuild_box ),
		.spare = (uint32_t*)( base + l->rebuild_spare ),
		.side = (uint8_t*)( base + l->rebuild_side ),
		.work = (uint64_t*)( base + l->rebuild_work ),
		.seen = (uint32_t*)( base + l->rebuild_seen ),
	};
	for ( int i = 0; i < 3; ++i )
	{
		d->rebuild.sorted[i] = (uint32_t*)( base + l->rebuild_sorted[i] );
	}
	for ( uint32_t i = 0; i < view->mesh->triangles; ++i )
	{
		d->rebuild.number[i] = i;
	}
	*heads = *view->hierarchy;
	memcpy( d->rebuild.axes.words, view->nodes, (size_t)bytes_of_words( view ) );
	d->refit.kept = d->rebuild.axes.words;
	d->refit.kept_head = heads;
	if ( d->options.rebuild_triangles > view->mesh->triangles )
	{
		d->options.rebuild_triangles = view->mesh->triangles;
	}
}

static void set_arrays( bvw_deform* d, const bvfile_view* view, const bvwdeform_layout* l )
{
	char* base = (char*)d;
	bvfile_hierarchy* head = (bvfile_hierarchy*)( base + l->image_nodes );
	d->image = (bvfile_header*)( base + l->image );
	d->positions = ( float( * )[3] )( base + l->image_positions );
	d->later = d->options.motion ? ( float( * )[3] )( base + l->later ) : NULL;
	d->reference = has_reference( &d->options ) ? ( float( * )[3] )( base + l->reference ) : NULL;
	d->refit = ( bvtree_refit ){
		.head = head,
		.kept = view->nodes,
		.kept_head = view->hierarchy,
		.positions = d->positions,
		.reference = d->options.frames == bvw_deform_turn ? d->reference : NULL,
		.inner = (const bvtree_refit_inner*)( base + l->inner ),
		.inner_count = d->counts.inner,
		.first_leaf = (const uint32_t*)( base + l->first_leaf ),
		.end_leaf = (const uint32_t*)( base + l->end_leaf ),
		.leaf_begin = (const uint32_t*)( base + l->leaf_begin ),
		.vertices = (const uint32_t*)( base + l->leaf_vertices ),
		.distinct = (const bvtree_refit_distinct*)( base + l->distinct ),
		.shared = (const uint32_t*)( base + l->shared ),
		.boxes = (bvtree_refit_box*)( base + l->boxes ),
		.measures = d->counts.blocks > 0 ? (bvtree_refit_measure*)( base + l->measures ) : NULL,
		.blocks = d->counts.blocks,
		.sums = d->counts.sums,
		.lanes = bvtree_lanes_best(),
	};
	d->rest = (bvwdeform_rest*)( base + l->rest );
	d->curve = ( bvwdeform_curve ){
		.leaves = (uint64_t*)( base + l->curve_leaves ),
		.spare = (uint64_t*)( base + l->curve_spare ),
	};
	if ( d->options.rebuild_triangles > 0 )
	{
		set_rebuild( d, view, l );
	}
	if ( !d->options.no_lists )
	{
		d->lists = ( bvwdeform_lists ){
			.first = (uint32_t*)( base + l->vertex_first ),
			.node = (uint32_t*)( base + l->vertex_node ),
			.node_lanes = (uint8_t*)( base + l->vertex_lanes ),
			.waiting = (uint64_t*)( base + l->waiting ),
			.lanes = (bvwdeform_lanes*)( base + l->lanes ),
			.before = ( float( * )[3] )( base + l->before ),
			.most_before = most_before( &d->counts ),
		};
	}
}

static void read_topology( bvw_deform* d, const bvfile_view* view, const bvwdeform_layout* l )
{
	char* base = (char*)d;
	bvwdeform_topology topology = {
		.inner = (bvtree_refit_inner*)( base + l->inner ),
		.first_leaf = (uint32_t*)( base + l->first_leaf ),
		.end_leaf = (uint32_t*)( base + l->end_leaf ),
		.leaf_begin = (uint32_t*)( base + l->leaf_begin ),
		.vertices = (uint32_t*)( base + l->leaf_vertices ),
	};
	bvwdeform_read_topology( view, &topology );
	// Positions are set later.
	uint32_t* seen = (uint32_t*)( base + l->image_positions );
	bvwdeform_find_distinct( d, seen );
	if ( d->lists.first )
	{
		bvwdeform_list_nodes( d, seen );
	}
}

// After the first fit: boxes are those of the file.
static void begin_errors( bvw_deform* d, const bvfile_view* view, const bvwdeform_layout* l )
{
	char* base = (char*)d;
	bvfile_errors_view image = bvfile_errors_view_of( base + l->image_errors );
	bvfile_errors_view kept = bvfile_errors_view_of( bvfile_find( view->header, bvfile_section_errors ) );
	d->errors = ( bvwdeform_errors ){
		.head = (bvfile_errors*)( base + l->image_errors ),
		.nodes = (uint8_t( * )[2])image.nodes,
		.kept = kept.nodes,
		.kept_head = view->hierarchy,
		.kept_words = view->nodes,
		.anew = d->rebuild.number ? (uint8_t*)( base + l->rebuild_anew ) : NULL,
		.spread = (float*)( base + l->spread ),
		.levels = (uint8_t*)( base + l->levels ),
	};
	// No measurement has narrowed the intervals to less than a bound.
	d->errors.head->relative = 1;
	d->errors.head->floor = 1;
	for ( uint32_t i = 1; i < d->counts.inner; ++i )
	{
		d->errors.levels[i] = d->errors.levels[d->refit.inner[i].parent] + 1;
	}
	for ( uint32_t i = 0; i < d->counts.inner; ++i )
	{
		bvwdeform_set_errors( d, i, UINT32_MAX );
	}
	bvwdeform_set_root_error( d );
	bvwdeform_sum_errors( d );
}

static bool are_positions_in_range( const bvfile_view* view )
{
	bool in_range = true;
	for ( uint32_t i = 0; i < view->mesh->vertices; ++i )
	{
		bv_vec3 p = bvfile_position( view, i );
		in_range = in_range & ( fabs( p.x ) <= BVW_MAX_POSITION ) & ( fabs( p.y ) <= BVW_MAX_POSITION ) &
		           ( fabs( p.z ) <= BVW_MAX_POSITION );
	}
	return in_range;
}

bv_status bvw_deform_begin( const bv_file* file, const bvw_deform_options* options, void* memory,
                            size_t bytes, bvw_deform** out )
{
	bvfile_view view;
	bvw_deform_options completed;
	if ( !out || !memory || (uintptr_t)memory % 8 != 0 || !see( file, options, &view, &completed ) ||
	     !are_positions_in_range( &view ) )
	{
		return bv_error_argument;
	}
	bvwdeform_counts counts = count( &view, completed.rebuild_triangles > 0 );
	bvwdeform_layout layout = lay_out( &view, &completed, &counts );
	if ( layout.end > bytes )
	{
		return bv_error_memory;
	}
	memset( memory, 0, (size_t)layout.end );
	bvw_deform* d = memory;
	d->magic = magic;
	d->bytes = layout.end;
	d->options = completed;
	d->counts = counts;
	d->source = file;
	d->offset = view.offset ? *view.offset : ( bv_vec3 ){ 0, 0, 0 };
	set_arrays( d, &view, &layout );
	write_image( d, &view, &layout );
	d->refit.words = (uint32_t*)bvfile_node_words( d->refit.head );
	read_topology( d, &view, &layout );
	for ( uint32_t i = 0; i < counts.vertices; ++i )
	{
		bv_vec3 p = bvfile_position( &view, i );
		d->positions[i][0] = (float)p.x + 0.0f;
		d->positions[i][1] = (float)p.y + 0.0f;
		d->positions[i][2] = (float)p.z + 0.0f;
	}
	if ( d->reference )
	{
		memcpy( d->reference, d->positions, counts.vertices * sizeof *d->positions );
	}
	bvwdeform_fit_all( d, NULL, NULL, NULL, NULL );
	if ( completed.errors )
	{
		begin_errors( d, &view, &layout );
	}
	bvwdeform_keep_quality( d );
	*out = d;
	return bv_ok;
}

const bv_file* bvw_deform_file( const bvw_deform* deform )
{
	return deform ? (const bv_file*)deform->image : NULL;
}

bool bvwdeform_is_valid( const bvw_deform* deform )
{
	return deform && deform->magic == magic;
}

static bool are_listed( const bvw_deform* deform, const uint32_t* moved, uint32_t count )
{
	if ( deform->options.no_lists )
	{
		return false;
	}
	uint32_t greatest = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		greatest = moved[i] > greatest ? moved[i] : greatest;
	}
	return greatest < deform->counts.vertices;
}

bv_status bvw_deform_refit_on( bvw_deform* deform, const bvw_vertices* vertices, const bvw_tasks* tasks,
                               bvw_deform_report* report )
{
	bool is_good = bvwdeform_is_valid( deform ) && bvwteam_is_valid( tasks, deform->options.workers ) &&
	               bvwdeform_are_arrays( deform, vertices, false ) &&
	               bvwdeform_fit_all( deform, vertices, NULL, tasks, report );
	return is_good ? bv_ok : bv_error_argument;
}

bv_status bvw_deform_refit( bvw_deform* deform, const bvw_vertices* vertices, const uint32_t* moved,
                            uint32_t count, bvw_deform_report* report )
{
	if ( !moved && count == 0 )
	{
		return bvw_deform_refit_on( deform, vertices, NULL, report );
	}
	if ( !bvwdeform_is_valid( deform ) || !moved || !are_listed( deform, moved, count ) ||
	     !bvwdeform_are_arrays( deform, vertices, true ) ||
	     !bvwdeform_are_in_range( deform, vertices, moved, 0, count ) )
	{
		return bv_error_argument;
	}
	bvwdeform_keep_listed( deform, moved, count );
	bvwdeform_store_listed( deform, vertices, moved, count, deform->positions );
	// Vertices that are not listed have moved, too, if they were at two positions or wherever bones put them.
	if ( deform->refit.later || deform->refit.by_boxes )
	{
		bvwdeform_fit_all( deform, NULL, NULL, NULL, report );
		if ( report )
		{
			report->vertices = count;
		}
	}
	else
	{
		bvwdeform_fit_listed( deform, moved, count, report );
	}
	return bv_ok;
}

bv_status bvw_deform_refit_motion( bvw_deform* deform, const bvw_vertices* from, const bvw_vertices* to,
                                   const bvw_tasks* tasks, bvw_deform_report* report )
{
	bool is_good = bvwdeform_is_valid( deform ) && deform->later &&
	               bvwteam_is_valid( tasks, deform->options.workers ) &&
	               bvwdeform_are_arrays( deform, from, false ) && bvwdeform_are_arrays( deform, to, false ) &&
	               bvwdeform_fit_all( deform, from, to, tasks, report );
	return is_good ? bv_ok : bv_error_argument;
}
