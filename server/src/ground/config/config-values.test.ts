import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Config, ConfigError, preferOptions, publicAddress, readConfig } from './config.ts'
import { Environment } from './config-variables.ts'

type Variables = Record<string, string>

function refusalOf(environment: Variables): string {
  try {
    readConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).message
  }
  return 'accepted'
}

const embedder = { LOCI_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1', LOCI_EMBEDDINGS_MODEL: 'm' }
const mail = { SMTP_URL: 'smtp://mail.example.com', LOCI_MAIL_FROM: 'loci@example.com' }

describe('a variable', () => {
  test.each(Object.keys(Environment.shape))('%s counts as unset when it is empty', (name) => {
    expect(readConfig({ [name]: '' })).toEqual(readConfig({}))
  })

  test.each(Object.keys(Environment.shape))(
    '%s of the environment is read under its own name only',
    (name) => {
      expect(readConfig({ [name.toLowerCase()]: 'x\u0000' })).toEqual(readConfig({}))
    },
  )

  test.each<[string, number, number, keyof Config, number]>([
    ['PORT', 0, 65_535, 'port', 1],
    ['LOCI_DATABASE_POOL', 1, 1_000, 'databasePool', 1],
    ['LOCI_STATEMENT_TIMEOUT_MS', 0, 86_400_000, 'statementTimeoutMs', 1],
    ['LOCI_LOCK_TIMEOUT_MS', 0, 86_400_000, 'lockTimeoutMs', 1],
    ['LOCI_SHUTDOWN_DELAY', 0, 300, 'shutdownDelayMs', 1_000],
    ['LOCI_HISTORY_DAYS', 1, 36_500, 'historyDays', 1],
    ['LOCI_AUDIT_DAYS', 1, 36_500, 'auditDays', 1],
  ])('%s is a whole number from %d to %d', (name, least, most, field, unit) => {
    for (const value of [least, most]) expect(readConfig({ [name]: String(value) })[field]).toBe(value * unit)
    expect(refusalOf({ [name]: String(most + 1) })).toContain(`${name} must be at most ${most}`)
    if (least > 0) expect(refusalOf({ [name]: '0' })).toContain(`${name} must be at least ${least}`)
    for (const value of ['-1', '1.5', '1e3', ' 5', '5 ', '0x10', 'five', '٥'])
      expect(refusalOf({ [name]: value })).toContain(`${name} must be a whole number`)
    expect(refusalOf({ [name]: '9'.repeat(400) })).toContain(`${name} must be`)
  })

  test.each<[string, keyof Config]>([
    ['LOCI_NAMED_STATEMENTS', 'namedStatements'],
    ['LOCI_WEBHOOKS_ALLOW_PRIVATE', 'webhooksAllowPrivate'],
    ['LOCI_TEST_CLOCK', 'testClock'],
  ])('%s is true or false', (name, field) => {
    const read = (value: string) => readConfig({ [name]: value })[field]
    expect(['true', '1', 'false', '0'].map(read)).toEqual([true, true, false, false])
    for (const value of ['yes', 'on', 'TRUE', '2', ' true'])
      expect(refusalOf({ [name]: value })).toContain(`${name} must be true or false`)
  })

  test.each<[string, string[]]>([
    ['LOCI_BURST_LIMIT', ['on', 'off']],
    ['LOCI_SIGN_UP', ['open', 'invited', 'closed']],
    ['LOCI_SESSION_NETWORKS', ['on', 'off']],
    ['LOCI_CLIENT_DOCUMENTS', ['on', 'off']],
    ['LOCI_LOG_FORMAT', ['text', 'json']],
    ['LOCI_LOG_LEVEL', ['trace', 'debug', 'info', 'warn', 'error', 'silent']],
    ['LOCI_AUDIT_ADDRESSES', ['full', 'masked', 'off']],
    ['LOCI_BILLING', ['sandbox', 'off']],
  ])('%s takes its words and refuses others by naming them', (name, words) => {
    for (const word of words) expect(refusalOf({ [name]: word })).toBe('accepted')
    const refusal = refusalOf({ [name]: 'maybe' })
    expect(refusal).toMatch(new RegExp(`${name} must be `))
    for (const word of words) expect(refusal).toContain(word)
    expect(refusalOf({ [name]: words[0]!.toUpperCase() })).toContain(`${name} must be `)
  })

  test.each([
    ['DATABASE_URL', 'postgres://u:p@host/db', 'mysql://host/db'],
    ['LOCI_URL', 'https://loci.example.com', 'loci.example.com'],
    ['LOCI_MODEL_HUB', 'http://mirror/', 'file:///models'],
    ['STRIPE_API_URL', 'http://127.0.0.1:1', 'ftp://x'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:4318', 'grpc://x'],
  ])('%s is an address such as %s, not %s', (name, good, bad) => {
    expect(refusalOf({ [name]: good })).toBe('accepted')
    for (const value of [bad, 'x', '//host', 'http://'])
      expect(refusalOf({ [name]: value })).toContain(`${name} must be an address that begins with`)
  })

  test.each([
    ['LOCI_SECRET', 'x'.repeat(31), 'x'.repeat(32)],
    ['LOCI_SECRET_OLD', 'x'.repeat(31), 'x'.repeat(32)],
    ['LOCI_METRICS_TOKEN', 'x'.repeat(15), 'x'.repeat(16)],
    ['LOCI_METRICS_TOKEN', `${'x'.repeat(16)} y`, 'x'.repeat(500)],
    ['LOCI_METRICS_TOKEN', 'ä'.repeat(16), '!'.repeat(16)],
    ['OPENAI_API_KEY', 'sk with space', 'sk-proj-x'],
    ['LOCI_CONTACT_EMAIL', 'nobody', 'sales@example.com'],
    ['LOCI_OPERATOR_EMAIL', 'nobody', 'ops@example.com'],
  ])('%s is refused as %j, without being repeated, and accepted as %j (%#)', (name, bad, good) => {
    const refusal = refusalOf({ [name]: bad })
    expect(refusal).toContain(`${name} must be`)
    expect(refusal).not.toContain(bad)
    expect(refusalOf({ [name]: good })).toBe('accepted')
  })

  test('that is wrong is named beside every other that is wrong', () => {
    const refusal = refusalOf({ PORT: 'x', HOST: 'a b', LOCI_SIGN_UP: 'maybe' })
    expect(refusal.split('\n')).toHaveLength(4)
    for (const name of ['PORT', 'HOST', 'LOCI_SIGN_UP']) expect(refusal).toContain(`  ${name} must be`)
  })
})

describe('the address to give to people', () => {
  const addressOf = (environment: Variables) =>
    publicAddress(readConfig({ LOCI_BILLING: 'off', ...environment }))

  test.each([
    [{}, 'http://127.0.0.1:7400'],
    [{ HOST: '::1', PORT: '80' }, 'http://[::1]:80'],
    [{ HOST: '0.0.0.0' }, 'http://127.0.0.1:7400'],
    [{ HOST: '::' }, 'http://[::1]:7400'],
    [{ HOST: 'box.local' }, 'http://box.local:7400'],
    [{ LOCI_PUBLIC_URL: 'https://loci.example.com' }, 'https://loci.example.com'],
    [{ LOCI_PUBLIC_URL: 'https://loci.example.com///' }, 'https://loci.example.com'],
    [{ LOCI_PUBLIC_URL: 'HTTPS://Loci.Example.COM' }, 'https://loci.example.com'],
    [{ LOCI_PUBLIC_URL: 'https://loci.example.com:443' }, 'https://loci.example.com'],
    [{ LOCI_PUBLIC_URL: 'http://10.0.0.5:7400/' }, 'http://10.0.0.5:7400'],
  ])('for %j is %s', (environment, address) => {
    expect(addressOf(environment)).toBe(address)
  })

  test('asks for billing to be settled on https, however that is spelt', () => {
    expect(refusalOf({ LOCI_PUBLIC_URL: 'HTTPS://loci.example.com' })).toContain('LOCI_BILLING must be set')
  })
})

describe('paths', () => {
  test.each([
    ['/var/lib/memory.json', '/var/lib/memory.json'],
    ['~/memory.json', join(homedir(), 'memory.json')],
    ['~', homedir()],
    ['~ada/memory.json', resolve('~ada/memory.json')],
    ['memory.json', resolve('memory.json')],
  ])('of the reference server: %s is %s', (given, path) => {
    expect(readConfig({ MEMORY_FILE_PATH: given }).memoryFile).toBe(path)
  })

  test('of data are absolute', () => {
    expect(readConfig({ LOCI_DATA_DIR: 'data' }).dataDir).toBe(resolve('data'))
    expect(readConfig({}).dataDir).toBe(join(homedir(), '.loci'))
  })
})

describe('the mail server', () => {
  const read = (url: string) => readConfig({ ...mail, SMTP_URL: url }).mail

  test.each([
    ['smtp://mail.example.com', { port: 587, secure: false, requireTls: false, auth: undefined }],
    [
      'smtp://me%40example.com:p%3Ass@mail.example.com',
      {
        host: 'mail.example.com',
        port: 587,
        requireTls: true,
        auth: { user: 'me@example.com', pass: 'p:ss' },
      },
    ],
    ['smtps://mail.example.com', { port: 465, secure: true, auth: undefined }],
    ['smtp://[::1]:25', { host: '::1', port: 25, requireTls: false }],
    ['smtps://mail.example.com:2465', { port: 2_465, secure: true, requireTls: false }],
    ['smtp://me@mail.example.com', { requireTls: true, auth: { user: 'me', pass: '' } }],
    ['smtp://me:p@127.0.0.1', { requireTls: false }],
    ['smtp://me:100%25@mail.example.com', { auth: { user: 'me', pass: '100%' } }],
    ['smtp://me:%C3%BC@mail.example.com/', { auth: { user: 'me', pass: 'ü' } }],
  ])('is read from %s', (url, expected) => {
    expect(read(url)).toMatchObject(expected)
  })

  test.each([
    'smtp://me:100%@mail.example.com',
    'smtp://me:50%zz@mail.example.com',
    'smtp://%ff:secret-word@mail.example.com',
  ])('is refused in a sentence when a percent sign in %s means nothing', (url) => {
    const refusal = refusalOf({ ...mail, SMTP_URL: url })
    expect(refusal).toContain('SMTP_URL')
    expect(refusal).toContain('%25')
    expect(refusal).not.toContain('secret-word')
  })

  test.each(['mail.example.com:587', 'smtp://', 'smtp://host?tls=1', 'smtp://host#x', 'smtp:host'])(
    'is not %s',
    (url) => {
      expect(refusalOf({ ...mail, SMTP_URL: url })).toContain('SMTP_URL must be smtp://')
    },
  )

  test.each([
    ['loci@example.com', { name: '', address: 'loci@example.com' }],
    [' Loci  <loci@example.com>', { name: 'Loci', address: 'loci@example.com' }],
    ['<loci@example.com>', { name: '', address: 'loci@example.com' }],
    ['Löci, Ltd <loci@example.com>', { name: 'Löci, Ltd', address: 'loci@example.com' }],
  ])('sends as %j', (from, sender) => {
    expect(readConfig({ ...mail, LOCI_MAIL_FROM: from }).mail?.from).toEqual(sender)
  })

  test.each([
    'Loci',
    'Loci <loci@example.com> x',
    'a@b',
    'Loci\n<loci@example.com>',
    '"Loci" <l@example.com>',
  ])('does not send as %j', (from) => {
    expect(refusalOf({ ...mail, LOCI_MAIL_FROM: from })).toContain('LOCI_MAIL_FROM must be an address')
  })
})

describe('traces', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318/' }

  test.each<[Variables, object | undefined]>([
    [{}, undefined],
    [{ ...collector, OTEL_TRACES_EXPORTER: 'none' }, undefined],
    [
      collector,
      { url: 'http://127.0.0.1:4318/v1/traces', sampler: 'always_on', share: 1, problem: undefined },
    ],
    [
      { ...collector, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://other/t' },
      { url: 'http://other/t', problem: undefined },
    ],
    [
      { ...collector, OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' },
      { sampler: 'traceidratio', share: 0.25, problem: undefined },
    ],
    [
      { ...collector, OTEL_TRACES_SAMPLER: 'jaeger' },
      { problem: expect.stringContaining('OTEL_TRACES_SAMPLER ') },
    ],
    [{ ...collector, OTEL_TRACES_SAMPLER_ARG: '2' }, { problem: expect.stringContaining('from 0 to 1') }],
    [{ ...collector, OTEL_TRACES_SAMPLER_ARG: 'half' }, { problem: expect.stringContaining('from 0 to 1') }],
    [{ ...collector, OTEL_TRACES_EXPORTER: 'zipkin' }, { problem: expect.stringContaining('otlp or none') }],
    [
      { ...collector, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
      { problem: expect.stringContaining('http/protobuf') },
    ],
  ])('are configured by %j', (environment, expected) => {
    const { tracing } = readConfig(environment)
    if (expected === undefined) expect(tracing).toBeUndefined()
    else expect(tracing).toMatchObject(expected)
  })
})

describe('embeddings', () => {
  test.each([
    ['LOCI_EMBEDDINGS_WEIGHT', '0', { weight: 0 }],
    ['LOCI_EMBEDDINGS_WEIGHT', '4', { weight: 4 }],
    ['LOCI_EMBEDDINGS_DIMENSIONS', '8192', { dimensions: 8_192 }],
    ['LOCI_EMBEDDINGS_WAIT_MS', '10', { waitMs: 10 }],
  ])('take %s=%s', (name, value, expected) => {
    expect(readConfig({ ...embedder, [name]: value }).embeddings).toMatchObject(expected)
  })

  test.each([
    ['LOCI_EMBEDDINGS_WEIGHT', '4.1'],
    ['LOCI_EMBEDDINGS_WEIGHT', '-0.1'],
    ['LOCI_EMBEDDINGS_WEIGHT', ' '],
    ['LOCI_EMBEDDINGS_WEIGHT', 'NaN'],
    ['LOCI_EMBEDDINGS_DIMENSIONS', '8193'],
    ['LOCI_EMBEDDINGS_WAIT_MS', '9'],
    ['LOCI_EMBEDDINGS_WAIT_MS', '10001'],
    ['LOCI_EMBEDDINGS_QUERY_PREFIX', 'x'.repeat(1_001)],
  ])('refuse %s=%j', (name, value) => {
    expect(refusalOf({ ...embedder, [name]: value })).toContain(name)
  })

  test('from a folder are known by its name, and need nothing else', () => {
    const { embeddings } = readConfig({ LOCI_EMBEDDINGS_DIR: '/models/e5' })
    expect(embeddings?.source).toEqual({ dir: '/models/e5' })
  })
})

describe('the seller on invoices', () => {
  const read = (environment: Variables) =>
    readConfig({ LOCI_INVOICE_NAME: 'Example Ltd', ...environment }).seller

  test('has an address of up to six lines, without blank ones', () => {
    expect(read({ LOCI_INVOICE_ADDRESS: ' a \\n\\n b\r\nc' })?.address).toEqual(['a', 'b', 'c'])
    expect(read({ LOCI_INVOICE_ADDRESS: 'a\\nb\\nc\\nd\\ne\\nf' })?.address).toHaveLength(6)
    expect(read({})).toEqual({ name: 'Example Ltd', address: [], taxId: undefined, email: undefined })
  })

  test.each([
    { LOCI_INVOICE_NAME: 'x'.repeat(129) },
    { LOCI_INVOICE_TAX_ID: 'x'.repeat(65) },
    { LOCI_INVOICE_ADDRESS: 'x'.repeat(501) },
    { LOCI_INVOICE_EMAIL: 'nobody' },
  ])('is refused beyond its bounds (%#)', (change) => {
    expect(refusalOf({ LOCI_INVOICE_NAME: 'Example Ltd', ...change })).toContain(Object.keys(change)[0])
  })
})

test.each([
  [{ port: '' }, '--port needs a value'],
  [{ host: '' }, '--host needs a value'],
  [{ dataDir: '' }, '--data-dir needs a value'],
])('the option %j without a value is refused', (options, message) => {
  expect(() => preferOptions(options)).toThrow(message)
})
