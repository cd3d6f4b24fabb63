import { z } from 'zod'
import type { GraphEntity, GraphPart, GraphRelation } from './graph.ts'
import { idNumber, idOf } from './id-numbers.ts'

const Numbers = z.array(z.number().int())
/** The distinct values of a column, and the index of each row's value among them. */
const Named = { types: z.array(z.string()), type: Numbers }

/**
 * A line of a graph that is streamed in columns, a fifth of the size of the same line in rows. Ids are the numbers in
 * them, and times are milliseconds since 1970. Ids and `createdAt` are differences from the row before, `updatedAt` is
 * the difference from `createdAt`.
 */
export const GraphColumns = z
  .object({
    entities: z.object({
      ids: Numbers,
      names: z.array(z.string()),
      ...Named,
      observationsCount: Numbers,
      createdAt: Numbers,
      updatedAt: Numbers,
    }),
    relations: z.object({ ids: Numbers, from: Numbers, to: Numbers, ...Named, createdAt: Numbers }),
    truncated: z.boolean(),
  })
  .partial()
export type GraphColumns = z.infer<typeof GraphColumns>

/** A line in columns instead of rows. */
export function columnsOf({ entities, relations, ...rest }: GraphPart): GraphColumns {
  return {
    ...(entities && { entities: entityColumns(entities) }),
    ...(relations && { relations: relationColumns(relations) }),
    ...rest,
  }
}

function entityColumns(rows: readonly GraphEntity[]) {
  const created = rows.map(({ createdAt }) => Date.parse(createdAt))
  return {
    ids: steps(rows.map(({ id }) => idNumber(id))),
    names: rows.map(({ name }) => name),
    ...distinct(rows.map(({ type }) => type)),
    observationsCount: rows.map(({ observationsCount }) => observationsCount),
    createdAt: steps(created),
    updatedAt: rows.map(({ updatedAt }, i) => Date.parse(updatedAt) - created[i]!),
  }
}

function relationColumns(rows: readonly GraphRelation[]) {
  return {
    ids: steps(rows.map(({ id }) => idNumber(id))),
    from: rows.map(({ fromEntityId }) => idNumber(fromEntityId)),
    to: rows.map(({ toEntityId }) => idNumber(toEntityId)),
    ...distinct(rows.map(({ relationType }) => relationType)),
    createdAt: steps(rows.map(({ createdAt }) => Date.parse(createdAt))),
  }
}

const steps = (numbers: readonly number[]) => numbers.map((number, i) => number - (numbers[i - 1] ?? 0))

function distinct(values: readonly string[]) {
  const numberOf = new Map<string, number>()
  const type = values.map((value) => {
    const number = numberOf.get(value) ?? numberOf.size
    numberOf.set(value, number)
    return number
  })
  return { types: [...numberOf.keys()], type }
}

/** Reads the lines of one stream; every id and every time that is repeated becomes one string. */
export class ColumnReader {
  readonly #entityIds = new Map<number, string>()
  readonly #time = { at: Number.NaN, text: '' }

  read({ entities, relations, ...rest }: GraphColumns): GraphPart {
    return {
      ...(entities && { entities: this.#entities(entities) }),
      ...(relations && { relations: this.#relations(relations) }),
      ...rest,
    }
  }

  #entities(columns: NonNullable<GraphColumns['entities']>): GraphEntity[] {
    let [id, created] = [0, 0]
    return columns.ids.map((step, i) => {
      id += step
      created += columns.createdAt[i]!
      return {
        id: this.#entityId(id),
        name: columns.names[i]!,
        type: columns.types[columns.type[i]!]!,
        observationsCount: columns.observationsCount[i]!,
        createdAt: this.#iso(created),
        updatedAt: this.#iso(created + columns.updatedAt[i]!),
      }
    })
  }

  #relations(columns: NonNullable<GraphColumns['relations']>): GraphRelation[] {
    let [id, created] = [0, 0]
    return columns.ids.map((step, i) => {
      id += step
      created += columns.createdAt[i]!
      return {
        id: idOf('rel', id),
        fromEntityId: this.#entityId(columns.from[i]!),
        toEntityId: this.#entityId(columns.to[i]!),
        relationType: columns.types[columns.type[i]!]!,
        createdAt: this.#iso(created),
      }
    })
  }

  #entityId(number: number): string {
    const known = this.#entityIds.get(number)
    if (known !== undefined) return known
    const id = idOf('ent', number)
    this.#entityIds.set(number, id)
    return id
  }

  #iso(at: number): string {
    if (at !== this.#time.at) Object.assign(this.#time, { at, text: new Date(at).toISOString() })
    return this.#time.text
  }
}
