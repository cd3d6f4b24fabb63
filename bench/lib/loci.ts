import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import type { Actor } from '../../server/src/auth/actor.ts'
import { type Config, readConfig } from '../../server/src/config.ts'
import type { Context } from '../../server/src/context.ts'
import { startImport } from '../../server/src/features/imports/imports.service.ts'
import { openImportFile } from '../../server/src/features/imports/open-import-file.ts'
import { register } from '../../server/src/features/users/users.service.ts'
import { closeContext, openContext } from '../../server/src/open-context.ts'
import { toLocalActor } from './actors.ts'
import { writeSampleFile } from './sample-graph.ts'

/** A database with one account in it, on the largest plan. */
export type Memory = { config: Config; actor: Actor; token: string; apiKey: string; remove: () => void }

/** Makes a database with a graph of `entities` sample entities (`bench/lib/sample-graph.ts`). */
export async function makeMemory(entities: number, databaseUrl = ''): Promise<Memory> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const config = readConfig({
    PORT: '0',
    LOCI_DATA_DIR: dataDir,
    LOCI_BURST_LIMIT: 'off',
    DATABASE_URL: databaseUrl,
  })
  const remove = () => rmSync(dataDir, { recursive: true, force: true })
  return withMemory(config, async (ctx) => {
    const name = { firstName: 'Bench', lastName: 'Mark' }
    const person = { ...name, email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery' }
    const { token, user } = await register(ctx, person, 'bench')
    const { accountId, apiKey } = user
    await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).where('id', '=', accountId).execute()
    const actor = await toLocalActor(ctx, user)
    await fill(ctx, actor, entities, join(dataDir, 'sample.jsonl'))
    return { config, actor, token, apiKey: apiKey!, remove }
  })
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
export async function withMemory<T>(config: Config, work: (ctx: Context) => Promise<T>): Promise<T> {
  const ctx = await openContext(config, pino({ level: 'warn' }))
  try {
    return await work(ctx)
  } finally {
    await closeContext(ctx)
  }
}
