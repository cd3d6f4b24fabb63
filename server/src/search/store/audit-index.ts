import { breathe } from '../../ground/lib/pace.ts'
import type { Scope } from '../../tenancy/scope.ts'
import { indexText } from '../analyse/index-text.ts'
import { turnTextOf } from '../analyse/turn-text.ts'
import { gramTermsOf } from '../analyse/vocabulary.ts'
import { searchedOfEntity } from './index-graph.ts'
import type { FurtherPassage } from './index-rows.ts'
import { listFurtherPassagesBetween } from './passages.repo.ts'
import { type Index, postingsOf } from './posting-lists.ts'
import { listTerms, type PostedPassage } from './postings.ts'
import { listEntitiesToIndex, listObservationsToIndex } from './rows-to-index.repo.ts'
import { digestOf, type TermDigests } from './term-digests.ts'
import { turnScopeOf } from './turn-scope.ts'
import { listTurnsToIndex } from './turn-texts.repo.ts'
import { listWords } from './words.repo.ts'

const rowsPerPage = 1_000
const upTo = Number.MAX_SAFE_INTEGER

/** A mismatch with the index: an entity, an observation or a word. */
export type IndexMismatch = { kind: 'ent' | 'obs' | 'word'; id: number }

/** Totals of the stored texts, computed without the index. */
export type TextTotals = { passages: number; length: number }

/**
 * Analyses everything stored in a space and looks up each term in the index. Reads all rows, page by
 * page.
 */
export async function auditIndex(
  index: Index,
  scope: Scope,
): Promise<{ unindexed: IndexMismatch[]; totals: TextTotals }> {
  const totals: TextTotals = { passages: 0, length: 0 }
  const digests = await postingsOf(index.dialect).readDigests(index.db, scope)
  const audit = { ...index, digests }
  const unindexed: IndexMismatch[] = []
  const note = (kind: IndexMismatch['kind'], ids: readonly number[]) => {
    for (const id of ids) unindexed.push({ kind, id })
  }
  for await (const rows of pages((page) => listObservationsToIndex(index.db, scope, page)))
    note('obs', await auditTexts(audit, scope, rows, totals))
  for await (const rows of pages((page) => listEntitiesToIndex(index.db, scope, page)))
    note(
      'ent',
      await listUnposted(
        audit,
        scope,
        rows.map((row) => ({ id: row.id, terms: searchedOfEntity(row) })),
      ),
    )
  for await (const rows of pages((page) => listWords(index.db, scope, page)))
    note(
      'word',
      await listUnposted(
        audit,
        scope,
        rows.map(({ id, word }) => ({ id, terms: gramTermsOf(word) })),
      ),
    )
  return { unindexed, totals }
}

/** The same for the turns of a space; returns the numbers of those that the index does not have as they are. */
export async function auditTurnIndex(
  index: Index,
  scope: Scope,
): Promise<{ unindexed: number[]; totals: TextTotals }> {
  const [own, totals] = [turnScopeOf(scope), { passages: 0, length: 0 }]
  const unindexed: number[] = []
  let audit: Audited | undefined
  for await (const turns of pages((page) => listTurnsToIndex(index.db, scope, page))) {
    audit ??= { ...index, digests: await postingsOf(index.dialect).readDigests(index.db, own) }
    const texts = turns.map((turn) => ({ id: turn.id, content: turnTextOf(turn) }))
    unindexed.push(...(await auditTexts(audit, own, texts, totals)))
  }
  return { unindexed, totals }
}

type Audited = Index & { digests: TermDigests | undefined }

type PageOf = { after: number; upTo: number; limit: number }

async function* pages<Row extends { id: number }>(
  read: (page: PageOf) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const rows: Row[] = await read({ after, upTo, limit: rowsPerPage })
    if (rows.length > 0) yield rows
    after = rows.length < rowsPerPage ? undefined : rows.at(-1)?.id
  }
}

type ReadText = Awaited<ReturnType<typeof listObservationsToIndex>>[number]

async function auditTexts(
  index: Audited,
  scope: Scope,
  rows: readonly ReadText[],
  totals: TextTotals,
): Promise<number[]> {
  const between = { ...scope, first: rows[0]!.id, last: rows.at(-1)!.id }
  const further = Map.groupBy(
    await listFurtherPassagesBetween(index.db, between),
    ({ observationId }) => observationId,
  )
  const wrong = new Set<number>()
  const textOf = new Map<number, number>()
  const posted: PostedPassage[] = []
  for (const { id, content, metadata } of rows) {
    await breathe()
    const { passages } = indexText(content, metadata)
    totals.passages += passages.length
    totals.length += passages.reduce((sum, { length }) => sum + length, 0)
    const numbers = [id, ...(further.get(id) ?? []).map((passage) => passage.id)]
    if (!isInOrder(further.get(id) ?? [], passages.length)) wrong.add(id)
    for (const [part, { searched }] of passages.entries()) {
      const number = numbers[part]
      if (number === undefined) continue
      textOf.set(number, id)
      posted.push({ id: number, terms: searched })
    }
  }
  for (const id of await listUnposted(index, scope, posted)) wrong.add(textOf.get(id)!)
  return [...wrong]
}

const isInOrder = (further: readonly FurtherPassage[], passages: number) =>
  further.length === passages - 1 && further.every(({ part }, place) => part === place + 1)

/** Returns those that are not found by every one of their terms. */
async function listUnposted(
  { db, dialect, digests }: Audited,
  scope: Scope,
  all: readonly PostedPassage[],
): Promise<number[]> {
  const passages = all.filter((passage) => !isPosted(digests, passage))
  if (passages.length === 0) return []
  const ids = passages.map(({ id }) => id)
  const range = { from: Math.min(...ids), to: Math.max(...ids) }
  const terms = new Set(passages.flatMap((passage) => listTerms(passage.terms)))
  const posted = await postingsOf(dialect).readBetween(db, scope, [...terms], range)
  const idsOf = new Map(posted.map((list) => [list.term, new Set(list.ids)]))
  return passages
    .filter((passage) => listTerms(passage.terms).some((term) => !idsOf.get(term)?.has(passage.id)))
    .map(({ id }) => id)
}

function isPosted(digests: Audited['digests'], { id, terms }: PostedPassage): boolean {
  if (terms === '') return true
  const digest = digests?.of(id)
  // The index stores once what a passage has twice.
  return digest === digestOf(terms) || digest === digestOf(withoutTwins(terms))
}

const withoutTwins = (terms: string) => [...new Set(listTerms(terms))].join(' ')
