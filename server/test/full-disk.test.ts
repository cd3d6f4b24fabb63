import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createRestClient } from '@loci/client/rest'
import { afterAll, expect, test } from 'vitest'
import { tryLockDirectory } from '../src/ground/directory-lock.ts'
import { startTestServer, testConfig } from './harness.ts'
import { runLoci } from './loci-command.ts'
import { startServerProcess } from './server-process.ts'
import { fillDataDirectory } from './sqlite-template.ts'

const checkpointMs = 500

/** A small in-memory disk for each test; none if this user cannot mount one. */
const size = 'size=64m'
const disks = [smallDisk(size), smallDisk(size), smallDisk('size=1m,nr_inodes=3'), smallDisk(size)].filter(
  (disk) => disk !== undefined,
)
const isMounted = disks.length === 4

function smallDisk(options: string): string | undefined {
  const disk = mkdtempSync(join(tmpdir(), 'loci-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', disk], { stdio: 'ignore' })
    return disk
  } catch {
    rmSync(disk, { recursive: true })
    return undefined
  }
}

afterAll(() => {
  for (const disk of disks) {
    execFileSync('umount', [disk])
    rmSync(disk, { recursive: true, force: true })
  }
})

test.skipIf(!isMounted)(
  'on a full disk people can sign in and delete, and others wait until there is space',
  async () => {
    const disk = disks[0]!
    // Larger than the server's reserve: deleting it frees space whatever was written meanwhile.
    const ballast = join(disk, 'ballast')
    writeFileSync(ballast, Buffer.alloc(24 * 1024 * 1024, 1))
    const server = await startTestServer('sqlite', { dataDir: join(disk, 'data') })
    try {
      expect(await server.ctx.dialect.reserveDisk()).toBe(true)
      const { rest, token, email, password } = await server.signUp()
      const metadata = { text: 'y'.repeat(60_000) }
      const create = (name: string) => rest.createEntity({ body: { name, type: 'thing', metadata } })
      const stored: { id: string; name: string }[] = []
      const refused = {
        status: 503,
        code: 'database_unavailable',
        message: expect.stringMatching(/disk .* full/),
      }
      const fill = async () => {
        for (;;) stored.push((await create(`Entity ${stored.length}`)).entity)
      }
      let before: number
      do {
        before = stored.length
        await expect(fill()).rejects.toMatchObject(refused)
        // A checkpoint still in progress frees space in the write-ahead log.
        await setTimeout(checkpointMs)
      } while (stored.length > before)
      expect(stored.length).toBeGreaterThan(50)

      const session = await server.anonymous.login({ body: { email, password } })
      await rest.deleteEntity({ params: { id: stored.pop()!.id } })
      // A checkpoint may have freed space for a few writes; afterwards the disk is full again.
      await expect(fill()).rejects.toMatchObject(refused)
      for (const { id } of stored.splice(-5)) await rest.deleteEntity({ params: { id } })
      expect((await server.call('GET', '/auth/me', { token: session.token })).status).toBe(200)
      expect((await rest.listEntities({ query: {} })).total).toBe(stored.length)

      rmSync(ballast)
      await expect.poll(() => create('Room again').then(() => 'stored', String)).toBe('stored')
      expect((await server.call('POST', '/auth/logout', { token })).status).toBe(204)
    } finally {
      await server.close()
    }
  },
)

test.skipIf(!isMounted)('a server starts on a full disk, and lets people sign in and delete', async () => {
  const { config: anywhere, remove } = await testConfig('sqlite')
  const disk = disks[1]!
  const config = { ...anywhere, dataDir: join(disk, 'data') }
  const fill = join(disk, 'fill')
  const first = await startServerProcess(config)
  const client = createRestClient({ baseUrl: first.url })
  const person = { email: 'ada@example.com', password: 'a long enough word' }
  const { user } = await client.register({ body: { ...person, firstName: 'A', lastName: 'L' } })
  const restAt = (baseUrl: string) => createRestClient({ baseUrl, token: () => user.apiKey! })
  const { entity } = await restAt(first.url).createEntity({ body: { name: 'Ada', type: 'person' } })
  expect(await first.stop()).toBe(0)
  expect(() => writeFileSync(fill, Buffer.alloc(96 * 1024 * 1024, 1))).toThrow('ENOSPC')
  const second = await startServerProcess(config)
  try {
    await createRestClient({ baseUrl: second.url }).login({ body: person })
    const rest = restAt(second.url)
    await expect(rest.createEntity({ body: { name: 'Bob', type: 'person' } })).rejects.toMatchObject({
      code: 'database_unavailable',
      message: expect.stringMatching(/disk .* full/),
    })
    await rest.deleteEntity({ params: { id: entity.id } })
    expect((await rest.listEntities({ query: {} })).total).toBe(0)
  } finally {
    await second.stop()
    rmSync(fill)
    await remove()
  }
})

test.skipIf(!isMounted)('an import that fills the disk ends with a sentence, and goes on later', async () => {
  const disk = disks[3]!
  const [file, fill] = [join(disk, 'memory.jsonl'), join(disk, 'fill')]
  const env = { LOCI_DATA_DIR: join(disk, 'data'), DATABASE_URL: '' }
  const observations = Array.from({ length: 200 }, (_, i) => `Fact ${i}, and ${'words '.repeat(40)}`)
  const entities = Array.from({ length: 40 }, (_, i) => ({
    type: 'entity',
    name: `Entity ${i}`,
    entityType: 'thing',
    observations,
  }))
  writeFileSync(file, entities.map((entity) => JSON.stringify(entity)).join('\n'))
  mkdirSync(env.LOCI_DATA_DIR, { mode: 0o700 })
  fillDataDirectory(env.LOCI_DATA_DIR)
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(fill, Buffer.alloc(bavail * bsize - 1024 * 1024, 1))
  expect(await runLoci(['import', file], { env })).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The disk of the database is full. Free some space, then run the command again.\n',
  })
  rmSync(fill)
  expect((await runLoci(['import', file], { env })).stdout).toMatch(/^Imported/)
  expect((await runLoci(['check'], { env })).code).toBe(0)
})

test.skipIf(!isMounted)('a server without space for its lock says so', async () => {
  const dataDir = join(disks[2]!, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  writeFileSync(join(disks[2]!, 'last'), '')
  expect(() => tryLockDirectory(dataDir)).toThrow(/server.lock cannot be locked: the disk is full. Make room/)
})
