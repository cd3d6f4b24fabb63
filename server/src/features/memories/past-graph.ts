import type { Entity } from '@loci/contract/entities'
import { isTold } from '@loci/contract/observations'
import { numberOf } from '../../ground/lib/ids.ts'
import { jsonSize, takeFitting } from '../../ground/lib/json-size.ts'
import { createPace } from '../../ground/lib/pace.ts'
import { fromIso } from '../../ground/lib/time.ts'
import { findEntitiesAsOf } from '../../memory/history/as-of.ts'
import { listHeldObservations, listHeldRelations, scanHeld } from '../../memory/history/valid-rows.repo.ts'
import { findSeqAt } from '../../memory/log/log.repo.ts'
import { toRelationState } from '../../memory/versions/states.ts'
import { findEverNamed } from '../../memory/versions/versions.repo.ts'
import { type StoredObservation, toStoredObservation } from '../../rows/codec.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { remarkOf } from './fact-remarks.ts'
import { findCalled } from './find-called.ts'
import { type GraphPart, newPart, toNamedRelation } from './graph-part.ts'
import { advice, entityNotFound, listNames } from './not-found.ts'
import type { NamedGraph } from './read-memories.ts'
import { asksForSource } from './receipts.ts'
import { listSources } from './sources.ts'

/** A moment of the past: what had been stored by then is told, as far as it was told then. */
export type Past = { seq: number; at: number }

export async function toPast({ db }: Context, actor: Actor, asOf: string): Promise<Past> {
  const at = fromIso(asOf)
  return { seq: await findSeqAt(db, actor, at), at }
}

/** "As of 2026-05-31T23:59Z." */
export const sentenceOfPast = ({ at }: Past) =>
  `As of ${new Date(at).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length)}Z.`

export type PastEntity = Entity & { facts: StoredObservation[] }

/** Entities with what was told of them then, in the order given; those that did not exist are left out. */
export async function readPast(
  { db }: Context,
  actor: Actor,
  numbers: readonly number[],
  { seq, at }: Past,
): Promise<PastEntity[]> {
  const entities = await findEntitiesAsOf(db, actor, numbers, seq)
  const rows = await listHeldObservations(db, actor, [...entities.keys()], seq)
  const pace = createPace()
  const facts = new Map([...entities.keys()].map((number) => [number, [] as StoredObservation[]]))
  for (const row of rows) {
    await pace()
    const fact = toStoredObservation(row)
    if (isTold(fact, at)) facts.get(row.entity_id)!.push(fact)
  }
  return numbers.flatMap((number) => {
    const entity = entities.get(number)
    return entity === undefined ? [] : [{ ...entity, facts: facts.get(number) ?? [] }]
  })
}

/** The numbers of the entities that had these names then, or that are called so now, by name. */
export async function findPastNamed(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
  { seq }: Past,
): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  const called = await findCalled(ctx, actor, names)
  for (const name of new Set(names)) {
    const now = called.get(name)
    const numbers = [
      ...(await findEverNamed(ctx.db, actor, name)),
      ...(now === undefined ? [] : [numberOf('ent', now.id)]),
    ]
    const states = await findEntitiesAsOf(ctx.db, actor, numbers, seq)
    const [first] = [...states].sort(([, a], [, b]) => Number(b.name === name) - Number(a.name === name))
    if (first !== undefined) found.set(name, first[0])
  }
  return found
}

type Opening = { after?: string | undefined; limit?: number | undefined; with?: string[] | undefined }

const entitiesPerRead = 20
const relationsPerEntity = 500

/** The entities of these names as they were, as much as fits, from the entity after `after`. */
export async function openNodesAsOf(
  ctx: Context,
  actor: Actor,
  names: readonly string[],
  { past, after, limit, with: parts }: Opening & { past: Past },
): Promise<NamedGraph> {
  const named = await findPastNamed(ctx, actor, names, past)
  const from = after === undefined ? undefined : await requirePastNamed(ctx, actor, after, past)
  const numbers = [...new Set(named.values())].sort((a, b) => a - b).filter((one) => one > (from ?? 0))
  const missing = names.filter((name) => !named.has(name))
  const notices = missing.length === 0 ? [] : [`Not there then: ${listNames([...new Set(missing)])}.`]
  const taking = {
    goOn: (next: string) => `open_nodes with the same names, asOf and ${quoted(next)}`,
    notices,
  }
  return takeNumbers(ctx, actor, numbers.slice(0, limit), past, {
    ...taking,
    isSourced: asksForSource(parts),
  })
}

