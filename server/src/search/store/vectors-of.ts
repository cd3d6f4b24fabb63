import type { Dialect } from '../../store/dialect.ts'
import type { Vectors } from './vectors.ts'
import { postgresVectors } from './vectors-postgres.ts'
import { sqliteVectors } from './vectors-sqlite.ts'

/** Vectors of passages on this database, and nearest-neighbour queries on them. */
export const vectorsOf = ({ name }: Pick<Dialect, 'name'>): Vectors =>
  name === 'sqlite' ? sqliteVectors : postgresVectors
