import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

const memory = {
  'Gary Mills (footballer)': ['Tamworth, for two seasons', 'Born in Northampton'],
  'Gary Mills Stadium': ['Opened by the mayor'],
  'Condor (airline)': ['Belongs to Attestor', 'Took off for the first time in Dortmund'],
  Coaches: ['The team which was led by Gary', 'Which team was led by Mills? The second team'],
  Zoo: ['A condor eats in the morning and belongs to the birds of prey'],
}

describeOnBothDatabases('a name with an addition in brackets', (server) => {
  test.each([
    ['is named without it', 'Which team was led by Gary Mills?', 'Gary Mills (footballer)'],
    ['is not meant by an ordinary word', 'When does a condor eat?', 'Zoo'],
  ])('%s', async (_, query, name) => {
    const alice = await server().signUp()
    const entities = Object.entries(memory).map(([name, observations]) => ({
      name,
      type: 'topic',
      observations,
    }))
    await alice.rest.createBatch({ body: { entities, relations: [] } })
    const { observations } = await alice.rest.searchObservations({ query: { query } })
    expect(observations[0]?.entity.name).toBe(name)
  })
})