/** The graph as it was, in order of creation, as much as fits, from the entity after `after`. */
export async function readGraphAsOf(
  ctx: Context,
  actor: Actor,
  { past, after }: { past: Past; after?: string | undefined },
): Promise<NamedGraph> {
  const from = after === undefined ? undefined : await requirePastNamed(ctx, actor, after, past)
  const numbers: number[] = []
  const scan = { seq: past.seq, order: 'number' as const, ...(from && { after: { at: 0, id: from } }) }
  for await (const { keys } of scanHeld(ctx.db, actor, 'entities', scan)) {
    numbers.push(...keys.map(({ id }) => id))
    if (numbers.length > entitiesOfAnswerMax) break
  }
  const goOn = (next: string) => `read_graph with the same asOf and ${quoted(next)}`
  return takeNumbers(ctx, actor, numbers, past, { goOn, notices: [] })
}

/** More do not fit into an answer, whatever their names are. */
const entitiesOfAnswerMax = 2_000
const quoted = (next: string) => JSON.stringify({ after: next }).slice(1, -1)

async function requirePastNamed(ctx: Context, actor: Actor, name: string, past: Past): Promise<number> {
  const number = (await findPastNamed(ctx, actor, [name], past)).get(name)
  if (number === undefined) throw await entityNotFound(ctx, actor, [name], advice.read)
  return number
}

type Taking = { goOn: (next: string) => string; notices: string[]; isSourced?: boolean }

async function takeNumbers(
  ctx: Context,
  actor: Actor,
  numbers: readonly number[],
  past: Past,
  { goOn, notices, isSourced = false }: Taking,
): Promise<NamedGraph> {
  const part = newPart()
  const told = [sentenceOfPast(past), ...notices]
  for (let from = 0; from < numbers.length && part.next === undefined; from += entitiesPerRead) {
    const some = numbers.slice(from, from + entitiesPerRead)
    for (const entity of await readPast(ctx, actor, some, past)) {
      const size = jsonSize(toNamed(entity))
      if (size > part.room && part.entities.length > 0) {
        part.next = part.entities.at(-1)!.name
        break
      }
      told.push(...takePastEntity(part, entity))
    }
  }
  if (part.next !== undefined) told.push(`There is more: continue with ${goOn(part.next)}.`)
  const shown = part.entities.length
  await takePastRelations(ctx, actor, part, numbers.slice(0, shown), past)
  return {
    notice: told.join(' '),
    isPart: part.next !== undefined,
    entities: part.entities,
    relations: [...part.relations.values()],
    ...(await listSources(ctx, actor, part, isSourced)),
  }
}

const toNamed = ({ name, type, facts }: PastEntity) => ({
  name,
  entityType: type,
  observations: facts.map(({ content }) => content),
})

/** Of an entity that is larger than an answer, the first observations. */
function takePastEntity(part: GraphPart, entity: PastEntity): string[] {
  const { observations, ...head } = toNamed(entity)
  const { taken, size } = takeFitting(observations, part.room - jsonSize(head))
  part.entities.push({ ...head, observations: taken })
  part.room -= size + jsonSize(head)
  const shown = entity.facts.slice(0, taken.length)
  part.ids.set(
    entity.name,
    shown.map(({ id }) => id),
  )
  for (const { id, stale } of shown) if (stale !== undefined) part.remarks.set(id, remarkOf(stale))
  if (taken.length === observations.length) return []
  return [
    `The first ${taken.length} of ${observations.length} observations of ${JSON.stringify(entity.name)} are here.`,
  ]
}

/** The relations of these entities then, to any other, as far as they fit. */
async function takePastRelations(
  { db }: Context,
  actor: Actor,
  part: GraphPart,
  numbers: readonly number[],
  { seq }: Past,
): Promise<void> {
  const page = { seq, limit: relationsPerEntity }
  const rows = [
    ...(await listHeldRelations(db, actor, 'from_id', numbers, page)),
    ...(await listHeldRelations(db, actor, 'to_id', numbers, page)),
  ]
  const byId = new Map(rows.sort((a, b) => a.id - b.id).map((row) => [row.id, row]))
  const ends = await findEntitiesAsOf(
    db,
    actor,
    [...new Set(rows.flatMap((row) => [row.from_id, row.to_id]))],
    seq,
  )
  for (const row of byId.values()) {
    const relation = toRelationState(row, ends.get(row.from_id), ends.get(row.to_id))
    const named = toNamedRelation(relation)
    if (jsonSize(named) > part.room) return
    part.room -= jsonSize(named)
    part.relations.set(relation.id, named)
  }
}
