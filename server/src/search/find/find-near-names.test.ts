import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearnessOf, variantsOf } from './find-near-names.ts'

describe('variants of a name', () => {
  test('differ in case and in what joins the words', () => {
    expect(variantsOf('John Smith')).toEqual(
      expect.arrayContaining([
        'John_Smith',
        'John-Smith',
        'JohnSmith',
        'john smith',
        'john_smith',
        'JOHN_SMITH',
      ]),
    )
    expect(variantsOf('userId')).toEqual(expect.arrayContaining(['user_id', 'User Id', 'USER_ID', 'userid']))
    expect(variantsOf('élan vital')).toContain('Élan Vital')
  })

  test('never include the name itself, nor anything twice, and are few', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), (name) => {
        const variants = variantsOf(name)
        expect(variants).not.toContain(name)
        expect(new Set(variants).size).toBe(variants.length)
        expect(variants.length).toBeLessThanOrEqual(16)
      }),
    )
  })
})

describe('the nearness of two names', () => {
  test.each([
    ['john smith', 'John_Smith'],
    ['Zoe', 'Zoë'],
    ['webhook sender', 'Webhook-Sender'],
    ['O’Brien', "O'Brien"],
  ])('of %s and %s, which differ in case, accents or punctuation, is 1', (asked, name) => {
    expect(nearnessOf(asked, name)).toBe(1)
  })

  test.each([
    ['Jhon Smith', 'John Smith'],
    ['kubernets cluster', 'Kubernetes cluster'],
    ['Smith', 'John Smith'],
    ['payment service v2', 'payment service'],
  ])('of %s and %s lies between 0 and 1', (asked, name) => {
    expect(nearnessOf(asked, name)).toBeGreaterThan(0)
    expect(nearnessOf(asked, name)).toBeLessThan(1)
  })

  test.each([
    ['John Smith', 'Mary Jones'],
    ['John Smith', 'John Jones'],
    ['server1', 'server2'],
    ['cat', 'dog'],
    ['', 'anything'],
  ])('of %s and %s, which mean different things, is 0', (asked, name) => {
    expect(nearnessOf(asked, name)).toBe(0)
  })

  test('falls with each wrong letter and each extra word', () => {
    const near = (asked: string) => nearnessOf(asked, 'Kubernetes cluster')
    expect(near('kubernets cluster')).toBeGreaterThan(near('kubrnets cluster'))
    expect(near('kubernetes')).toBeGreaterThan(nearnessOf('kubernetes', 'old Kubernetes cluster'))
  })

  test('is the same in both directions', () => {
    const word = fc.constantFrom('ada', 'smith', 'smyth', 'kubernetes', 'kubernets', 'Zoë', 'v2')
    const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
    fc.assert(
      fc.property(name, name, (a, b) => {
        expect(nearnessOf(a, b)).toBeCloseTo(nearnessOf(b, a))
      }),
      { examples: [['v2 ada ada', 'v2 v2']] },
    )
  })
})
