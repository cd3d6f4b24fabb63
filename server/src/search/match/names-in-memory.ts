import { createPace } from '../../ground/lib/pace.ts'
import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { findNameChanges, listAllNames, type NamedEntityRow } from '../store/space-names.repo.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'

/** Spaces with more entities are asked through the stored index. */
const entitiesPerSpaceMax = 20_000
/** Of all spaces together; an entity takes about a kilobyte. */
const entitiesMax = 30_000
/** Larger spaces are read in the background: analysing a name takes some 20 microseconds. */
const entitiesWaitedFor = 500
const entitiesPerRead = 500
/** After more changes the space is read again. */
const changesMax = 500

/** The names of a space as of change `seq`. */
type Kept = { names: NameIndex; seq: number }
type Memory = { spaces: Map<string, Kept>; loading: Map<string, Promise<void>> }

const memories = new WeakMap<Dialect, Memory>()

function memoryOf(dialect: Dialect): Memory {
  let memory = memories.get(dialect)
  if (memory === undefined) {
    memory = { spaces: new Map(), loading: new Map() }
    memories.set(dialect, memory)
  }
  return memory
}

const keyOf = ({ accountId, spaceId }: Scope) => `${accountId} ${spaceId}`

/**
 * The names of a space as they are now or, if `since` is given, at that change or later, which takes no statement if
 * this process knows them. Otherwise one statement says what has changed, whoever changed it. Undefined if the space is
 * too large or still being read, and in transactions and older snapshots.
 */
export async function readSpaceNames(
  ctx: Context,
  scope: Scope,
  since?: number,
): Promise<NameIndex | undefined> {
  const memory = memoryOf(ctx.dialect)
  const key = keyOf(scope)
  for (;;) {
    const kept = memory.spaces.get(key)
    if (kept !== undefined && since !== undefined && kept.seq >= since) return use(memory, key, kept)
    // It sees changes that may never be committed.
    if (ctx.db.isTransaction) return undefined
    const asked = kept?.seq ?? Number.MAX_SAFE_INTEGER
    const changed = await findNameChanges(ctx.db, scope, { after: asked, limit: changesMax + 1 })
    if (changed === undefined) return undefined
    if (kept === undefined) {
      if (!(await load(ctx, memory, scope, changed))) return undefined
      continue
    }
    // Another reader or a write of this process was faster.
    if (kept.seq !== asked || memory.spaces.get(key) !== kept) continue
    if (changed.seq < asked) return undefined
    if (changed.subjects.length === changed.seq - asked) {
      for (const { id, row } of changed.subjects)
        row === undefined ? kept.names.delete(id) : kept.names.set(row)
      kept.seq = changed.seq
      return use(memory, key, kept)
    }
    memory.spaces.delete(key)
  }
}

/** Moves to the end what was used last. */
function use({ spaces }: Memory, key: string, kept: Kept): NameIndex {
  spaces.delete(key)
  spaces.set(key, kept)
  return kept.names
}

/** Reads a space; false if that goes on in the background or is not done. */
async function load(
  ctx: Context,
  memory: Memory,
  scope: Scope,
  { seq, entities }: { seq: number; entities: number },
): Promise<boolean> {
  if (entities > entitiesPerSpaceMax) return false
  const key = keyOf(scope)
  let loading = memory.loading.get(key)
  if (loading === undefined) {
    loading = readAll(ctx, scope)
      .then((names) => {
        memory.spaces.set(key, { names, seq })
        forgetOldest(memory)
      })
      .finally(() => memory.loading.delete(key))
    memory.loading.set(key, loading)
  }
  if (entities <= entitiesWaitedFor) return loading.then(() => memory.spaces.has(key))
  loading.catch((error) => ctx.log.warn({ err: error }, 'the names of a space could not be read'))
  return false
}

/** What changes meanwhile is read again as changes after the number at which this began. */
async function readAll({ db }: Context, scope: Scope): Promise<NameIndex> {
  const names = createNameIndex()
  const pace = createPace()
  for (let after = 0; ; ) {
    const rows = await listAllNames(db, scope, { after, limit: entitiesPerRead })
    for (const row of rows) {
      await pace()
      names.set(row)
    }
    if (rows.length < entitiesPerRead) return names
    after = rows.at(-1)!.id
  }
}

function forgetOldest({ spaces }: Memory): void {
  let kept = 0
  for (const { names } of spaces.values()) kept += names.size
  for (const [key, { names }] of spaces) {
    if (kept <= entitiesMax) return
    kept -= names.size
    spaces.delete(key)
  }
}

/** Adds what a committed write of this process has named; its changes are those after `from` up to `to`. */
export function noteNames(
  dialect: Dialect,
  scope: Scope,
  { from, to, named }: { from: number; to: number; named: readonly NamedEntityRow[] },
): void {
  const kept = memories.get(dialect)?.spaces.get(keyOf(scope))
  if (kept?.seq !== from) return
  for (const entity of named) kept.names.set(entity)
  kept.seq = to
}
