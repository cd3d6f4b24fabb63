import { sql } from 'kysely'
import { chunksOf } from '../lib/chunks.ts'
import { sqliteInsertRows } from './insert-rows-sqlite.ts'
import {
  type CountedTerm,
  countedMax,
  estimateCount,
  type Postings,
  type PostingsScope,
  shareBudget,
  termsPerStatement,
} from './postings.ts'

/** Passages of a space have neighbouring row ids: its number in the high bits, theirs in the low. */
const rowsPerSpace = 2 ** 32

const rowIdOf = (scope: PostingsScope, id: number) => scope.number * rowsPerSpace + id
const keyOf = (scope: PostingsScope, term: string) => `${scope.number}_${term}`
/** Nothing else is in the index; the query language of FTS5 would take it for two terms. */
const isIndexable = (term: string) => /^(?:[A-Za-z0-9_.:+#@-]|\P{ASCII})+$/u.test(term)
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
        delete from postings where rowid = old.space_number * ${rowsPerSpace} + old.id;
      end`,
    ),
  ],
  async add(db, scope, passages) {
    const rows = passages.map(({ id, terms }) => ({
      rowid: rowIdOf(scope, id),
      terms: terms.map((term) => keyOf(scope, term)).join(' '),
    }))
    await sqliteInsertRows(db, 'postings', rows)
  },
  // The triggers do it, also when a whole account goes.
  remove: async () => {},
  async listUnposted(db, scope, limit) {
    const { rows } = await sql<{ id: number }>`
      select id from passages where space_number = ${scope.number} and terms <> ''
        and not exists (select 1 from postings where postings.rowid = ${rowIdOf(scope, 0)} + passages.id)
      limit ${limit}`.execute(db)
    return rows.map(({ id }) => id)
  },
  // The vocabulary table of FTS5 knows the counts too, but reads all postings of a term to tell.
  async countPassages(db, space, terms) {
    const first = rowIdOf(space, 0)
    const counts = new Map<string, number>()
    for (const chunk of chunksOf(terms.filter(isIndexable), termsPerStatement)) {
      const parts = chunk.map(
        (term) => sql`select ${term} as term, count(*) as counted, min(id) - ${first} as oldest from (
          select rowid as id from postings where postings match ${phraseOf(space, term)}
          order by rowid desc limit ${countedMax}
        )`,
      )
      const { rows } = await sql<CountedTerm>`${sql.join(parts, sql` union all `)}`.execute(db)
      for (const row of rows) if (row.counted > 0) counts.set(row.term, estimateCount(row, space.nextId))
    }
    return counts
  },
  async findCandidates(db, scope, terms, { candidates, budget }) {
    const first = rowIdOf(scope, 0)
    const parts = shareBudget(terms, budget).map(
      ({
        term,
        weight,
        limit,
      }) => sql`select ${weight} as weight, group_concat(cast(id - ${first} as integer)) as ids from (
        select rowid as id from postings where postings match ${phraseOf(scope, term)} order by rowid desc limit ${limit}
      )`,
    )
    if (parts.length === 0) return []
    const { rows } = await sql<Posted>`${sql.join(parts, sql` union all `)}`.execute(db)
    return pickHeaviest(rows, candidates)
  },
}

type Posted = { weight: number; ids: string | null }

const comma = 44
const zero = 48

/** Sums up by passage; here, since grouping in SQL takes twice as long as all the reading. */
function pickHeaviest(posted: readonly Posted[], limit: number): number[] {
  const sums = new Map<number, number>()
  for (const { weight, ids } of posted) {
    if (ids === null) continue
    let id = 0
    for (let i = 0; i <= ids.length; i += 1) {
      const code = i === ids.length ? comma : ids.charCodeAt(i)
      if (code !== comma) {
        id = id * 10 + code - zero
        continue
      }
      sums.set(id, (sums.get(id) ?? 0) + weight)
      id = 0
    }
  }
  const least = Float64Array.from(sums.values()).sort().at(-limit) ?? 0
  const heaviest: [id: number, sum: number][] = []
  for (const entry of sums) if (entry[1] >= least) heaviest.push(entry)
  return heaviest
    .sort((a, b) => b[1] - a[1] || b[0] - a[0])
    .slice(0, limit)
    .map(([id]) => id)
}
