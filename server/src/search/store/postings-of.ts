import type { Dialect } from '../../store/dialect.ts'
import type { Postings } from './postings.ts'
import { postgresPostings } from './postings-postgres.ts'
import { sqlitePostings } from './postings-sqlite.ts'

/** The inverted index of search on this database. */
export const postingsOf = ({ name }: Pick<Dialect, 'name'>): Postings =>
  name === 'sqlite' ? sqlitePostings : postgresPostings
