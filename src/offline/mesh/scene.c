// Collision names: which objects of a scene are collision shapes, and which objects they belong to, by the
// naming conventions of Unreal ("Static Mesh pipeline, collision": UBX_ UCP_ USP_ UCX_) and Godot ("Node type
// customization using name suffixes": -col -colonly -convcol -convcolonly). Unity has none: _collider and _meshcollider are those that
// exports for it get here.

#include "bvbuild/scene.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"

#include <stdlib.h>
#include <string.h>

// A part of a name.
typedef struct scene_part
{
	const char* text;
	size_t length;
} scene_part;

// What a name says: a kind, and the name of what it stands for.
typedef struct convention
{
	bvb_proxy kind;
	scene_part base;   // as it is written
	scene_part number; // the same without what numbers proxies of one thing
} convention;

static char lower( char c )
{
	return (char)( c >= 'A' && c <= 'Z' ? c + ( 'a' - 'A' ) : c );
}

// Whether `text` is `expected`, which is in lower case, whatever the case.
static bool is_any_case( const char* text, const char* expected )
{
	for ( ; *expected; ++text, ++expected )
	{
		if ( lower( *text ) != *expected )
		{
			return false;
		}
	}
	return true;
}

static bool is_digit( char c )
{
	return c >= '0' && c <= '9';
}

// Without _01 or .001 behind it.
static scene_part without_number( scene_part p )
{
	size_t length = p.length;
	while ( length > 0 && is_digit( p.text[length - 1] ) )
	{
		--length;
	}
	bool numbered =
		length > 1 && length < p.length && ( p.text[length - 1] == '_' || p.text[length - 1] == '.' );
	return ( scene_part ){ p.text, numbered ? length - 1 : p.length };
}

static bool parse_prefix( const char* name, convention* out )
{
	static const struct
	{
		const char* prefix;
		bvb_proxy kind;
	} prefixes[] = { { "ucx_", bvb_proxy_convex },
		             { "ubx_", bvb_proxy_box },
		             { "usp_", bvb_proxy_sphere },
		             { "ucp_", bvb_proxy_capsule } };
	for ( size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i )
	{
		if ( is_any_case( name, prefixes[i].prefix ) )
		{
			out->kind = prefixes[i].kind;
			out->base = ( scene_part ){ name + 4, strlen( name + 4 ) };
			out->number = without_number( out->base );
			return true;
		}
	}
	return false;
}

static bool parse_suffix( const char* name, convention* out )
{
	static const struct
	{
		const char* suffix;
		bvb_proxy kind;
	} suffixes[] = { { "convcolonly", bvb_proxy_convex }, { "convcol", bvb_proxy_convex },
		             { "colonly", bvb_proxy_mesh },       { "col", bvb_proxy_mesh },
		             { "collider", bvb_proxy_convex },    { "meshcollider", bvb_proxy_mesh } };

	// What modeling programs add to the name of a copy.
	size_t length = strlen( name );
	while ( length > 0 &&
	        ( is_digit( name[length - 1] ) || name[length - 1] == '.' || name[length - 1] == ' ' ) )
	{
		--length;
	}
	for ( size_t i = 0; i < sizeof suffixes / sizeof *suffixes; ++i )
	{
		size_t size = strlen( suffixes[i].suffix );
		if ( length > size && strchr( "-_$", name[length - size - 1] ) &&
		     is_any_case( name + length - size, suffixes[i].suffix ) )
		{
			out->kind = suffixes[i].kind;
			out->base = ( scene_part ){ name, length - size - 1 };
			out->number = out->base;
			return true;
		}
	}
	return false;
}

static convention parse( const char* name )
{
	convention c = { .kind = bvb_proxy_none };
	if ( !parse_prefix( name, &c ) )
	{
		parse_suffix( name, &c );
	}
	return c;
}

const char* bvb_proxy_text( bvb_proxy proxy )
{
	static const char* const texts[] = { "none", "mesh", "convex", "box", "sphere", "capsule" };
	return texts[proxy];
}

// An object under the name by which it is looked for.
typedef struct named
{
	scene_part name;
	uint32_t object;
	uint32_t rank; // among those of the same name
} named;

static int compare_parts( scene_part a, scene_part b )
{
	size_t shorter = a.length < b.length ? a.length : b.length;
	int order = memcmp( a.text, b.text, shorter );
	return order ? order : ( a.length > b.length ) - ( a.length < b.length );
}

static int compare_named( const void* a, const void* b )
{
	const named* x = a;
	const named* y = b;
	int order = compare_parts( x->name, y->name );
	return order ? order : ( x->object > y->object ) - ( x->object < y->object );
}

static void sort( named* list, uint32_t count )
{
	qsort( list, count, sizeof *list, compare_named );
	for ( uint32_t i = 1; i < count; ++i )
	{
		bool same = compare_parts( list[i].name, list[i - 1].name ) == 0;
		list[i].rank = same ? list[i - 1].rank + 1 : 0;
	}
}

// The object of that name with that rank, or the last of the name. BVB_NO_NAME when there is none.
static uint32_t find( const named* list, uint32_t count, scene_part name, uint32_t rank )
{
	uint32_t first = 0;
	uint32_t end = count;
	while ( first < end )
	{
		uint32_t middle = first + ( end - first ) / 2;
		int order = compare_parts( list[middle].name, name );
		if ( order < 0 || ( order == 0 && list[middle].rank < rank ) )
		{
			first = middle + 1;
		}
		else
		{
			end = middle;
		}
	}
	if ( first < count && compare_parts( list[first].name, name ) == 0 )
	{
		return list[first].object;
	}
	return first > 0 && compare_parts( list[first - 1].name, name ) == 0 ? list[first - 1].object
	                                                                     : BVB_NO_NAME;
}

