import type { Db } from './db.ts'
import { inProcessOf } from './run-compiled.ts'

const rememberedMax = 1_000

type Memory<T> = { writes: number; found: Map<string, T> }

/**
 * Caches a look-up until anybody, in any process, commits to the database; this process's writes to the tables and
 * columns of `routine-writes.ts`, which `find` must not read, are ignored. Where commits cannot be detected cheaply, it
 * queries each time.
 */
export function cachedUntilCommit<T, More extends unknown[]>(
  find: (db: Db, key: string, ...more: More) => Promise<T>,
): (db: Db, key: string, ...more: More) => Promise<T> {
  const byDatabase = new WeakMap<object, Memory<T>>()
  return async (db, key, ...more) => {
    const { adapter } = db.getExecutor()
    const writes = inProcessOf(adapter)?.writes(db)
    if (writes === undefined) return find(db, key, ...more)
    let memory = byDatabase.get(adapter)
    if (memory?.writes !== writes) {
      memory = { writes, found: new Map() }
      byDatabase.set(adapter, memory)
    }
    const known = memory.found.get(key)
    if (known !== undefined) return known
    // Read after `writes`, so that it is not older. Missing values are not cached.
    const found = await find(db, key, ...more)
    if (memory.found.size >= rememberedMax) memory.found.clear()
    memory.found.set(key, found)
    return found
  }
}
