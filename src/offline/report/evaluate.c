// Expressions over a report: what they come to. See expression.h.
//
// Logic has three values, as Kleene's (1938): what depends on a null is null, unless the other operand
// decides alone. So the order of operands does not matter, and no part of an expression goes unchecked.

#include "offline/report/expression.h"

#include "offline/base/error.h"
#include "offline/base/suggest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char* kind_name( bvreport_value_kind kind )
{
	static const char* const names[] = { "null",     "true or false", "a number",
		                                 "a string", "a list",        "an object" };
	return names[kind];
}

static bv_status fail_memory( const bvreport_evaluation* e )
{
	return bvbase_fail_memory( e->error );
}

// A null, and the reason for it: what the text says from `begin` to `end`, and what is wrong with that.
#if defined( __GNUC__ )
__attribute__( ( format( printf, 5, 6 ) ) )
#endif
static bv_status
make_null( const bvreport_evaluation* e, uint32_t begin, uint32_t end, bvreport_value* out,
           const char* format, ... )
{
	enum
	{
		room = 128,
	};
	char* text = bvb_arena_allocate( e->arena, (size_t)( end - begin ) + room, 1 );
	if ( !text )
	{
		return fail_memory( e );
	}
	memcpy( text, e->text + begin, end - begin );
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text + end - begin, room, format, arguments );
	va_end( arguments );
	*out = ( bvreport_value ){ .kind = bvreport_value_null, .why = text };
	return bv_ok;
}

// Lists that are empty get memory all the same.
static bool make_list( const bvreport_evaluation* e, const cJSON* array, bvreport_value* out )
{
	*out = ( bvreport_value ){ .kind = bvreport_value_list, .count = (uint32_t)cJSON_GetArraySize( array ) };
	out->items = bvb_arena_allocate( e->arena, out->count + (size_t)1, sizeof *out->items );
	uint32_t i = 0;
	for ( const cJSON* item = array->child; out->items && item; item = item->next )
	{
		out->items[i++] = item;
	}
	return out->items;
}

static bv_status from_item( const bvreport_evaluation* e, const cJSON* item, uint32_t begin, uint32_t end,
                            bvreport_value* out )
{
	if ( cJSON_IsArray( item ) )
	{
		return make_list( e, item, out ) ? bv_ok : fail_memory( e );
	}
	if ( cJSON_IsNull( item ) )
	{
		return make_null( e, begin, end, out, " is null" );
	}
	*out = ( bvreport_value ){
		.kind = cJSON_IsNumber( item )   ? bvreport_value_number
		        : cJSON_IsString( item ) ? bvreport_value_string
		        : cJSON_IsBool( item )   ? bvreport_value_truth
		                                 : bvreport_value_object,
		.number = cJSON_IsBool( item ) ? cJSON_IsTrue( item ) : item->valuedouble,
		.text = item->valuestring,
	};
	return bv_ok;
}

