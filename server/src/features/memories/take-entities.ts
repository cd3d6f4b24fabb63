import { isTold } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import { jsonSize } from '../../ground/lib/json-size.ts'
import type { StoredEntity, StoredObservation } from '../../rows/codec.ts'
import { listObservations } from '../../rows/observations.repo.ts'
import { listRelationsOf } from '../../rows/relations.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { contentCharactersMax } from './answer-size.ts'
import { keepRemarks } from './fact-remarks.ts'
import type { NamedRelation, NewNamedEntity } from './graph-part.ts'
import { type GraphPart, type Reach, toNamedRelation } from './graph-part.ts'
import { takePiece } from './take-piece.ts'

/** Maximum number of observations and relations read at once. */
const rowsPerRead = 1_000

/** Adds entities with their contents until the part is full; returns how many it took. The last may be cut. */
export async function takeEntities(
  ctx: Context,
  actor: Actor,
  part: GraphPart,
  entities: readonly StoredEntity[],
  reach: Reach = {},
): Promise<number> {
  let taken = 0
  for (const batch of batchesOf(entities)) {
    const [first] = batch
    const contents = rowsOf(first!) > rowsPerRead ? undefined : await readContents(ctx, actor, batch, reach)
    for (const entity of batch) {
      const whole = contents?.(entity)
      if (whole !== undefined && takeWhole(part, entity, whole)) {
        taken += 1
        continue
      }
      const isEnough = whole === undefined ? part.room < contentCharactersMax / 2 : part.entities.length > 0
      if (isEnough) {
        part.next = part.entities.at(-1)!.name
        return taken
      }
      taken += 1
      await takePiece(ctx, actor, part, { entity }, reach)
      if (part.next !== undefined) return taken
    }
  }
  return taken
}

/** Batches entities to read at once, by their number of rows; a larger entity is a batch of its own. */
function* batchesOf(entities: readonly StoredEntity[]): Generator<StoredEntity[], void> {
  let batch: StoredEntity[] = []
  let rows = 0
  for (const entity of entities) {
    if (batch.length > 0 && rows + rowsOf(entity) > rowsPerRead) {
      yield batch
      batch = []
      rows = 0
    }
    batch.push(entity)
    rows += rowsOf(entity)
  }
  if (batch.length > 0) yield batch
}

/** Includes one row for the entity itself. */
const rowsOf = ({ observationsCount, degree }: StoredEntity) => 1 + observationsCount + degree

type Contents = {
  observations: Pick<StoredObservation, 'id' | 'content' | 'stale' | 'until'>[]
  relations: Relation[]
}

async function readContents(
  { db, now }: Context,
  actor: Actor,
  entities: readonly StoredEntity[],
  { read }: Reach,
): Promise<(entity: StoredEntity) => Contents> {
  const ids = entities.map((entity) => entity.id)
  const current = (await listObservations(db, actor, ids)).filter((row) => isTold(row, now()))
  const observations = Map.groupBy(current, (row) => row.entityId)
  const relations = await listRelationsOf(db, actor, ids)
  const bySource = Map.groupBy(relations, (relation) => relation.fromEntityId)
  const arriving = read === undefined ? [] : relations.filter((relation) => !read.has(relation.fromEntityId))
  const byTarget = Map.groupBy(arriving, (relation) => relation.toEntityId)
  return ({ id }) => ({
    observations: observations.get(id) ?? [],
    relations: [...(bySource.get(id) ?? []), ...(byTarget.get(id) ?? [])],
  })
}

/** Takes an entity with all its contents, or not at all. */
function takeWhole(
  part: GraphPart,
  { name, type }: StoredEntity,
  { observations, relations }: Contents,
): boolean {
  const texts = observations.map(({ content }) => content)
  // To write down what is far too long would take long.
  if (texts.reduce((sum, { length }) => sum + length, 0) > part.room) return false
  const entity: NewNamedEntity = { name, entityType: type, observations: texts }
  const named = relations.map((relation): [string, NamedRelation] => [relation.id, toNamedRelation(relation)])
  const size = jsonSize(entity) + named.reduce((sum, [, relation]) => sum + jsonSize(relation), 0)
  if (size > part.room) return false
  part.room -= size
  part.entities.push(entity)
  part.ids.set(
    name,
    observations.map(({ id }) => id),
  )
  for (const observation of observations) keepRemarks(part, observation)
  for (const [id, relation] of named) part.relations.set(id, relation)
  return true
}
