import { expect, test } from 'vitest'
import { editDistance, oneEditFrom } from './vocabulary.ts'

test.each([
  ['sardine', ['sardin', 'sardines', 'sandine', 'sardnie', 'asrdine', 'xsardine']],
  ['привет', ['привт', 'приввет', 'превет', 'првиет']],
  ['μουσικη', ['μουσκη', 'μουσιικη', 'μαυσικη', 'μοσυικη']],
  ['مكتبة', ['مكتة', 'مكاتبة', 'مكتبه', 'مكبتة']],
  ['שלום', ['שלם', 'שללום', 'שלוח', 'שולם']],
])('one letter inserted, deleted, replaced or swapped: %s', (word, slips) => {
  const edits = oneEditFrom(word)
  expect(edits).toEqual(expect.arrayContaining(slips))
  expect(new Set(edits).size).toBe(edits.length)
  expect(edits.filter((edit) => editDistance(word, edit) !== 1)).toEqual([])
})
