// @vitest-environment jsdom
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '../../../test/screen.tsx'
import { TimeBar } from './time-bar.tsx'

const start = Date.parse('2026-11-01T12:00:00Z')
const span = { start, end: start + 86_400_000, counts: [1] }

const showBar = (asOf: string | undefined) =>
  show(<TimeBar span={span} asOf={asOf} open onToggle={() => {}} onPreview={() => {}} onChange={() => {}} />)
const spoken = () => screen.getByRole('slider').getAttribute('aria-valuetext')

test('names the change whose graph is shown, instead of the present', async () => {
  await showBar('42')
  expect(screen.getByText('Change 42')).toBeDefined()
  expect(screen.queryByText('now')).toBeNull()
  expect(spoken()).toBe('After change 42')
})

test('shows a moment by its date, and the present as now', async () => {
  await showBar('2026-11-01T20:00:00.000Z')
  expect(screen.queryByText('now')).toBeNull()
  expect(spoken()).toContain('2026')
})

test('says now without a moment', async () => {
  await showBar(undefined)
  expect(screen.getByText('now')).toBeDefined()
  expect(spoken()).toBe('Now')
})
