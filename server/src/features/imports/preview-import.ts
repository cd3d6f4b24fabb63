import {
  type ImportPreview,
  previewEntitiesMax,
  previewListMax,
  previewSampleMax,
} from '@loci/contract/imports'
import type { StoredEntity } from '../../rows/codec.ts'
import { findNamed } from '../../rows/entities.repo.ts'
import { findObservationsByContent } from '../../rows/observations.repo.ts'
import { findRelationsBetween } from '../../rows/relations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { addProblems, type Position, startOfFile, startOfImport } from './import-progress.ts'
import { formatOf } from './imports.service.ts'
import type { OpenImport } from './open-import.ts'
import { type ImportUnit, originOf } from './read-units.ts'
import { unitsToImport } from './units-to-import.ts'

const unitsPerLookUp = 200
const sampleTextMax = 300
const typesMax = 50

/** The preview's findings so far. */
type Finding = Pick<
  ImportPreview,
  'isWhole' | 'entities' | 'observations' | 'relations' | 'sample' | 'problems'
> & {
  existing: Map<string, { id: string; name: string; type: string }>
  entityTypes: Map<string, number>
  relationTypes: Map<string, number>
  /** Names and aliases in the file. */
  names: Set<string>
  relationsFrom: Position | undefined
  /** Where reading stopped. */
  end: number
}

/**
 * What importing a file would store, and its problems; stores nothing. Reads only the first entities of a very large
 * file. Closes the file.
 */
export async function previewImport(ctx: Context, actor: Actor, file: OpenImport): Promise<ImportPreview> {
  try {
    const { format } = await formatOf(file)
    const found = await lookAtEntities(ctx, actor, file)
    if (found.relationsFrom !== undefined) await lookAtRelations(ctx, actor, file, found, found.relationsFrom)
    const { isWhole, entities, observations, relations, sample, problems } = found
    return {
      ...{ format, bytes: file.bytes, isWhole, entities, observations, relations, sample, problems },
      entityTypes: mostFirst(found.entityTypes),
      relationTypes: mostFirst(found.relationTypes),
      existing: [...found.existing.values()].slice(0, previewListMax),
      skipped: { total: file.skipped.length, first: file.skipped.slice(0, previewListMax) },
    }
  } finally {
    await file.file.close()
  }
}

async function lookAtEntities(ctx: Context, actor: Actor, file: OpenImport): Promise<Finding> {
  const found: Finding = {
    isWhole: true,
    ...{ entities: none(), observations: none(), relations: none() },
    ...{ sample: [], problems: { total: 0, first: [] } },
    ...{ existing: new Map(), entityTypes: new Map(), relationTypes: new Map(), names: new Set() },
    ...{ relationsFrom: undefined, end: file.bytes },
  }
  const progress = { ...startOfImport, pass: 'relations' as const, position: startOfFile }
  for await (const units of groupsOf(unitsToImport(file.file, file.bytes, progress))) {
    await lookAt(ctx, actor, found, units)
    const last = units.at(-1)!
    if (found.names.size < previewEntitiesMax) continue
    found.isWhole = last.after.offset >= file.bytes
    found.end = last.after.offset
    break
  }
  return found
}

const none = () => ({ created: 0, existing: 0 })

