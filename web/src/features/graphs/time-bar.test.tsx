// @vitest-environment jsdom
import { act, fireEvent, screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { storedAt } from '../../../test/memory.ts'
import { show } from '../../../test/screen.tsx'
import { TimeBar } from './time-bar.tsx'
import type { TimeSpan } from './time-span.ts'

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

const button = (name: string) => screen.getByRole('button', { name })
const day = 86_400_000
const longSpan: TimeSpan = {
  start: Date.parse(storedAt),
  end: Date.parse(storedAt) + 48 * day,
  counts: [1, 0, 4],
}

async function showTime(asOf?: string) {
  const [onPreview, onChange] = [vi.fn(), vi.fn()]
  await show(
    <TimeBar
      span={longSpan}
      asOf={asOf}
      open
      onToggle={() => {}}
      onPreview={onPreview}
      onChange={onChange}
    />,
  )
  const slider = screen.getByRole<HTMLInputElement>('slider', { name: 'Moment' })
  return {
    onPreview,
    onChange,
    slider,
    dragTo: (value: number) => fireEvent.change(slider, { target: { value } }),
  }
}

test('dragging previews a moment, and releasing requests it', async () => {
  const { slider, dragTo, onPreview, onChange } = await showTime()
  expect(slider.getAttribute('aria-valuetext')).toBe('Now')
  dragTo(240)
  expect(onPreview).toHaveBeenLastCalledWith(longSpan.start + 24 * day)
  expect(slider.getAttribute('aria-valuetext')).toMatch(/Jan 29, 2026/)
  expect(onChange).not.toHaveBeenCalled()
  fireEvent.pointerUp(slider)
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-01-29T09:00:00.000Z')
  fireEvent.blur(slider)
  expect(onChange, 'it rests already').toHaveBeenCalledOnce()
})

test('dragging to the end returns to the present', async () => {
  const { slider, dragTo, onPreview, onChange } = await showTime('2026-01-29T09:00:00.000Z')
  expect(slider.value).toBe('240')
  dragTo(480)
  fireEvent.keyUp(slider)
  expect(onPreview).toHaveBeenLastCalledWith(null)
  expect(onChange).toHaveBeenCalledExactlyOnceWith(undefined)
})

/** Each frame starts from the one before it, so the screen has to catch up. */
function pass(ms: number) {
  for (let passed = 0; passed < ms; passed += 100) act(() => void vi.advanceTimersByTime(100))
}

test('playing runs from the first entity to now, and stops there or on request', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { onPreview } = await showTime()
  fireEvent.click(button('Play'))
  pass(4_500)
  expect(onPreview.mock.lastCall?.[0]).toBeCloseTo(longSpan.start + 24 * day, -4)
  fireEvent.click(button('Pause'))
  pass(4_500)
  expect(onPreview.mock.lastCall?.[0]).toBeCloseTo(longSpan.start + 24 * day, -4)
  fireEvent.click(button('Play'))
  pass(5_000)
  expect(onPreview).toHaveBeenLastCalledWith(null)
  expect(button('Play')).toBeTruthy()
})

test('the collapsed time bar can be expanded', async () => {
  const onToggle = vi.fn()
  const { user } = await show(
    <TimeBar
      span={longSpan}
      asOf={undefined}
      open={false}
      onToggle={onToggle}
      onPreview={() => {}}
      onChange={() => {}}
    />,
  )
  expect(screen.queryByRole('slider')).toBeNull()
  await user.click(button('Show time'))
  expect(onToggle).toHaveBeenCalledOnce()
})
