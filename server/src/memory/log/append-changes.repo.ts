import { sql } from 'kysely'
import { breathe } from '../../ground/lib/pace.ts'
import { type Operation, operationNumbers } from '../../rows/operations.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { ChangeSetsTable } from '../../store/schema.ts'
import { afterCommit } from '../../store/transact.ts'
import type { Caller } from '../../tenancy/auth/actor.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type ActorKey, findActorNumber, findCallerName, insertActor } from './actors.repo.ts'

/** A change made by a write, with its number. */
export type RecordedChange = { seq: number; operation: Operation; subjectId: number }

const insertSet = prepared((db, values: ChangeSetsTable) =>
  db.insertInto('change_sets').values({
    account_id: values.account_id,
    space_id: values.space_id,
    seq: values.seq,
    at: values.at,
    actor_id: values.actor_id,
    tool: values.tool,
    behalf_id: values.behalf_id,
  }),
)

/**
 * Appends changes to the set `setSeq`; if that is the number of the first, they start a new set. The
 * caller must hold the account's lock and number them without gaps.
 */
export async function appendChanges(
  db: Db,
  { accountId, spaceId }: Scope,
  changes: readonly RecordedChange[],
  { setSeq, at, actorId, tool = null, behalfId = null }: NewSet,
): Promise<void> {
  const [first] = changes
  if (first === undefined) return
  const scope = { account_id: accountId, space_id: spaceId }
  if (setSeq === first.seq)
    await insertSet(db, { ...scope, seq: setSeq, at, actor_id: actorId, tool, behalf_id: behalfId })
  const runs = runsOf(changes)
  if (runs.length * changesPerRunMin <= changes.length) {
    for (const run of runs) {
      await breathe()
      await insertRun(db, { accountId, spaceId, setSeq, ...run })
    }
    return
  }
  const rows = changes.map(({ seq, operation, subjectId }) => ({
    ...scope,
    seq,
    set_seq: setSeq,
    operation: operationNumbers[operation],
    subject_id: subjectId,
  }))
  await dialectOf(db).insertRows(db, 'changes', rows)
}

type NewSet = {
  setSeq: number
  at: number
  actorId: number
  tool?: string | null | undefined
  /** The actor whose proposal it applies. */
  behalfId?: number | null | undefined
}

/** Shorter runs are faster to insert as rows. */
const changesPerRunMin = 16
/** SQLite takes about a millisecond for this many. */
const changesPerRunMax = 2_000

/** Consecutive changes with the same operation on different subjects. */
type Run = { first: number; operation: number; subjects: number[] }

function runsOf(changes: readonly RecordedChange[]): Run[] {
  const runs: Run[] = []
  for (const { seq, operation, subjectId } of changes) {
    const number = operationNumbers[operation]
    const last = runs.at(-1)
    if (last?.operation === number && last.subjects.length < changesPerRunMax) last.subjects.push(subjectId)
    else runs.push({ first: seq, operation: number, subjects: [subjectId] })
  }
  return runs
}

const insertRun = prepared((db, values: Scope & Run & { setSeq: number }) =>
  statement<never>(
    db,
    sql`insert into changes (account_id, space_id, seq, set_seq, operation, subject_id)
      select ${values.accountId}, ${values.spaceId}, ${values.first} + place, ${values.setSeq}, ${values.operation}, number
      from ${dialectOf(db).numbered(values.subjects)}`,
  ),
)

/** The stored form of a key or person; `''` for fields that a caller lacks. */
const keyOf = ({ kind, keyId, connectionId, userId, client = '' }: Caller): ActorKey => ({
  kind,
  ref: keyId ?? connectionId ?? userId,
  client,
})

const known = new WeakMap<object, Map<string, number>>()
const knownMax = 10_000

/**
 * The number of a caller among the actors of an account; a new caller gets the number `next`. Requires
 * the account's lock.
 */
export async function internActor(db: Db, accountId: number, caller: Caller, next: number): Promise<number> {
  const actor = keyOf(caller)
  const memory = memoryOf(db)
  const memoryKey = JSON.stringify([accountId, actor.kind, actor.ref, actor.client])
  const remembered = memory.get(memoryKey)
  if (remembered !== undefined) return remembered
  const found = await findActorNumber(db, accountId, actor)
  const number = found ?? next
  if (found === undefined) {
    await insertActor(db, accountId, { ...actor, number, name: await findCallerName(db, accountId, caller) })
  }
  afterCommit(db, () => {
    if (memory.size >= knownMax) memory.clear()
    memory.set(memoryKey, number)
  })
  return number
}

/** By database; a committed actor keeps its number for as long as its account exists. */
function memoryOf(db: Db): Map<string, number> {
  const { adapter } = db.getExecutor()
  const memory = known.get(adapter) ?? new Map<string, number>()
  known.set(adapter, memory)
  return memory
}
