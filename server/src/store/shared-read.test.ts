import { DatabaseSync, StatementSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { createSharedRead } from './shared-read.ts'

afterEach(() => vi.restoreAllMocks())

test('a shared read that cannot be committed ends without an error that nobody catches', async () => {
  const database = new DatabaseSync(':memory:')
  const read = createSharedRead(database)
  const thrown: unknown[] = []
  const listener = (error: unknown) => thrown.push(error)
  process.prependOnceListener('uncaughtException', listener)
  read.begin()
  expect(database.isTransaction).toBe(true)
  vi.spyOn(StatementSync.prototype, 'run').mockImplementation(() => {
    throw new Error('disk I/O error')
  })
  await setImmediate()
  process.off('uncaughtException', listener)
  expect(thrown).toEqual([])
  expect([database.isTransaction, read.isOpen]).toEqual([false, false])
  database.close()
})
