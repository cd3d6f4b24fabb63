import { sql } from 'kysely'
import { type CountedTerm, countedMax, estimateCount, type Postings, shareBudget } from './postings.ts'

/** A plain table: `tsvector` keeps no frequencies over the whole space, which is what ranking needs most. */
export const postgresPostings: Postings = {
  statements: [
    `create table postings (
      account_id text collate "C" not null, space_id text collate "C" not null, term text collate "C" not null,
      passage_id bigint not null, primary key (account_id, space_id, term, passage_id)
    )`,
    // A foreign key would do the same and make each posting twice as dear.
    `create function delete_postings() returns trigger language plpgsql as $$ begin
      delete from postings where account_id = old.account_id and space_id = old.id;
      return null;
    end $$`,
    `create trigger spaces_unposted after delete on spaces for each row execute function delete_postings()`,
  ],
  nextSpaceNumber: async () => 0,
  async add(db, { accountId, spaceId }, passages) {
    const { terms, ids } = toColumns(passages)
    await sql`insert into postings (account_id, space_id, term, passage_id)
      select ${accountId}, ${spaceId}, term, id from unnest(${terms}::text[], ${ids}::bigint[]) as t (term, id)
    `.execute(db)
  },
  async remove(db, { accountId, spaceId }, passages) {
    const { terms, ids } = toColumns(passages)
    await sql`delete from postings using unnest(${terms}::text[], ${ids}::bigint[]) as t (gone, id)
      where account_id = ${accountId} and space_id = ${spaceId} and term = gone and passage_id = id`.execute(
      db,
    )
  },
  async clear(db, { accountId, spaceId }) {
    await sql`delete from postings where account_id = ${accountId} and space_id = ${spaceId}`.execute(db)
  },
  async listUnposted(db, { accountId, spaceId }, limit) {
    const { rows } = await sql<{ rowId: number }>`
      select row_id as "rowId" from passages where account_id = ${accountId} and space_id = ${spaceId} and terms <> ''
        and id not in (select passage_id from postings where account_id = ${accountId} and space_id = ${spaceId})
      limit ${limit}`.execute(db)
    return rows.map(({ rowId }) => rowId)
  },
  async countPassages(db, { accountId, spaceId, nextId }, terms) {
    const { rows } = await sql<CountedTerm>`
      select asked.term, newest.counted::int as counted, newest.oldest
      from unnest(${terms}::text[]) as asked (term), lateral (
        select count(*) as counted, min(passage_id) as oldest from (
          select passage_id from postings
          where account_id = ${accountId} and space_id = ${spaceId} and term = asked.term
          order by passage_id desc limit ${countedMax}
        ) as posted
      ) as newest where counted > 0`.execute(db)
    return new Map(rows.map((row) => [row.term, estimateCount(row, nextId)]))
  },
  async findCandidates(db, { accountId, spaceId }, terms, { candidates, budget }) {
    const asked = shareBudget(terms, budget)
    if (asked.length === 0) return []
    const columns = sql.join([
      sql`${asked.map(({ term }) => term)}::text[]`,
      sql`${asked.map(({ weight }) => weight)}::float8[]`,
      sql`${asked.map(({ limit }) => limit)}::int[]`,
    ])
    const { rows } = await sql<{ id: number }>`
      select newest.passage_id as id from unnest(${columns}) as asked (term, weight, most), lateral (
        select passage_id from postings
        where account_id = ${accountId} and space_id = ${spaceId} and term = asked.term
        order by passage_id desc limit asked.most
      ) as newest
      group by 1 order by sum(asked.weight) desc, 1 desc limit ${candidates}
    `.execute(db)
    return rows.map((row) => row.id)
  },
}

function toColumns(passages: readonly { id: number; terms: readonly string[] }[]) {
  const terms: string[] = []
  const ids: number[] = []
  for (const passage of passages) {
    for (const term of new Set(passage.terms)) {
      terms.push(term)
      ids.push(passage.id)
    }
  }
  return { terms, ids }
}
