// The nodes of Assimp's scene. See tree.h.

#include "formats/assimp/tree.h"

#include "formats/assimp/transport.h"

#include <stdlib.h>
#include <string.h>

static void* allocate( void* old, size_t count, size_t size )
{
	void* memory = bvbase_memory_resize( old, count ? count : 1, size );
	if ( !memory )
	{
		bvassimp_leave_out_of_memory();
	}
	return memory;
}

// The stack is on the heap: a file decides how deep the tree is.
static void gather( const struct aiScene* source, bvassimp_tree* t, int result )
{
	size_t room = 64;
	size_t node_room = 64;
	bvassimp_tree_node* stack = allocate( NULL, room, sizeof *stack );
	t->nodes = allocate( NULL, node_room, sizeof *t->nodes );
	size_t count = 0;
	if ( source->mRootNode )
	{
		stack[count++] = ( bvassimp_tree_node ){ source->mRootNode, BVASSIMP_NONE };
	}
	while ( count > 0 )
	{
		bvassimp_tree_node current = stack[--count];
		if ( t->count == node_room )
		{
			node_room *= 2;
			t->nodes = allocate( t->nodes, node_room, sizeof *t->nodes );
		}
		if ( t->count == INT32_MAX )
		{
			bvassimp_leave_text( result, bvassimp_limit, "more than 2147483647 nodes" );
		}
		uint32_t number = t->count++;
		t->nodes[number] = current;
		if ( count + current.node->mNumChildren > room )
		{
			room = 2 * ( count + current.node->mNumChildren );
			stack = allocate( stack, room, sizeof *stack );
		}
		for ( unsigned i = current.node->mNumChildren; i-- > 0; )
		{
			if ( current.node->mChildren[i] )
			{
				stack[count++] = ( bvassimp_tree_node ){ current.node->mChildren[i], number };
			}
		}
	}
	free( stack );
}

static int compare_numbers( uint32_t a, uint32_t b )
{
	return ( a > b ) - ( a < b );
}

static int compare_names( const void* a, const void* b, void* context )
{
	const bvassimp_tree* t = context;
	uint32_t left = *(const uint32_t*)a;
	uint32_t right = *(const uint32_t*)b;
	int difference = strcmp( t->nodes[left].node->mName.data, t->nodes[right].node->mName.data );
	return difference ? difference : compare_numbers( left, right );
}

static int compare_addresses( const void* a, const void* b, void* context )
{
	const bvassimp_tree* t = context;
	uint32_t left = *(const uint32_t*)a;
	uint32_t right = *(const uint32_t*)b;
	uintptr_t first = (uintptr_t)t->nodes[left].node;
	uintptr_t second = (uintptr_t)t->nodes[right].node;
	return first != second ? ( first > second ? 1 : -1 ) : compare_numbers( left, right );
}

static uint32_t* sort( bvassimp_tree* t, int ( *compare )( const void* a, const void* b, void* context ) )
{
	uint32_t* numbers = allocate( NULL, t->count, sizeof *numbers );
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		numbers[i] = i;
	}
	bvbase_sort_with( numbers, t->count, sizeof *numbers, compare, t );
	return numbers;
}

// Whether every node leads to a root. Each node is visited once: marks are numbers of the walks.
static bool has_roots( const uint32_t* parents, uint32_t count )
{
	uint32_t* walks = allocate( NULL, count, sizeof *walks );
	memset( walks, 0, count * sizeof *walks );
	bool good = true;
	for ( uint32_t i = 0; i < count && good; ++i )
	{
		uint32_t at = i;
		while ( at != BVASSIMP_NONE && walks[at] == 0 )
		{
			walks[at] = i + 1;
			at = parents[at];
		}
		good = at == BVASSIMP_NONE || walks[at] != i + 1;
	}
	free( walks );
	return good;
}

static void take_named_parents( bvassimp_tree* t )
{
	uint32_t* parents = allocate( NULL, t->count, sizeof *parents );
	bool differ = false;
	for ( uint32_t i = 0; i < t->count; ++i )
	{
		uint32_t named = bvassimp_tree_number( t, t->nodes[i].node->mParent );
		parents[i] = named != BVASSIMP_NONE ? named : t->nodes[i].parent;
		differ = differ || parents[i] != t->nodes[i].parent;
	}
	bool sound = differ && has_roots( parents, t->count );
	for ( uint32_t i = 0; sound && i < t->count; ++i )
	{
		t->nodes[i].parent = parents[i];
	}
	free( parents );
}

bvassimp_tree bvassimp_tree_make( const struct aiScene* source, int result )
{
	bvassimp_tree t = { .count = 0 };
	gather( source, &t, result );
	t.by_name = sort( &t, compare_names );
	t.by_address = sort( &t, compare_addresses );
	take_named_parents( &t );
	return t;
}

uint32_t bvassimp_tree_find( const bvassimp_tree* t, const char* name )
{
	uint32_t first = 0;
	for ( uint32_t last = t->count; first < last; )
	{
		uint32_t middle = first + ( last - first ) / 2;
		if ( strcmp( t->nodes[t->by_name[middle]].node->mName.data, name ) < 0 )
		{
			first = middle + 1;
		}
		else
		{
			last = middle;
		}
	}
	uint32_t same = 0;
	while ( same < 2 && first + same < t->count &&
	        strcmp( t->nodes[t->by_name[first + same]].node->mName.data, name ) == 0 )
	{
		++same;
	}
	return same == 1 ? t->by_name[first] : BVASSIMP_NONE;
}

uint32_t bvassimp_tree_number( const bvassimp_tree* t, const struct aiNode* node )
{
	uint32_t first = 0;
	for ( uint32_t last = t->count; first < last; )
	{
		uint32_t middle = first + ( last - first ) / 2;
		if ( (uintptr_t)t->nodes[t->by_address[middle]].node < (uintptr_t)node )
		{
			first = middle + 1;
		}
		else
		{
			last = middle;
		}
	}
	bool found = first < t->count && t->nodes[t->by_address[first]].node == node;
	return found ? t->by_address[first] : BVASSIMP_NONE;
}

void bvassimp_tree_free( bvassimp_tree* t )
{
	free( t->nodes );
	free( t->by_name );
	free( t->by_address );
}
