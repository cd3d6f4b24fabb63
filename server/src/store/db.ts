import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

/** A database or a transaction on it: repos accept either. */
export type Db = Kysely<Database>

/** Columns and their values. */
export type PlainRow = Record<string, string | number | null>

/** Range from `low` to `high`, both inclusive. */
export type KeyedRange = { key: string; low: number; high: number }

/** The same, keyed by the number of a row. */
export type NumberedRange = { key: number; low: number; high: number }
