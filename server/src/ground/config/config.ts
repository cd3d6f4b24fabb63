import { homedir, userInfo } from 'node:os'
import { basename, resolve } from 'node:path'
import type { InstalledModel } from '../embedders/local-models.ts'
import { readModelKind } from '../embedders/model-kinds.ts'
import { type PasswordCost, passwordCost } from '../lib/passwords.ts'
import { type BillingConfig, readBilling } from './config-billing.ts'
import { readSeller, type Seller } from './config-invoices.ts'
import { type MailConfig, readMail } from './config-mail.ts'
import type { TrustedProxies } from './config-proxies.ts'
import { readTracing, type TracingConfig } from './config-tracing.ts'
import { Environment } from './config-variables.ts'

/**
 * Where vectors come from: a server with an OpenAI-compatible `/embeddings`, a folder with an ONNX model, or an
 * installed model.
 */
export type EmbeddingsConfig = {
  source:
    | { url: string; model: string; key: string | undefined; provider?: 'ollama' | 'openai' }
    | { dir: string }
    | { installed: InstalledModel }
  /** Undefined: the model's own number. */
  dimensions: number | undefined
  /** Prefixes that the model expects before a question and before a text, such as `query: ` and `passage: `. */
  queryPrefix: string
  passagePrefix: string
  /** How long a search waits for the vector of its question. */
  waitMs: number
  /** Weight of the passage most similar to the question by its vector, compared with at most 1 for its words. */
  weight: number
}

export type Config = BillingConfig & {
  port: number
  /** Address to listen on; loopback unless set. */
  host: string
  /** A socket that listens already, passed by systemd; undefined: the server opens its own on host and port. */
  listeningSocket: number | undefined
  /** Absolute; contains the database, the secret and the lock of the running server. */
  dataDir: string
  /** PostgreSQL instead of the file in the data directory. */
  databaseUrl: string | undefined
  /** False behind a PostgreSQL pooler that does not support named statements. */
  namedStatements: boolean
  /** Maximum number of connections of this process to PostgreSQL. */
  databasePool: number
  /** PostgreSQL's timeouts for a statement and for a lock, in milliseconds; 0 for none. */
  statementTimeoutMs: number
  lockTimeoutMs: number
  /** Master secret; if unset, generated and kept in the data directory. */
  secret: string | undefined
  /** The previous master secret; values sealed with it are re-encrypted. */
  secretOld: string | undefined
  /** Encrypts and opens backups. */
  backupPassphrase: string | undefined
  /** How long `/readyz` returns 503 before the server stops. */
  shutdownDelayMs: number
  /** Without a trailing slash; undefined: derived from host and port. */
  publicUrl: string | undefined
  /** Whose `X-Forwarded-*` headers are trusted. */
  trustProxy: TrustedProxies
  /** Who can sign up. */
  signUp: 'open' | 'invited' | 'closed'
  /** Whether OAuth clients can be described by a document at their address, which we then fetch. */
  clientDocuments: boolean
  /** Whether sessions record the wider network where they began. */
  sessionNetworks: boolean
  /** Whether an account's calls per second are limited. */
  burstLimit: boolean
  /** Absolute path of the built web app. */
  webDir: string
  /** Address for questions about plans; undefined if there is none. */
  contactEmail: string | undefined
  /** Who is told of disputes; undefined if nobody. */
  operatorEmail: string | undefined
  /** The seller on invoices; undefined if not configured. */
  seller: Seller | undefined
  /** Undefined: no mail is sent. */
  mail: MailConfig | undefined
  /** Token for `/metrics`, which does not exist while this is unset. */
  metricsToken: string | undefined
  /** Undefined: text on a terminal, JSON elsewhere. */
  logFormat: 'json' | 'text' | undefined
  /** Undefined: no traces. */
  tracing: TracingConfig | undefined
  logLevel: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Whether webhooks can go to private addresses and over plain http. */
  webhooksAllowPrivate: boolean
  /** Versions that ended longer ago are erased; undefined: they are kept forever. */
  historyDays: number | undefined
  /** How many days the questions of agents are kept; 0 for none. */
  recallDays: number
  /** Conversations that ended longer ago are deleted; undefined: they are kept forever. */
  conversationDays: number | undefined
  /** How many days the audit log keeps an event. */
  auditDays: number
  /** How the audit log stores network addresses. */
  auditAddresses: 'full' | 'masked' | 'off'
  /** Undefined: search uses words only. */
  embeddings: EmbeddingsConfig | undefined
  /** Whether searches without an embedder use the word vectors that come with the program. */
  hasWordVectors: boolean
  /** Where models are downloaded from; without a trailing slash. */
  modelHub: string
  /** For `loci embeddings use`: the API key of the chosen server. */
  openaiKey: string | undefined
  /** For the stdio bridge: the server to connect to, and the key. */
  remoteUrl: string | undefined
  apiKey: string | undefined
  /** Cost of hashing a password. Only tests can lower it. */
  passwordCost: PasswordCost
  /** For commands that set a password. */
  newPassword: string | undefined
  /** Absolute path of the reference memory server's file. */
  memoryFile: string | undefined
}

