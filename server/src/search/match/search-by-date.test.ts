import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'

const texts = {
  lease: '2024-05-08: signed the lease',
  release: 'Release on 01.06.2024',
  trip: 'Trip 09/06/2024',
  trafen: 'Wir trafen uns im Mai 2023',
  meeting: '2023年7月8日 会议',
  audit: 'The audit is in Q4 2022',
  version: 'The deploy of version 2.5.24 has 8 steps',
}

describeOnBothDatabases('dates in texts and questions', (server) => {
  test('match each other however they are written', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({
      body: { name: 'Diary', type: 'note', observations: Object.values(texts) },
    })
    const findFirst = async (query: string) => {
      const { observations } = await alice.rest.searchObservations({ query: { query } })
      return observations[0]?.content
    }
    for (const [query, text] of [
      ['8 May 2024', texts.lease],
      ['8. Mai 2024', texts.lease],
      ['May 8', texts.lease],
      ['what happened in May 2024?', texts.lease],
      ['2024年5月8日', texts.lease],
      ['June 1st, 2024', texts.release],
      ['2024-06-01', texts.release],
      ['9 June 2024', texts.trip],
      ['6 September 2024', texts.trip],
      ['May 2023', texts.trafen],
      ['2023-05', texts.trafen],
      ['8 July 2023', texts.meeting],
      ['le 8 juillet 2023', texts.meeting],
      ['2022-Q4', texts.audit],
    ]) {
      expect([query, await findFirst(query!)]).toEqual([query, text])
    }
  })

  test('a date is highlighted where it stands', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({
      body: { name: 'Diary', type: 'note', observations: Object.values(texts) },
    })
    const { observations } = await alice.rest.searchObservations({ query: { query: '8 May 2024' } })
    const [hit] = observations
    expect(hit?.highlights.map(([start, end]) => hit.content.slice(start, end))).toEqual(['2024-05-08'])
  })

  test('a deleted observation is no longer found by its date', async () => {
    const alice = await server().signUp()
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Diary', type: 'note', observations: [texts.release] },
    })
    await alice.rest.deleteEntity({ params: { id: entity.id } })
    const { observations } = await alice.rest.searchObservations({ query: { query: '1 June 2024' } })
    expect(observations).toEqual([])
  })

  test('a time is told once where nothing was found, and it is not that of 1970', async () => {
    const alice = await server().signUp()
    await alice.rest.createEntity({ body: { name: 'Diary', type: 'note', observations: ['Likes tea'] } })
    const { understood } = await alice.rest.searchObservations({ query: { query: 'zebras 3 days ago' } })
    expect(understood.times).toHaveLength(1)
    const from = Date.parse(understood.times![0]!.from)
    expect(server().clock.now - from).toBeLessThan(4 * 86_400_000)
  })
})
