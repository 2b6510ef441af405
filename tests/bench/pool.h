// Threads of refits and updates: they wait for tasks without sleeping while they are awake, as those of an engine do during a step. In C++.

#pragma once

#include "bvworld/broadphase.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

struct bench_pool
{
	std::vector<std::thread> threads;
	std::atomic<uint32_t> turn{ 0 };
	std::atomic<uint32_t> left{ 0 };
	std::atomic<uint32_t> awake{ 0 };
	std::atomic<bool> is_awake{ false };
	std::mutex mutex;
	std::condition_variable wakes;
	std::atomic<bool> ends{ false };
	void ( *task )( void* data, uint32_t k ) = nullptr;
	void* data = nullptr;
	bvw_tasks tasks;

	explicit bench_pool( uint32_t workers ) : tasks{ this, workers, start, finish }
	{
		for ( uint32_t k = 1; k < workers; ++k )
		{
			threads.emplace_back( [this, k] { work( k ); } );
		}
	}

	bench_pool( const bench_pool& ) = delete;

	~bench_pool()
	{
		{
			std::lock_guard<std::mutex> lock( mutex );
			ends = true;
		}
		wakes.notify_all();
		for ( std::thread& one : threads )
		{
			one.join();
		}
	}

	// Returns when all threads wait for tasks.
	void wake()
	{
		{
			std::lock_guard<std::mutex> lock( mutex );
			is_awake = true;
		}
		wakes.notify_all();
		while ( awake != threads.size() )
		{
			std::this_thread::yield();
		}
	}

	void sleep()
	{
		is_awake = false;
		while ( awake != 0 )
		{
			std::this_thread::yield();
		}
	}

	void work( uint32_t k )
	{
		uint32_t seen = 0;
		while ( !ends )
		{
			{
				std::unique_lock<std::mutex> lock( mutex );
				wakes.wait( lock, [this] { return is_awake || ends; } );
			}
			awake += 1;
			for ( uint32_t waits = 0; is_awake; ++waits )
			{
				// Where other programs need the processor, too.
				if ( waits % 4096 == 4095 )
				{
					std::this_thread::yield();
				}
				uint32_t now = turn.load( std::memory_order_acquire );
				if ( now != seen )
				{
					seen = now;
					task( data, k );
					left.fetch_sub( 1, std::memory_order_release );
				}
			}
			awake -= 1;
		}
	}

	static void* start( void* context, void ( *task )( void* data, uint32_t k ), void* data, uint32_t count )
	{
		bench_pool* p = (bench_pool*)context;
		p->task = task;
		p->data = data;
		p->left.store( count - 1, std::memory_order_relaxed );
		p->turn.fetch_add( 1, std::memory_order_release );
		task( data, 0 );
		return nullptr;
	}

	static void finish( void* context, void* )
	{
		bench_pool* p = (bench_pool*)context;
		for ( uint32_t waits = 0; p->left.load( std::memory_order_acquire ) != 0; ++waits )
		{
			if ( waits % 4096 == 4095 )
			{
				std::this_thread::yield();
			}
		}
	}
};
