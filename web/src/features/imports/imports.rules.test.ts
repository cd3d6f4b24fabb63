import type { ImportReport } from '@loci/contract/imports'
import { expect, test } from 'vitest'
import { findFileProblem, percentOf, placeText } from './imports.rules.ts'

const report = { state: 'running', pass: 'entities', bytes: 200, bytesDone: 100 } as ImportReport

test('the two passes over a file are one progress from 0 to 100', () => {
  expect(percentOf(report)).toBe(25)
  expect(percentOf({ ...report, pass: 'relations' })).toBe(75)
  expect(percentOf({ ...report, state: 'finished' })).toBe(100)
  expect(percentOf({ ...report, bytes: 0, bytesDone: 0 })).toBe(100)
})

test('a position is a line or an entry, with its file if there are several', () => {
  expect(placeText({ line: 3, message: '' })).toBe('Line 3')
  expect(placeText({ file: 'a.json', item: 7, message: '' })).toBe('a.json, entry 7')
})

test('a file that cannot be imported here is not sent', () => {
  expect(findFileProblem({ name: 'memory.jsonl', size: 10 })).toBeUndefined()
  expect(findFileProblem({ name: 'memory.jsonl', size: 0 })).toBe('The file is empty')
  expect(findFileProblem({ name: 'Notes.ZIP', size: 10 })).toBeUndefined()
  expect(findFileProblem({ name: 'picture.png', size: 10 })).toMatch(/^This kind of file/)
  expect(findFileProblem({ name: 'memory.jsonl', size: 2 ** 31 })).toBe('The file is larger than 1 GiB')
})
