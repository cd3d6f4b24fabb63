import { fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type FreePart, freePartsOf, readFreeList } from './free-parts.ts'

/** The program of `overwriteFreeSpace`: prints `done` or `busy`. */

const restMs = 50
/** Small tables are read together. */
const holdMs = 50

const [file = '', patienceMs] = process.argv.slice(2)
const giveUpAt = performance.now() + Number(patienceMs)
const database = new DatabaseSync(file, { timeout: 100 })
const descriptor = openSync(file, 'r+')
const pageSize = Number(database.prepare('pragma page_size').get()!.page_size)
const trees = database.prepare(
  "select name from sqlite_schema where rootpage > 0 union all select 'sqlite_schema'",
)
const pages = database.prepare('select pageno, pagetype, unused from dbstat where name = ?')

const rest = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, restMs)

/**
 * Runs work while nobody writes and the file alone, without its log, is the database; false if that moment never came.
 * A version is written even so, for other connections may hold copies of the pages as they were and write them again.
 */
function whileComplete(work: () => void): boolean {
  while (performance.now() < giveUpAt) {
    if (beginOnEmptyLog()) {
      work()
      fsyncSync(descriptor)
      const { user_version: version } = database.prepare('pragma user_version').get()!
      database.exec(`pragma user_version = ${version}; commit`)
      return true
    }
    rest()
  }
  return false
}

function beginOnEmptyLog(): boolean {
  try {
    if (database.prepare('pragma wal_checkpoint(truncate)').get()!.busy !== 0) return false
    database.exec('begin immediate')
  } catch {
    return false
  }
  if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0) return true
  database.exec('rollback')
  return false
}

function overwriteTree(name: string): void {
  for (const { pageno, pagetype, unused } of pages.iterate(name)) {
    const number = Number(pageno)
    const page = readPage(number)
    overwrite(
      number,
      page,
      freePartsOf(page, { number, isOverflow: pagetype === 'overflow', unused: Number(unused) }),
    )
  }
}

function overwriteFreePages(): void {
  for (const { number, parts } of readFreeList(readPage)) overwrite(number, readPage(number), parts)
}

function readPage(number: number): Buffer {
  const page = Buffer.alloc(pageSize)
  readSync(descriptor, page, 0, pageSize, (number - 1) * pageSize)
  return page
}

const zeros = Buffer.alloc(pageSize)

function overwrite(number: number, page: Buffer, parts: readonly FreePart[]): void {
  for (const { start, end } of parts) {
    if (page.subarray(start, end).equals(zeros.subarray(start, end))) continue
    writeSync(descriptor, zeros, 0, end - start, (number - 1) * pageSize + start)
  }
}

/** Returns how many of the trees were overwritten. */
function overwriteSome(names: readonly string[]): number {
  const end = performance.now() + holdMs
  let count = 0
  for (const name of names) {
    overwriteTree(name)
    count++
    if (performance.now() > end) break
  }
  return count
}

function overwriteAll(): boolean {
  const names = trees.all().map(({ name }) => String(name))
  for (let done = 0; done < names.length; )
    if (!whileComplete(() => (done += overwriteSome(names.slice(done))))) return false
  return whileComplete(overwriteFreePages)
}

try {
  writeSync(process.stdout.fd, overwriteAll() ? 'done' : 'busy')
} catch (error) {
  writeSync(process.stderr.fd, String(error))
}
// Whoever closes a database last deletes its log. Others cannot be seen if their process has dropped its locks by
// reading the file in another way, so this one does not close it.
process.kill(process.pid, 'SIGKILL')