// Objects whose keys are data: what is not there is not unknown, there is none of it.
static bool has_free_keys( const bvreport_expression_step* first, const bvreport_expression_step* end )
{
	static const char* const names[] = { "degrees", "types",     "parameters", "volume_test",
		                                 "by_type", "histogram", "sections" };
	const bvreport_expression_step* last = NULL;
	for ( const bvreport_expression_step* s = first; s != end; s = s->next )
	{
		if ( s->key && last && last->key &&
		     ( strcmp( last->key, "volume_test" ) == 0 || strcmp( last->key, "by_type" ) == 0 ) )
		{
			return true; // a type against types
		}
		last = s;
	}
	for ( size_t i = 0; last && last->key && i < sizeof names / sizeof *names; ++i )
	{
		if ( strcmp( last->key, names[i] ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Names keys of an object, as many as there is room for.
static void list_keys( const cJSON* object, char* out, size_t size )
{
	size_t used = 0;
	*out = 0;
	for ( const cJSON* item = object->child; item; item = item->next )
	{
		const char* key = item->string ? item->string : "";
		if ( used + strlen( key ) + sizeof ", ..." > size )
		{
			snprintf( out + used, size - used, ", ..." );
			return;
		}
		used += (size_t)snprintf( out + used, size - used, "%s%s", used ? ", " : "", key );
	}
}

// The key of an object that was meant, or null.
static const char* suggest_key( const cJSON* object, const char* typed )
{
	bvbase_suggestion s = bvbase_suggestion_for( typed, strlen( typed ) );
	for ( const cJSON* item = object->child; item; item = item->next )
	{
		bvbase_suggest( &s, item->string ? item->string : "" );
	}
	return bvbase_get_suggestion( &s );
}

static bv_status no_key( const bvreport_evaluation* e, const bvreport_expression_node* path,
                         const bvreport_expression_step* step, const cJSON* object )
{
	char keys[512];
	uint32_t at = step->begin + ( e->text[step->begin] == '.' );
	if ( step == path->steps && ( strcmp( step->key, "time" ) == 0 || strcmp( step->key, "memory" ) == 0 ) )
	{
		return bvreport_expression_fail( e->error, at, "only a report of bvbuild has '%s'", step->key );
	}
	list_keys( object, keys, sizeof keys );
	const char* near = suggest_key( object, step->key );
	int length = step == path->steps ? 0 : (int)( step->begin - path->begin );
	return bvreport_expression_fail( e->error, at, "%.*s has no key '%s' (%s%s%sit has %s)",
	                                 length ? length : 10, length ? e->text + path->begin : "the report",
	                                 step->key, near ? "did you mean '" : "", near ? near : "",
	                                 near ? "'? " : "", keys );
}

// Goes on from one item by one step. A null leads to the same null.
static bv_status follow( const bvreport_evaluation* e, const bvreport_expression_node* path,
                         const bvreport_expression_step* step, const cJSON* from, const cJSON** to )
{
	*to = from;
	if ( cJSON_IsNull( from ) )
	{
		return bv_ok;
	}
	int length = (int)( step->begin - path->begin );
	const char* before = e->text + path->begin;
	if ( step->key )
	{
		if ( !cJSON_IsObject( from ) )
		{
			return bvreport_expression_fail(
				e->error, step->begin, "%.*s is %s and has no keys%s", length, before,
				cJSON_IsArray( from ) ? "a list" : "not an object",
				cJSON_IsArray( from ) ? ": [0] is its first item, [] is all items" : "" );
		}
		*to = cJSON_GetObjectItemCaseSensitive( from, step->key );
		return *to || has_free_keys( path->steps, step ) ? bv_ok : no_key( e, path, step, from );
	}
	if ( !cJSON_IsArray( from ) )
	{
		return bvreport_expression_fail( e->error, step->begin, "%.*s is not a list and has no items", length,
		                                 before );
	}
	int count = cJSON_GetArraySize( from );
	int index = step->index < 0 ? count + step->index : step->index;
	*to = index >= 0 && index < count ? cJSON_GetArrayItem( from, index ) : NULL;
	return bv_ok;
}

// Goes on from each of several items. Items that are not there are nulls.
static bv_status follow_all( const bvreport_evaluation* e, const bvreport_expression_node* path,
                             const bvreport_expression_step* step, bvreport_value* list )
{
	static const cJSON nothing = { .type = cJSON_NULL };
	if ( !step->all )
	{
		for ( uint32_t i = 0; i < list->count; ++i )
		{
			const cJSON* to;
			bv_status status = follow( e, path, step, list->items[i], &to );
			if ( status != bv_ok )
			{
				return status;
			}
			list->items[i] = to ? to : &nothing;
		}
		return bv_ok;
	}

	// Lists of lists become one list.
	uint64_t count = 0;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const cJSON* item = list->items[i];
		if ( !cJSON_IsArray( item ) && !cJSON_IsNull( item ) )
		{
			return bvreport_expression_fail( e->error, step->begin, "%.*s is not a list and has no items",
			                                 (int)( step->begin - path->begin ), e->text + path->begin );
		}
		count += cJSON_IsNull( item ) ? 1 : (uint64_t)cJSON_GetArraySize( item );
	}
	bvreport_value all = { .kind = bvreport_value_list };
	all.items = bvb_arena_allocate( e->arena, count + 1, sizeof *all.items );
	for ( uint32_t i = 0; all.items && i < list->count; ++i )
	{
		const cJSON* item = list->items[i];
		for ( const cJSON* child = cJSON_IsNull( item ) ? NULL : item->child; child; child = child->next )
		{
			all.items[all.count++] = child;
		}
		if ( cJSON_IsNull( item ) )
		{
			all.items[all.count++] = item;
		}
	}
	*list = all;
	return all.items ? bv_ok : fail_memory( e );
}

static bv_status evaluate_path( const bvreport_evaluation* e, const bvreport_expression_node* path,
                                bvreport_value* out )
{
	const cJSON* at = e->report;
	const bvreport_expression_step* step = path->steps;
	for ( ; step && !step->all; step = step->next )
	{
		const cJSON* to;
		bv_status status = follow( e, path, step, at, &to );
		if ( status != bv_ok )
		{
			return status;
		}
		if ( !to )
		{
			return step->key ? make_null( e, path->begin, step->end, out, " does not exist" )
			                 : make_null( e, path->begin, step->end, out,
			                              " does not exist: there are %d items", cJSON_GetArraySize( at ) );
		}
		at = to;
		if ( cJSON_IsNull( at ) )
		{
			return make_null( e, path->begin, step->end, out, " is null" );
		}
	}
	if ( !step )
	{
		return from_item( e, at, path->begin, path->end, out );
	}
	if ( !cJSON_IsArray( at ) )
	{
		return bvreport_expression_fail( e->error, step->begin, "%.*s is not a list and has no items",
		                                 (int)( step->begin - path->begin ), e->text + path->begin );
	}
	bv_status status = make_list( e, at, out ) ? bv_ok : fail_memory( e );
	for ( step = step->next; step && status == bv_ok; step = step->next )
	{
		status = follow_all( e, path, step, out );
	}
	return status;
}

// What a function makes of numbers, one after the other.
typedef struct folding
{
	double result;
	uint32_t count;
} folding;

static void fold_min( folding* f, double number )
{
	f->result = f->count == 0 || number < f->result ? number : f->result;
}

static void fold_max( folding* f, double number )
{
	f->result = f->count == 0 || number > f->result ? number : f->result;
}

static void fold_sum( folding* f, double number )
{
	f->result += number;
}

static void fold_count( folding* f, double number )
{
	(void)number;
	f->result += 1;
}

static void fold_abs( folding* f, double number )
{
	f->result = fabs( number );
}

static const struct function
{
	const char* name;
	void ( *fold )( folding* f, double number );
	bool of_one;   // takes one number
	bool of_any;   // takes anything
	bool of_some;  // is null of none
	bool averages; // divides by how many there are
} functions[] = {
	{ "abs", fold_abs, true, false, true, false },  { "count", fold_count, false, true, false, false },
	{ "max", fold_max, false, false, true, false }, { "mean", fold_sum, false, false, true, true },
	{ "min", fold_min, false, false, true, false }, { "sum", fold_sum, false, false, false, false },
};

static const struct function* find_function( const char* name )
{
	for ( size_t i = 0; i < sizeof functions / sizeof *functions; ++i )
	{
		if ( strcmp( functions[i].name, name ) == 0 )
		{
			return functions + i;
		}
	}
	return NULL;
}

bool bvreport_expression_has_function( const char* name )
{
	return find_function( name );
}

// Takes one value in. `out` becomes a null where that is one.
static bv_status fold_value( const bvreport_evaluation* e, const bvreport_expression_node* call,
                             const struct function* function, const bvreport_expression_node* argument,
                             const bvreport_value* v, folding* f, bvreport_value* out )
{
	if ( v->kind == bvreport_value_null )
	{
		*out = *v;
		return bv_ok;
	}
	if ( v->kind != bvreport_value_number && ( !function->of_any || v->kind == bvreport_value_object ) )
	{
		return bvreport_expression_fail( e->error, argument->begin, "%s takes numbers, not %s", call->text,
		                                 kind_name( v->kind ) );
	}
	function->fold( f, v->number );
	f->count += 1;
	return bv_ok;
}

static bv_status fold_list( const bvreport_evaluation* e, const bvreport_expression_node* call,
                            const struct function* function, const bvreport_expression_node* argument,
                            const bvreport_value* list, folding* f, bvreport_value* out )
{
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const cJSON* item = list->items[i];
		if ( function->of_any )
		{
			function->fold( f, 0 );
			f->count += 1;
		}
		else if ( cJSON_IsNull( item ) )
		{
			return make_null( e, argument->begin, argument->end, out, " has a null: item %u", i );
		}
		else if ( !cJSON_IsNumber( item ) )
		{
			return bvreport_expression_fail( e->error, argument->begin,
			                                 "%s takes numbers, but this list has other items", call->text );
		}
		else
		{
			function->fold( f, item->valuedouble );
			f->count += 1;
		}
	}
	return bv_ok;
}

static bv_status to_number( const bvreport_evaluation* e, const bvreport_expression_node* node, double number,
                            bvreport_value* out )
{
	if ( !isfinite( number ) )
	{
		return make_null( e, node->begin, node->end, out, " is not a number" );
	}
	*out = ( bvreport_value ){ .kind = bvreport_value_number, .number = number };
	return bv_ok;
}

static bv_status evaluate_call( const bvreport_evaluation* e, const bvreport_expression_node* call,
                                bvreport_value* out )
{
	const struct function* function = find_function( call->text );
	folding f = { 0 };
	bvreport_value missing = { .kind = bvreport_value_number };
	if ( function->of_one && call->first->next )
	{
		return bvreport_expression_fail( e->error, call->first->next->begin, "%s takes one number",
		                                 call->text );
	}
	for ( const bvreport_expression_node* argument = call->first; argument; argument = argument->next )
	{
		bvreport_value v;
		bvreport_value null = { .kind = bvreport_value_number };
		bv_status status = bvreport_expression_evaluate( e, argument, &v );
		if ( status == bv_ok && v.kind == bvreport_value_list && !function->of_one )
		{
			status = fold_list( e, call, function, argument, &v, &f, &null );
		}
		else if ( status == bv_ok )
		{
			status = fold_value( e, call, function, argument, &v, &f, &null );
		}
		if ( status != bv_ok )
		{
			return status;
		}
		missing = missing.kind == bvreport_value_null ? missing : null;
	}
	if ( missing.kind == bvreport_value_null )
	{
		*out = missing;
		return bv_ok;
	}
	if ( f.count == 0 && function->of_some )
	{
		return make_null( e, call->begin, call->end, out, " is null: the list is empty" );
	}
	return to_number( e, call, function->averages ? f.result / f.count : f.result, out );
}

// What goes into arithmetic or logic.
static bv_status expect( const bvreport_evaluation* e, const bvreport_expression_node* node,
                         const bvreport_value* v, bvreport_value_kind wanted )
{
	if ( v->kind == wanted || v->kind == bvreport_value_null )
	{
		return bv_ok;
	}
	const char* hint = v->kind == bvreport_value_list ? ": [0] is its first item, max(...) its largest" : "";
	return bvreport_expression_fail( e->error, node->begin, "this is %s where %s is expected%s",
	                                 kind_name( v->kind ), kind_name( wanted ), hint );
}

static double calculate( char operation, double a, double b )
{
	switch ( operation )
	{
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	default: return a / b;
	}
}

static bv_status evaluate_calculation( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                       const bvreport_value* a, const bvreport_value* b, bvreport_value* out )
{
	bv_status status = expect( e, node->first, a, bvreport_value_number );
	status = status == bv_ok ? expect( e, node->first->next, b, bvreport_value_number ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	if ( a->kind == bvreport_value_null || b->kind == bvreport_value_null )
	{
		*out = a->kind == bvreport_value_null ? *a : *b;
		return bv_ok;
	}
	return to_number( e, node, calculate( node->operation[0], a->number, b->number ), out );
}

static bool compare( const char* operation, int order )
{
	bool equal = operation[1] == '=' && order == 0;
	switch ( operation[0] )
	{
	case '<': return order < 0 || equal;
	case '>': return order > 0 || equal;
	case '=': return order == 0;
	default: return order != 0;
	}
}

static bv_status evaluate_comparison( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                      const bvreport_value* a, const bvreport_value* b, bvreport_value* out )
{
	const bvreport_expression_node* left = node->first;
	const bvreport_expression_node* right = left->next;
	bool sameness = node->operation[0] == '=' || node->operation[0] == '!';
	*out = ( bvreport_value ){ .kind = bvreport_value_truth };
	if ( left->kind == bvreport_expression_null || right->kind == bvreport_expression_null )
	{
		if ( !sameness )
		{
			return bvreport_expression_fail( e->error, node->begin,
			                                 "null can only be compared with == and !=" );
		}
		bool both = a->kind == bvreport_value_null && b->kind == bvreport_value_null;
		out->number = compare( node->operation, !both );
		return bv_ok;
	}
	const bvreport_value* null = a->kind == bvreport_value_null ? a : b;
	if ( null->kind == bvreport_value_null )
	{
		*out = *null;
		return bv_ok;
	}
	if ( a->kind == bvreport_value_list || a->kind == bvreport_value_object ||
	     ( !sameness && a->kind != bvreport_value_number ) )
	{
		return expect( e, left, a, bvreport_value_number );
	}
	bv_status status = expect( e, right, b, a->kind );
	if ( status == bv_ok )
	{
		int order = a->kind == bvreport_value_string ? strcmp( a->text, b->text )
		                                             : ( a->number > b->number ) - ( a->number < b->number );
		out->number = compare( node->operation, order );
	}
	return status;
}

static bv_status evaluate_logic( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                 const bvreport_value* a, const bvreport_value* b, bvreport_value* out )
{
	bv_status status = expect( e, node->first, a, bvreport_value_truth );
	status = status == bv_ok ? expect( e, node->first->next, b, bvreport_value_truth ) : status;
	double decides = node->kind == bvreport_expression_or;
	bool a_decides = a->kind == bvreport_value_truth && a->number == decides;
	bool b_decides = b->kind == bvreport_value_truth && b->number == decides;
	*out = a_decides || b_decides ? ( bvreport_value ){ .kind = bvreport_value_truth, .number = decides }
	       : a->kind == bvreport_value_null ? *a
	                                        : *b;
	return status;
}

static bv_status evaluate_prefixed( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                    const bvreport_value* a, bvreport_value* out )
{
	bv_status status =
		expect( e, node->first, a,
	            node->kind == bvreport_expression_not ? bvreport_value_truth : bvreport_value_number );
	*out = *a;
	out->number = node->kind == bvreport_expression_not ? !a->number : -a->number;
	return status;
}

static bv_status evaluate_operator( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                    bvreport_value* out )
{
	bvreport_value a;
	bvreport_value b = { .kind = bvreport_value_null };
	bv_status status = bvreport_expression_evaluate( e, node->first, &a );
	if ( status == bv_ok && node->first->next )
	{
		status = bvreport_expression_evaluate( e, node->first->next, &b );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	switch ( node->kind )
	{
	case bvreport_expression_calculate: return evaluate_calculation( e, node, &a, &b, out );
	case bvreport_expression_compare: return evaluate_comparison( e, node, &a, &b, out );
	case bvreport_expression_and:
	case bvreport_expression_or: return evaluate_logic( e, node, &a, &b, out );
	default: return evaluate_prefixed( e, node, &a, out );
	}
}

bv_status bvreport_expression_evaluate( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                        bvreport_value* out )
{
	switch ( node->kind )
	{
	case bvreport_expression_number:
		*out = ( bvreport_value ){ .kind = bvreport_value_number, .number = node->number };
		return bv_ok;
	case bvreport_expression_string:
		*out = ( bvreport_value ){ .kind = bvreport_value_string, .text = node->text };
		return bv_ok;
	case bvreport_expression_truth:
		*out = ( bvreport_value ){ .kind = bvreport_value_truth, .number = node->number };
		return bv_ok;
	case bvreport_expression_null:
		*out = ( bvreport_value ){ .kind = bvreport_value_null, .why = "null is null" };
		return bv_ok;
	case bvreport_expression_path: return evaluate_path( e, node, out );
	case bvreport_expression_call: return evaluate_call( e, node, out );
	default: return evaluate_operator( e, node, out );
	}
}
