import type { Logger } from 'pino'
import type { Config } from '../ground/config/config.ts'
import type { EmbeddingsHost } from '../ground/embedders/embeddings.ts'
import type { CallQueue } from '../ground/lib/call-queue.ts'
import type { SecretBox, Signer } from '../ground/lib/secrets.ts'
import type { Db } from '../store/db.ts'
import type { Dialect } from '../store/dialect.ts'
import type { BurstLimit } from './auth/burst-limit.ts'
import type { ChangeBus } from './change-bus.ts'
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
  callQueue: CallQueue
  usage: UsageMeter
  /** Announces committed changes. Announcements inside a transaction are delivered after the commit. */
  changes: ChangeBus
  /** The embedder of this process, if there is one. */
  embeddings: EmbeddingsHost
}
