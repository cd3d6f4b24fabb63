import type { FileHandle } from 'node:fs/promises'
import type { HealthFact } from './health-source.ts'

/** Facts on disk, numbered from 0 in the order of adding: only where each begins is kept in memory. */
export type FactSpool = {
  count: () => number
  add: (fact: Omit<HealthFact, 'number'>) => Promise<void>
  /** Call once all are added. */
  pages: () => AsyncGenerator<HealthFact[], void>
  byNumber: (numbers: readonly number[]) => Promise<Map<number, HealthFact>>
}

const pieceBytes = 1024 * 1024
const factsPerPage = 1_000
/** Facts so near to each other are read at once. */
const nearBytes = 64 * 1024
const startsPerBlock = 2 ** 15

export function createFactSpool(file: FileHandle): FactSpool {
  const starts: Float64Array[] = []
  let count = 0
  let bytes = 0
  let pending: Buffer[] = []
  let pendingBytes = 0

  async function add(fact: Omit<HealthFact, 'number'>): Promise<void> {
    const data = Buffer.from(JSON.stringify({ number: count, ...fact }))
    if (count % startsPerBlock === 0) starts.push(new Float64Array(startsPerBlock))
    starts.at(-1)![count % startsPerBlock] = bytes
    count += 1
    bytes += data.length
    pending.push(data)
    pendingBytes += data.length
    if (pendingBytes >= pieceBytes) await flush()
  }

  async function flush(): Promise<void> {
    if (pendingBytes === 0) return
    await file.appendFile(Buffer.concat(pending))
    pending = []
    pendingBytes = 0
  }

  const startOf = (number: number) =>
    number >= count ? bytes : starts[Math.floor(number / startsPerBlock)]![number % startsPerBlock]!

  /** The facts of a range that are wanted, in one read. */
  async function readRange(from: number, to: number, wanted?: readonly number[]): Promise<HealthFact[]> {
    await flush()
    const begin = startOf(from)
    const length = startOf(to) - begin
    const { buffer } = await file.read(Buffer.allocUnsafe(length), 0, length, begin)
    const numbers = wanted ?? Array.from({ length: to - from }, (_, i) => from + i)
    return numbers.map((at) =>
      JSON.parse(buffer.toString('utf8', startOf(at) - begin, startOf(at + 1) - begin)),
    )
  }

  async function* pages(): AsyncGenerator<HealthFact[], void> {
    for (let from = 0; from < count; from += factsPerPage)
      yield await readRange(from, Math.min(count, from + factsPerPage))
  }

  async function byNumber(numbers: readonly number[]): Promise<Map<number, HealthFact>> {
    const facts = new Map<number, HealthFact>()
    const sorted = numbers.filter((number) => number < count).toSorted((a, b) => a - b)
    for (let at = 0; at < sorted.length; ) {
      const from = sorted[at]!
      const wanted = sorted.slice(at).filter((number) => startOf(number) - startOf(from) <= nearBytes)
      for (const fact of await readRange(from, wanted.at(-1)! + 1, wanted)) facts.set(fact.number, fact)
      at += wanted.length
    }
    return facts
  }

  return { count: () => count, add, pages, byNumber }
}
