import { CompiledQuery, sql } from 'kysely'
import { chunksOf } from '../../ground/lib/chunks.ts'
import { readIds } from '../../ground/lib/id-lists.ts'
import { breathe, createPace } from '../../ground/lib/pace.ts'
import type { Db } from '../../store/db.ts'
import { prepared, statement } from '../../store/prepared.ts'
import { runCompiled } from '../../store/run-compiled.ts'
import { defaultSpaceId, type Scope } from '../../tenancy/scope.ts'
import type { PostedTerm, Postings } from './postings.ts'
import { TermDigests } from './term-digests.ts'

/** Terms read by one statement. Other work can run between statements, since SQLite blocks this thread. */
const termsPerStatement = 8

/** Postings read by one statement of an audit, unless a single term has more. */
const postingsPerStatement = 20_000

/** Row ids have the account in the high bits, so that its passages are adjacent, and the passage in the low bits. */
const rowsPerAccount = 2 ** 32

const rowIdOf = ({ accountId }: Scope, id: number) => accountId * rowsPerAccount + id
/** Prefix of every term of a space: its numbers in base 36. Most accounts have only the default space. */
const prefixOf = ({ accountId, spaceId }: Scope) =>
  `${accountId.toString(36)}${spaceId === defaultSpaceId ? '' : `.${spaceId.toString(36)}`}_`
