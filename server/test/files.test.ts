import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../src/ground/config/config.ts'
import { startServerProcess } from './server-process.ts'

const main = join(import.meta.dirname, '../bin/loci.js')
let dir: string
let dataDir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'loci-files-'))
  dataDir = join(dir, 'data')
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const environment = (place: string) => ({ ...process.env, LOCI_DATA_DIR: place, DATABASE_URL: '' })

/** As from the shell of a user whose umask shares everything. */
function loci(args: string[], place = dataDir) {
  const shell = `umask 000; exec "$0" "$@"`
  return promisify(execFile)('sh', ['-c', shell, process.execPath, main, ...args], {
    env: environment(place),
    timeout: 120_000,
  })
}

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

/** Makes the memory if it is not there. */
const makeUser = ['user', 'create', 'ada@example.com']

/** More than a pipe holds. */
async function storeMuch() {
  const line = (i: number) =>
    JSON.stringify({ type: 'entity', name: `Entity ${i}`, entityType: 'x', observations: ['y'.repeat(900)] })
  const file = join(dir, 'much.jsonl')
  writeFileSync(file, Array.from({ length: 800 }, (_, i) => line(i)).join('\n'))
  await loci(['import', file])
}

describe.skipIf(process.platform === 'win32')('files', () => {
  test('are for their owner alone, whatever the umask', async () => {
    await loci(makeUser)
    await loci(['export', join(dir, 'export.jsonl')])
    expect(modeOf(dataDir)).toBe('700')
    expect(modeOf(join(dir, 'export.jsonl'))).toBe('600')
    const server = await startServerProcess({ ...readConfig({}), databaseUrl: undefined, dataDir })
    const modes = readdirSync(dataDir).map((name) => [name, modeOf(join(dataDir, name))])
    await server.stop()
    expect(modes.map(([name]) => name)).toEqual(expect.arrayContaining(['loci.db', 'loci.db-wal', 'secret']))
    // To execute a socket means nothing, and it is there only once the server answers hooks.
    const allowed = (name: string | undefined) => (name === 'hooks.sock' ? '700' : '600')
    expect(modes.filter(([name, mode]) => mode !== allowed(name))).toEqual([])
  })

  test('that were open to others are closed', async () => {
    await loci(makeUser)
    chmodSync(dataDir, 0o755)
    for (const name of readdirSync(dataDir)) chmodSync(join(dataDir, name), 0o644)
    await loci(['user', 'list'])
    expect(modeOf(dataDir)).toBe('700')
    expect(['loci.db', 'secret'].map((name) => modeOf(join(dataDir, name)))).toEqual(['600', '600'])
  })

  test('of other users in an open data directory are a reason to refuse', async () => {
    mkdirSync(dataDir)
    chmodSync(dataDir, 0o755)
    writeFileSync(join(dataDir, 'holiday.jpg'), '')
    const refusal = (words: RegExp) => ({ code: 1, stderr: expect.stringMatching(words) })
    const ownDirectory =
      /^Others on this machine can open .*\(mode 755\).* directory of its own, such as \S+\/loci:/
    await expect(loci(makeUser)).rejects.toMatchObject(refusal(ownDirectory))
    writeFileSync(join(dataDir, 'loci.db'), '')
    await expect(loci(makeUser)).rejects.toMatchObject(refusal(/chmod 700/))
    rmSync(join(dataDir, 'loci.db'))
    chmodSync(dataDir, 0o1777)
    await expect(loci(makeUser)).rejects.toMatchObject({
      code: 1,
      stderr: expect.not.stringMatching(/chmod/),
    })
    chmodSync(dataDir, 0o755)
    await expect(loci(makeUser)).rejects.toMatchObject({ code: 1 })
    expect(modeOf(dataDir)).toBe('755')
    await loci(makeUser, join(dataDir, 'loci'))
    expect(modeOf(join(dataDir, 'loci'))).toBe('700')
  })

  test('are not left behind by an aborted export', async () => {
    await storeMuch()
    execFileSync('mkfifo', [join(dir, 'never-read')])
    const abandoned = join(dir, 'earlier.jsonl.loci.part')
    writeFileSync(abandoned, '')
    execFileSync('touch', ['-d', '1 hour ago', abandoned])
    writeFileSync(join(dir, 'under-way.jsonl.loci.part'), '')
    await loci(['export', join(dir, 'export.jsonl')])
    expect(existsSync(abandoned)).toBe(false)
    expect(existsSync(join(dir, 'under-way.jsonl.loci.part'))).toBe(true)
  })
})

describe('a data directory', () => {
  test.skipIf(process.platform !== 'linux')('cannot be where nothing can be made', async () => {
    for (const place of ['/proc/loci', '/dev/null/loci', '/proc/1/loci/deep']) {
      await expect(loci(makeUser, place)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(new RegExp(`^The data directory ${place} cannot be made: [^\\n]*\\n$`)),
      })
    }
  })

  test('says what is wrong with its lock', async () => {
    await loci(makeUser)
    const lock = join(dataDir, 'server.lock')
    writeFileSync(
      lock,
      'not a lock, but a text that is as long as the header of a database would be'.repeat(2),
    )
    const refused = { code: 1, stderr: expect.stringMatching(/server.lock cannot be locked: .*delete it/) }
    await expect(loci(['serve'])).rejects.toMatchObject(refused)
    rmSync(lock)
    mkdirSync(lock)
    const unusable = {
      code: 1,
      stderr: expect.stringMatching(/server.lock cannot be locked: unable to open/),
    }
    await expect(loci(['serve'])).rejects.toMatchObject(unusable)
  })
})

test('an export ends quietly if its reader stops early', async () => {
  await storeMuch()
  const child = spawn(process.execPath, [main, 'export'], {
    env: environment(dataDir),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (data) => {
    complaints += data
  })
  await once(child.stdout, 'data')
  child.stdout.destroy()
  const [code] = await once(child, 'close')
  expect([code, complaints]).toEqual([0, ''])
})
