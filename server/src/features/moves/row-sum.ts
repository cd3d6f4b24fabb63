import { hash } from 'node:crypto'
import type { Row } from '../../store/move-source.ts'

/** An order-independent checksum of rows: equal tables have equal sums. */
export type RowSum = { add: (row: Row) => void; readonly rows: number; readonly digest: string }

/** @param columns must be in the same order on both sides */
export function createRowSum(columns: readonly string[]): RowSum {
  let rows = 0
  let high = 0
  let low = 0
  return {
    add(row) {
      const values = columns.map((column) => {
        const value = row[column] ?? null
        return value instanceof Uint8Array ? [Buffer.from(value).toString('base64')] : value
      })
      const bytes = hash('sha256', JSON.stringify(values), 'buffer')
      high = (high + bytes.readUInt32BE(0)) >>> 0
      low = (low + bytes.readUInt32BE(4)) >>> 0
      rows++
    },
    get rows() {
      return rows
    },
    get digest() {
      return [rows, high, low].map((part) => part.toString(16)).join('-')
    },
  }
}
