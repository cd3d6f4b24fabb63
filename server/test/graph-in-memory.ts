import type { Entity } from '@loci/contract/entities'
import type { Observation } from '@loci/contract/observations'
import type { Relation } from '@loci/contract/relations'
import type { GraphSource } from '../src/features/exports/graph-source.ts'
import { toId } from '../src/ground/lib/ids.ts'
import { toIso } from '../src/ground/lib/time.ts'

type Told = Partial<Observation> & { content: string }
export type GivenEntity = Partial<Entity> & {
  name: string
  /** Pages of observations. */
  pages?: Told[][]
}
type GivenRelation = { from: string; type: string; to: string; createdAt?: string }

const exportedAt = Date.UTC(2024, 4, 1, 10)
const createdAt = toIso(exportedAt)

/** A graph to be written by an export, with everything that is left out filled in. */
export function graphInMemory(
  given: readonly GivenEntity[],
  related: readonly GivenRelation[] = [],
): GraphSource {
  const entities = given.map(({ pages = [[]], ...entity }, index): [Entity, Observation[][]] => {
    const number = index + 1
    const told = pages.map((page, place) =>
      page.map((one, at) => ({ id: toId('obs', number * 1_000 + place * 100 + at), createdAt, ...one })),
    )
    const observationsCount = told.flat().length
    const others = { metadata: {}, observationsCount, createdAt, updatedAt: createdAt }
    return [{ id: toId('ent', number), type: 'thing', ...others, ...entity }, told]
  })
  const endOf = (name: string) => entities.find(([entity]) => entity.name === name)![0]
  const relations = related.map(({ from, to, ...relation }, index): Relation => {
    const [fromEntity, toEntity] = [endOf(from), endOf(to)]
    const ends = { fromEntityId: fromEntity.id, toEntityId: toEntity.id, fromEntity, toEntity }
    return { id: toId('rel', index + 1), ...ends, createdAt, relationType: relation.type, ...relation }
  })
  return {
    at: exportedAt,
    nextNumber: 9_000,
    async *entities() {
      for (const [entity, pages] of entities) yield [entity, pagesOf(pages)]
    },
    async *entityPages() {
      yield entities.map(([entity]) => entity)
    },
    async *relations() {
      yield* relations
    },
    async *relationsFrom(entityId) {
      yield* relations.filter(({ fromEntityId }) => fromEntityId === entityId)
    },
  }
}

async function* pagesOf(pages: Observation[][]) {
  yield* pages
}
