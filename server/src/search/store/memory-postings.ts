import type { OlderPassages, PostedTerm } from './postings.ts'

const bytesOfTerm = 120
const bytesOfPosting = 8

/** The postings of a space in memory: the passages of each term in ascending order. */
export function createMemoryPostings() {
  const lists = new Map<string, number[]>()
  let postings = 0
  const newestOf = (ids: readonly number[], limit: number) => Uint32Array.from(ids.slice(-limit)).reverse()
  return {
    bytes: () => lists.size * bytesOfTerm + postings * bytesOfPosting,
    /** `terms` are separated by spaces. */
    add(id: number, terms: string) {
      if (terms === '') return
      for (const term of new Set(terms.split(' '))) {
        const list = lists.get(term)
        if (list === undefined) lists.set(term, [id])
        else insertSorted(list, id, (a, b) => a - b)
        postings += 1
      }
    },
    /** Looks through all lists, which takes less than knowing the terms of each passage. */
    remove(ids: ReadonlySet<number>) {
      if (ids.size === 0) return
      for (const [term, list] of lists) {
        const left = list.filter((id) => !ids.has(id))
        if (left.length === list.length) continue
        postings -= list.length - left.length
        if (left.length === 0) lists.delete(term)
        else lists.set(term, left)
      }
    },
    readNewest: (terms: readonly string[], limit: number): PostedTerm[] =>
      terms.flatMap((term) => {
        const ids = lists.get(term)
        return ids === undefined ? [] : [{ term, ids: newestOf(ids, limit) }]
      }),
    readOlder: (asked: readonly OlderPassages[]): PostedTerm[] =>
      asked.flatMap(({ term, below, limit }) => {
        const ids = (lists.get(term) ?? []).filter((id) => id < below)
        return ids.length === 0 ? [] : [{ term, ids: newestOf(ids, limit) }]
      }),
  }
}

/** Most are the last. */
export function insertSorted(list: number[], item: number, compare: (a: number, b: number) => number): void {
  let at = list.length
  while (at > 0 && compare(list[at - 1]!, item) > 0) at -= 1
  if (list[at - 1] !== item) list.splice(at, 0, item)
}

export function listIn<Key>(lists: Map<Key, number[]>, key: Key): number[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
