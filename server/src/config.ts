import { mkdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().int().min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')

const url = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  })

/** Most numbers in a vector. */
const vectorDimensionsMax = 8_192

const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(7400),
  HOST: z.string().default('127.0.0.1'),
  LOCI_DATA_DIR: z.string().default(join(homedir(), '.loci')),
  DATABASE_URL: url(['postgres:', 'postgresql:']).optional(),
  LOCI_NAMED_STATEMENTS: flag.default(true),
  LOCI_SECRET: z.string().min(32, 'must be at least 32 characters long').optional(),
  LOCI_PUBLIC_URL: url(['http:', 'https:']).optional(),
  LOCI_TRUST_PROXY: flag.default(false),
  LOCI_BURST_LIMIT: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  LOCI_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be one word of at least 16 plain characters')
    .optional(),
  LOCI_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  STRIPE_SECRET_KEY: z.string().startsWith('sk_', 'must begin with sk_').optional(),
  STRIPE_PUBLISHABLE_KEY: z.string().startsWith('pk_', 'must begin with pk_').optional(),
  STRIPE_WEBHOOK_SECRET: z.string().startsWith('whsec_', 'must begin with whsec_').optional(),
  STRIPE_PRICE_STARTER_MONTHLY: z.string().optional(),
  STRIPE_PRICE_STARTER_ANNUAL: z.string().optional(),
  STRIPE_PRICE_PRO_MONTHLY: z.string().optional(),
  STRIPE_PRICE_PRO_ANNUAL: z.string().optional(),
  STRIPE_PRICE_POWER_USER_MONTHLY: z.string().optional(),
  STRIPE_PRICE_POWER_USER_ANNUAL: z.string().optional(),
  STRIPE_API_URL: url(['http:', 'https:']).optional(),
  LOCI_WEB_DIR: z.string().default(join(import.meta.dirname, '..', '..', 'web', 'dist')),
  LOCI_CONTACT_EMAIL: z.email('must be an e-mail address').optional(),
  LOCI_HISTORY_DAYS: wholeNumber(1, 36_500).optional(),
  LOCI_EMBEDDINGS_URL: url(['http:', 'https:'])
    .refine((value) => new URL(value).password === '' && new URL(value).username === '', {
      error: 'must not contain a password; LOCI_EMBEDDINGS_KEY takes the key',
    })
    .optional(),
  LOCI_EMBEDDINGS_MODEL: z.string().optional(),
  LOCI_EMBEDDINGS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be one word of plain characters')
    .optional(),
  LOCI_EMBEDDINGS_DIR: z.string().optional(),
  LOCI_EMBEDDINGS_DIMENSIONS: wholeNumber(1, vectorDimensionsMax).optional(),
  LOCI_EMBEDDINGS_QUERY_PREFIX: z.string().max(1_000).optional(),
  LOCI_EMBEDDINGS_PASSAGE_PREFIX: z.string().max(1_000).optional(),
  LOCI_EMBEDDINGS_WAIT_MS: wholeNumber(10, 10_000).optional(),
  LOCI_EMBEDDINGS_WEIGHT: z.coerce
    .number({ error: 'must be a number from 0 to 4' })
    .min(0, 'must be a number from 0 to 4')
    .max(4, 'must be a number from 0 to 4')
    .optional(),
  LOCI_URL: url(['http:', 'https:']).optional(),
  LOCI_API_KEY: z.string().optional(),
  MEMORY_FILE_PATH: z.string().optional(),
})

export type StripeConfig = {
  secretKey: string
  publishableKey: string
  webhookSecret: string
  /** Price ids by plan id, yearly plans with their suffix. */
  prices: Record<string, string>
  /** Another server instead of Stripe's own; for tests. */
  apiUrl: string | undefined
}

/** Where vectors come from: a server that speaks OpenAI's `/embeddings`, or a folder with an ONNX model. */
export type EmbeddingsConfig = {
  source: { url: string; model: string; key: string | undefined } | { dir: string }
  /** Undefined: as many as the model gives. */
  dimensions: number | undefined
  /** What the model wants to read before a question and before a text, such as `query: ` and `passage: `. */
  queryPrefix: string
  passagePrefix: string
  /** How long a search waits for the vector of its question. */
  waitMs: number
  /** What the passage most like the question by its vector counts, beside at most 1 for its words. */
  weight: number
}

export type Config = {
  port: number
  /** Address to listen on; loopback unless set. */
  host: string
  /** Absolute; holds the database, the secret and the lock of the server that uses them. */
  dataDir: string
  /** PostgreSQL instead of the file in the data directory. */
  databaseUrl: string | undefined
  /** False where a pooler before PostgreSQL cannot take statements that are kept by name. */
  namedStatements: boolean
  /** Master secret; made and kept in the data directory when unset. */
  secret: string | undefined
  /** Without a trailing slash; undefined means "from host and port". */
  publicUrl: string | undefined
  trustProxy: boolean
  /** Whether an account's calls a second are bounded. */
  burstLimit: boolean
  /** Where the built web app lies; absolute. */
  webDir: string
  /** Answers questions about plans; undefined where nobody does. */
  contactEmail: string | undefined
  /** Asked for at `/metrics`, which is not there while unset. */
  metricsToken: string | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Undefined: billing runs in the sandbox. */
  stripe: StripeConfig | undefined
  /** Versions that ended longer ago are erased; undefined: they are kept for ever. */
  historyDays: number | undefined
  /** Undefined: search works by words alone. */
  embeddings: EmbeddingsConfig | undefined
  /** For the stdio bridge: the server to talk to, and with which key. */
  remoteUrl: string | undefined
  apiKey: string | undefined
  /** Where the reference memory server kept its memory; absolute. */
  memoryFile: string | undefined
}