// What sorting out needs: lists of plain objects, of proxies, and of proxies without an object.
typedef struct sorter
{
	const bvb_scene* scene;
	convention* says; // of each object
	named* plain;
	uint32_t plain_count;
	named* proxies;
	uint32_t proxy_count;
	named* alone;
	uint32_t alone_count;
	uint32_t* leader; // of each object, the one whose item it is in
} sorter;

static void list_objects( sorter* s, bvb_proxy_use use )
{
	for ( uint32_t i = 0; i < s->scene->object_count; ++i )
	{
		const char* name = s->scene->objects[i];
		s->says[i] = use == bvb_proxies_ignore ? ( convention ){ .kind = bvb_proxy_none } : parse( name );
		named entry = { .name = { name, strlen( name ) }, .object = i };
		if ( s->says[i].kind == bvb_proxy_none )
		{
			s->plain[s->plain_count++] = entry;
		}
		else
		{
			s->proxies[s->proxy_count++] = entry;
		}
	}
	sort( s->plain, s->plain_count );
	sort( s->proxies, s->proxy_count );
}

// Copies of a model bring their proxies along under the same names: the first of a name stands for the first
// object, and so on.
static void find_leaders( sorter* s )
{
	for ( uint32_t i = 0; i < s->plain_count; ++i )
	{
		s->leader[s->plain[i].object] = s->plain[i].object;
	}
	for ( uint32_t i = 0; i < s->proxy_count; ++i )
	{
		const named* proxy = &s->proxies[i];
		const convention* says = &s->says[proxy->object];
		uint32_t target = find( s->plain, s->plain_count, says->base, proxy->rank );
		if ( target == BVB_NO_NAME )
		{
			target = find( s->plain, s->plain_count, says->number, proxy->rank );
		}
		if ( target == BVB_NO_NAME )
		{
			s->alone[s->alone_count++] = ( named ){ .name = says->number, .object = proxy->object };
		}
		s->leader[proxy->object] = target;
	}
	sort( s->alone, s->alone_count );
	for ( uint32_t i = 0; i < s->alone_count; ++i )
	{
		s->leader[s->alone[i].object] = s->alone[i - s->alone[i].rank].object;
	}
}

static const char* copy_part( scene_part p, bvb_arena* arena )
{
	char* copy = bvb_arena_allocate( arena, p.length + 1, 1 );
	return copy ? memcpy( copy, p.text, p.length ) : NULL;
}

// Items in the order of their first object.
static bool number_items( const sorter* s, bvb_proxy_use use, bvb_arena* arena, bvb_items* out )
{
	const bvb_scene* scene = s->scene;
	memset( out->item, 0xff, scene->object_count * sizeof *out->item );
	for ( uint32_t i = 0; i < scene->object_count; ++i )
	{
		out->proxy[i] = s->says[i].kind;
		if ( out->proxy[i] != bvb_proxy_none && use == bvb_proxies_drop )
		{
			continue;
		}
		uint32_t leader = s->leader[i];
		bool plain = s->says[leader].kind == bvb_proxy_none;
		if ( out->item[leader] == BVB_NO_NAME )
		{
			bvb_item* item = &out->items[out->count];
			item->name = plain ? scene->objects[leader] : copy_part( s->says[leader].number, arena );
			item->has_object = plain;
			if ( !item->name )
			{
				return false;
			}
			out->item[leader] = out->count++;
		}
		out->item[i] = out->item[leader];
		out->items[out->item[i]].has_proxies |= out->proxy[i] != bvb_proxy_none;
	}
	for ( uint32_t i = 0; i < scene->segment_count; ++i )
	{
		const bvb_segment* segment = &scene->segments[i];
		uint32_t end = i + 1 < scene->segment_count ? segment[1].first_triangle : scene->mesh.triangle_count;
		uint32_t item = out->item[segment->object];
		if ( item != BVB_NO_NAME )
		{
			out->items[item].triangles += end - segment->first_triangle;
		}
	}
	return true;
}

const char* bvb_proxy_use_name( uint32_t use )
{
	static const char* const words[] = { "use", "ignore", "drop" };
	return use < sizeof words / sizeof *words ? words[use] : NULL;
}

bv_status bvb_scene_sort_out( const bvb_scene* scene, bvb_proxy_use use, bvb_arena* arena, bvb_items* out,
                              bvb_error* error )
{
	uint32_t count = scene->object_count;
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	if ( !scratch )
	{
		return bvbase_fail_memory( error );
	}
	sorter s = {
		.scene = scene,
		.says = bvb_arena_allocate( scratch, count, sizeof *s.says ),
		.plain = bvb_arena_allocate( scratch, count, sizeof *s.plain ),
		.proxies = bvb_arena_allocate( scratch, count, sizeof *s.proxies ),
		.alone = bvb_arena_allocate( scratch, count, sizeof *s.alone ),
		.leader = bvb_arena_allocate( scratch, count, sizeof *s.leader ),
	};
	*out = ( bvb_items ){
		.items = bvb_arena_allocate( arena, count, sizeof *out->items ),
		.item = bvb_arena_allocate( arena, count, sizeof *out->item ),
		.proxy = bvb_arena_allocate( arena, count, sizeof *out->proxy ),
	};
	bool complete =
		s.says && s.plain && s.proxies && s.alone && s.leader && out->items && out->item && out->proxy;
	if ( complete )
	{
		list_objects( &s, use );
		find_leaders( &s );
		complete = number_items( &s, use, arena, out );
	}
	bvb_arena_destroy( scratch );
	return complete ? bv_ok : bvbase_fail_memory( error );
}
