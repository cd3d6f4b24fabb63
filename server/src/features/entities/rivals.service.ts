import { isTold, type Observation, type Rival } from '@loci/contract/observations'
import { compareIds, toId } from '../../ground/lib/ids.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { findNamed } from '../../rows/entities.repo.ts'
import { listNewestObservations } from '../../rows/observations.repo.ts'
import { createFactReader, findRivals } from '../../search/find/rivals.rules.ts'
import { knownSpaceNames } from '../../search/match/names-in-memory.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'

const rivalsMax = 3
/** The newest facts that are compared, of this many entities of a call, with this many of the new ones. */
const comparedMax = 100
const entitiesMax = 10
const newMax = 20
/** The names looked up, and the entities of these names whose facts are compared. */
const namesMax = 100
const subjectsMax = 3
const charactersCompared = 2_000
const charactersShown = 500

/** New observations of an entity; `isNew` if it has no others. */
export type Added = {
  id: string
  name: string
  observations: readonly Pick<Observation, 'id' | 'content' | 'replaces'>[]
  isNew?: boolean
}

/**
 * At most three current facts of earlier calls that could say the same as a new one or the opposite, nearest first: of
 * the same entity, then of the entities that the new one names. `since` is a change of the space that names must be as
 * new as.
 */
export async function listRivals(
  ctx: Context,
  actor: Actor,
  added: readonly Added[],
  since = Number.POSITIVE_INFINITY,
): Promise<Rival[]> {
  const rivals = new Map<string, Rival>()
  const pace = createPace()
  const inCall = new Set(added.flatMap(({ observations }) => observations.map((one) => one.id)))
  for (const { id, name, observations, isNew = false } of added.slice(0, entitiesMax)) {
    const [first] = observations
    if (first === undefined) continue
    const contents = observations.slice(0, newMax).map(({ content }) => content.slice(0, charactersCompared))
    const compare = async (subject: { id: string; name: string }) => {
      const listed = await listEarlier(ctx, actor, subject.id, first.id)
      const earlier = listed.filter((fact) => !inCall.has(fact.id))
      // Long facts are read one by one, so that they hold up nobody.
      const reader = createFactReader(subject.name)
      for (const { content } of earlier) {
        await pace()
        reader.termsOf(content)
        reader.meaningOf(content)
      }
      for (const content of contents) {
        await pace()
        for (const rival of findRivals(content, earlier, reader).slice(0, rivalsMax))
          rivals.set(rival.id, rival)
      }
    }
    if (!isNew) await compare({ id, name })
    if (rivals.size >= rivalsMax) break
    for (const subject of await findSubjects(ctx, actor, contents, { id, name, since }))
      await compare(subject)
  }
  return [...rivals.values()]
    .slice(0, rivalsMax)
    .map((rival) => ({ ...rival, content: rival.content.slice(0, charactersShown).toWellFormed() }))
}

/** The other entities that new facts name. */
async function findSubjects(
  ctx: Context,
  actor: Actor,
  contents: readonly string[],
  own: { id: string; name: string; since: number },
): Promise<{ id: string; name: string }[]> {
  const names = new Set(contents.flatMap(subjectsIn))
  names.delete(own.name)
  if (names.size === 0) return []
  const found = await findCalled(ctx, actor, [...names].slice(0, namesMax), own.since)
  const byId = new Map(found.map((entity) => [entity.id, entity]))
  byId.delete(own.id)
  return [...byId.values()].slice(0, subjectsMax)
}

/** The entities with these names or aliases, from memory if it has them as of change `since`. */
async function findCalled({ db, dialect }: Context, actor: Actor, names: readonly string[], since: number) {
  const known = knownSpaceNames(dialect, actor, since)
  if (known === undefined) return [...(await findNamed(db, actor, names)).values()]
  return names
    .flatMap((name) => known.named(name) ?? [])
    .map(({ id, name }) => ({ id: toId('ent', id), name }))
}

async function listEarlier(ctx: Context, actor: Actor, entityId: string, before: string): Promise<Rival[]> {
  const rows = await listNewestObservations(ctx.db, actor, entityId, { before, limit: comparedMax })
  return rows
    .filter((row) => isTold(row, ctx.now()) && compareIds(row.id, before) < 0)
    .map(({ id, content, at }) => ({ id, content: content.slice(0, charactersCompared), ...(at && { at }) }))
}

const charactersRead = 300
const wordsMax = 4
const candidatesMax = 60

/** A capital, a digit, or an identifier such as checkout-service. */
const nameLike = /^\p{Lu}|^\p{N}|\p{L}[-_./]\p{L}/u
const word = /[\p{L}\p{N}](?:[\p{L}\p{N}'’._/-]*[\p{L}\p{N}])?/gu
/** Names in scripts without spaces and capitals. */
const run = /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}ー]{2,}/gu

/** Texts within a fact that could be names of what it is about, those that come first first. */
function subjectsIn(text: string): string[] {
  const read = text.slice(0, charactersRead)
  const words = read.match(word) ?? []
  const areLike = words.map((one) => nameLike.test(one))
  const named: string[] = []
  for (let from = 0; from < words.length; from += 1) {
    if (!areLike[from]) continue
    for (let end = from + 1; end <= from + wordsMax; end += 1)
      if (areLike[end - 1]) named.push(words.slice(from, end).join(' '))
  }
  const possessive = named.flatMap((name) => (/['’]s$/u.test(name) ? [name.slice(0, -2)] : []))
  const runs = read.match(run) ?? []
  return [...new Set([...named, ...possessive, ...runs])].slice(0, candidatesMax)
}
