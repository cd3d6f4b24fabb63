import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRestClient, type RestClient } from '@loci/client/rest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Config } from '../src/ground/config/config.ts'
import { execLociInProcess } from './command-in-process.ts'
import { testConfig } from './harness.ts'
import { type CommandEnd, runLoci } from './loci-command.ts'
import { startServerProcess } from './server-process.ts'

const main = join(import.meta.dirname, '../bin/loci.js')
const person = { email: 'ada@example.com', password: 'correct horse battery', firstName: 'A', lastName: 'L' }

/** What nobody has accepted before the backups. */
const proposed = 'Zzyzzxq'

let dir: string
let config: Config
let remove: () => Promise<void>
let apiKey: string
/** Entities stored before the backups began. */
let stored: string[]

const place = (name: string) => join(dir, name)

const environmentOf = (dataDir: string) => ({ LOCI_DATA_DIR: dataDir, DATABASE_URL: '' })

/** As a program of its own; the others share ours. */
async function program(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const end = await runLoci(args, { env: { ...environmentOf(dataDir), ...env } })
  expect(end).toMatchObject({ code: 0, stderr: '' })
  return end
}

const loci = (dataDir: string, args: string[], env: Record<string, string> = {}) =>
  execLociInProcess(args, { env: { ...environmentOf(dataDir), ...env } })

const failure = (run: Promise<unknown>) =>
  run.then(
    () => 'it did not fail',
    (error: CommandEnd) => error.stderr,
  )

/** Creates and deletes entities until `isOver` returns true, so that no plan's limit is reached. */
async function keepWriting(rest: RestClient, isOver: () => boolean): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const { entity } = await rest.createEntity({ body: { name: `Meanwhile ${i}`, type: 'thing' } })
    await rest.deleteEntity({ params: { id: entity.id } })
  }
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'loci-backup-'))
  ;({ config, remove } = await testConfig('sqlite'))
  const server = await startServerProcess(config)
  const { token, user } = await createRestClient({ baseUrl: server.url }).register({ body: person })
  apiKey = user.apiKey!
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  stored = Array.from({ length: 40 }, (_, i) => `Before ${i}`)
  for (const name of stored)
    await rest.createEntity({ body: { name, type: 'thing', observations: ['x'.repeat(2_000)] } })
  const { apiKey: proposing } = await rest.createKey({ body: { name: 'codex', writes: 'propose' } })
  await createRestClient({ baseUrl: server.url, token: () => proposing }).createEntity({
    body: { name: proposed, type: 'rumour', observations: [`${proposed} is rumoured`] },
  })
  writeFileSync(place('passphrase'), 'from a file\n')
  let isOver = false
  const backUp = async () => {
    await program(config.dataDir, ['backup', place('plain')])
    await program(config.dataDir, ['backup', place('encrypted'), '--encrypt'], {
      LOCI_BACKUP_PASSPHRASE: 'open sesame',
    })
    await program(config.dataDir, ['backup', place('by-file'), '--passphrase-file', place('passphrase')])
  }
  await Promise.all([keepWriting(rest, () => isOver), backUp().finally(() => (isOver = true))])
  await server.stop()
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
  await remove()
})

/** Starts a server on a restored directory and checks that everything is there. */
async function expectAda(dataDir: string): Promise<void> {
  expect((await loci(dataDir, ['check'])).stdout).toBe('No differences found.\n')
  const server = await startServerProcess({ ...config, dataDir })
  const { user, token } = await createRestClient({ baseUrl: server.url }).login({ body: person })
  expect(user.apiKey).toBe(apiKey)
  const rest = createRestClient({ baseUrl: server.url, token: () => token })
  const text = await (await rest.export({ query: { format: 'mcp-memory' } })).text()
  // Answers repeat questions, so they ask for the word beside it.
  const asked = { query: 'rumoured' }
  const answers = [
    await rest.listEntities({ query: asked }),
    await rest.searchObservations({ query: asked }),
    await rest.listChanges(),
  ]
  const { proposals } = await rest.listProposals()
  await server.stop()
  for (const name of stored) expect(text).toContain(`"${name}"`)
  // What waited for a review waits still, and is told to its reviewers alone.
  expect((text + JSON.stringify(answers)).includes(proposed)).toBe(false)
  expect(proposals.map(({ status, changes }) => [status, changes[0]?.subject.name])).toEqual([
    ['open', proposed],
  ])
}

