import { sql } from 'kysely'
import { type Postings, type PostingsScope, shareBudget } from './postings.ts'

/** Passages of a space have neighbouring row ids: its number in the high bits, theirs in the low. */
const rowsPerSpace = 2 ** 32

const rowIdOf = (scope: PostingsScope, id: number) => scope.number * rowsPerSpace + id
const keyOf = (scope: PostingsScope, term: string) => `${scope.number}_${term}`
const phraseOf = (scope: PostingsScope, term: string) => `"${keyOf(scope, term)}"`

/**
 * FTS5 without content. Each term carries the number of its space, so that a query reads the postings of its own
 * tenant only and frequencies are per space. BM25 is not asked of FTS5: it costs ten times as much a posting as
 * reading it, and the exact score is computed from the stored terms of the best anyway.
 */
export const sqlitePostings: Postings = {
  statements: [
    `create virtual table postings using fts5 (
      terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_.:+#@-'"
    )`,
    `create virtual table posted_terms using fts5vocab (postings, row)`,
    ...['passages', 'search_words'].map(
      (table) => `create trigger ${table}_unposted after delete on ${table} begin
        delete from postings where rowid = old.row_id;
      end`,
    ),
  ],
  async nextSpaceNumber(db) {
    const row = await db
      .selectFrom('search_spaces')
      .select((eb) => eb.fn.max<number | null>('number').as('number'))
      .executeTakeFirstOrThrow()
    return (row.number ?? 0) + 1
  },
  async add(db, scope, passages) {
    const rows = passages.map(({ rowId, terms }) => [
      rowId,
      terms.map((term) => keyOf(scope, term)).join(' '),
    ])
    await sql`insert into postings (rowid, terms)
      select value ->> 0, value ->> 1 from json_each(${JSON.stringify(rows)})`.execute(db)
  },
  // The trigger does it, also when a whole account goes.
  remove: async () => {},
  async listUnposted(db, { accountId, spaceId }, limit) {
    const { rows } = await sql<{ rowId: number }>`
      select row_id as "rowId" from passages where account_id = ${accountId} and space_id = ${spaceId} and terms <> ''
        and not exists (select 1 from postings where postings.rowid = passages.row_id) limit ${limit}`.execute(
      db,
    )
    return rows.map(({ rowId }) => rowId)
  },
  async countPassages(db, scope, terms) {
    const keys = JSON.stringify(terms.map((term) => keyOf(scope, term)))
    const { rows } = await sql<{ term: string; count: number }>`
      select term, doc as count from posted_terms where term in (select value from json_each(${keys}))
    `.execute(db)
    const prefix = keyOf(scope, '').length
    return new Map(rows.map(({ term, count }) => [term.slice(prefix), count]))
  },
  async findCandidates(db, scope, terms, { candidates, budget }) {
    const first = rowIdOf(scope, 0)
    const parts = shareBudget(terms, budget).map(
      ({ term, weight, limit }) => sql`select ${weight} as weight, group_concat(id - ${first}) as ids from (
        select rowid as id from postings where postings match ${phraseOf(scope, term)} order by rowid desc limit ${limit}
      )`,
    )
    if (parts.length === 0) return []
    const { rows } = await sql<Posted>`${sql.join(parts, sql` union all `)}`.execute(db)
    return pickHeaviest(rows, candidates)
  },
}

type Posted = { weight: number; ids: string | null }

/** Sums up by passage; here, since grouping in SQL takes twice as long as all the reading. */
function pickHeaviest(posted: readonly Posted[], limit: number): number[] {
  const sums = new Map<number, number>()
  for (const { weight, ids } of posted) {
    for (const text of ids?.split(',') ?? []) {
      const id = Number(text)
      sums.set(id, (sums.get(id) ?? 0) + weight)
    }
  }
  const least = Float64Array.from(sums.values()).sort().at(-limit) ?? 0
  return [...sums]
    .filter(([, sum]) => sum >= least)
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, limit)
    .map(([id]) => id)
}
