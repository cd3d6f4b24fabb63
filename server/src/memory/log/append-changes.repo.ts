import { sql } from 'kysely'
import { breathe } from '../../ground/lib/pace.ts'
import type { Db } from '../../store/db.ts'
import { dialectOf } from '../../store/dialect-of.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { ChangeSetsTable } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { type Operation, operationNumbers } from './operations.ts'

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
