import type { RelationsTable } from '../../store/schema.ts'
import { insertSorted, listIn } from './memory-postings.ts'

const ends = ['from_id', 'to_id'] as const

/** The relations of a space in memory, each entity's oldest first. */
export function createMemoryRelations() {
  const rows = new Map<number, RelationsTable>()
  const of = { from_id: new Map<number, number[]>(), to_id: new Map<number, number[]>() }
  const byAge = (a: number, b: number) => rows.get(a)!.created_at - rows.get(b)!.created_at || a - b
  const listOf = (end: 'from_id' | 'to_id', id: number) =>
    (of[end].get(id) ?? []).map((one) => rows.get(one)!)
  return {
    size: () => rows.size,
    all: () => rows.values(),
    add(row: RelationsTable) {
      rows.set(row.id, row)
      for (const end of ends) insertSorted(listIn(of[end], row[end]), row.id, byAge)
    },
    drop(id: number) {
      const row = rows.get(id)
      if (row === undefined) return
      for (const end of ends) {
        const list = of[end].get(row[end])!
        list.splice(list.indexOf(id), 1)
      }
      rows.delete(id)
    },
    /** The newest first. */
    rowsOf: (ids: readonly number[]) =>
      ids
        .filter((id) => rows.has(id))
        .sort((a, b) => byAge(b, a))
        .map((id) => rows.get(id)!),
    /** The newest of each entity in each direction. */
    around: (ids: readonly number[], limit: number, type?: string) =>
      ends.flatMap((end) =>
        ids.flatMap((id) =>
          listOf(end, id)
            .filter((row) => type === undefined || row.type === type)
            .slice(-limit)
            .map((row) => row.id),
        ),
      ),
    ofType: (type: string, limit: number) =>
      [...rows.values()]
        .filter((row) => row.type === type)
        .sort((a, b) => byAge(b.id, a.id))
        .slice(0, limit)
        .map(({ id }) => id),
    among: (ids: readonly number[], limit: number) => {
      const wanted = new Set(ids)
      const from = [...wanted].flatMap((id) => listOf('from_id', id))
      return from
        .filter((row) => wanted.has(row.to_id))
        .slice(0, limit)
        .map(({ id }) => id)
    },
    /** In the order of the indexes that the statement reads, which decides between equals. */
    connections: (ids: readonly number[], limit: number): [number, number][] => {
      const sorted = ids.toSorted((a, b) => a - b)
      return [
        ...sorted.flatMap((id) => listOf('from_id', id).sort(byEnd)).slice(0, limit),
        ...sorted.flatMap((id) => listOf('to_id', id)).slice(0, limit),
      ].map((row): [number, number] => [row.from_id, row.to_id])
    },
  }
}

const byEnd = (a: RelationsTable, b: RelationsTable) => a.to_id - b.to_id || (a.type < b.type ? -1 : 1)