/** The index contains only such terms; FTS5's query language would split others in two. */
export const isIndexable = (term: string) => /^(?:[A-Za-z0-9_.:+#@-]|\P{ASCII})+$/u.test(term)
const phraseOf = (scope: Scope, term: string) => `"${prefixOf(scope)}${term}"`

/**
 * FTS5 without content. Each term carries the numbers of its account and space, so that a query reads only its
 * tenant's postings and frequencies are per space. BM25 is not left to FTS5: it costs ten times as much per posting
 * as reading it, and the exact score is computed from the best texts anyway.
 */
export const sqlitePostings: Postings = {
  async add(db, scope, passages) {
    const prefix = prefixOf(scope)
    const next = ` ${prefix}`
    for (const { id, terms } of passages) {
      const pause = breathe()
      if (pause !== undefined) await pause
      const keys = terms === '' ? '' : prefix + terms.replaceAll(' ', next)
      await runCompiled(db, insertPosted, [rowIdOf(scope, id), keys])
      const merging = mergeSoon(db, { commits: 0, characters: keys.length })
      if (merging !== undefined) await merging
    }
    await mergeSoon(db, { commits: 1, characters: 0 })
  },
  async remove(db, scope, passages) {
    for (const { id } of passages) {
      await breathe()
      await runCompiled(db, deletePosted, [rowIdOf(scope, id)])
    }
  },
  removesByTerms: false,
  clear: async () => false,
  async removeAll(db, scope, limit) {
    const rows = await selectRowIds(db, {
      first: rowIdOf(scope, 0),
      end: rowIdOf(scope, rowsPerAccount),
      limit,
    })
    for (const { id } of rows) {
      await breathe()
      await runCompiled(db, deletePosted, [id])
    }
    return rows.length === limit
  },
  // The spaces of an account share its range of row ids.
  removeSpace: async () => false,
  async removeIds(db, scope, ids) {
    for (const id of ids) {
      await breathe()
      await runCompiled(db, deletePosted, [rowIdOf(scope, id)])
    }
  },
  // The vocabulary table of FTS5 has counts, but reads all postings of a term to compute them.
  async readNewest(db, scope, terms, limit) {
    const found: PostedTerm[] = []
    const pace = createPace()
    for (const chunk of chunksOf(terms.filter(isIndexable), termsPerStatement)) {
      await pace()
      const asked = chunk.map((term) => ({ term, phrase: phraseOf(scope, term) }))
      const posted = await selectNewest(db, { first: rowIdOf(scope, 0), asked, limit })
      for (const { term, ids } of posted) if (ids !== null) found.push({ term, ids: readIds(ids) })
    }
    return found
  },
  async readOlder(db, scope, asked) {
    const found: PostedTerm[] = []
    for (const { term, below, limit } of asked) {
      await breathe()
      const values = {
        phrase: phraseOf(scope, term),
        first: rowIdOf(scope, 0),
        end: rowIdOf(scope, below),
        limit,
      }
      const [posted] = await selectOlder(db, values)
      const ids = readIds(posted?.ids ?? '')
      if (ids.length > 0) found.push({ term, ids })
    }
    return found
  },
  async readStarting(db, scope, { beginning, limit }) {
    const phrase = `${phraseOf(scope, beginning)} *`
    const [posted] = await selectOlder(db, {
      phrase,
      first: rowIdOf(scope, 0),
      end: rowIdOf(scope, rowsPerAccount),
      limit,
    })
    return readIds(posted?.ids ?? '')
  },
  async readBetween(db, scope, terms, { from, to }) {
    const found: PostedTerm[] = []
    const [first, end] = [rowIdOf(scope, 0), rowIdOf(scope, to + 1)]
    for (const term of terms.filter(isIndexable)) {
      await breathe()
      const asked = { phrase: phraseOf(scope, term), first, start: rowIdOf(scope, from), end }
      const [posted] = await selectBetween(db, asked)
      const ids = readIds(posted?.ids ?? '')
      if (ids.length > 0) found.push({ term, ids })
    }
    return found
  },
  async readDigests(db, scope) {
    await createInstances(db)
    const digests = new TermDigests()
    const prefix = prefixOf(scope)
    const [first, end] = [rowIdOf(scope, 0), prefix.replace(/_$/, '`')]
    let limit = postingsPerStatement
    for (let from = prefix; ; ) {
      await breathe()
      const [posted] = await selectInstances(db, { first, from, end, limit })
      const terms = posted!.terms ?? ''
      const ids = posted!.ids ?? ''
      if (posted!.count < limit) {
        digests.add(terms, ids, prefix.length)
        return digests
      }
      // The last term may have more postings, and is read again.
      const last = terms.slice(terms.lastIndexOf(' ') + 1)
      const others = terms.startsWith(last) ? '' : terms.slice(0, terms.indexOf(` ${last}`))
      digests.add(others, ids, prefix.length)
      limit = others === '' ? 2 * limit : postingsPerStatement
      from = last
    }
  },
  // Each segment adds a look-up per term.
  async settle(tx) {
    const before = await countChanges(tx)
    await runCompiled(tx, mergeSegments, [pagesPerSettling])
    // The statement itself counts as one change.
    return (await countChanges(tx)) - before > 1
  },
  // A negative number marks all segments for one merge (https://www.sqlite.org/fts5.html#the_merge_command).
  async purge(tx, isFirst) {
    const before = await countChanges(tx)
    await runCompiled(tx, mergeSegments, [isFirst ? -pagesPerPurge : pagesPerPurge])
    return (await countChanges(tx)) - before > 1
  },
  findUnfolded: async () => undefined,
  fold: async () => undefined,
}

/** Each posting as a row, in the order of terms; of this connection only. */
const createInstances = (db: Db) => runCompiled(db, createTable, [])

const createTable = CompiledQuery.raw(
  'create virtual table if not exists temp.posted_instances using fts5vocab (main, postings, instance)',
)

type Instances = { first: number; from: string; end: string; limit: number }

/** Two lists in one row, since rows cost several times as much as reading the postings. */
const selectInstances = prepared((db: Db, { first, from, end, limit }: Instances) =>
  statement<{ count: number; terms: string | null; ids: string | null }>(
    db,
    sql`select count(*) as count, group_concat(term, ' ') as terms,
      group_concat(doc - cast(${first} as integer)) as ids
    from (select term, doc from temp.posted_instances where term >= ${from} and term < ${end} limit ${limit})`,
  ),
)

/** One row per statement: before a multi-row statement, FTS5 flushes its buffer as a separate segment. */
const insertPosted = CompiledQuery.raw('insert into postings (rowid, terms) values (?, ?)')

const deletePosted = CompiledQuery.raw('delete from postings where rowid = ?')

type RowIds = { first: number; end: number; limit: number }

const selectRowIds = prepared((db: Db, { first, end, limit }: RowIds) =>
  statement<{ id: number }>(
    db,
    sql`select rowid as id from postings where rowid >= ${first} and rowid < ${end} order by rowid limit ${limit}`,
  ),
)

/** Each transaction writes a segment, and FTS5 writes one whenever its buffer is full: about every so many characters. */
const charactersPerSegment = 64 * 1024
/** A merge ends the segment that is being written, so merging more often would make small ones, to be merged again. */
const segmentsPerMerge = 8
/** A step of a merge: among single writes a tenth of a millisecond, otherwise a few. */
const pagesPerStep = 32
/** Merges keep up with what is written if they take another step for so many characters. */
const charactersPerStep = 128 * 1024

type Written = { commits: number; characters: number }
const unmerged = new WeakMap<object, Written>()

/**
 * Merges a little after every few segments. A search looks in all of them, and a merge opens all of one size, which with
 * hundreds takes tenths of a second.
 */
function mergeSoon(db: Db, written: Written): Promise<void> | undefined {
  const { adapter } = db.getExecutor()
  const before = unmerged.get(adapter) ?? { commits: 0, characters: 0 }
  const commits = before.commits + written.commits
  const characters = before.characters + written.characters
  const isDue = commits + characters / charactersPerSegment >= segmentsPerMerge
  unmerged.set(adapter, isDue ? { commits: 0, characters: 0 } : { commits, characters })
  return isDue ? merge(db, characters) : undefined
}

async function merge(db: Db, characters: number): Promise<void> {
  for (let left = characters; left >= 0; left -= charactersPerStep) {
    await breathe()
    await runCompiled(db, mergeSegments, [pagesPerStep])
  }
}

/** Some thirty milliseconds. */
const pagesPerPurge = 96
/** Some ten milliseconds. */
const pagesPerSettling = 32
/** Merges levels with four segments or more, unless FTS5 is configured otherwise. */
const mergeSegments = CompiledQuery.raw(`insert into postings (postings, rank) values ('merge', ?)`)

async function countChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
  return rows[0]!.changes
}

type Newest = { first: number; asked: readonly { term: string; phrase: string }[]; limit: number }

/** One text per term: returning one row per posting would take longer than reading them. */
const selectNewest = prepared((db: Db, { first, asked, limit }: Newest) =>
  statement<{ term: string; ids: string | null }>(
    db,
    sql`select value ->> 'term' as term, (
      select group_concat(id) from (
        select rowid - cast(${first} as integer) as id from postings
        where postings match value ->> 'phrase' order by rowid desc limit ${limit}
      )
    ) as ids from json_each(${JSON.stringify(asked)})`,
  ),
)

type Older = { phrase: string; first: number; end: number; limit: number }

const selectOlder = prepared((db: Db, { phrase, first, end, limit }: Older) =>
  statement<{ ids: string | null }>(
    db,
    sql`select group_concat(id) as ids from (
      select rowid - cast(${first} as integer) as id from postings
      where postings match ${phrase} and rowid < cast(${end} as integer) order by rowid desc limit ${limit}
    )`,
  ),
)

type Between = { phrase: string; first: number; start: number; end: number }

const selectBetween = prepared((db: Db, { phrase, first, start, end }: Between) =>
  statement<{ ids: string | null }>(
    db,
    sql`select group_concat(rowid - cast(${first} as integer)) as ids from postings
      where postings match ${phrase} and rowid >= cast(${start} as integer) and rowid < cast(${end} as integer)`,
  ),
)
