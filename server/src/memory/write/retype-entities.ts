import { fixedColourOf } from '@loci/contract/entity-types'
import { numberOf } from '../../ground/lib/ids.ts'
import { type StoredEntity, toEntityColumns } from '../../rows/codec.ts'
import { setTypeColour } from './type-colours.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'
import { resetEntities } from './write-rows.ts'

/** Gives entities another type; returns how many had a different one. */
export async function retypeStoredEntities(
  write: GraphWrite,
  entities: readonly StoredEntity[],
  type: string,
): Promise<number> {
  const resets = entities
    .filter((entity) => entity.type !== type)
    .map((entity) => {
      const before = { id: numberOf('ent', entity.id), ...toEntityColumns(entity) }
      return { before, after: { ...before, type } }
    })
  await resetEntities(write, resets)
  return resets.length
}

/** Sets the colour of a type that is in use and has no fixed colour. */
export async function colourType({ db, scope }: GraphWrite, type: string, colour: number): Promise<void> {
  if (fixedColourOf(type) === undefined) await setTypeColour(db, scope, type, colour)
}