describe('a backup', () => {
  test('contains database and secret, and is restored with both', async () => {
    expect(execFileSync('tar', ['tf', place('plain')], { encoding: 'utf8' })).toBe(
      'manifest.json\nsecret\nloci.db\n',
    )
    expect((await program(place('one'), ['restore', place('plain')])).stdout).toContain('Start the server.')
    expect(
      readdirSync(place('one'))
        .filter((name) => !name.includes('.lock'))
        .sort(),
    ).toEqual(['loci.db', 'secret'])
    for (const name of ['loci.db', 'secret'])
      expect(statSync(join(place('one'), name)).mode & 0o777).toBe(0o600)
    await expectAda(place('one'))
  })

  test('that is encrypted reveals nothing, and is restored with its passphrase', async () => {
    const bytes = readFileSync(place('encrypted'))
    expect(bytes.toString('latin1', 0, 40)).toMatch(/^age-encryption.org\/v1\n-> scrypt /)
    for (const word of ['manifest.json', 'Before 1', 'SQLite format'])
      expect(bytes.includes(word)).toBe(false)
    const refused = await failure(
      loci(place('two'), ['restore', place('encrypted')], { LOCI_BACKUP_PASSPHRASE: 'no' }),
    )
    expect(refused).toMatch(/was not restored: The passphrase is wrong\n$/)
    expect(await failure(loci(place('two'), ['restore', place('encrypted')]))).toMatch(
      /A passphrase is needed/,
    )
    await loci(place('two'), ['restore', place('encrypted')], { LOCI_BACKUP_PASSPHRASE: 'open sesame' })
    await expectAda(place('two'))
    await loci(place('three'), ['restore', place('by-file'), '--passphrase-file', place('passphrase')])
  })

  test.each(['plain', 'encrypted'])(
    'that lacks its end or was changed is refused whole (%s)',
    async (name) => {
      const env = { LOCI_BACKUP_PASSPHRASE: 'open sesame' }
      const copy = place(`${name}-copy`)
      const { size } = statSync(place(name))
      const damages = [
        () => truncateSync(copy, size - 700),
        () => truncateSync(copy, Math.floor(size / 2)),
        () => {
          const bytes = readFileSync(copy)
          bytes[Math.floor(size / 2)]! ^= 1
          writeFileSync(copy, bytes)
        },
      ]
      for (const damage of damages) {
        cpSync(place(name), copy)
        damage()
        const words = await failure(loci(place('four'), ['restore', copy], env))
        expect(words).toMatch(/^[^\n]* was not restored: (its end is missing|it is damaged)[^\n]*\n$/)
        expect(existsSync(place('four'))).toBe(false)
      }
      writeFileSync(copy, 'no archive')
      expect(await failure(loci(place('four'), ['restore', copy], env))).toMatch(/its end is missing/)
    },
  )

  test('is not written to standard output, nor to a file called -', async () => {
    expect(await failure(loci(config.dataDir, ['backup', '-']))).toMatch(/not written to standard output/)
    expect(existsSync('-')).toBe(false)
  })

  test('is not restored over anything, nor under a running server', async () => {
    const full = place('full')
    mkdirSync(full, { mode: 0o700 })
    writeFileSync(join(full, 'secret'), 'of somebody')
    expect(await failure(loci(full, ['restore', place('plain')]))).toMatch(/full is not empty/)
    expect(readFileSync(join(full, 'secret'), 'utf8')).toBe('of somebody')
    const server = await startServerProcess(config)
    expect(await failure(loci(config.dataDir, ['restore', place('plain')]))).toMatch(/already running/)
    await server.stop()
  })

  test('whose restore was interrupted is restored again, and nothing starts before that', async () => {
    const half = place('half')
    mkdirSync(join(half, 'restore.part'), { recursive: true, mode: 0o700 })
    writeFileSync(join(half, 'secret'), 'moved in, the database not yet')
    expect(await failure(loci(half, ['user', 'list']))).toMatch(/A restore into .* was interrupted/)
    await loci(half, ['restore', place('plain')])
    expect((await loci(half, ['user', 'list'])).stdout).toContain(person.email)
  })

  test.each([
    ['is copied', () => join(config.dataDir, 'backup.loci.part')],
    ['is written', () => place('ended.loci.part')],
  ])('that is ended by a signal while it %s leaves nothing behind', async (_when, part) => {
    const env = { ...process.env, LOCI_DATA_DIR: config.dataDir, DATABASE_URL: '' }
    const child = spawn(process.execPath, [main, 'backup', place('ended'), '--encrypt'], {
      env: { ...env, LOCI_BACKUP_PASSPHRASE: 'x' },
      stdio: 'ignore',
    })
    const exited = once(child, 'exit')
    while (!existsSync(part()) && child.exitCode === null)
      await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGTERM')
    expect((await exited)[0]).toBe(128 + constants.signals.SIGTERM)
    const left = [...readdirSync(config.dataDir), ...readdirSync(dir)]
    expect(left.filter((name) => name.includes('.part'))).toEqual([])
  })
})
