import { copyFileSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { createWalSync } from './wal-sync.ts'

test.each(['sync', 'syncAhead'] as const)(
  'data that failed to %s once is copied before it counts',
  async (first) => {
    const directory = mkdtempSync(join(tmpdir(), 'loci-wal-'))
    const file = join(directory, 'loci.db')
    const database = new DatabaseSync(file)
    database.exec('pragma journal_mode = wal; create table notes (text text); insert into notes values (1)')
    const reader = new DatabaseSync(file)
    reader.exec('begin; select * from notes')
    database.exec('insert into notes values (2)')

    // An unreachable log stands in for a disk that refuses it.
    const missing = join(directory, 'missing')
    const log = createWalSync(database, missing, () => {})
    const { sync, close } = log
    await log[first]().catch(() => {})
    writeFileSync(missing, '')
    await expect(sync()).rejects.toThrow('missing')
    reader.exec('commit')
    await sync()
    const copy = join(directory, 'without-its-log.db')
    copyFileSync(file, copy)
    const copied = new DatabaseSync(copy)
    expect(copied.prepare('select text from notes').all()).toEqual([{ text: '1' }, { text: '2' }])

    close()
    copied.close()
    reader.close()
    database.close()
    rmSync(directory, { recursive: true })
  },
)

const isLinux = process.platform === 'linux'

test.skipIf(!isLinux)(
  'the log is opened once for all that sync at a time, and closed also while it opens',
  async () => {
    const directory = mkdtempSync(join(tmpdir(), 'loci-wal-'))
    const file = join(directory, 'log')
    writeFileSync(file, '')
    const countOpen = () =>
      readdirSync('/proc/self/fd').filter((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`) === file
        } catch {
          return false
        }
      }).length
    const database = new DatabaseSync(':memory:')
    const { sync, syncAhead, close } = createWalSync(database, file, () => {})
    await Promise.all([syncAhead(), syncAhead(), sync(), syncAhead(), sync()])
    expect(countOpen()).toBe(2)
    close()
    await vi.waitFor(() => expect(countOpen()).toBe(0))

    const closed = createWalSync(database, file, () => {})
    const syncing = closed.syncAhead()
    closed.close()
    await syncing
    await vi.waitFor(() => expect(countOpen()).toBe(0))
    database.close()
    rmSync(directory, { recursive: true })
  },
)
