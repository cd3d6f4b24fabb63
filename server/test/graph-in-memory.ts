import type {
  ExportedEntity,
  ExportedObservation,
  ExportedRelation,
} from '../src/features/exports/exports.repo.ts'
import type { GraphSource } from '../src/features/exports/graph-source.ts'

type Told = Partial<ExportedObservation> & { content: string }
export type GivenEntity = Partial<ExportedEntity> & {
  name: string
  /** Pages of observations. */
  pages?: Told[][]
}
type GivenRelation = { from: string; type: string; to: string; createdAt?: number }

const exportedAt = Date.UTC(2024, 4, 1, 10)

/** A graph to be written by an export, with everything that is left out filled in. */
export function graphInMemory(
  given: readonly GivenEntity[],
  related: readonly GivenRelation[] = [],
): GraphSource {
  const entities = given.map(
    ({ pages = [[]], ...entity }, index): [ExportedEntity, ExportedObservation[][]] => {
      const id = index + 1
      const told = pages.map((page, place) =>
        page.map((one, at) => ({
          ...{ id: id * 1_000 + place * 100 + at, entityId: id, metadata: null },
          ...{ createdAt: exportedAt, updatedAt: null },
          ...one,
        })),
      )
      const times = { createdAt: exportedAt, updatedAt: exportedAt }
      const counted = { observationsCount: told.flat().length }
      return [{ id, aliases: null, type: 'thing', metadata: '{}', ...counted, ...times, ...entity }, told]
    },
  )
  const idOf = (name: string) => given.findIndex((entity) => entity.name === name) + 1
  const relations = related.map(
    ({ from, to, ...relation }, index): ExportedRelation => ({
      ...{ id: index + 1, fromId: idOf(from), toId: idOf(to), from, to, createdAt: exportedAt },
      ...relation,
    }),
  )
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
      yield* relations.filter(({ fromId }) => fromId === entityId)
    },
  }
}

async function* pagesOf(pages: ExportedObservation[][]) {
  yield* pages
}
