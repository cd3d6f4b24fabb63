import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { startImport } from '../../server/src/features/imports/imports.service.ts'
import { openImportFile } from '../../server/src/features/imports/open-import-file.ts'
import { register } from '../../server/src/features/users/users.service.ts'
import { type Config, readConfig } from '../../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../../server/src/open-context.ts'
import type { Actor } from '../../server/src/tenancy/auth/actor.ts'
import type { Context } from '../../server/src/tenancy/context.ts'
import { testSecret } from '../../server/test/postgres.ts'
import { toLocalActor } from './actors.ts'
import { writeSampleFile } from './sample-graph.ts'

/** An account on the largest plan. Calls with its key are metered; those of a session are not. */
export type Account = { actor: Actor; apiKey: string }

/** A database with one account in it. */
export type Memory = Account & { config: Config; remove: () => void }

/** Creates a database with a graph of `entities` sample entities (`bench/lib/sample-graph.ts`). */
export async function makeMemory(entities: number, databaseUrl = ''): Promise<Memory> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const config = readConfig({
    PORT: '0',
    LOCI_DATA_DIR: dataDir,
    LOCI_BURST_LIMIT: 'off',
    DATABASE_URL: databaseUrl,
    LOCI_SECRET: databaseUrl === '' ? '' : testSecret,
  })
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  return withMemory(config, async (ctx) => {
    const account = await openAccount(ctx)
    await fill(ctx, account.actor, entities, join(dataDir, 'sample.jsonl'))
    return { config, ...account, remove }
  })
}

/** Adds an empty account to a database. */
export function addAccount(config: Config): Promise<Account> {
  return withMemory(config, openAccount)
}

async function openAccount(ctx: Context): Promise<Account> {
  const name = { firstName: 'Bench', lastName: 'Mark' }
  const person = { ...name, email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery' }
  const { user } = await register(ctx, person, { address: '127.0.0.1', userAgent: 'bench' })
  const { accountId, apiKey } = user
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).where('id', '=', accountId).execute()
  return { actor: await toLocalActor(ctx, user), apiKey: apiKey! }
}

async function fill(ctx: Context, actor: Actor, entities: number, file: string): Promise<void> {
  if (entities === 0) return
  await writeSampleFile(file, entities)
  const { end } = await startImport(ctx, actor, await openImportFile(file))
  const report = await end
  rmSync(file)
  if (report.entities.created !== entities) throw new Error(`Imported ${report.entities.created} entities`)
}

/** Opens a database in this process for as long as `work` takes. */
async function withMemory<T>(config: Config, work: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = await openContext(config, pino({ level: 'warn' }))
  try {
    return await work(ctx)
  } finally {
    await closeContext(ctx)
  }
}
