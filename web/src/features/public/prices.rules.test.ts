import { findPlan, plans } from '@loci/contract/plans'
import { expect, test } from 'vitest'
import { annualSaving, monthOfYear, toPrice } from './prices.rules.ts'

test.each([
  [0, '$0'],
  [1_000, '$10'],
  [833, '$8.33'],
  [100_000, '$1,000'],
])('%i cents are shown as %s', (cents, price) => {
  expect(toPrice(cents)).toBe(price)
})

test('a yearly price is shown per month, to the cent', () => {
  expect(toPrice(monthOfYear(findPlan('starter')!))).toBe('$8.33')
  expect(toPrice(monthOfYear(findPlan('power-user')!))).toBe('$50')
})

test('the yearly saving is the one in the catalogue', () => {
  expect(annualSaving(plans)).toBe(17)
})
