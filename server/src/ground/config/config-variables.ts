import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { webAppFolder } from '../lib/placement.ts'
import { billingVariables } from './config-billing.ts'
import { invoiceVariables } from './config-invoices.ts'
import { mailVariables } from './config-mail.ts'
import { trustedProxies } from './config-proxies.ts'

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(
      // `error` is for more digits than a number can have.
      z
        .number({ error: `must be at most ${max}` })
        .min(min, `must be at least ${min}`)
        .max(max, `must be at most ${max}`),
    )

const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'must be true or false' })
  .transform((value) => value === 'true' || value === '1')

const url = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be an address that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    abort: true,
  })

/** The web app and the API are at the root of their host, so a URL with a path is refused. */
const publicUrl = url(['http:', 'https:'])
  .refine(
    (value) => {
      const { pathname, search, hash, username, password } = new URL(value)
      return /^\/*$/.test(pathname) && `${search}${hash}${username}${password}` === ''
    },
    {
      error:
        'must end after the host and port: Loci cannot be served below a path, so give it a host name of its own',
    },
  )
  .transform((value) => new URL(value).origin)

/** Maximum number of dimensions. */
const vectorDimensionsMax = 8_192

/** Every variable that the program reads. `loci serve --help` and docs/configuration.md show its description. */
export const Environment = z.object({
  PORT: wholeNumber(0, 65_535).default(7400).describe('port to listen on; 0 picks a free one'),
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/, 'must be a name or an address of this machine, without a port')
    .default('127.0.0.1')
    .describe('address to listen on; 0.0.0.0 is open to the network'),
  LOCI_DATA_DIR: z
    .string()
    .default(join(homedir(), '.loci'))
    .describe("directory of the database, the secret and the running server's lock"),
  DATABASE_URL: url(['postgres:', 'postgresql:'])
    .optional()
    .describe('PostgreSQL 15 or newer (UTF8), in place of the file in the data directory'),
  LOCI_NAMED_STATEMENTS: flag
    .default(true)
    .describe(
      'named statements on PostgreSQL; false behind poolers without them (PgBouncer in transaction mode before 1.21, or with `max_prepared_statements` 0)',
    ),
  LOCI_DATABASE_POOL: wholeNumber(1, 1_000)
    .default(10)
    .describe('connections of a process to PostgreSQL, at most'),
  LOCI_STATEMENT_TIMEOUT_MS: wholeNumber(0, 86_400_000)
    .default(60_000)
    .describe('longest statement on PostgreSQL; 0: no limit'),
  LOCI_LOCK_TIMEOUT_MS: wholeNumber(0, 86_400_000)
    .default(30_000)
    .describe('longest wait for a lock of PostgreSQL; 0: no limit'),
  LOCI_SECRET: z
    .string()
    .min(32, 'must be at least 32 characters long')
    .optional()
    .describe(
      'master secret, at least 32 characters; unset: generated in the data directory; with `DATABASE_URL` required, the same in every process',
    ),
  LOCI_SECRET_OLD: z
    .string()
    .min(32, 'must be at least 32 characters long')
    .optional()
    .describe('the previous master secret, during a change (below)'),
  LOCI_BACKUP_PASSPHRASE: z
    .string()
    .optional()
    .describe('for `loci backup --encrypt` and `loci restore`; unset: asked for'),
  LOCI_SHUTDOWN_DELAY: wholeNumber(0, 300)
    .default(0)
    .describe('seconds that a stopping server goes on, with `/readyz` at 503, for load balancers to notice'),
  LISTEN_FDS: wholeNumber(0, 64)
    .optional()
    .describe('set by systemd with `loci.socket`, whose socket replaces HOST and PORT'),
  LISTEN_PID: wholeNumber(1, 2 ** 31)
    .optional()
    .describe('set by systemd: the process that the socket is for'),
  LOCI_PUBLIC_URL: publicUrl
    .optional()
    .describe('address that people and agents use, https except on a trusted network; unset: HOST and PORT'),
  LOCI_TRUST_PROXY: trustedProxies
    .default(false)
    .describe(
      'whose `X-Forwarded-*` counts: the number of proxies in front, or their addresses and networks (below)',
    ),
  LOCI_BURST_LIMIT: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe("`off` lifts the limit on an account's time and bytes"),
  LOCI_SIGN_UP: z
    .enum(['open', 'invited', 'closed'], { error: 'must be open, invited or closed' })
    .default('open')
    .describe('`open`, `invited` (people with an invitation) or `closed`; `loci user create` always works'),
  LOCI_SESSION_NETWORKS: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('off')
    .describe('`on` shows people the network of each session, such as 203.0.113.0/24'),
  LOCI_CLIENT_DOCUMENTS: z
    .enum(['on', 'off'], { error: 'must be on or off' })
    .default('on')
    .describe('`off` on a server without internet: chat clients register themselves'),
  LOCI_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'must be one word of at least 16 plain characters')
    .optional()
    .describe('token for `GET /metrics`, at least 16 characters; unset: no metrics'),
  LOCI_LOG_FORMAT: z
    .enum(['text', 'json'], { error: 'must be text or json' })
    .optional()
    .describe('`text` or `json`; unset: text on a terminal, JSON elsewhere'),
  LOCI_LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'], {
      error: 'must be trace, debug, info, warn, error or silent',
    })
    .default('info')
    .describe('trace, debug, info, warn, error or silent'),
  OTEL_EXPORTER_OTLP_ENDPOINT: url(['http:', 'https:'])
    .optional()
    .describe('OpenTelemetry collector for traces over HTTP, such as `http://127.0.0.1:4318`'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url(['http:', 'https:'])
    .optional()
    .describe('the same for traces alone, with its path'),
  OTEL_EXPORTER_OTLP_PROTOCOL: z.string().default('http/protobuf').describe('the only supported value'),
  OTEL_TRACES_EXPORTER: z
    .string()
    .optional()
    .describe('`none` turns traces off; unset: `otlp` if there is a collector'),
  OTEL_TRACES_SAMPLER: z
    .string()
    .default('parentbased_always_on')
    .describe('also `always_on`, `always_off`, `traceidratio`, and each with the prefix `parentbased_`'),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional().describe('share for `traceidratio`, from 0 to 1'),
  ...billingVariables,
  STRIPE_AUTOMATIC_TAX: flag.default(true).describe('false while Stripe Tax is not set up'),
  STRIPE_API_URL: url(['http:', 'https:']).optional().describe("another server in Stripe's place, for tests"),
  ...invoiceVariables,
  ...mailVariables,
  LOCI_WEB_DIR: z
    .string()
    .refine((value) => existsSync(join(value, 'index.html')), {
      error: 'must be a folder with index.html, the built web app',
    })
    .default(webAppFolder)
    .describe('the built web app'),
  LOCI_CONTACT_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe("recipient of 'Contact Sales'"),
  LOCI_OPERATOR_EMAIL: z
    .email('must be an e-mail address')
    .optional()
    .describe('who is told of disputed payments; unset: only logged'),
  LOCI_HISTORY_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe('days that earlier versions are kept; unset: forever'),
  LOCI_RECALL_DAYS: wholeNumber(0, 3_650)
    .default(30)
    .describe("days that agents' questions are kept; 0: not kept"),
  LOCI_CONVERSATION_DAYS: wholeNumber(1, 36_500)
    .optional()
    .describe('days that conversations are kept after their last turn; unset: forever'),
  LOCI_AUDIT_DAYS: wholeNumber(1, 36_500).default(365).describe('days that the audit log keeps an event'),
  LOCI_AUDIT_ADDRESSES: z
    .enum(['full', 'masked', 'off'], { error: 'must be full, masked or off' })
    .default('masked')
    .describe('addresses in the audit log: `full`, `masked` (the /24 of IPv4, the /48 of IPv6) or `off`'),
  LOCI_WEBHOOKS_ALLOW_PRIVATE: flag
    .default(false)
    .describe('whether webhooks may go to private addresses and over plain http'),
  LOCI_EMBEDDINGS_URL: url(['http:', 'https:'])
    .refine((value) => new URL(value).password === '' && new URL(value).username === '', {
      error: 'must not contain a password; LOCI_EMBEDDINGS_KEY takes the key',
    })
    .optional()
    .describe(
      "base URL of a server with OpenAI's `/embeddings`, such as `http://127.0.0.1:11434/v1` (Ollama)",
    ),
  LOCI_EMBEDDINGS_MODEL: z
    .string()
    .optional()
    .describe('model of that server, such as `nomic-embed-text` or `text-embedding-3-small`'),
  LOCI_EMBEDDINGS_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be one word of plain characters')
    .optional()
    .describe('bearer token for that server'),
  LOCI_EMBEDDINGS_DIR: z
    .string()
    .optional()
    .describe('instead of a server: a folder with an ONNX model (below)'),
  LOCI_EMBEDDINGS_DIMENSIONS: wholeNumber(1, vectorDimensionsMax)
    .optional()
    .describe('dimensions, if the model supports fewer than it has'),
  LOCI_EMBEDDINGS_QUERY_PREFIX: z
    .string()
    .max(1_000)
    .optional()
    .describe('what the model expects before a question, such as `query: `'),
  LOCI_EMBEDDINGS_PASSAGE_PREFIX: z
    .string()
    .max(1_000)
    .optional()
    .describe('what it expects before a text, such as `passage: `'),
  LOCI_EMBEDDINGS_WAIT_MS: wholeNumber(10, 10_000)
    .optional()
    .describe("milliseconds that a search waits for its question's vector; 300"),
  LOCI_EMBEDDINGS_WEIGHT: z
    .string()
    .regex(/^\d*\.?\d+$/, 'must be a number from 0 to 4')
    .transform(Number)
    .pipe(z.number().max(4, 'must be a number from 0 to 4'))
    .optional()
    .describe('weight of vectors beside 1 for words; unset: 1.2 for models known to be strong, else 0.6'),
  LOCI_WORD_VECTORS: flag
    .default(true)
    .describe('whether searches weigh common English words less and compare meanings'),
  LOCI_MODEL_HUB: url(['http:', 'https:'])
    .default('https://huggingface.co')
    .describe('where `loci embeddings use local` downloads models'),
  OPENAI_API_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, 'must be one word of plain characters')
    .optional()
    .describe('for `loci embeddings use openai`'),
  LOCI_PASSWORD: z.string().optional().describe('for `loci user create` and `reset-password`'),
  LOCI_URL: url(['http:', 'https:']).optional().describe('for `loci mcp`: the server to talk to'),
  LOCI_API_KEY: z.string().optional().describe('for `loci mcp`: whose memory it is'),
  MEMORY_FILE_PATH: z
    .string()
    .optional()
    .describe("for `loci mcp`: the reference memory server's file, imported once into an empty memory"),
})
export type Environment = z.output<typeof Environment>
