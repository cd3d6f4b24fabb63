/**
 * Which bytes of a page of a SQLite file belong to nothing (https://www.sqlite.org/fileformat2.html, 1.5 and 1.6). Only
 * the space between them and the cells, such as 1 to 3 bytes beside a cell, is unknown here.
 */
export type FreePart = { start: number; end: number }

const fileHeaderBytes = 100
const reservedAt = 20
const leaves = [10, 13]
const branches = [2, 5]

type PageOf = { number: number; isOverflow: boolean; unused: number }

/** Throws if the page is not what it is said to be: nothing of it may be overwritten then. */
export function freePartsOf(page: Buffer, { number, isOverflow, unused }: PageOf): FreePart[] {
  if (isOverflow) return [{ start: page.length - unused, end: page.length }]
  const header = number === 1 ? fileHeaderBytes : 0
  if (header > 0 && page[reservedAt] !== 0) throw new Error('The pages reserve bytes for an extension')
  const type = page[header]!
  if (!leaves.includes(type) && !branches.includes(type)) throw new Error(`Page ${number} is of type ${type}`)
  const cells = page.readUInt16BE(header + 3)
  const start = header + (leaves.includes(type) ? 8 : 12) + 2 * cells
  // 0 stands for 65,536.
  const end = page.readUInt16BE(header + 5) || 65_536
  if (start > end || end > page.length) throw new Error(`Page ${number} is damaged`)
  return [{ start, end }, ...freeBlocksOf(page, number, { first: page.readUInt16BE(header + 1), from: end })]
}

/** Each block begins with the place of the next one and its own size. */
function freeBlocksOf(
  page: Buffer,
  number: number,
  { first, from }: { first: number; from: number },
): FreePart[] {
  const parts: FreePart[] = []
  let before = from
  for (let at = first; at !== 0; at = page.readUInt16BE(at)) {
    const end = at + 4 <= page.length ? at + page.readUInt16BE(at + 2) : page.length + 1
    if (at < before || end > page.length) throw new Error(`Page ${number} is damaged`)
    parts.push({ start: at + 4, end })
    before = end
  }
  return parts
}

const firstTrunkAt = 32

/** The pages that hold nothing: trunks, which list others, and those. */
export function* readFreeList(
  readPage: (number: number) => Buffer,
): Generator<{ number: number; parts: FreePart[] }> {
  for (let trunk = readPage(1).readUInt32BE(firstTrunkAt); trunk !== 0; ) {
    const page = readPage(trunk)
    const count = page.readUInt32BE(4)
    const start = 8 + 4 * count
    if (start > page.length) throw new Error(`Page ${trunk} is damaged`)
    yield { number: trunk, parts: [{ start, end: page.length }] }
    for (let i = 0; i < count; i++)
      yield { number: page.readUInt32BE(8 + 4 * i), parts: [{ start: 0, end: page.length }] }
    trunk = page.readUInt32BE(0)
  }
}
