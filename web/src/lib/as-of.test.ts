import { expect, test } from 'vitest'
import { asOfAddress, fromLocalInput, toLocalInput } from './as-of.ts'

test('only screens that can show the past read a moment from the address', () => {
  expect(asOfAddress('/entities', '?type=person&asOf=2026-11-19')).toBe('2026-11-19')
  expect(asOfAddress('/entities/ent_1', '?asOf=42')).toBe('42')
  expect(asOfAddress('/graph', '?asOf=')).toBeUndefined()
  expect(asOfAddress('/dashboard', '?asOf=42')).toBeUndefined()
  expect(asOfAddress('/entities-elsewhere', '?asOf=42')).toBeUndefined()
})

test.each(['banana', '2026-13-40', '2026-02-30', '2026-11', '-1', '1234567890123456', '2026-11-19T25:00Z'])(
  'an address with the moment %j shows the present',
  (asOf) => expect(asOfAddress('/graph', `?asOf=${asOf}`)).toBeUndefined(),
)

test.each(['2026', '2026-11-19', '2026-11-19T09:05:00.000Z', '2026-11-19T09:05%2B02:00'])(
  'an address with the moment %j shows the past',
  (asOf) => expect(asOfAddress('/graph', `?asOf=${asOf}`)).toBe(decodeURIComponent(asOf)),
)

test('a moment goes through the field unchanged, to the minute', () => {
  const moment = new Date(2026, 10, 19, 9, 5).toISOString()
  expect(toLocalInput(moment)).toBe('2026-11-19T09:05')
  expect(fromLocalInput(toLocalInput(moment))).toBe(moment)
})

test('an invalid moment leaves the field empty', () => {
  expect([toLocalInput('42'), toLocalInput('soon')]).toEqual(['', ''])
  expect([fromLocalInput(''), fromLocalInput('soon')]).toEqual([undefined, undefined])
})
