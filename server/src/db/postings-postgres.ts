import { sql } from 'kysely'
import { readIds } from '../lib/id-lists.ts'
import type { Scope } from '../scope.ts'
import type { Db } from './db.ts'
import { listTerms, type PostedPassage, type Postings } from './postings.ts'
import { prepared, statement } from './prepared.ts'

/** A plain table: `tsvector` keeps no frequencies over the whole space, which is what ranking needs most. */
export const postgresPostings: Postings = {
  statements: [
    `create table postings (
      account_id bigint not null, space_id int not null, term text collate "C" not null, passage_id bigint not null,
      primary key (account_id, space_id, term, passage_id)
    )`,
  ],
  async add(db, { accountId, spaceId }, passages) {
    const { terms, ids } = toColumns([...passages])
    await sql`insert into postings (account_id, space_id, term, passage_id)
      select ${accountId}, ${spaceId}, term, id from unnest(${terms}::text[], ${ids}::bigint[]) as t (term, id)
    `.execute(db)
  },
  async remove(db, scope, passages) {
    const { terms, ids } = toColumns(passages)
    await sql`delete from postings using unnest(${terms}::text[], ${ids}::bigint[]) as t (gone, id)
      where ${isIn(scope)} and term = gone and passage_id = id`.execute(db)
  },
  async clear(db, scope, upTo) {
    return removeSome(db, scope, upTo, postingsPerSlice)
  },
  async removeAll(db, scope, limit) {
    return removeSome(db, scope, Number.MAX_SAFE_INTEGER, limit)
  },
  async readNewest(db, { accountId, spaceId }, terms, limit) {
    const rows = await selectNewest(db, { accountId, spaceId, terms, limit })
    return rows.map(({ term, ids }) => ({ term, ids: readIds(ids) }))
  },
  async readOlder(db, { accountId, spaceId }, { term, below, limit }) {
    const [posted] = await selectOlder(db, { accountId, spaceId, term, below, limit })
    return readIds(posted?.ids ?? '')
  },
  async readStarting(db, { accountId, spaceId }, { beginning, limit }) {
    const [posted] = await selectStarting(db, { accountId, spaceId, beginning, limit })
    return readIds(posted?.ids ?? '')
  },
  async readBetween(db, scope, terms, { from, to }) {
    const { rows } = await sql<{ term: string; ids: string }>`
      select term, string_agg(passage_id::text, ',') as ids from postings
      where ${isIn(scope)} and term = any(${terms}::text[]) and passage_id between ${from} and ${to}
      group by term`.execute(db)
    return rows.map(({ term, ids }) => ({ term, ids: readIds(ids) }))
  },
  // One tree, which autovacuum looks after; but until it has looked, plans are made for empty tables.
  async settle(tx) {
    await sql`analyze entities, observations, relations, passages, search_words, postings`.execute(tx)
    return false
  },
}

const postingsPerSlice = 5_000

async function removeSome(db: Db, scope: Scope, upTo: number, limit: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from postings where ${isIn(scope)}
    and (term, passage_id) in (select term, passage_id from postings
      where ${isIn(scope)} and passage_id <= ${upTo} limit ${limit})`.execute(db)
  return Number(numAffectedRows) === limit
}

const isIn = ({ accountId, spaceId }: Scope) => sql`account_id = ${accountId} and space_id = ${spaceId}`

const selectNewest = prepared((db: Db, values: Scope & { terms: readonly string[]; limit: number }) =>
  statement<{ term: string; ids: string }>(
    db,
    sql`select asked.term, newest.ids from unnest(${values.terms}::text[]) as asked (term), lateral (
      select string_agg(passage_id::text, ',') as ids from (
        select passage_id from postings
        where ${isIn(values)} and term = asked.term
        order by passage_id desc limit ${values.limit}
      ) as posted
    ) as newest where newest.ids is not null`,
  ),
)

const selectOlder = prepared((db: Db, values: Scope & { term: string; below: number; limit: number }) =>
  statement<{ ids: string | null }>(
    db,
    sql`select string_agg(passage_id::text, ',') as ids from (
        select passage_id from postings
        where ${isIn(values)} and term = ${values.term}
          and passage_id < ${values.below}
        order by passage_id desc limit ${values.limit}
      ) as posted`,
  ),
)

/** Comes after all that a term goes on with. */
const afterAll = '\u{10fffd}'

const selectStarting = prepared((db: Db, values: Scope & { beginning: string; limit: number }) =>
  statement<{ ids: string | null }>(
    db,
    sql`select string_agg(passage_id::text, ',') as ids from (
      select distinct passage_id from postings
      where ${isIn(values)} and term >= ${values.beginning}::text
        and term < ${values.beginning}::text || ${afterAll}
      order by passage_id desc limit ${values.limit}
    ) as posted`,
  ),
)

function toColumns(passages: readonly PostedPassage[]) {
  const terms: string[] = []
  const ids: number[] = []
  for (const passage of passages) {
    for (const term of new Set(listTerms(passage.terms))) {
      terms.push(term)
      ids.push(passage.id)
    }
  }
  return { terms, ids }
}