/** A configuration error, worded for the person who starts the program. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  /** With which the program ends. */
  readonly exitCode: number

  constructor(message: string, { exitCode = 1, ...options }: ErrorOptions & { exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = exitCode
  }
}

const preferred: Record<string, string> = {}

/** Command-line options override the environment; omitted options change nothing. */
export function preferOptions(options: { port?: string; host?: string; dataDir?: string }): void {
  const { port, host, dataDir } = options
  const variables = { PORT: port, HOST: host, LOCI_DATA_DIR: dataDir }
  for (const [name, value] of Object.entries(variables)) {
    if (value === '') throw new ConfigError(`--${toOption(name)} needs a value`)
    if (value !== undefined) preferred[name] = value
  }
}

const toOption = (variable: string) => variable.replace('LOCI_', '').toLowerCase().replaceAll('_', '-')

/**
 * Reads the configuration from environment variables; an empty variable counts as unset. Throws {@link ConfigError}
 * that names every invalid variable.
 */
export function readConfig(
  environment: Record<string, string | undefined> = { ...process.env, ...preferred },
): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = Environment.safeParse(set)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.')} ${issue.message}`)
    throw new ConfigError(`The configuration is not valid:\n${lines.join('\n')}`)
  }
  const env = parsed.data
  const address = env.LOCI_PUBLIC_URL
  return {
    port: env.PORT,
    host: env.HOST,
    listeningSocket: readListeningSocket(env),
    dataDir: resolve(env.LOCI_DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    namedStatements: env.LOCI_NAMED_STATEMENTS,
    databasePool: env.LOCI_DATABASE_POOL,
    statementTimeoutMs: env.LOCI_STATEMENT_TIMEOUT_MS,
    lockTimeoutMs: env.LOCI_LOCK_TIMEOUT_MS,
    secret: env.LOCI_SECRET,
    secretOld: env.LOCI_SECRET_OLD,
    backupPassphrase: env.LOCI_BACKUP_PASSPHRASE,
    shutdownDelayMs: env.LOCI_SHUTDOWN_DELAY * 1_000,
    publicUrl: address,
    trustProxy: env.LOCI_TRUST_PROXY,
    signUp: env.LOCI_SIGN_UP,
    clientDocuments: env.LOCI_CLIENT_DOCUMENTS === 'on',
    sessionNetworks: env.LOCI_SESSION_NETWORKS === 'on',
    burstLimit: env.LOCI_BURST_LIMIT === 'on',
    webDir: resolve(env.LOCI_WEB_DIR),
    contactEmail: env.LOCI_CONTACT_EMAIL,
    operatorEmail: env.LOCI_OPERATOR_EMAIL,
    seller: orRefuse(readSeller(env)),
    mail: orRefuse(readMail(env)),
    metricsToken: env.LOCI_METRICS_TOKEN,
    tracing: readTracing(env),
    logFormat: env.LOCI_LOG_FORMAT,
    logLevel: env.LOCI_LOG_LEVEL,
    ...orRefuse(readBilling(env, address)),
    webhooksAllowPrivate: env.LOCI_WEBHOOKS_ALLOW_PRIVATE,
    historyDays: env.LOCI_HISTORY_DAYS,
    recallDays: env.LOCI_RECALL_DAYS,
    conversationDays: env.LOCI_CONVERSATION_DAYS,
    auditDays: env.LOCI_AUDIT_DAYS,
    auditAddresses: env.LOCI_AUDIT_ADDRESSES,
    embeddings: readEmbeddings(env),
    hasWordVectors: env.LOCI_WORD_VECTORS,
    modelHub: env.LOCI_MODEL_HUB.replace(/\/+$/, ''),
    openaiKey: env.OPENAI_API_KEY,
    remoteUrl: env.LOCI_URL?.replace(/\/+$/, ''),
    apiKey: env.LOCI_API_KEY,
    passwordCost,
    newPassword: env.LOCI_PASSWORD,
    memoryFile: env.MEMORY_FILE_PATH === undefined ? undefined : toAbsolute(env.MEMORY_FILE_PATH),
  }
}

