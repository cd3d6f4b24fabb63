import { describe, expect, test } from 'vitest'
import { slotsOf, styleOfSlot } from './palette.ts'

describe('slots', () => {
  test('of known types are fixed, assigned ones are kept, and other types take the next free ones', () => {
    const types = ['decision', 'person', 'runbook', 'Concept', 'service']
    expect(slotsOf(types, { runbook: 9, gone: 7 })).toEqual([8, 2, 9, 1, 10])
  })

  test('of types named like object properties are their own', () => {
    expect(slotsOf(['constructor', '__proto__'], {})).toEqual([7, 8])
  })

  test('from 17 on repeat the colours as rings, beyond 32 as named rings of the last', () => {
    expect(styleOfSlot(1, 'light')).toEqual({ color: '#3a62e2', hollow: false, named: false })
    expect(styleOfSlot(17, 'light')).toEqual({ color: '#3a62e2', hollow: true, named: false })
    expect(styleOfSlot(32, 'dark')).toEqual({ color: '#eae5ef', hollow: true, named: false })
    expect(styleOfSlot(33, 'dark')).toEqual({ color: '#eae5ef', hollow: true, named: true })
  })
})
