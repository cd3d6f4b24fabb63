import type { Entity } from '@loci/contract/entities'
import { expect, test } from 'vitest'
import { cardHeight } from './card-height.ts'

const entity = (observations: string[], metadata: Entity['metadata'] = {}) =>
  ({
    metadata,
    observations: observations.map((content, i) => ({ id: `obs_${i}`, content })),
  }) as unknown as Entity

test('a card is as high as what it shows', () => {
  const heightOf = (...of: Parameters<typeof entity>) => cardHeight(entity(...of), 400)
  const bare = heightOf([])
  const line = heightOf(['Prefers boring technology'])
  expect(line).toBeGreaterThan(bare)
  expect(heightOf(['Prefers boring technology', 'Drinks tea'])).toBe(bare + 2 * (line - bare))
  const two = heightOf(['x'.repeat(80)])
  expect(two).toBeGreaterThan(line)
  expect(heightOf(['x'.repeat(9_000)]), 'never more than two lines of one').toBe(two)
  expect(heightOf(['記'.repeat(40)]), 'full-width characters').toBe(two)
  expect(heightOf(['Prefers boring technology'], { team: 'Payouts' })).toBeGreaterThan(line)
  expect(cardHeight(entity(['Prefers boring technology']), 160), 'a narrow card').toBe(two)
})
