// Conditions on a report, and why they do not hold. See bvbuild/report.h.

#include "bvbuild/report.h"
#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/report/expression.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct bvb_report
{
	cJSON* root;
};

bv_status bvb_report_read( const char* text, bvb_report** out, bvb_error* error )
{
	*out = NULL;
	bvb_report* report = malloc( sizeof *report );
	if ( !report )
	{
		return bvbase_fail_memory( error );
	}
	report->root = cJSON_Parse( text );
	if ( !cJSON_IsObject( report->root ) )
	{
		bvb_report_free( report );
		return bvbase_fail( error, bv_error_input, "the report is not a JSON object" );
	}
	*out = report;
	return bv_ok;
}

void bvb_report_free( bvb_report* report )
{
	if ( report )
	{
		cJSON_Delete( report->root );
		free( report );
	}
}

// An error of an expression, with the expression in front. Long ones would leave no room for what is wrong.
static bv_status quote( const char* expression, bv_status status, bvb_error* error )
{
	if ( status == bv_error_argument )
	{
		bvb_error inner = *error;
		bvbase_fail( error, status, "'%.*s': %s", (int)bvreport_expression_longest, expression,
		             inner.message );
	}
	return status;
}

bv_status bvb_expression_check( const char* expression, bvb_arena* scratch, bvb_error* error )
{
	const bvreport_expression_node* root;
	return quote( expression, bvreport_expression_parse( expression, scratch, &root, error ), error );
}

static bv_status evaluate( const bvb_report* report, const char* text, bvb_arena* arena,
                           const bvreport_expression_node** root, bvreport_value* out, bvb_error* error )
{
	bv_status status = bvreport_expression_parse( text, arena, root, error );
	bvreport_evaluation e = { text, report->root, arena, error };
	return status == bv_ok ? bvreport_expression_evaluate( &e, *root, out ) : status;
}

bv_status bvb_report_evaluate( const bvb_report* report, const char* expression, bvb_arena* arena,
                               bvb_value* out, bvb_error* error )
{
	const bvreport_expression_node* root;
	bvreport_value v;
	bv_status status = evaluate( report, expression, arena, &root, &v, error );
	if ( status == bv_ok && v.kind == bvreport_value_list )
	{
		status = bvreport_expression_fail( error, root->begin,
		                                   "this is a list: [0] is its first item, max(...) its largest" );
	}
	else if ( status == bv_ok && v.kind == bvreport_value_object )
	{
		status = bvreport_expression_fail( error, root->begin, "this is an object: name one of its keys" );
	}
	if ( status != bv_ok )
	{
		return quote( expression, status, error );
	}
	static const bvb_value_kind kinds[] = {
		[bvreport_value_null] = bvb_value_null,
		[bvreport_value_truth] = bvb_value_truth,
		[bvreport_value_number] = bvb_value_number,
		[bvreport_value_string] = bvb_value_string,
	};
	*out = ( bvb_value ){
		.kind = kinds[v.kind],
		.number = v.number,
		.text = v.kind == bvreport_value_null ? v.why : v.text,
	};
	if ( v.kind == bvreport_value_string )
	{
		// The report may go before the value does.
		char* copy = bvb_arena_allocate( arena, strlen( v.text ) + 1, 1 );
		out->text = copy ? strcpy( copy, v.text ) : NULL;
		return copy ? bv_ok : bvbase_fail_memory( error );
	}
	return bv_ok;
}

// Text that grows in a buffer, and ends where that does.
typedef struct line
{
	char text[1600];
	size_t length;
} line;

static void add( line* l, const char* text, size_t length )
{
	size_t room = sizeof l->text - 1 - l->length;
	length = length < room ? length : room;
	memcpy( l->text + l->length, text, length );
	l->length += length;
	l->text[l->length] = 0;
}

static void add_text( line* l, const char* text )
{
	add( l, text, strlen( text ) );
}

static void add_value( line* l, const bvreport_value* v )
{
	char number[BVBASE_NUMBER_BYTES] = "";
	switch ( v->kind )
	{
	case bvreport_value_null: add_text( l, "null" ); break;
	case bvreport_value_truth: add_text( l, v->number ? "true" : "false" ); break;
	case bvreport_value_number:
		bvbase_print_number( number, v->number );
		add_text( l, number );
		break;
	case bvreport_value_string:
		add_text( l, "'" );
		add_text( l, v->text );
		add_text( l, "'" );
		break;
	case bvreport_value_list: add_text( l, "a list" ); break;
	case bvreport_value_object: add_text( l, "an object" ); break;
	}
}

