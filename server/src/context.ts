import type { Logger } from 'pino'
import type { BurstLimit } from './auth/burst-limit.ts'
import type { ChangeDispatcher } from './changes/dispatcher.ts'
import type { Config } from './config.ts'
import type { Db } from './db/db.ts'
import type { Dialect } from './db/dialect.ts'
import type { EmbeddingsHost } from './embeddings/embeddings.ts'
import type { CallTurns } from './lib/call-turns.ts'
import type { SecretBox, Signer } from './lib/secrets.ts'
import type { UsageMeter } from './usage/meter.ts'

/** The outside world, and nothing else. Tests replace time, randomness and the network here. */
export type Context = {
  config: Config
  db: Db
  dialect: Dialect
  log: Logger
  /** Milliseconds since 1970. */
  now: () => number
  /** `newId('ent')` returns a new, time-ordered id. */
  newId: (prefix: string) => string
  secretBox: SecretBox
  signer: Signer
  burstLimit: BurstLimit
  /** Schedules which calls run and which wait. */
  callTurns: CallTurns
  usage: UsageMeter
  /** Announces committed changes. Announcements inside a transaction are delivered after the commit. */
  changes: ChangeDispatcher
  /** The embedder of this process, if there is one. */
  embeddings: EmbeddingsHost
}