/** Sockets that systemd passes begin at this descriptor: https://man7.org/linux/man-pages/man3/sd_listen_fds.3.html. */
const firstPassedSocket = 3

/** Children inherit the variables, but not the socket; `bin/loci.js` passes it on without the first process's id. */
function readListeningSocket({ LISTEN_FDS: count, LISTEN_PID: pid }: Environment): number | undefined {
  if (count === undefined || count === 0 || (pid !== undefined && pid !== process.pid)) return undefined
  if (count > 1) throw refuse(`LISTEN_FDS is ${count}: the server listens on one socket only`)
  return firstPassedSocket
}

/** What tells where other programs of this person keep their files. */
export type Surroundings = {
  home: string
  platform: NodeJS.Platform
  env: Record<string, string | undefined>
}

export function readSurroundings(): Surroundings {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, GEMINI_CLI_HOME, QWEN_HOME } = process.env
  const { XDG_CONFIG_HOME, XDG_DATA_HOME, APPDATA } = process.env
  const ofAgents = { CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, GEMINI_CLI_HOME, QWEN_HOME }
  const set = Object.entries({ ...ofAgents, XDG_CONFIG_HOME, XDG_DATA_HOME, APPDATA }).filter(
    ([, value]) => value !== '',
  )
  return { home: homeFolder(), platform: process.platform, env: Object.fromEntries(set) }
}

/** Also where `HOME` is set, but empty. */
const homeFolder = () => homedir() || userInfo().homedir

/** The variables, of those that are set, that decide which memory a program opens: what another start of it needs. */
export function readMemoryVariables(config: Config): Record<string, string> {
  const { LOCI_DATA_DIR: dataDir } = { ...process.env, ...preferred }
  return {
    ...(dataDir && { LOCI_DATA_DIR: config.dataDir }),
    ...(config.remoteUrl && { LOCI_URL: config.remoteUrl }),
    ...(config.remoteUrl && config.apiKey && { LOCI_API_KEY: config.apiKey }),
  }
}

/**
 * Variables named like ours that no configuration has. They are likely to be misspelt, and a misspelt limit or
 * restriction does not apply.
 */
export function listUnknownVariables(
  environment: Record<string, string | undefined> = process.env,
): string[] {
  return Object.keys(environment).filter((name) => name.startsWith('LOCI_') && !(name in Environment.shape))
}

/** No shell expands `~` in the configuration of an agent's program. */
function toAbsolute(path: string): string {
  return resolve(path.replace(/^~(?=\/|$)/, homeFolder()))
}

/** Returns the value, or throws if it is a sentence that says what is wrong. */
function orRefuse<T extends object | undefined>(read: T | string): T {
  if (typeof read === 'string') throw refuse(read)
  return read
}

const refuse = (problem: string) => new ConfigError(`The configuration is not valid:\n  ${problem}`)

/** How long a search waits for the vector of its question. */
export const embeddingsWaitMs = 300

/** A URL with a model, a folder, or neither. */
function readEmbeddings(env: Environment): EmbeddingsConfig | undefined {
  const { LOCI_EMBEDDINGS_URL: url, LOCI_EMBEDDINGS_MODEL: model, LOCI_EMBEDDINGS_DIR: dir } = env
  const set = Object.keys(env).filter((name) => name.startsWith('LOCI_EMBEDDINGS_'))
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
    weight: env.LOCI_EMBEDDINGS_WEIGHT ?? readModelKind(model ?? basename(dir!)).weight,
  }
}

/** What is listened on for all addresses is not everywhere an address that can be called. */
const callable = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])

/** The URL to give to people and programs, without a trailing slash. */
export function publicAddress(config: Config, port = config.port): string {
  const name = callable.get(config.host) ?? config.host
  const host = name.includes(':') ? `[${name}]` : name
  return config.publicUrl ?? `http://${host}:${port}`
}
