import { fixedColourOf } from '@loci/contract/entity-types'
import { numberOf } from '../../ground/lib/ids.ts'
import { bytesOf, type StoredEntity, toEntityColumns } from '../../rows/codec.ts'
import { reindexEntities } from '../../search/store/index-graph.ts'
import { copyToPast, updateRows } from '../versions/past-rows.writes.repo.ts'
import { setTypeColour } from './type-colours.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'

/** Gives entities another type; returns how many had a different one. */
export async function retypeStoredEntities(
  write: GraphWrite,
  entities: readonly StoredEntity[],
  type: string,
): Promise<number> {
  const { db, scope, at } = write
  const changes = entities
    .filter((entity) => entity.type !== type)
    .map((entity) => {
      const before = { ...entity, id: numberOf('ent', entity.id) }
      return { before, after: { ...before, type } }
    })
  const beginnings = changes.map(({ before, after }) => {
    write.addBytes(bytesOf('entities', toEntityColumns(after)) - bytesOf('entities', toEntityColumns(before)))
    const types = { before: before.type, after: type }
    return {
      id: before.id,
      since: write.record({ operation: 'entity_updated', subjectId: before.id }, types),
    }
  })
  await copyToPast(
    db,
    scope,
    'entities',
    beginnings.map(({ id, since }) => ({ id, until: since })),
  )
  await updateRows(db, scope, 'entities', beginnings, { type, updated_at: at })
  await reindexEntities(write, scope, changes)
  return changes.length
}

/** Sets the colour of a type that is in use and has no fixed colour. */
export async function colourType({ db, scope }: GraphWrite, type: string, colour: number): Promise<void> {
  if (fixedColourOf(type) === undefined) await setTypeColour(db, scope, type, colour)
}
