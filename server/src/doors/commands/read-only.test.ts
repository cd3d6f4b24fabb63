import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listenOn, type Person, testConfig } from '../../../test/harness.ts'
import { openContext } from '../../open-context.ts'

const main = join(import.meta.dirname, '../../../bin/loci.js')
/** Root can write everywhere, so the commands then run as another user. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

let directory: string
/** What it was while a server used it. */
let inUse: string
let target: string
let person: Person
let remove: () => Promise<void>

beforeAll(async () => {
  const made = await testConfig('sqlite')
  remove = made.remove
  directory = made.config.dataDir
  const server = await listenOn(await openContext(made.config, pino({ level: 'silent' })))
  person = await server.signUp()
  await person.rest.createEntity({ body: { name: 'Ada', type: 'person', observations: ['Plays chess'] } })
  target = mkdtempSync(join(tmpdir(), 'loci-target-'))
  inUse = join(target, 'in-use')
  cpSync(directory, inUse, { recursive: true })
  await server.close()
  lock(directory)
  lock(inUse)
})
afterAll(async () => {
  chmodSync(directory, 0o700)
  chmodSync(inUse, 0o700)
  rmSync(target, { recursive: true, force: true })
  await remove()
})

/** Leaves a directory and its files readable only, by the user of the commands. */
function lock(locked: string): void {
  const paths = [...readdirSync(locked).map((name) => join(locked, name)), locked, target]
  for (const path of paths) {
    if (nobody.uid !== undefined) chownSync(path, nobody.uid, nobody.gid)
    if (path !== target) chmodSync(path, path === locked ? 0o500 : 0o400)
  }
}

function loci(...args: string[]) {
  const env = { ...process.env, LOCI_DATA_DIR: directory, DATABASE_URL: '', HOME: target }
  return promisify(execFile)(process.execPath, [main, ...args], { env, cwd: target, ...nobody })
}

test.skipIf(process.platform === 'win32').each([
  ['check', /No differences found/],
  ['user list', /alice-/],
  ['account list', /alice-/],
  ['space list', /SPACE|Default|default/i],
  ['export -', /Plays chess/],
  ['embeddings status', /./],
])(
  '"loci %s" works on a directory that cannot be written',
  async (command, output) => {
    const before = readdirSync(directory)
    const { stdout } = await loci(...command.split(' '))
    expect(stdout).toMatch(output)
    expect(readdirSync(directory)).toEqual(before)
  },
  60_000,
)

test.skipIf(process.platform === 'win32')(
  'so do the lists of one account, and a backup',
  async () => {
    await loci('key', 'list', person.email)
    await loci('connections', 'list', person.email)
    const backup = join(target, 'memory.backup')
    await loci('backup', backup)
    const restored = join(target, 'restored')
    mkdirSync(restored, { mode: 0o700 })
    if (nobody.uid !== undefined) chownSync(restored, nobody.uid, nobody.gid)
    const env = { ...process.env, LOCI_DATA_DIR: restored, DATABASE_URL: '' }
    await promisify(execFile)(process.execPath, [main, 'restore', backup], { env, ...nobody })
    const { stdout } = await promisify(execFile)(process.execPath, [main, 'export', '-'], { env, ...nobody })
    expect(stdout).toContain('Plays chess')
  },
  90_000,
)

test.skipIf(process.platform === 'win32')(
  'a command that writes is refused there, in words',
  async () => {
    const refused = { stderr: expect.stringMatching(/^The data directory .* is not writable/) }
    await expect(loci('user', 'create', 'bob@example.com')).rejects.toMatchObject(refused)
  },
  60_000,
)

test.skipIf(process.platform === 'win32')(
  'a file whose log was left behind is not read in part',
  async () => {
    chmodSync(directory, 0o700)
    const log = join(directory, 'loci.db-wal')
    writeFileSync(log, 'commits')
    lock(directory)
    const refused = { stderr: expect.stringMatching(/was not closed.*Copy both/) }
    await expect(loci('user', 'list')).rejects.toMatchObject(refused)
    chmodSync(directory, 0o700)
    rmSync(log)
  },
  60_000,
)

test.skipIf(process.platform === 'win32').each([
  ['check', /No differences found/],
  ['export -', /Plays chess/],
])(
  '"loci %s" reads a copy of a directory in use with its log',
  async (command, output) => {
    const { stdout } = await loci(...command.split(' '), '--data-dir', inUse)
    expect(stdout).toMatch(output)
  },
  60_000,
)

test.skipIf(process.platform === 'win32')(
  'a directory that this user may not open is not taken for an empty one',
  async () => {
    const closed = join(target, 'closed')
    mkdirSync(closed, { mode: 0 })
    const refused = { stderr: expect.stringMatching(/^The data directory .* cannot be read: EACCES/) }
    await expect(loci('check', '--data-dir', closed)).rejects.toMatchObject(refused)
  },
  60_000,
)
