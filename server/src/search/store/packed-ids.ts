/** Ids that differ only in their low bits are stored together in a block, two bytes each. */
const bitsOfBlock = 14
const idsPerBlock = 2 ** bitsOfBlock
export const bytesPerId = 2

/** A row of `posting_blocks`: the ids of a term in one block, ascending. */
export type PackedIds = { term: string; block: number; ids: Buffer }

export const blockOf = (id: number) => Math.floor(id / idsPerBlock)
export const firstIdOf = (block: number) => block * idsPerBlock

/** The ids of a block must be ascending. Each takes two bytes, high byte first, so that bytes sort like the ids. */
export function packIds(ids: ArrayLike<number>): Buffer {
  const packed = Buffer.allocUnsafe(ids.length * bytesPerId)
  for (let i = 0; i < ids.length; i += 1) packed.writeUInt16BE(ids[i]! % idsPerBlock, i * bytesPerId)
  return packed
}

export function unpackIds(block: number, packed: Buffer): Uint32Array {
  const ids = new Uint32Array(packed.length / bytesPerId)
  const first = firstIdOf(block)
  for (let i = 0; i < ids.length; i += 1) ids[i] = first + packed.readUInt16BE(i * bytesPerId)
  return ids
}

/** Merges lists of ids into one, ascending and without duplicates. */
export function mergeIds(...lists: readonly ArrayLike<number>[]): Uint32Array {
  const all = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0))
  let filled = 0
  for (const list of lists) {
    all.set(list, filled)
    filled += list.length
  }
  return isAscending(all) ? all : withoutTwins(all.sort())
}

/** Strictly ascending, so without duplicates. */
function isAscending(ids: ArrayLike<number>): boolean {
  for (let i = 1; i < ids.length; i += 1) if (ids[i]! <= ids[i - 1]!) return false
  return true
}

function withoutTwins(ids: Uint32Array): Uint32Array {
  let kept = 0
  for (const id of ids) {
    if (kept > 0 && ids[kept - 1] === id) continue
    ids[kept] = id
    kept += 1
  }
  return ids.subarray(0, kept)
}

/** Groups postings by term and block. */
export function createPacker() {
  const byBlock = new Map<number, Map<string, number[]>>()
  return {
    add(term: string, id: number): void {
      const block = blockOf(id)
      const byTerm = byBlock.get(block) ?? new Map<string, number[]>()
      byBlock.set(block, byTerm)
      const ids = byTerm.get(term)
      if (ids === undefined) byTerm.set(term, [id])
      else ids.push(id)
    },
    *pack(): Generator<PackedIds, void> {
      for (const [block, byTerm] of byBlock)
        for (const [term, ids] of byTerm)
          yield { term, block, ids: packIds(isAscending(ids) ? ids : mergeIds(ids)) }
    },
  }
}

/** The union of two packed blocks. */
export const mergePacked = (block: number, a: Buffer, b: Buffer): Buffer =>
  packIds(mergeIds(unpackIds(block, a), unpackIds(block, b)))

/** The ids of a packed block that are not in `gone`. */
export function withoutIds(block: number, packed: Buffer, gone: Buffer): Buffer {
  const ids = new Set(unpackIds(block, gone))
  return packIds(unpackIds(block, packed).filter((id) => !ids.has(id)))
}
