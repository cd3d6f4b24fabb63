import { sql } from 'kysely'
import type { Db } from './db.ts'
import type { PostedTerm, Postings, PostingsScope } from './postings.ts'
import { prepared, statement } from './prepared.ts'

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
    const { terms, ids } = toColumns([...passages])
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
  readNewest: async (db, { number }, terms, limit) => selectNewest(db, { number, terms, limit }),
  async readOlder(db, { number }, { term, below, limit }) {
    const [posted] = await selectOlder(db, { number, term, below, limit })
    return posted?.ids ?? ''
  },
  async readStarting(db, { number }, { beginning, limit }) {
    const [posted] = await selectStarting(db, { number, beginning, limit })
    return posted?.ids ?? ''
  },
  // One tree, which autovacuum looks after.
  settle: async () => false,
}

const selectNewest = prepared((db: Db, values: PostingsScope & { terms: readonly string[]; limit: number }) =>
  statement<PostedTerm>(
    db,
    sql`select asked.term, newest.ids from unnest(${values.terms}::text[]) as asked (term), lateral (
      select string_agg(passage_id::text, ',') as ids from (
        select passage_id from postings
        where space_number = ${values.number} and term = asked.term
        order by passage_id desc limit ${values.limit}
      ) as posted
    ) as newest where newest.ids is not null`,
  ),
)

const selectOlder = prepared(
  (db: Db, values: PostingsScope & { term: string; below: number; limit: number }) =>
    statement<{ ids: string | null }>(
      db,
      sql`select string_agg(passage_id::text, ',') as ids from (
        select passage_id from postings
        where space_number = ${values.number} and term = ${values.term}
          and passage_id < ${values.below}
        order by passage_id desc limit ${values.limit}
      ) as posted`,
    ),
)

/** Comes after all that a term goes on with. */
const afterAll = '\u{10fffd}'

const selectStarting = prepared((db: Db, values: PostingsScope & { beginning: string; limit: number }) =>
  statement<{ ids: string | null }>(
    db,
    sql`select string_agg(passage_id::text, ',') as ids from (
      select distinct passage_id from postings
      where space_number = ${values.number} and term >= ${values.beginning}::text
        and term < ${values.beginning}::text || ${afterAll}
      order by passage_id desc limit ${values.limit}
    ) as posted`,
  ),
)

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
