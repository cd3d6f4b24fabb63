import { sql } from 'kysely'
import { type CountedTerm, countedMax, estimateCount, type Postings, shareBudget } from './postings.ts'

/** A plain table: `tsvector` keeps no frequencies over the whole space, which is what ranking needs most. */
export const postgresPostings: Postings = {
  statements: [
    `create table postings (
      space_number bigint not null, term text collate "C" not null, passage_id bigint not null,
      primary key (space_number, term, passage_id)
    )`,
    // A foreign key would do the same and make each posting twice as dear.
    `create function delete_postings() returns trigger language plpgsql as $$ begin
      delete from postings where space_number = old.number;
      return null;
    end $$`,
    `create trigger search_spaces_unposted after delete on search_spaces for each row execute function delete_postings()`,
  ],
  async add(db, { number }, passages) {
    const { terms, ids } = toColumns(passages)
    await sql`insert into postings (space_number, term, passage_id)
      select ${number}, term, id from unnest(${terms}::text[], ${ids}::bigint[]) as t (term, id)
    `.execute(db)
  },
  async remove(db, { number }, passages) {
    const { terms, ids } = toColumns(passages)
    await sql`delete from postings using unnest(${terms}::text[], ${ids}::bigint[]) as t (gone, id)
      where space_number = ${number} and term = gone and passage_id = id`.execute(db)
  },
  async listUnposted(db, { number }, limit) {
    const { rows } = await sql<{ id: number }>`
      select id from passages where space_number = ${number} and terms <> ''
        and id not in (select passage_id from postings where space_number = ${number})
      limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  },
  async countPassages(db, { number, nextId }, terms) {
    const { rows } = await sql<CountedTerm>`
      select asked.term, newest.counted::int as counted, newest.oldest
      from unnest(${terms}::text[]) as asked (term), lateral (
        select count(*) as counted, min(passage_id) as oldest from (
          select passage_id from postings
          where space_number = ${number} and term = asked.term
          order by passage_id desc limit ${countedMax}
        ) as posted
      ) as newest where counted > 0`.execute(db)
    return new Map(rows.map((row) => [row.term, estimateCount(row, nextId)]))
  },
  async findCandidates(db, { number }, terms, { candidates, budget }) {
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
        where space_number = ${number} and term = asked.term
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