static bool is_term( const bvreport_expression_node* node )
{
	return node->kind == bvreport_expression_path || node->kind == bvreport_expression_call;
}

static bool is_constant( const bvreport_expression_node* node )
{
	return node->kind <= bvreport_expression_null;
}

// Adds what a node comes to. Its evaluation has succeeded before; only memory can be short now.
// Returns whether it comes to anything but null.
static bool add_result( const bvreport_evaluation* e, const bvreport_expression_node* node, bool named,
                        line* l )
{
	bvreport_value v;
	if ( bvreport_expression_evaluate( e, node, &v ) != bv_ok )
	{
		return false;
	}
	if ( v.kind == bvreport_value_null )
	{
		add_text( l, v.why );
		return false;
	}
	if ( named )
	{
		add( l, e->text + node->begin, node->end - node->begin );
	}
	add_text( l, named ? " is " : "it is " );
	add_value( l, &v );
	return true;
}

// Adds the places in the report that a node depends on.
static void add_terms( const bvreport_evaluation* e, const bvreport_expression_node* node, line* l )
{
	if ( is_term( node ) )
	{
		add_text( l, l->length ? ", " : "" );
		add_result( e, node, true, l );
		return;
	}
	for ( const bvreport_expression_node* operand = node->first; operand; operand = operand->next )
	{
		add_terms( e, operand, l );
	}
}

// Both sides, as far as they depend on the report, and what those that are calculated are made of.
static void explain_comparison( const bvreport_evaluation* e, const bvreport_expression_node* node,
                                bool alone, line* l )
{
	line terms = { .length = 0 };
	bool named = !alone || ( !is_constant( node->first ) && !is_constant( node->first->next ) );
	for ( const bvreport_expression_node* side = node->first; side; side = side->next )
	{
		if ( !is_constant( side ) )
		{
			add_text( l, l->length ? ", " : "" );
			if ( add_result( e, side, named, l ) && !is_term( side ) )
			{
				add_terms( e, side, &terms );
			}
		}
	}
	if ( terms.length )
	{
		add_text( l, " (" );
		add_text( l, terms.text );
		add_text( l, ")" );
	}
}

// Says why a condition does not hold: what is at fault of it.
static void explain( const bvreport_evaluation* e, const bvreport_expression_node* node, bool alone, line* l )
{
	bvreport_value v;
	if ( node->kind == bvreport_expression_compare )
	{
		explain_comparison( e, node, alone, l );
		return;
	}
	if ( node->kind != bvreport_expression_and && node->kind != bvreport_expression_or )
	{
		add_terms( e, node, l );
		return;
	}
	for ( const bvreport_expression_node* operand = node->first; operand; operand = operand->next )
	{
		if ( bvreport_expression_evaluate( e, operand, &v ) == bv_ok &&
		     !( v.kind == bvreport_value_truth && v.number ) )
		{
			explain( e, operand, false, l );
		}
	}
}

bv_status bvb_report_gate( const bvb_report* report, const char* condition, bvb_arena* scratch, bool* holds,
                           bvb_error* reason )
{
	const bvreport_expression_node* root;
	bvreport_value v;
	*holds = false;
	bv_status status = evaluate( report, condition, scratch, &root, &v, reason );
	if ( status == bv_ok && v.kind != bvreport_value_truth && v.kind != bvreport_value_null )
	{
		status = bvreport_expression_fail( reason, root->begin,
		                                   "this is not a condition, which is true or false" );
	}
	if ( status != bv_ok )
	{
		return quote( condition, status, reason );
	}
	*holds = v.kind == bvreport_value_truth && v.number;
	if ( !*holds )
	{
		line why = { .length = 0 };
		bvreport_evaluation e = { condition, report->root, scratch, reason };
		explain( &e, root, true, &why );
		bvbase_fail( reason, bv_ok, "%s does not hold%s%s", condition, why.length ? ": " : "", why.text );
	}
	return bv_ok;
}
