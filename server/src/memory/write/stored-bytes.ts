import { countedColumns } from '../../rows/codec.ts'
import type { VersionedTable } from '../../rows/columns.ts'

/** UTF-8 bytes of the texts of a row, which plans limit. */
export function bytesOf(table: VersionedTable, row: object): number {
  let bytes = 0
  for (const column of countedColumns[table]) {
    const text: unknown = Reflect.get(row, column)
    if (typeof text === 'string') bytes += Buffer.byteLength(text)
  }
  return bytes
}