/** What is wrong with the configuration, in words for the person who starts the program. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads the configuration from environment variables; an empty variable counts as unset.
 * Throws {@link ConfigError} that names every variable that is wrong.
 */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
    throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`)
  }
  const env = parsed.data
  return {
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.LOCI_DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    namedStatements: env.LOCI_NAMED_STATEMENTS,
    secret: env.LOCI_SECRET,
    publicUrl: env.LOCI_PUBLIC_URL?.replace(/\/+$/, ''),
    trustProxy: env.LOCI_TRUST_PROXY,
    burstLimit: env.LOCI_BURST_LIMIT === 'on',
    webDir: resolve(env.LOCI_WEB_DIR),
    contactEmail: env.LOCI_CONTACT_EMAIL,
    metricsToken: env.LOCI_METRICS_TOKEN,
    logLevel: env.LOCI_LOG_LEVEL,
    stripe: readStripe(env),
    historyDays: env.LOCI_HISTORY_DAYS,
    embeddings: readEmbeddings(env),
    remoteUrl: env.LOCI_URL?.replace(/\/+$/, ''),
    apiKey: env.LOCI_API_KEY,
    memoryFile: env.MEMORY_FILE_PATH === undefined ? undefined : toAbsolute(env.MEMORY_FILE_PATH),
  }
}

/** No shell expands `~` in the configuration of an agent's program. */
function toAbsolute(path: string): string {
  return resolve(path.replace(/^~(?=\/|$)/, homedir()))
}

/** All of Stripe or nothing of it. */
function readStripe(env: z.output<typeof Environment>): StripeConfig | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = env
  const webhookSecret = env.STRIPE_WEBHOOK_SECRET
  if (secretKey === undefined) return undefined
  if (publishableKey === undefined || webhookSecret === undefined) {
    throw new ConfigError(
      'The configuration is not valid:\n  STRIPE_SECRET_KEY needs STRIPE_PUBLISHABLE_KEY and STRIPE_WEBHOOK_SECRET beside it',
    )
  }
  const prices = {
    starter: env.STRIPE_PRICE_STARTER_MONTHLY,
    'starter-annual': env.STRIPE_PRICE_STARTER_ANNUAL,
    pro: env.STRIPE_PRICE_PRO_MONTHLY,
    'pro-annual': env.STRIPE_PRICE_PRO_ANNUAL,
    'power-user': env.STRIPE_PRICE_POWER_USER_MONTHLY,
    'power-user-annual': env.STRIPE_PRICE_POWER_USER_ANNUAL,
  }
  const set = Object.entries(prices).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return {
    secretKey,
    publishableKey,
    webhookSecret,
    prices: Object.fromEntries(set),
    apiUrl: env.STRIPE_API_URL,
  }
}

const embeddingsWaitMs = 300
/** Suits a small encoder; a strong one deserves 1.2 and more. */
const embeddingsWeight = 0.6

/** An address with a model, or a folder, or nothing of it. */
function readEmbeddings(env: z.output<typeof Environment>): EmbeddingsConfig | undefined {
  const { LOCI_EMBEDDINGS_URL: url, LOCI_EMBEDDINGS_MODEL: model, LOCI_EMBEDDINGS_DIR: dir } = env
  const set = Object.keys(env).filter((name) => name.startsWith('LOCI_EMBEDDINGS_'))
  const refuse = (problem: string) => new ConfigError(`The configuration is not valid:\n  ${problem}`)
  if (set.length === 0) return undefined
  if (url !== undefined && dir !== undefined)
    throw refuse('LOCI_EMBEDDINGS_URL and LOCI_EMBEDDINGS_DIR exclude each other')
  if (url === undefined && dir === undefined)
    throw refuse(`${set[0]} needs LOCI_EMBEDDINGS_URL or LOCI_EMBEDDINGS_DIR beside it`)
  if (url !== undefined && model === undefined)
    throw refuse('LOCI_EMBEDDINGS_URL needs LOCI_EMBEDDINGS_MODEL beside it')
  const idle = ['MODEL', 'KEY', 'DIMENSIONS']
    .map((name) => `LOCI_EMBEDDINGS_${name}`)
    .find((name) => set.includes(name))
  if (dir !== undefined && idle !== undefined)
    throw refuse(`${idle} means nothing beside LOCI_EMBEDDINGS_DIR`)
  return {
    source:
      dir === undefined ? { url: url!, model: model!, key: env.LOCI_EMBEDDINGS_KEY } : { dir: resolve(dir) },
    dimensions: env.LOCI_EMBEDDINGS_DIMENSIONS,
    queryPrefix: env.LOCI_EMBEDDINGS_QUERY_PREFIX ?? '',
    passagePrefix: env.LOCI_EMBEDDINGS_PASSAGE_PREFIX ?? '',
    waitMs: env.LOCI_EMBEDDINGS_WAIT_MS ?? embeddingsWaitMs,
    weight: env.LOCI_EMBEDDINGS_WEIGHT ?? embeddingsWeight,
  }
}

/** The address to give to people and programs, without a trailing slash. */
export function publicAddress(config: Config, port = config.port): string {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  return config.publicUrl ?? `http://${host}:${port}`
}

/** True for addresses that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** Makes the data directory, for its owner only. Throws {@link ConfigError} when that cannot be done. */
export function ensureDataDir(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new ConfigError(`The data directory ${dataDir} cannot be made: ${(cause as Error).message}`, {
      cause,
    })
  }
}
