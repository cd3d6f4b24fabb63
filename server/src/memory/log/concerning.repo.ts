import { sql } from 'kysely'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import type { Database } from '../../store/schema.ts'
import type { Scope } from '../../tenancy/scope.ts'
import type { Order, SeqRange } from './log.repo.ts'

/** A column of rows that stores numbers of changes, and the column that names the entity. */
type Source = { table: keyof Database; entity: string; seq: 'since' | 'until' }

const versionsOf = (table: keyof Database, past: keyof Database, entity: string): Source[] => [
  { table, entity, seq: 'since' },
  { table: past, entity, seq: 'since' },
  { table: past, entity, seq: 'until' },
]

const ofItself = versionsOf('entities', 'past_entities', 'id')
const ofAll = [
  ...ofItself,
  ...versionsOf('observations', 'past_observations', 'entity_id'),
  ...versionsOf('relations', 'past_relations', 'from_id'),
  ...versionsOf('relations', 'past_relations', 'to_id'),
]

type Values = Scope & SeqRange & { entityId: number; limit: number }

const select = (sources: readonly Source[], order: Order) =>
  prepared((db, { accountId, spaceId, after, before, entityId, limit }: Values) => {
    const inOrder = sql`order by seq ${sql.raw(order)} limit ${limit}`
    const parts = sources.map(
      ({ table, entity, seq }) => sql`select seq from (
        select ${sql.ref(seq)} as seq from ${sql.table(table)}
        where account_id = ${accountId} and space_id = ${spaceId} and ${sql.ref(entity)} = ${entityId}
          and ${sql.ref(seq)} > ${after} and ${sql.ref(seq)} < ${before} ${inOrder}) as part`,
    )
    return statement<{ seq: number }>(db, sql`${sql.join(parts, sql` union `)} ${inOrder}`)
  })

const selects = {
  itself: { asc: select(ofItself, 'asc'), desc: select(ofItself, 'desc') },
  all: { asc: select(ofAll, 'asc'), desc: select(ofAll, 'desc') },
}

/**
 * Numbers of the changes of an entity alone (`itself`), or of its observations and relations too (`all`), within a range:
 * in pages of `size`, from its start or (`desc`) its end. Each version of a row stores the changes that began and ended
 * it, so the log needs no index by subject.
 */
export async function* pagesOfSeqs(
  db: Db,
  { accountId, spaceId }: Scope,
  entityId: number,
  { after, before }: SeqRange,
  { of, order, size }: { of: keyof typeof selects; order: Order; size: number },
): AsyncGenerator<number[], void> {
  const range = { after, before }
  for (;;) {
    const rows = await selects[of][order](db, { accountId, spaceId, ...range, entityId, limit: size })
    const seqs = rows.map(({ seq }) => seq)
    if (seqs.length > 0) yield seqs
    if (seqs.length < size) return
    range[order === 'asc' ? 'after' : 'before'] = seqs.at(-1)!
  }
}
