import { describe, expect, test } from 'vitest'
import { findNearest } from './describe-missed.ts'
import { excerpt } from './excerpt.ts'
import { listNames, quote, shorten, suggest } from './not-found.ts'
import { costOf, takeWithinBudget } from './recall-budget.ts'

describe('a budget', () => {
  test('pays for the first items that fit, and for no later ones that would', () => {
    const budget = { left: 10 }
    expect(takeWithinBudget(budget, ['aaaaaaaaaa', 'x'.repeat(60), 'b'])).toEqual(['aaaaaaaaaa'])
    expect(budget.left).toBe(10 - costOf('aaaaaaaaaa'))
  })

  test('lends a part of itself', () => {
    const budget = { left: 100 }
    const items = Array.from({ length: 100 }, () => 'aaaaaaaa')
    const half = takeWithinBudget(budget, items, 0.5).length
    expect(half).toBe(Math.floor(50 / costOf('aaaaaaaa')))
    expect(budget.left).toBe(100 - half * costOf('aaaaaaaa'))
  })

  test('pays for an item that costs all of it', () => {
    const budget = { left: costOf('tea') }
    expect(takeWithinBudget(budget, ['tea', 'tea'])).toEqual(['tea'])
    expect(budget.left).toBe(0)
  })

  test('of nothing pays for nothing', () => {
    expect(takeWithinBudget({ left: 0 }, [''])).toEqual([])
  })
})

describe('an excerpt', () => {
  const hit = (content: string, ...highlights: [number, number][]) =>
    ({ content, highlights }) as unknown as Parameters<typeof excerpt>[0]

  test('of a short text is all of it', () => {
    expect(excerpt(hit('short', [0, 5]), 100)).toBe('short')
  })

  test('without matches is the beginning', () => {
    expect(excerpt(hit('a'.repeat(400)), 10)).toBe(`${'a'.repeat(40)} ...`)
  })

  test('is where most matches are, with a little before them', () => {
    const content = `tea ${'x'.repeat(400)} tea tea ${'y'.repeat(400)}`
    const text = excerpt(hit(content, [0, 3], [405, 408], [409, 412]), 20)
    expect(text).toMatch(/^\.\.\. x+ tea tea y+ \.\.\.$/)
  })

  test('at the end has nothing after it', () => {
    const content = `${'x'.repeat(400)} tea`
    expect(excerpt(hit(content, [401, 404]), 20)).toMatch(/^\.\.\. x+ tea$/)
  })

  test('splits no surrogate pairs', () => {
    for (let tokens = 5; tokens < 12; tokens += 1) {
      expect(excerpt(hit('😀'.repeat(100), [51, 53]), tokens).isWellFormed()).toBe(true)
    }
  })
})

describe('the nearest text', () => {
  const stored = ['Ada likes green tea', 'Ada lives in London', 'The engine has brass wheels'].map(
    (content) => ({
      content,
    }),
  )
  test.each([
    ['Ada likes green tea', 0],
    ['lives in', 1],
    ['... has brass ...', 2],
    ['brass wheels…', 2],
    ['ADA LIKES TEA', 0],
    ['Ada lives in Paris', 1],
    ['something else entirely', undefined],
    ['', undefined],
    ['...', undefined],
  ])('to %j is number %s', (text, index) => {
    expect(findNearest(text, stored)).toBe(index === undefined ? undefined : stored[index])
  })

  test('among none is none', () => {
    expect(findNearest('tea', [])).toBeUndefined()
  })
})

describe('names in a message', () => {
  test('are shortened if they are long, without splitting a character', () => {
    expect(shorten('n'.repeat(120))).toBe('n'.repeat(120))
    expect(shorten('n'.repeat(121))).toBe(`${'n'.repeat(120)}...`)
    expect(shorten(`${'n'.repeat(4)}😀`, 5).isWellFormed()).toBe(true)
    expect(quote('a "b"\n')).toBe('"a \\"b\\"␊"')
  })

  test('are listed up to a number', () => {
    expect(listNames(['a', 'b'])).toBe('a, b')
    expect(listNames(['a', 'b', 'c'], 2)).toBe('a, b and 1 more')
  })

  test('are offered for one name, or for each of several', () => {
    const near = new Map([
      [
        'Adda',
        [
          { name: 'Ada', type: 'person' },
          { name: 'Adda', type: 'river' },
        ],
      ],
      ['Engin', [{ name: 'Engine', type: 'machine' }]],
    ])
    expect(suggest(new Map([...near].slice(0, 1)), ['Adda'])).toBe(
      ' Did you mean "Ada" (person) or "Adda" (river)?',
    )
    expect(suggest(near, ['Adda', 'Engin'])).toBe(
      ' Did you mean "Ada" (person) or "Adda" (river) for "Adda"; "Engine" (machine) for "Engin"?',
    )
    expect(suggest(new Map(), ['x'])).toBe('')
  })
})
