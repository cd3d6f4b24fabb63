import { fixedColourOf } from '@loci/contract/entity-types'
import { breathe } from '../../ground/lib/pace.ts'
import type { StoredEntity } from '../../rows/codec.ts'
import { reviseEntity } from './revise-entity.ts'
import { setTypeColour } from './type-colours.writes.repo.ts'
import type { GraphWrite } from './write-graph.ts'

/** Gives entities another type; returns how many had a different one. */
export async function retypeStoredEntities(
  write: GraphWrite,
  entities: readonly StoredEntity[],
  type: string,
): Promise<number> {
  let retyped = 0
  for (const entity of entities) {
    await breathe()
    const { name, metadata } = entity
    if (await reviseEntity(write, entity, { name, type, metadata })) retyped += 1
  }
  return retyped
}

/** Sets the colour of a type that is in use and has no fixed colour. */
export async function colourType({ db, scope }: GraphWrite, type: string, colour: number): Promise<void> {
  if (fixedColourOf(type) === undefined) await setTypeColour(db, scope, type, colour)
}
