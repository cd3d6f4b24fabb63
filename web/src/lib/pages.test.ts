import { describe, expect, test } from 'vitest'
import { type ListData, mergeHead, removeRow, rowsOf } from './pages.ts'

type Row = { id: string; createdAt: string }
const row = (n: number): Row => ({
  id: `r${n}`,
  createdAt: `2026-01-01T00:00:${String(n).padStart(2, '0')}.000Z`,
})
const list = (...pages: number[][]): ListData<Row> => ({
  pages: pages.map((numbers, index) => ({
    rows: numbers.map(row),
    total: 9,
    nextCursor: index === pages.length - 1 ? null : `c${index}`,
  })),
  pageParams: pages.map((_, index) => (index === 0 ? undefined : `c${index - 1}`)),
})
const idsOf = (data: ListData<Row>) => rowsOf(data).map(({ id }) => id)

describe('mergeHead', () => {
  test('puts new rows on top and keeps the pages further down', () => {
    const merged = mergeHead(list([9, 8, 7], [6, 5]), {
      rows: [row(11), row(10), row(9)],
      total: 11,
      nextCursor: 'x',
    })
    expect(idsOf(merged)).toEqual(['r11', 'r10', 'r9', 'r8', 'r7', 'r6', 'r5'])
    expect(merged.pages[0]?.nextCursor).toBe('c0')
    expect(merged.pages.map(({ total }) => total)).toEqual([11, 11])
  })

  test('drops rows as new as the head that it no longer contains', () => {
    const merged = mergeHead(list([9, 8, 7], [6, 5]), { rows: [row(9), row(7)], total: 4, nextCursor: 'x' })
    expect(idsOf(merged)).toEqual(['r9', 'r7', 'r6', 'r5'])
  })

  test('is replaced by a head that is the whole list', () => {
    const merged = mergeHead(list([9, 8], [7]), { rows: [row(9)], total: 1, nextCursor: null })
    expect(idsOf(merged)).toEqual(['r9'])
  })
})

describe('removeRow', () => {
  test('takes the row out of its page and lowers every total', () => {
    const rest = removeRow(list([9, 8], [7]), 'r7')
    expect(idsOf(rest)).toEqual(['r9', 'r8'])
    expect(rest.pages.map(({ total }) => total)).toEqual([8, 8])
  })

  test('leaves a list without the row as it is', () => {
    const data = list([9, 8])
    expect(removeRow(data, 'r1')).toBe(data)
  })
})
