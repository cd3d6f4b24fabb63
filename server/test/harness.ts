import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestClient, type RestClient } from '@loci/client/rest'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, inject } from 'vitest'
import { type AppOptions, buildApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/ground/config/config.ts'
import { closeContext, openContext } from '../src/open-context.ts'
import type { Context } from '../src/tenancy/context.ts'
import { checkedFetch } from './checked-fetch.ts'
import { testSecret } from './postgres.ts'
import { createPostgresDatabase } from './postgres-databases.ts'
import { fillDataDirectory } from './sqlite-template.ts'

export type DialectName = 'sqlite' | 'postgres'

/** The real app on a real, migrated database, listening on a free port. */
export type TestServer = {
  app: FastifyInstance
  ctx: Context
  url: string
  /** The clock, which stands still; set `clock.now` to move it. */
  clock: { now: number }
  config: Config
  /** A client without credentials. */
  anonymous: RestClient
  /** Sends a raw request with `token`; checks the response against the OpenAPI document. */
  call: (method: string, path: string, options?: CallOptions) => Promise<Answer>
  /** Registers a new person and returns a client signed in as them. */
  signUp: (name?: string) => Promise<Person>
  close: () => Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
export type Answer = { status: number; headers: Headers; body: any }

export type Person = {
  rest: RestClient
  /** The server's address. */
  url: string
  token: string
  apiKey: string
  email: string
  password: string
  accountId: string
  userId: string
}

/** Runs a suite once per database, each on its own server. */
export function describeOnBothDatabases(
  title: string,
  suite: (server: () => TestServer, dialect: DialectName) => void,
): void {
  describe.each<DialectName>(['sqlite', 'postgres'])(`${title} (%s)`, (dialect) => {
    let server: TestServer
    beforeAll(async () => {
      server = await startTestServer(dialect)
    })
    afterAll(() => server?.close())
    suite(() => server, dialect)
  })
}

/** Configuration of a server with its own data directory and its own database, `migrated` or empty. */
export async function testConfig(
  dialect: DialectName,
  { migrated = true } = {},
): Promise<{ config: Config; remove: () => Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'loci-test-'))
  if (migrated && dialect === 'sqlite') fillDataDirectory(dataDir)
  const template = migrated ? inject('postgresTemplate') : undefined
  const database =
    dialect === 'postgres' ? await createPostgresDatabase(inject('postgresUrl'), { template }) : undefined
  const config = readConfig({
    PORT: '0',
    LOCI_DATA_DIR: dataDir,
    LOCI_LOG_LEVEL: 'silent',
    LOCI_BURST_LIMIT: 'off',
    ...(database === undefined ? {} : { DATABASE_URL: database.url, LOCI_SECRET: testSecret }),
  })
  return {
    config: { ...config, passwordCost: { memory: 64, passes: 1 } },
    remove: async () => {
      rmSync(dataDir, { recursive: true, force: true })
      await database?.drop()
    },
  }
}

export async function startTestServer(
  dialect: DialectName,
  change: Partial<Config> = {},
  options?: AppOptions,
): Promise<TestServer> {
  const { config: defaults, remove } = await testConfig(dialect)
  const config = { ...defaults, ...change }
  const clock = { now: Date.now() }
  const server = await listenOn(
    await openContext(config, pino({ level: config.logLevel }), { now: () => clock.now }),
    options,
  )
  return {
    ...server,
    clock,
    config,
    close: async () => {
      await server.close()
      await remove()
    },
  }
}

/** Serves a context on a free port; `close` closes both. */
export async function listenOn(ctx: Context, options?: AppOptions) {
  const app = await buildApp(ctx, options)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const anonymous = createRestClient({ baseUrl: url, fetch: checkedFetch })
  return {
    app,
    ctx,
    url,
    anonymous,
    call: (method: string, path: string, options: CallOptions = {}) => call(url, method, path, options),
    signUp: (name?: string) => signUp(url, anonymous, name),
    close: async () => {
      await app.close()
      await closeContext(ctx)
    },
  }
}

type CallOptions = { token?: string; body?: unknown; headers?: Record<string, string> }

async function call(
  url: string,
  method: string,
  path: string,
  { token, body, headers }: CallOptions,
): Promise<Answer> {
  const response = await checkedFetch(url + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

async function signUp(url: string, anonymous: RestClient, name = 'alice'): Promise<Person> {
  const email = `${name}-${randomUUID()}@example.com`
  const password = 'correct horse battery'
  const { token, user } = await anonymous.register({
    body: { email, password, firstName: name, lastName: 'Example' },
  })
  const rest = createRestClient({ baseUrl: url, token: () => token, fetch: checkedFetch })
  return {
    rest,
    url,
    token,
    apiKey: user.apiKey!,
    email,
    password,
    accountId: user.accountId,
    userId: user.id,
  }
}
