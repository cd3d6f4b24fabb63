import { numberOf, toId } from '../../ground/lib/ids.ts'
import type { Context } from '../../tenancy/context.ts'
import { analyse } from '../analyse/analyser.ts'
import { foldCase } from '../analyse/fold.ts'
import type { Question } from '../ask/question.ts'
import { readObservations, readRelationRows } from '../store/read-space.ts'
import { listTypedRelationIdsAround } from '../store/relation-candidates.repo.ts'
import { listPassageIdsOf } from '../store/search.repo.ts'
import type { IndexedSpace } from '../store/search-index.repo.ts'
import { findEntitiesIn } from './named-in-text.ts'
import type { MatchedWords } from './vocabulary-match.ts'

export type Description = {
  /** What the question calls the user's own ("older", "sister"), as `readOwned` returned it. */
  owned: readonly string[]
  /** The numbers of the user's entities. */
  user: readonly number[]
  /** The types of the space's relations, with their terms. */
  relationTypes: ReadonlyMap<string, readonly string[]>
}

const factsMax = 400
const factsReadMax = 3
const textMax = 2_000
const typesMax = 3
const relationsMax = 5

/**
 * The entities that a question means by what they are to the user: a fact of the user's has the word and their name
 * ("her sister Mara"), or a relation of that type connects them. None if the question asks nothing else ("Who is my
 * dentist?"), which those facts and relations answer.
 */
export async function findDescribed(
  ctx: Context,
  space: IndexedSpace,
  { words }: Question,
  { lists }: MatchedWords,
  { owned, user, relationTypes }: Description,
): Promise<number[]> {
  if (user.length === 0) return []
  const surfaces = owned.flatMap((one) =>
    analyse(one)
      .tokens.slice(0, 1)
      .map(({ surface }) => surface),
  )
  for (const asked of surfaces.flatMap((surface) => words.find((word) => word.surface === surface) ?? [])) {
    if (words.every(({ surface }) => surface === asked.surface)) return []
    const terms = [asked.term, ...asked.otherStems]
    const told = terms.flatMap((term) => [...(lists.get(term)?.ids ?? [])])
    const named = await findNamedBeside(ctx, space, asked.surface, told, user)
    const found = [
      ...named,
      ...(await findRelated(ctx, space, { terms, word: asked.surface }, relationTypes, user)),
    ]
    if (found.length > 0) return [...new Set(found)].filter((id) => !user.includes(id))
  }
  return []
}

/** Of each of these facts that is the user's, the entity whose name is nearest to the word. */
async function findNamedBeside(
  ctx: Context,
  space: IndexedSpace,
  word: string,
  told: readonly number[],
  user: readonly number[],
): Promise<number[]> {
  if (told.length === 0) return []
  const passages = await listPassageIdsOf(ctx.db, space, user, factsMax)
  const own = new Set([...passages.values()].flatMap((ids) => [...ids]))
  const newest = told
    .filter((id) => own.has(id))
    .sort((a, b) => b - a)
    .slice(0, factsReadMax)
  const ids = newest.map((id) => toId('obs', id))
  const found: number[] = []
  for (const { content } of await readObservations(ctx.db, space, ids)) {
    const opening = content.slice(0, textMax)
    const text = foldCase(opening)
    const distanceOf = (name: string) => Math.abs(text.indexOf(name) - text.indexOf(word))
    const others = [...(await findEntitiesIn(ctx, space, opening))].filter(([id]) => !user.includes(id))
    const [nearest] = others.sort((a, b) => distanceOf(a[1]) - distanceOf(b[1]))
    if (nearest !== undefined) found.push(nearest[0])
  }
  return found
}

const endsInOf = /[^\p{L}]of$/iu
const beginsWithHas = /^has[^\p{L}]/iu
/** Of a type that is a verb, such a noun is who does it: "my manager" `manages` the user. */
const isDoer = /(?:er|or)$/u

/** The entities at the other ends of the user's relations of such a type ("has_brother", "daughter_of", "manages"). */
async function findRelated(
  { db }: Context,
  space: IndexedSpace,
  { terms, word }: { terms: readonly string[]; word: string },
  relationTypes: ReadonlyMap<string, readonly string[]>,
  user: readonly number[],
): Promise<number[]> {
  const isAsked = ([, inType]: readonly [string, readonly string[]]) =>
    terms.some((term) => inType.includes(term))
  const types = [...relationTypes].filter(isAsked).slice(0, typesMax)
  const found: number[] = []
  for (const [type] of types) {
    const isDoneByOther = isDoer.test(word) && !foldCase(type).includes(word)
    const ids = await listTypedRelationIdsAround(db, space, user, type, relationsMax)
    for (const { fromEntityId, toEntityId } of await readRelationRows(db, space, [...new Set(ids)])) {
      const [from, to] = [numberOf('ent', fromEntityId), numberOf('ent', toEntityId)]
      if (user.includes(from) && !endsInOf.test(type) && !isDoneByOther) found.push(to)
      if (user.includes(to) && !beginsWithHas.test(type)) found.push(from)
    }
  }
  return found
}
