import { expect, test } from 'vitest'
import { toFactTime } from './shapes.ts'

test.each([
  ['2026-12-11', '2026-12-11'],
  [' 2026-12 ', '2026-12'],
  ['2026-12-11T10:00Z', '2026-12-11T10:00Z'],
  ['2026-12-11T10:00:00', '2026-12-11T10:00:00Z'],
  ['2026-12-11 10:00', '2026-12-11T10:00Z'],
  ['2026-12-11 10:00+01:00', '2026-12-11T10:00+01:00'],
  ['11 December 2026', '2026-12-11'],
  ['Dec 11, 2026', '2026-12-11'],
  ['11. Dezember 2026', '2026-12-11'],
  ['2026/12/11', '2026-12-11'],
  ['May 2024', '2024-05'],
])('%j is %s', (text, time) => expect(toFactTime(text)).toBe(time))

test.each([
  '12/11/2026',
  'tomorrow',
  'next Friday',
  '11 December',
  'Q1 2024',
  'since 2019',
  '2026-13-41',
  '',
  'x',
])('%j is left as it is', (text) => expect(toFactTime(text)).toBe(text))
