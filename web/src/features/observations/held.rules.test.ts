import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { observationOf } from '../../../test/memory.ts'
import { alsoSaid, withDraft } from './draft.rules.ts'
import { changesOf, didHold, nowOnCalendar, toBars } from './held.rules.ts'

const day = (text: string) => Date.parse(text)
const now = day('2026-11-23')
const seven = observationOf('a', 'Solves in 7 s', { at: '2024-01', until: '2025-09', replacedBy: 'b' })
const four = observationOf('b', 'Solves in 4 s', { at: '2025-09' })
const frozen = observationOf('c', 'No deploys', { at: '2026-11-20', until: '2026-11-30' })
const plain = observationOf('d', 'Is kind')
const all = [seven, four, frozen, plain]

describe('when facts held', () => {
  test('what was replaced ends when the other begins; an end that is named belongs to the fact', () => {
    expect(didHold(seven, day('2025-08-31'))).toBe(true)
    expect(didHold(seven, day('2025-09-01'))).toBe(false)
    expect(didHold(four, day('2025-09-01'))).toBe(true)
    expect(didHold(frozen, day('2026-11-30T12:00Z'))).toBe(true)
    expect(didHold(frozen, day('2026-12-01'))).toBe(false)
  })

  test('without a time a fact holds since it was stored', () => {
    expect(didHold(plain, Date.parse(plain.createdAt) - 1)).toBe(false)
    expect(didHold(plain, Date.parse(plain.createdAt))).toBe(true)
  })

  test('each chain has a row of bars, the newest first; facts without a time have none', () => {
    const { rows, axis } = toBars(all, now)
    expect(rows.map(({ bars }) => bars.map(({ id, kind }) => `${id} ${kind}`))).toEqual([
      ['c now'],
      ['b now', 'a before'],
    ])
    expect(axis.ticks.map(({ label }) => label)).toEqual(['2024', '2025', '2026'])
    expect(changesOf(rows, now).map((time) => new Date(time).toISOString().slice(0, 10))).toEqual([
      '2024-01-01',
      '2025-09-01',
      '2026-11-20',
    ])
    expect(toBars([plain], now).rows).toEqual([])
  })

  test.each([
    ['Pacific/Auckland', -13, '2026-12-01'],
    ['America/Los_Angeles', 8, '2026-11-30'],
  ])('what holds since today has begun in %s', (_, hoursBehind, today) => {
    const offset = vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(hoursBehind * 60)
    onTestFinished(() => void offset.mockRestore())
    const here = nowOnCalendar(day('2026-11-30T20:00Z'))
    const old = observationOf('g', 'Lives in Bath', { at: '2024', until: today, replacedBy: 'h' })
    const fresh = observationOf('h', 'Lives in York', { at: today })
    expect(didHold(fresh, here)).toBe(true)
    const [row] = toBars([old, fresh], here).rows
    expect(row?.bars).toMatchObject([
      { id: 'h', from: day(today), to: here, kind: 'now' },
      { id: 'g', to: day(today), kind: 'before' },
    ])
  })

  test('an end in the far future leaves the past its room', () => {
    const lease = observationOf('f', 'Leases the office', { at: '2025', until: '2099' })
    const { rows, axis } = toBars([...all, lease], now)
    expect(new Date(axis.to).getUTCFullYear()).toBe(2027)
    expect(rows.flatMap(({ bars }) => bars).find(({ id }) => id === 'f')).toMatchObject({
      to: axis.to,
      kind: 'now',
    })
  })

  test('a draft ends what it replaces, and keeps an end that was earlier', () => {
    const draft = {
      content: 'Solves in 2 s',
      meaning: 'replaced',
      at: '2026-11-16',
      until: undefined,
    } as const
    const after = withDraft(all, four, { ...draft, files: undefined, source: undefined }, ['a'])
    expect(after.map(({ id, until }) => `${id} ${until}`)).toEqual([
      'a 2025-09',
      'b 2026-11-16',
      'c 2026-11-30',
      'd undefined',
      'new b undefined',
    ])
  })

  test('what else was said about it comes nearest first, without what was replaced', () => {
    const lanes = observationOf('e', 'Solves the median lane')
    expect(alsoSaid([...all, lanes], four, 'Solves in 2 s').map(({ id }) => id)).toEqual(['e'])
  })
})
