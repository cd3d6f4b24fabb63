import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { type NodeSqlite, openNodeSqlite, openNodeSqliteReader } from './node-sqlite.ts'
import { SqliteConnections } from './sqlite-connections.ts'
import { createDamage } from './sqlite-damage.ts'

/** About 66 MB, from which on writers wait, plus a write of 10 MB. */
const logBytesMax = 80_000_000

let directory: string
let file: string
let writer: NodeSqlite
let checkpointer: Checkpointer | undefined

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'loci-checkpointer-'))
  file = join(directory, 'loci.db')
  writer = openNodeSqlite(file, { busyTimeoutMs: 1_000, damage: createDamage() })
  writer.prepare('create table notes (text blob)').run([])
})
afterEach(async () => {
  await checkpointer?.close()
  writer.close()
  rmSync(directory, { recursive: true })
})

const insertBytes = (bytes: number) => writer.prepare('insert into notes values (randomblob(?))').run([bytes])

test('another thread copies the log to the database again and again', async () => {
  const runHere = () => expect.unreachable()
  checkpointer = createCheckpointer(file, runHere)
  for (let round = 0; round < 3; round++) {
    insertBytes(100_000)
    expect(writer.logSize().pagesToCopy).toBeGreaterThan(20)
    await Promise.all([checkpointer.run(), checkpointer.run()])
    expect(writer.logSize().pagesToCopy).toBe(0)
  }
  expect(checkpointer.isRunning()).toBe(false)
})

test('this thread takes over when the other one dies', async () => {
  let runs = 0
  checkpointer = createCheckpointer(join(directory, 'missing', 'loci.db'), () => runs++)
  await checkpointer.run()
  await checkpointer.run()
  expect(runs).toBe(1)
})

const connect = () =>
  new SqliteConnections(file, {
    writer: () => writer,
    reader: () => expect.unreachable(),
    snapshot: () => expect.unreachable(),
  })

async function insertLocked(connections: SqliteConnections, insert: () => void): Promise<void> {
  const unlock = await connections.lockWriter()
  insert()
  connections.noteCommit()
  unlock()
}

test('writers wait when they outrun the checkpoints, so that the log does not grow without end', async () => {
  const connections = connect()
  for (let turn = 0; turn < 20; turn++) await insertLocked(connections, () => insertBytes(10_000_000))
  expect(statSync(`${file}-wal`).size).toBeLessThan(logBytesMax)
  expect(statSync(file).size).toBeGreaterThan(100_000_000)
})

test('writers also wait when each checkpoint ends slightly behind them and the log would never restart', async () => {
  const connections = connect()
  const options = { busyTimeoutMs: 1_000, damage: createDamage() }
  const reader = openNodeSqliteReader(file, options, 'memory')
  const insertBehindReader = () => {
    reader.begin()
    reader.prepare('select count(*) from notes').all([])
    insertBytes(6_000_000)
    // Stops at the reader's snapshot.
    writer.checkpoint()
    reader.commit()
  }
  for (let turn = 0; turn < 20; turn++) await insertLocked(connections, insertBehindReader)
  reader.close()
  expect(statSync(`${file}-wal`).size).toBeLessThan(logBytesMax)
})