async function* groupsOf(units: AsyncIterable<ImportUnit>): AsyncGenerator<ImportUnit[], void> {
  let group: ImportUnit[] = []
  for await (const unit of units) {
    group.push(unit)
    if (group.length < unitsPerLookUp) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}

async function lookAt(
  { db }: Context,
  actor: Actor,
  found: Finding,
  units: readonly ImportUnit[],
): Promise<void> {
  const stored = await findNamed(
    db,
    actor,
    units.flatMap(({ observations }) => observations?.name ?? []),
  )
  const texts = units.flatMap(({ observations }) => {
    const entity = observations === undefined ? undefined : stored.get(observations.name)
    return entity === undefined
      ? []
      : observations!.items.map(({ content }) => ({ entityId: entity.id, content }))
  })
  const known = new Set((await findObservationsByContent(db, actor, texts)).map(keyOf))
  for (const unit of units) {
    found.relationsFrom ??= unit.relation === undefined ? undefined : unit.at
    found.problems = addProblems(found.problems, unit.problems)
    if (unit.observations !== undefined) count(found, unit, stored.get(unit.observations.name), known)
  }
}

const keyOf = ({ entityId, content }: { entityId: string; content: string }) => `${entityId} ${content}`

function count(
  found: Finding,
  { at, entity, observations }: ImportUnit,
  before: StoredEntity | undefined,
  known: Set<string>,
): void {
  const { name, items } = observations!
  if (entity === undefined && before === undefined && !found.names.has(name)) {
    found.problems = addProblems(found.problems, [{ line: at.line, message: `Entity ${name} not found` }])
    return
  }
  if (entity !== undefined) countEntity(found, entity, before, items)
  const existing =
    before === undefined
      ? 0
      : items.filter(({ content }) => known.has(keyOf({ entityId: before.id, content }))).length
  found.observations.existing += existing
  found.observations.created += items.length - existing
}

function countEntity(
  found: Finding,
  { name, entityType, aliases = [] }: NonNullable<ImportUnit['entity']>,
  before: StoredEntity | undefined,
  items: readonly { content: string }[],
): void {
  const isNew = before === undefined && !found.names.has(name)
  found.entities[isNew ? 'created' : 'existing'] += 1
  for (const text of [name, ...aliases]) found.names.add(text)
  if (before !== undefined)
    found.existing.set(before.id, { id: before.id, name: before.name, type: before.type })
  if (!isNew) return
  found.entityTypes.set(entityType, (found.entityTypes.get(entityType) ?? 0) + 1)
  if (found.sample.length >= previewSampleMax) return
  const observations = items.slice(0, 3).map(({ content }) => content.slice(0, sampleTextMax).toWellFormed())
  found.sample.push({ name, type: entityType, observations, observationsCount: items.length })
}

async function lookAtRelations(
  ctx: Context,
  actor: Actor,
  file: OpenImport,
  found: Finding,
  from: Position,
): Promise<void> {
  const progress = { ...startOfImport, pass: 'relations' as const, position: from }
  for await (const units of groupsOf(unitsToImport(file.file, file.bytes, progress))) {
    await lookAtEnds(ctx, actor, found, units)
    if (units.at(-1)!.after.offset >= found.end) return
  }
}

async function lookAtEnds(
  { db }: Context,
  actor: Actor,
  found: Finding,
  units: readonly ImportUnit[],
): Promise<void> {
  const lines = units.flatMap(({ at, relation }) => (relation === undefined ? [] : [{ at, ...relation }]))
  const stored = await findNamed(
    db,
    actor,
    lines.flatMap(({ from, to }) => [from, to]),
  )
  const ends = lines.flatMap(({ from, to, relationType }) => {
    const [fromId, toId] = [stored.get(from)?.id, stored.get(to)?.id]
    return fromId === undefined || toId === undefined ? [] : [{ fromId, toId, type: relationType }]
  })
  const between = await findRelationsBetween(db, actor, ends)
  const known = new Set(
    between.map((relation) => `${relation.fromEntityId} ${relation.toEntityId} ${relation.type}`),
  )
  for (const { at, ...line } of lines) {
    const { from, to, relationType } = line
    const absent = [from, to].find((name) => !found.names.has(name) && !stored.has(name))
    // The missing end can come after the part that was read.
    if (absent !== undefined && found.isWhole) {
      const message = `The relation names ${absent}, which is not there`
      found.problems = addProblems(found.problems, [{ ...originOf(at, line), message }])
      continue
    }
    const isKnown = known.has(`${stored.get(from)?.id} ${stored.get(to)?.id} ${relationType}`)
    found.relations[isKnown ? 'existing' : 'created'] += 1
    if (!isKnown) found.relationTypes.set(relationType, (found.relationTypes.get(relationType) ?? 0) + 1)
  }
}

const mostFirst = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .map(([type, count]) => ({ type, count }))
    .sort((one, other) => other.count - one.count)
    .slice(0, typesMax)
