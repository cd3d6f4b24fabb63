import { expect, test } from 'vitest'
import { asOfAddress, fromLocalInput, toLocalInput } from './as-of.ts'

test('only screens that can show the past read a moment from the address', () => {
  expect(asOfAddress('/entities', '?type=person&asOf=2026-11-19')).toBe('2026-11-19')
  expect(asOfAddress('/entities/ent_1', '?asOf=42')).toBe('42')
  expect(asOfAddress('/graph', '?asOf=')).toBeUndefined()
  expect(asOfAddress('/dashboard', '?asOf=42')).toBeUndefined()
  expect(asOfAddress('/entities-elsewhere', '?asOf=42')).toBeUndefined()
})

test('a moment goes through the field unchanged, to the minute', () => {
  const moment = new Date(2026, 10, 19, 9, 5).toISOString()
  expect(toLocalInput(moment)).toBe('2026-11-19T09:05')
  expect(fromLocalInput(toLocalInput(moment))).toBe(moment)
})

test('an invalid moment leaves the field empty', () => {
  expect([toLocalInput('42'), toLocalInput('soon')]).toEqual(['', ''])
  expect([fromLocalInput(''), fromLocalInput('soon')]).toEqual([undefined, undefined])
})
