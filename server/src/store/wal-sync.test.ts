import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
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
