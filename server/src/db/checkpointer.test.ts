import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { type NodeSqlite, openNodeSqlite } from './node-sqlite.ts'
import { SqliteConnections } from './sqlite-connections.ts'
import { createDamage } from './sqlite-damage.ts'

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

test('the log is copied to the database in another thread, again and again', async () => {
  const runHere = () => expect.unreachable()
  checkpointer = createCheckpointer(file, runHere)
  for (let round = 0; round < 3; round++) {
    insertBytes(100_000)
    expect(writer.pagesInLog()).toBeGreaterThan(20)
    await Promise.all([checkpointer.run(), checkpointer.run()])
    expect(writer.pagesInLog()).toBe(0)
  }
  expect(checkpointer.isRunning()).toBe(false)
})

test('a thread that dies is replaced by this one', async () => {
  let runs = 0
  checkpointer = createCheckpointer(join(directory, 'missing', 'loci.db'), () => runs++)
  await checkpointer.run()
  await checkpointer.run()
  expect(runs).toBe(1)
})

test('writers wait when they have outrun the checkpoints, so that the log does not grow without end', async () => {
  const connections = new SqliteConnections(file, {
    writer: () => writer,
    reader: () => expect.unreachable(),
    snapshot: () => expect.unreachable(),
  })
  const megabytes = 10
  for (let written = 0; written < 200; written += megabytes) {
    const endTurn = await connections.beginTurn()
    insertBytes(megabytes * 1_000_000)
    connections.noteCommit()
    endTurn()
  }
  expect(statSync(`${file}-wal`).size).toBeLessThan(100_000_000)
  expect(statSync(file).size).toBeGreaterThan(100_000_000)
})
