// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { serve } from '../../../test/server-double.ts'
import { fetchEntities } from './fetch-entities.ts'

test('a type that has a comma is one type', async () => {
  const server = serve({ listEntities: { entities: [], total: 0, nextCursor: null } })
  await fetchEntities({ type: 'person, alive' })
  expect(server.callsOf('listEntities')[0]?.query.types).toBe('person\\, alive')
})
