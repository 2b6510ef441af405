// interrupt MILLISECONDS PROGRAM ARGUMENT...: starts a program in a console, presses Ctrl-C there, and prints the program's exit
// code in hexadecimal. For tests under Wine, where a signal of the system beneath ends processes before they hear of it.

#include <windows.h>

#include <shellapi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

static BOOL WINAPI ignore( DWORD type )
{
	return type == CTRL_C_EVENT;
}

int main( void )
{
	int count;
	wchar_t** arguments = CommandLineToArgvW( GetCommandLineW(), &count );
	static wchar_t line[32768];
	STARTUPINFOW start = { .cb = sizeof start };
	PROCESS_INFORMATION process;
	for ( int i = 2; i < count; ++i )
	{
		swprintf( line + wcslen( line ), 32768 - wcslen( line ), L"\"%ls\" ", arguments[i] );
	}
	FreeConsole();
	if ( count < 3 || !AllocConsole() ||
	     !CreateProcessW( NULL, line, NULL, NULL, FALSE, 0, NULL, NULL, &start, &process ) )
	{
		printf( "cannot start (error %lu)\n", GetLastError() );
		return 1;
	}
	SetConsoleCtrlHandler( ignore, TRUE );
	DWORD wait = (DWORD)wcstoul( arguments[1], NULL, 10 );
	DWORD code = 0;
	bool ended = WaitForSingleObject( process.hProcess, wait ) == WAIT_OBJECT_0;
	if ( !ended )
	{
		GenerateConsoleCtrlEvent( CTRL_C_EVENT, 0 );
		WaitForSingleObject( process.hProcess, INFINITE );
	}
	GetExitCodeProcess( process.hProcess, &code );
	printf( "%s %08lx\n", ended ? "early" : "interrupted", code );
	return 0;
}
