import pg from 'pg'
import pino from 'pino'
import { buildApp } from '../../server/src/app.ts'
import type { Config } from '../../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../../server/src/open-context.ts'

type Statement = { name?: string; text: string; values: unknown[] }

/** The statements of one call. The call created the ids from `firstNew` on. */
export type Recording = { statements: Statement[]; firstNew: string }

/** Marks a text that must differ in each call. */
const uniqueMark = /#\d+/g
const countedPerCallMax = 1_000
const countedPerRecordingMax = 2 ** 26
let recorded = 0

/** Above real counters and below timestamps: shows which numbers in a statement are counters. */
const countedFrom = 2 ** 31
const countedTo = 2 ** 32
const clients = 10
/** The shortest counts: the server also does background work. */
const attemptsPerRecording = 5

/** The statements that a call sends on PostgreSQL, in order. `call` gets the address of a server in this process. */
export async function recordStatements(
  config: Config,
  call: (url: string) => Promise<unknown>,
): Promise<Recording> {
  const ctx = await openContext(config, pino({ level: 'silent' }))
  const first = countedFrom + recorded++ * countedPerRecordingMax
  await ctx.db.updateTable('accounts').set({ next_id: first }).execute()
  await ctx.db.updateTable('spaces').set({ seq: first, indexed: first }).execute()
  const app = await buildApp(ctx)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  await call(url)
  let statements: Statement[] = []
  const { query } = pg.Client.prototype
  // biome-ignore lint/suspicious/noExplicitAny: an overloaded function is wrapped as it is.
  pg.Client.prototype.query = function (this: pg.Client, ...args: any[]) {
    statements.push(typeof args[0] === 'string' ? { text: args[0], values: args[1] ?? [] } : { ...args[0] })
    return Reflect.apply(query, this, args)
  } as typeof query
  const recordings: Recording[] = []
  for (let attempt = 0; attempt < attemptsPerRecording; attempt++) {
    statements = []
    const firstNew = ctx.newId('new').slice('new_'.length)
    await call(url)
    recordings.push({ statements, firstNew })
  }
  pg.Client.prototype.query = query
  await app.close()
  await closeContext(ctx)
  return recordings.reduce((a, b) => (b.statements.length < a.statements.length ? b : a))
}

/**
 * Runs the statements of a call repeatedly over several connections, each time as a new call. Nobody else may write to
 * the account, whose numbers the calls assign.
 */
export function startReplay(databaseUrl: string, { statements, firstNew }: Recording) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: clients })
  // `pool.end()` does not wait for its connections, so a server that then stops reports errors on them.
  pool.on('error', () => {})
  let calls = 0
  const loop = async (endAt: number) => {
    const client = await pool.connect()
    let done = 0
    for (; performance.now() < endAt; done++) {
      const renew = renewer(++calls, firstNew)
      for (const one of statements) await client.query({ ...one, values: one.values.map(renew) })
    }
    client.release()
    return done
  }
  return {
    /** Calls per second. */
    async rate(seconds: number): Promise<number> {
      const endAt = performance.now() + seconds * 1_000
      const done = await Promise.all(Array.from({ length: clients }, () => loop(endAt)))
      return done.reduce((sum, count) => sum + count, 0) / seconds
    },
    close: () => pool.end(),
  }
}

/** Counters continue; new ids and texts marked with {@link uniqueMark} are renewed. */
function renewer(call: number, firstNew: string): (value: unknown) => unknown {
  const suffix = call.toString(32).padStart(7, '0')
  const newIds = /(?<=_)[0-9a-z]{26}/g
  /** Lists of numbers are sent as text: `{2147483649,2147483650}`. */
  const numbers = /(?<![\w.])\d{10}(?![\w.])/g
  const renewNumber = (value: number) =>
    value < countedFrom || value >= countedTo ? value : value + call * countedPerCallMax
  const renew = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(renew)
    if (typeof value === 'number') return renewNumber(value)
    if (typeof value !== 'string') return value
    return value
      .replace(numbers, (number) => String(renewNumber(Number(number))))
      .replace(newIds, (id) => (id < firstNew ? id : id.slice(0, -suffix.length) + suffix))
      .replace(uniqueMark, `#-${call}`)
  }
  return renew
}
