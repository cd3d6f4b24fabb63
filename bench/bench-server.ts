import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRestClient, type RestClient } from '@loci/client/rest'
import type { LocalModelId } from '@loci/contract/embeddings'
import { buildApp } from '../server/src/app.ts'
import { getTotalStatus } from '../server/src/features/embeddings/embeddings.service.ts'
import { createUser } from '../server/src/features/users/users.service.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { QueryVectors } from '../server/src/ground/embedders/query-vectors.ts'
import { closeContext, createLog, openContext } from '../server/src/open-context.ts'
import { chooseLocal } from '../server/src/search/meaning/choose-embedder.ts'
import type { Context } from '../server/src/tenancy/context.ts'
import { startPostgres, testSecret } from '../server/test/postgres.ts'

export const databases = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof databases)[number]

/** The real server on its own database, listening on a free port. */
export type BenchServer = {
  ctx: Context
  url: string
  /** Of PostgreSQL. */
  databaseUrl: string | undefined
  close: () => Promise<void>
}

export async function startBenchServer(database: DatabaseName): Promise<BenchServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-bench-'))
  const postgres = database === 'postgres' ? await startPostgres() : undefined
  const config = readConfig({
    LOCI_DATA_DIR: dataDir,
    LOCI_LOG_LEVEL: 'silent',
    LOCI_BURST_LIMIT: 'off',
    ...(postgres === undefined ? {} : { DATABASE_URL: postgres.url, LOCI_SECRET: testSecret }),
  })
  const ctx = await openContext(config, createLog(config))
  const app = await buildApp(ctx)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    ctx,
    url,
    databaseUrl: postgres?.url,
    close: async () => {
      await app.close()
      await closeContext(ctx)
      await postgres?.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export type BenchAccount = { id: string; apiKey: string; rest: RestClient }

/** A new account without limits. */
export async function openBenchAccount({ ctx, url }: BenchServer): Promise<BenchAccount> {
  const user = await createUser(ctx, {
    email: `bench-${crypto.randomUUID()}@example.com`,
    password: 'correct horse battery',
    firstName: 'Bench',
    lastName: 'Mark',
  })
  const apiKey = ctx.secretBox.open(user.personalKeyEncrypted)!
  await ctx.db.updateTable('accounts').set({ plan: 'power-user' }).where('id', '=', user.accountId).execute()
  return { id: user.accountId, apiKey, rest: createRestClient({ baseUrl: url, token: () => apiKey }) }
}

const answerMsMax = 60_000

/** Installs a local model, unless that is done, and waits until all texts have vectors. Questions wait for theirs. */
export async function compareBy(model: LocalModelId, { ctx }: BenchServer): Promise<void> {
  if (ctx.embeddings.current === undefined) {
    await chooseLocal(ctx, model, { signal: new AbortController().signal, onProgress: () => {} })
    const current = ctx.embeddings.current!
    current.queries = new QueryVectors(current.embedder, answerMsMax, ctx.now)
  }
  for (;;) {
    const { embedded, waiting, failure } = await getTotalStatus(ctx)
    if (failure !== null) throw new Error(failure.message)
    if (embedded > 0 && waiting === 0) return
    await sleep(500)
  }
}
