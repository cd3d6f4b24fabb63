import { compareIds } from '../../ground/lib/ids.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { countOfTypes } from '../../rows/counters.repo.ts'
import { listEntityRows } from '../../rows/entities.repo.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Question } from '../ask/question.ts'
import type { TypeTerms } from '../match/types-in-use.ts'
import type { RankedObservation } from '../rank/ranking.ts'
import type { EntityLabel } from '../store/search.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'

/** The entities of the types that a question asks to list, newest first, and their total. */
export type Listed = { types: string[]; entities: StoredEntity[]; total: number }

const listedMax = 200
/** Stems of words that can accompany the type, as in "what kinds of projects exist at the moment?". */
const besides = new Set(
  (
    'list exist current store record save kind sort type mani differ total everi entiti name so far moment now make take ' +
    'know rememb note learn'
  ).split(' '),
)
/** Stems of other words that people use for a type. */
const otherWords = new Map(['peopl', 'folk', 'everyon'].map((word) => [word, 'person']))

/** Undefined unless the question only asks for the entities of some types ("list the decisions", "projects?"). */
export async function findListed(
  { db }: Context,
  space: IndexedSpace,
  question: Question,
  types: TypeTerms,
): Promise<Listed | undefined> {
  if (question.isBare) return undefined
  const asked = new Set(
    question.words.filter(({ term }) => !besides.has(term)).map(({ term }) => otherWords.get(term) ?? term),
  )
  if (asked.size === 0) return undefined
  const wanted = [...types].filter(([, terms]) => isAsked(terms, asked)).map(([type]) => type)
  const covered = new Set(wanted.flatMap((type) => types.get(type) ?? []))
  if (wanted.length === 0 || ![...asked].every((term) => covered.has(term))) return undefined
  const pages: StoredEntity[] = []
  for (const type of wanted) {
    pages.push(...(await listEntityRows(db, space, { type, cursor: undefined, limit: listedMax })))
  }
  const newest = pages
    .sort((a, b) =>
      a.createdAt === b.createdAt ? compareIds(b.id, a.id) : a.createdAt < b.createdAt ? 1 : -1,
    )
    .slice(0, listedMax)
  return { types: wanted, entities: newest, total: await countOfTypes(db, space, 'entity', wanted) }
}

/**
 * Keeps observations of the listed types, and others whose text or name contains a word of the question. Those found
 * only through the graph or a neighbour do not belong in a list.
 */
export function keepListed<T extends RankedObservation>(
  ranked: readonly T[],
  { types }: Listed,
  labels: ReadonlyMap<number, EntityLabel>,
): T[] {
  const wanted = new Set<string | undefined>(types)
  return ranked.filter(
    ({ passage, parts }) => parts.words + parts.name > 0 || wanted.has(labels.get(passage.entityId)?.type),
  )
}

const isAsked = (terms: readonly string[], asked: ReadonlySet<string>) =>
  terms.length > 0 && terms.every((term) => asked.has(term))
