import { bulkEntitiesMax } from '@loci/contract/entity-types'
import { expect, test } from 'vitest'
import { addAll } from './use-selection.ts'

const entity = (index: number) => ({ id: `ent_${index}`, name: `${index}`, type: 'concept' })

test('a selection grows up to what one call may change, and keeps what was selected before', () => {
  const some = addAll(new Map(), [entity(0), entity(1)])
  const more = addAll(
    some,
    Array.from({ length: bulkEntitiesMax + 5 }, (_, index) => entity(index + 1)),
  )
  expect(more.size).toBe(bulkEntitiesMax)
  expect([...more.keys()].slice(0, 3)).toEqual(['ent_0', 'ent_1', 'ent_2'])
  expect(some.size, 'the one before stays as it was').toBe(2)
})
