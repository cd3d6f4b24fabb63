import type { Dialect } from './dialect.ts'

/**
 * A step of the schema. Unless `endsOlder` says why not, processes of older versions serve on while it is applied and
 * afterwards: it only adds tables, indexes, and columns that are nullable or have a default.
 */
export type Migration = {
  readonly name: string
  /** Applied in one transaction with those of other migrations, so none of them may touch each row of a large table. */
  readonly statements: (dialect: Dialect) => readonly string[]
  /**
   * Changes of stored rows, which are applied afterwards: each is repeated, every time in a transaction of its own, until
   * it changes nothing. So it has to choose a bounded number of rows that it has not changed yet.
   */
  readonly slices?: (dialect: Dialect) => readonly string[]
  /** Why older processes could not serve beside it; it waits until there are none. */
  readonly endsOlder?: string
}
