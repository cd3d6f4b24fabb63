import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** What a process keeps of a space as of change `seq`. */
type Kept = { seq: number; readonly size: number }

type Read<T> = {
  read: () => Promise<T>
  /** False for spaces that take long: they are read in the background. */
  isWaitedFor: boolean
  /** For the log. */
  what: string
}

/** Parts of spaces in memory, of all spaces together about `sizeMax`; those used longest ago go first. */
export type KeptSpaces<T extends Kept> = {
  find: (dialect: Dialect, scope: Scope) => T | undefined
  forget: (dialect: Dialect, scope: Scope) => void
  /** Reads a space; false if it is not there yet. */
  load: (ctx: Context, scope: Scope, read: Read<T>) => Promise<boolean>
}

type Memory<T> = { spaces: Map<string, T>; loading: Map<string, Promise<void>> }

const keyOf = ({ accountId, spaceId }: Scope) => `${accountId} ${spaceId}`

export function createKeptSpaces<T extends Kept>(sizeMax: number): KeptSpaces<T> {
  const memories = new WeakMap<Dialect, Memory<T>>()

  function memoryOf(dialect: Dialect): Memory<T> {
    let memory = memories.get(dialect)
    if (memory === undefined) {
      memory = { spaces: new Map(), loading: new Map() }
      memories.set(dialect, memory)
    }
    return memory
  }

  function forgetOldest(spaces: Memory<T>['spaces']): void {
    let size = 0
    for (const kept of spaces.values()) size += kept.size
    for (const [key, kept] of spaces) {
      if (size <= sizeMax) return
      size -= kept.size
      spaces.delete(key)
    }
  }

  return {
    find(dialect, scope) {
      const { spaces } = memoryOf(dialect)
      const key = keyOf(scope)
      const kept = spaces.get(key)
      if (kept === undefined) return undefined
      spaces.delete(key)
      spaces.set(key, kept)
      return kept
    },
    forget: (dialect, scope) => void memoryOf(dialect).spaces.delete(keyOf(scope)),
    async load({ dialect, log }, scope, { read, isWaitedFor, what }) {
      const { spaces, loading } = memoryOf(dialect)
      const key = keyOf(scope)
      let reading = loading.get(key)
      if (reading === undefined) {
        reading = read()
          .then((kept) => {
            spaces.set(key, kept)
            forgetOldest(spaces)
          })
          .finally(() => loading.delete(key))
        loading.set(key, reading)
        if (!isWaitedFor) reading.catch((error) => log.warn({ err: error }, `${what} could not be read`))
      }
      if (!isWaitedFor) return false
      await reading
      return spaces.has(key)
    },
  }
}
