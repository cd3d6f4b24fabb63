import type { Observation } from '@loci/contract/observations'
import { spaceHeader } from '@loci/contract/spaces'
import { beforeEach, describe, expect, test } from 'vitest'
import { ask, expectNotShown, expectShown } from '../../../test/agent.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { checkAll } from '../checks/checks.service.ts'
import { sweepExpiredFacts } from './expired-facts-sweep.ts'

describeOnBothDatabases('facts in time', (server) => {
  let person: Person
  let maya: string
  let berlin: Observation

  beforeEach(async () => {
    person = await server().signUp()
    const { entity } = await person.rest.createEntity({
      body: { name: 'Maya', type: 'person', observations: ['Maya lives in Berlin', 'Maya likes green tea'] },
    })
    maya = entity.id
    berlin = entity.observations[0]!
    server().clock.now += dayMs
  })

  const add = (body: { content: string } & Partial<Observation>) =>
    person.rest.createObservations({ params: { id: maya }, body })
  const read = async (id: string) => {
    const { entity } = await person.rest.getEntity({ params: { id: maya } })
    return entity.observations.find((one) => one.id === id)
  }
  const undo = async () => {
    const { changes } = await person.rest.listChanges({ query: { limit: '1' } })
    return person.rest.undoChangeSet({ params: { setId: changes[0]!.setId } })
  }
  const move = async (at = '2026-02') => {
    const { observations } = await add({ content: 'Maya lives in Lisbon', at, replaces: [berlin.id] })
    return observations[0]!
  }
  const search = async (query: string, more: Record<string, string> = {}) =>
    (await person.rest.searchObservations({ query: { query, ...more } as never })).observations

  test('a question about the past is answered by what held then, a question about now is not', async () => {
    const params = { id: maya, observationId: berlin.id }
    const { observations } = await add({ content: 'Maya likes mint tea' })
    await add({ content: 'Maya likes black tea', replaces: [observations[0]!.id] })
    await person.rest.updateObservation({ params, body: { at: '2019-03' } })
    await move()
    const client = await connectOverHttp(server(), person.apiKey, 'auto')
    const recall = async (query: string, more = {}) => {
      const { content } = await client.callTool({ name: 'recall', arguments: { query, ...more } })
      return JSON.stringify(content)
    }
    const then = await recall('Where did Maya live in 2020?')
    expect(then).toContain('until 2026-02, replaced by')
    expect(then).toContain('lives in Berlin')
    expect(await recall('Where does Maya live?', { before: '2021-01-01' })).toContain('lives in Berlin')
    for (const query of [
      'Where does Maya live?',
      'Where did Maya live in 2018?',
      'Where did Maya live last month?',
    ])
      expect(await recall(query), query).not.toContain('lives in Berlin')
    expect(await recall('Which tea did Maya like in 2020?'), 'stored later').not.toContain('mint')
    await client.close()
  })

  test('a question about what was so before, without a time, is answered by what was replaced too', async () => {
    const lisbon = await move()
    const client = await connectOverHttp(server(), person.apiKey, 'auto')
    const recall = async (query: string) =>
      JSON.stringify((await client.callTool({ name: 'recall', arguments: { query } })).content)
    for (const query of [
      'Where did Maya live before?',
      'Where did Maya live previously?',
      'Where did Maya live before she moved?',
      'Where did Maya use to live, or where she used to live?',
      'How did the city where Maya lives change?',
      'history of where Maya lives',
      'Was Maya in her old city happy?',
      'What did the move to Lisbon in 4 words replace for Maya?',
      'Wo hat Maya früher gelebt?',
      'Mayaは以前どこに住んでいましたか',
    ]) {
      const text = await recall(query)
      expect(text, query).toMatch(/until 2026-02, replaced by obs_\w+: Maya lives in Berlin/)
      expect(text, query).toContain('Maya lives in Lisbon')
    }
    for (const query of [
      'Where does Maya live?',
      'What should I know before I visit Maya?',
      'Which city is used to meet Maya?',
      'How old is Maya?',
    ])
      expect(await recall(query), query).not.toContain('Berlin')
    await add({ content: 'Maya lives in Rome', replaces: [lisbon.id] })
    const until = /until \d{4}-\d\d-\d\dT\d\d:\d\dZ, replaced by obs_\w+: Maya lives in Lisbon/
    expect(await recall('Where did Maya live before?')).toMatch(until)
    await client.close()
  })

  test('a fact does not end before it begins', async () => {
    const tooSoon = { status: 400, code: 'validation_failed' }
    await expect(add({ content: 'Maya moved', at: '2020', until: '2019' })).rejects.toMatchObject(tooSoon)
    const { observations } = await add({ content: 'Maya moved', at: '2019-05', until: '2019' })
    const params = { id: maya, observationId: observations[0]!.id }
    const update = person.rest.updateObservation({ params, body: { until: '2019-04' } })
    await expect(update).rejects.toMatchObject(tooSoon)
    expect(await read(params.observationId)).toMatchObject({ at: '2019-05', until: '2019' })
    const client = await connectOverHttp(server(), person.apiKey, 'auto')
    const observation = { content: 'Maya sang', at: '2020', until: '2019' }
    const added = await client.callTool({
      name: 'add_observations',
      arguments: { observations: [{ entityName: 'Maya', contents: [observation] }] },
    })
    expect(added).toMatchObject({ isError: true })
    await client.close()
  })

  test.each(['2026-13', '2026-02-30', 'yesterday', '2026-02-10 09:00', '26'])('%s is no time', async (at) => {
    await expect(add({ content: 'Maya moved', at })).rejects.toMatchObject({ status: 400 })
  })

  test('a fact that is replaced says by what, ends when the other begins, and stays', async () => {
    const lisbon = await move()
    expect(lisbon).toMatchObject({ replaces: [berlin.id], at: '2026-02' })
    expect(await read(berlin.id)).toMatchObject({
      content: 'Maya lives in Berlin',
      state: 'replaced',
      replacedBy: lisbon.id,
      until: '2026-02',
    })
    expect((await read(lisbon.id))?.state).toBeUndefined()
  })

  test('a fact that is named twice is replaced once', async () => {
    const { observations } = await add({ content: 'Maya lives in Lisbon', replaces: [berlin.id, berlin.id] })
    expect(observations[0]!.replaces).toEqual([berlin.id])
    expect((await read(observations[0]!.id))?.replaces).toEqual([berlin.id])
  })

  test('a fact without a time replaces from when it is stored, and an end that was earlier stays', async () => {
    await person.rest.updateObservation({
      params: { id: maya, observationId: berlin.id },
      body: { until: '2020' },
    })
    const { observations } = await add({ content: 'Maya lives in Lisbon', replaces: [berlin.id] })
    expect(await read(berlin.id)).toMatchObject({ until: '2020', replacedBy: observations[0]!.id })
  })

  test('the check compares both sides of a replacement', async () => {
    const lisbon = await move()
    const differences = async () => (await arrayOf(checkAll(server().ctx))).map(({ message }) => message)
    expect(await differences()).toEqual([])
    const { db } = server().ctx
    const damage = (id: string, column: 'replaces' | 'replaced_by') =>
      db
        .updateTable('observations')
        .set({ [column]: null })
        .where('id', '=', numberOf('obs', id))
        .execute()
    await damage(berlin.id, 'replaced_by')
    const message = `${berlin.id} and ${lisbon.id} disagree on whether one replaced the other`
    expect(await differences()).toContain(message)
    await db
      .updateTable('observations')
      .set({ replaced_by: numberOf('obs', lisbon.id) })
      .where('id', '=', numberOf('obs', berlin.id))
      .execute()
    expect(await differences()).toEqual([])
    await damage(lisbon.id, 'replaces')
    expect(await differences()).toContain(message)
    await server()
      .ctx.db.updateTable('observations')
      .set({ replaces: JSON.stringify([numberOf('obs', berlin.id)]) })
      .where('id', '=', numberOf('obs', lisbon.id))
      .execute()
  })

  test('undo brings back what was replaced', async () => {
    await move()
    await undo()
    expect(await read(berlin.id)).toEqual(berlin)
  })

  test('deleting what replaced it brings a fact back, and undoing that replaces it again', async () => {
    const lisbon = await move()
    await person.rest.deleteObservation({ params: { id: maya, observationId: lisbon.id } })
    expect(await read(berlin.id)).toEqual(berlin)
    await undo()
    expect(await read(berlin.id)).toMatchObject({ replacedBy: lisbon.id, until: '2026-02' })
  })

  test('a fact has its former end again, whatever took its place has been deleted or undone', async () => {
    const params = { id: maya, observationId: berlin.id }
    await person.rest.updateObservation({ params, body: { until: '2030' } })
    const was = await read(berlin.id)
    const lisbon = await move()
    expect((await read(berlin.id))?.until).toBe('2026-02')
    await person.rest.deleteObservation({ params: { id: maya, observationId: lisbon.id } })
    expect(await read(berlin.id)).toEqual(was)
    await undo()
    expect(await read(berlin.id)).toMatchObject({ replacedBy: lisbon.id, until: '2026-02' })
    await person.rest.deleteObservation({ params: { id: maya, observationId: lisbon.id } })
    expect(await read(berlin.id)).toEqual(was)
    await move()
    await undo()
    expect(await read(berlin.id)).toEqual(was)
  })

  test('a deleted and restored fact is still replaced, unless what replaced it has gone', async () => {
    const lisbon = await move()
    const deleteOne = (id: string) =>
      person.rest.deleteObservation({ params: { id: maya, observationId: id } })
    await deleteOne(berlin.id)
    const { changes } = await person.rest.listChanges({ query: { limit: '1' } })
    await undo()
    expect(await read(berlin.id)).toMatchObject({ replacedBy: lisbon.id })
    await deleteOne(berlin.id)
    await deleteOne(lisbon.id)
    const again = (await person.rest.listChanges({ query: { operation: 'observation_deleted' as never } }))
      .changes
    expect(again[0]!.setId).not.toBe(changes[0]!.setId)
    await person.rest.undoChangeSet({ params: { setId: again[1]!.setId } })
    expect(await read(berlin.id), 'with its former end').toEqual(berlin)
  })

  test('a new time of a fact moves the end of what it replaced', async () => {
    const lisbon = await move()
    await person.rest.updateObservation({
      params: { id: maya, observationId: lisbon.id },
      body: { at: '2026-04' },
    })
    expect(await read(berlin.id)).toMatchObject({ until: '2026-04', replacedBy: lisbon.id })
    await person.rest.updateObservation({
      params: { id: maya, observationId: lisbon.id },
      body: { replaces: [] },
    })
    expect(await read(berlin.id)).toEqual(berlin)
  })

  test('null removes a field', async () => {
    const lisbon = await move()
    const params = { id: maya, observationId: lisbon.id }
    const { observation } = await person.rest.updateObservation({ params, body: { at: null } })
    expect(observation.at).toBeUndefined()
  })

  test('what is replaced already, missing, or the fact itself cannot be replaced', async () => {
    const lisbon = await move()
    const replacing = (id: string) => add({ content: 'Maya lives in Rome', replaces: [id] })
    await expect(replacing(berlin.id)).rejects.toMatchObject({ status: 409, code: 'observation_replaced' })
    await expect(replacing('obs_zzzzz')).rejects.toMatchObject({ status: 404 })
    await expect(replacing('Maya lives in Berlin')).rejects.toMatchObject({ status: 404 })
    const correct = (id: string, other: string) =>
      person.rest.updateObservation({ params: { id: maya, observationId: id }, body: { replaces: [other] } })
    await expect(correct(lisbon.id, lisbon.id)).rejects.toMatchObject({ status: 409 })
    await expect(correct(berlin.id, lisbon.id)).rejects.toMatchObject({ status: 409 })
  })

  test('a fact of another account cannot be replaced', async () => {
    const other = await server().signUp('bob')
    const { entity } = await other.rest.createEntity({ body: { name: 'Maya', type: 'person' } })
    const params = { id: entity.id }
    await expect(
      other.rest.createObservations({ params, body: { content: 'x', replaces: [berlin.id] } }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('PUT keeps what the new facts replace, and what is no longer told', async () => {
    const body = { name: 'Maya', type: 'person' }
    const { entity } = await person.rest.updateEntity({
      params: { id: maya },
      body: { ...body, observations: [{ content: 'Maya lives in Lisbon', replaces: [berlin.id] }] },
    })
    expect(entity.observations.map(({ content }) => content)).toEqual([
      'Maya lives in Berlin',
      'Maya lives in Lisbon',
    ])
    const again = await person.rest.updateEntity({
      params: { id: maya },
      body: { ...body, observations: ['Maya lives in Lisbon'] },
    })
    expect(again.entity.observations).toHaveLength(2)
  })

  test('PUT can replace facts by others of the list, and revises these too', async () => {
    const params = { id: maya }
    const tea = (await person.rest.getEntity({ params })).entity.observations[1]!
    const put = async (observations: (Partial<Observation> & { content: string })[]) => {
      await person.rest.updateEntity({ params, body: { name: 'Maya', type: 'person', observations } })
      for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
    }
    const moved = { id: tea.id, content: 'Maya moved', replaces: [berlin.id] }
    await put([moved, { id: berlin.id, content: 'Maya lived in Berlin' }])
    expect(await read(berlin.id)).toMatchObject({ content: 'Maya lived in Berlin', replacedBy: tea.id })
    const circle = put([moved, { id: berlin.id, content: 'Maya moved back', replaces: [tea.id] }])
    await expect(circle).rejects.toMatchObject({ code: 'observation_replaced' })
    await put([
      { ...moved, replaces: [] },
      { id: berlin.id, content: 'Maya lives in Berlin again' },
    ])
    expect(await read(berlin.id)).not.toHaveProperty('replacedBy')
    await put([moved])
    expect(await read(berlin.id), 'not in the list').toMatchObject({ replacedBy: tea.id })
    await put([{ id: berlin.id, content: 'Maya has never moved' }])
    expect(await read(berlin.id)).toMatchObject({ content: 'Maya has never moved' })
    expect(await read(berlin.id), 'what replaced it is not in the list').not.toHaveProperty('replacedBy')
  })

  test('a merge drops no fact whose twin is no longer told', async () => {
    await move()
    const { entity } = await person.rest.createEntity({
      body: { name: 'Maya K.', type: 'person', observations: [berlin.content, 'Maya likes green tea'] },
    })
    await person.rest.mergeEntity({ params: { id: entity.id }, body: { into: maya } })
    const { observations } = (await person.rest.getEntity({ params: { id: maya } })).entity
    const told = observations.filter(({ state }) => state === undefined)
    expect(told.map(({ content }) => content).sort()).toEqual([
      'Maya likes green tea',
      'Maya lives in Berlin',
      'Maya lives in Lisbon',
    ])
  })

  test('survives a merge, and a move takes no link out of its space', async () => {
    const lisbon = await move()
    const { entity } = await person.rest.createEntity({ body: { name: 'Maya Lin', type: 'person' } })
    await person.rest.mergeEntity({ params: { id: maya }, body: { into: entity.id } })
    const merged = await person.rest.getEntity({ params: { id: entity.id } })
    expect(merged.entity.observations.find(({ id }) => id === berlin.id)).toMatchObject({
      replacedBy: lisbon.id,
    })
    await undo()
    const { entity: home } = await person.rest.createEntity({
      body: { name: 'Home', type: 'note', observations: [{ content: 'Now in Rome', replaces: [lisbon.id] }] },
    })
    const { space } = await person.rest.createSpace({ body: { name: 'Other' } })
    await person.rest.moveEntities({ body: { ids: [home.id], space: 'Other' } })
    expect((await read(lisbon.id))?.replacedBy).toBeUndefined()
    const moved = await person.rest.getEntity({
      params: { id: home.id },
      headers: { [spaceHeader]: space.id },
    })
    expect(moved.entity.observations[0]?.replaces).toBeUndefined()
    for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
  })

  test('searches and lists tell only what is current, unless asked', async () => {
    const lisbon = await move()
    const query = 'Where does Maya live?'
    expect((await search(query)).map(({ id }) => id)).not.toContain(berlin.id)
    expect(await search(query, { states: 'current,replaced' })).toContainEqual(
      expect.objectContaining({ id: berlin.id, state: 'replaced', replacedBy: lisbon.id, until: '2026-02' }),
    )
    const listed = async (more: Record<string, string>) => {
      const { entities } = await person.rest.listEntities({
        query: { include: 'observations', ...more } as never,
      })
      return entities[0]!.observations!.map(({ id }) => id)
    }
    expect(await listed({})).not.toContain(berlin.id)
    expect(await listed({ states: 'replaced' })).toEqual([berlin.id])
    expect(await listed({ states: '' })).toEqual(await listed({}))
    expect(await search(query, { states: '' })).toEqual(await search(query))
    const [tea] = await listed({
      before: '2026-01-01',
      storedBefore: new Date(server().clock.now - 1).toISOString(),
    })
    expect(tea).toBeUndefined()
    const storedAfter = new Date(server().clock.now - 1).toISOString()
    expect(await listed({ storedAfter })).toEqual([lisbon.id])
    expect(await listed({ after: '2026-02-01', before: '2026-03-01' })).toEqual([lisbon.id])
    expect(await listed({ after: '2026-02', before: '2026-03' })).toEqual([lisbon.id])
  })

  test('a list shows the two newest facts of those it tells or is asked for, however many newer ones there are', async () => {
    await move()
    const expiresAt = new Date(server().clock.now - 1).toISOString()
    for (const content of ['Maya is away', 'Maya is back']) await add({ content, expiresAt })
    const latest = async (query: object = {}) => {
      const { entities } = await person.rest.listEntities({ query: { include: 'latest', ...query } })
      return entities[0]!.observations!.map(({ content }) => content.replace('Maya ', ''))
    }
    expect(await latest()).toEqual(['likes green tea', 'lives in Lisbon'])
    expect(await latest({ states: 'replaced' })).toEqual(['lives in Berlin'])
    const storedBefore = new Date(server().clock.now).toISOString()
    expect(await latest({ storedBefore })).toEqual(['likes green tea'])
  })

  test('a list of the past tells what was told then, and takes states and times too', async () => {
    const expiresAt = new Date(server().clock.now + dayMs).toISOString()
    await add({ content: 'Maya is away', expiresAt })
    const { changes } = await person.rest.listChanges({ query: { limit: '1' } })
    const asOfs = [String(changes[0]!.seq), new Date(server().clock.now).toISOString()]
    server().clock.now += 2 * dayMs
    await move()
    const list = async (asOf: string, more: Record<string, string> = {}) => {
      const query = { include: 'observations', asOf, ...more }
      const { entities } = await person.rest.listEntities({ query: query as never })
      return entities[0]!.observations!.map(({ content }) => content.replace('Maya ', ''))
    }
    for (const asOf of asOfs) {
      expect(await list(asOf)).toEqual(['lives in Berlin', 'likes green tea', 'is away'])
      expect(await list(asOf, { include: 'latest' })).toEqual(['likes green tea', 'is away'])
      expect(await list(asOf, { states: 'replaced,expired' })).toEqual([])
    }
    const now = new Date(server().clock.now).toISOString()
    expect(await list(now)).toEqual(['likes green tea', 'lives in Lisbon'])
    expect(await list(now, { states: 'replaced' })).toEqual(['lives in Berlin'])
    expect(await list(now, { states: 'expired' })).toEqual(['is away'])
    expect(await list(now, { after: '2026-01', before: '2026-03' })).toEqual(['lives in Lisbon'])
  })

  test('an expired fact is no longer told, and is deleted 30 days later', async () => {
    const expiresAt = new Date(server().clock.now + dayMs).toISOString()
    const { observations } = await add({ content: 'Deploys are frozen', expiresAt })
    const { id } = observations[0]!
    const found = async (more = {}) => (await search('frozen deploys', more)).map((hit) => hit.id)
    expect(await found()).toContain(id)
    server().clock.now += 2 * dayMs
    expect(await found()).not.toContain(id)
    expect(await found({ states: 'expired' })).toEqual([id])
    expect(await read(id)).toMatchObject({ state: 'expired' })
    const expire = async (days: number) => {
      const before = new Date(server().clock.now - days * dayMs).toISOString()
      await person.rest.updateObservation({
        params: { id: maya, observationId: id },
        body: { expiresAt: before },
      })
      await sweepExpiredFacts(server().ctx)
    }
    await expire(29)
    expect(await read(id)).toBeDefined()
    await expire(31)
    expect(await read(id)).toBeUndefined()
    const { changes } = await person.rest.listChanges({ query: { limit: '1' } })
    expect(changes[0]).toMatchObject({ operation: 'observation_deleted', actor: { kind: 'local' } })
    await undo()
    expect(await read(id)).toMatchObject({ content: 'Deploys are frozen' })
  })

  test('times of searches are when a fact was true, or when it was stored', async () => {
    await add({ content: 'Maya visited Oslo', at: '2019-03', until: '2019-03' })
    await add({ content: 'Maya visited Rome in May 2015' })
    const contents = async (more: Record<string, string>) =>
      (await search('visited', more)).map(({ content }) => content)
    expect(await contents({ after: '2019-01-01', before: '2020-01-01' })).toEqual(['Maya visited Oslo'])
    expect(await contents({ after: '2019', before: '2020' })).toEqual(['Maya visited Oslo'])
    expect(await contents({ after: '2019-03', before: '2019-04' })).toEqual(['Maya visited Oslo'])
    await expect(contents({ after: '2019-13' })).rejects.toThrow('must be a year, a month')
    expect(await contents({ before: '2016-01-01' })).toEqual(['Maya visited Rome in May 2015'])
    const names = async (more: Record<string, string>) =>
      (await person.rest.listEntities({ query: { query: 'visited', ...more } as never })).entities.map(
        ({ name }) => name,
      )
    expect(await names({ before: '2016' })).toEqual(['Maya'])
    expect(await names({ after: '2020-01-01' })).toEqual([])
    expect(await names({ storedBefore: '2020-01-01' })).toEqual([])
    expect(await contents({ storedBefore: '2020-01-01' })).toEqual([])
    const storedAfter = new Date(server().clock.now - dayMs).toISOString()
    expect((await contents({ storedAfter })).slice(0, 2).sort()).toEqual([
      'Maya visited Oslo',
      'Maya visited Rome in May 2015',
    ])
    for (const day of ['09', '10', '11']) {
      await add({ content: `Maya visited ${day}`, at: `2026-02-${day}`, until: `2026-02-${day}` })
    }
    await add({ content: 'Maya visited at night', at: '2026-02-11T03:00Z', until: '2026-02-11T03:00Z' })
    expect(
      (await contents({ after: '2026-02-10T00:00-08:00', before: '2026-02-11T00:00-08:00' })).sort(),
    ).toEqual(['Maya visited 10', 'Maya visited at night'])
    const inAuckland = { after: '2026-02-10T00:00+13:00', before: '2026-02-11T00:00+13:00' }
    expect(await contents(inAuckland)).toEqual(['Maya visited 10'])
    const { entities } = await person.rest.listEntities({ query: { include: 'observations', ...inAuckland } })
    expect(entities[0]!.observations!.map(({ content }) => content)).toEqual(['Maya visited 10'])
    expect((await search('What happened in March 2019?')).map(({ content }) => content)).toContain(
      'Maya visited Oslo',
    )
  })

  test('a write tells earlier facts that could say the same or the opposite, nearest first', async () => {
    const { rivals } = await add({ content: 'Maya lives in Lisbon' })
    expect(rivals[0]).toEqual({ id: berlin.id, content: 'Maya lives in Berlin' })
    const moved = await add({ content: 'She relocated to Portugal' })
    expect(moved.rivals.map(({ content }) => content)).toContain('Maya lives in Berlin')
    expect((await add({ content: 'Zyrplak!' })).rivals).toEqual([])
    const put = await person.rest.updateEntity({
      params: { id: maya },
      body: { name: 'Maya', type: 'person', observations: ['Maya lives in Berlin', 'Maya lives in Rome'] },
    })
    expect(put.rivals[0]?.content).toBe('Maya lives in Berlin')
  })

  test.each([
    ['Maya', 'Maya lives in Berlin', 'Maya lives in Lisbon now'],
    ['Jana Müller', 'Jana Müller wohnt in Bremen', 'Seit März wohnt Jana Müller in Hamburg'],
    ['田中', '田中は大阪に住んでいる', '田中は京都に住んでいる'],
  ])('a fact of another or a new entity names the rivals of its subject, %s', async (name, old, now) => {
    const other = await server().signUp('other')
    const { entity } = await other.rest.createEntity({ body: { name, type: 'person', observations: [old] } })
    const { rivals } = await other.rest.createEntity({
      body: { name: 'Note 1', type: 'note', observations: [now] },
    })
    expect(rivals).toEqual([{ id: entity.observations[0]!.id, content: old }])
    const client = await connectOverHttp(server(), other.apiKey, 'auto')
    const added = await ask(client, 'create_entities', {
      entities: [{ name: 'Note 2', entityType: 'note', observations: [now] }],
    })
    expectShown(added, entity.observations[0]!.id)
    await client.close()
  })

  describe('over MCP', () => {
    const connect = () => connectOverHttp(server(), person.apiKey, 'auto')

    test('a call is not told of its own facts as rivals', async () => {
      const client = await connectOverHttp(server(), person.apiKey, 'auto')
      const entities = [
        { name: 'Otto', entityType: 'person', observations: ['Otto lives in Graz', 'Otto is tall'] },
        { name: 'Ines', entityType: 'person', observations: ['Ines says that Otto lives in Linz'] },
      ]
      const created = await client.callTool({ name: 'create_entities', arguments: { entities } })
      expect(created.structuredContent).not.toHaveProperty('rivals')
      const observations = [
        { entityName: 'Otto', contents: ['Otto works in Wels'] },
        { entityName: 'Ines', contents: ['Ines says that Otto works in Graz'] },
      ]
      const added = await client.callTool({ name: 'add_observations', arguments: { observations } })
      const told = JSON.stringify(added.structuredContent)
      expect(told).toContain('"content":"Otto lives in Graz"')
      expect(told).not.toContain('"content":"Otto works in Wels"')
      await client.close()
    })

    test('an agent is told of rivals, replaces one, and sees only what is current', async () => {
      const client = await connect()
      const addition = { entityName: 'Maya', contents: ['Maya lives in Lisbon'] }
      const added = await ask(client, 'add_observations', { observations: [addition] })
      expectShown(added, berlin.id)
      expect(added.text).toContain('call update_observation with replaces')
      const observation = /The new fact is (obs_\w+)\./.exec(added.text)?.[1]
      const replacing = { observation, replaces: [berlin.id] }
      expect(await ask(client, 'update_observation', replacing)).toMatchObject({ isError: false })
      for (const [tool, args] of Object.entries({
        recall: { query: 'Where does Maya live?' },
        open_nodes: { names: ['Maya'] },
        read_graph: {},
        search_nodes: { query: 'Maya' },
        explore_entity: { name: 'Maya' },
      })) {
        const answer = await ask(client, tool, args)
        expectShown(answer, 'Maya lives in Lisbon')
        expectNotShown(answer, 'Maya lives in Berlin')
      }
      await client.close()
    })

    test('an agent corrects the fact that is told, not an equal one that was replaced', async () => {
      await move()
      const client = await connect()
      const again = { entityName: 'Maya', contents: ['Maya lives in Berlin'] }
      await ask(client, 'add_observations', { observations: [again] })
      const newObservation = 'Maya lives in Berlin again'
      const correction = { entityName: 'Maya', observation: 'Maya lives in Berlin', newObservation }
      const { structured } = await ask(client, 'update_observation', correction)
      expect(structured).toMatchObject({ observation: newObservation })
      expect(await read(berlin.id)).toMatchObject({ content: 'Maya lives in Berlin', state: 'replaced' })
      const found = (await search('lives in Berlin')).map(({ content }) => content)
      expect(found).toContain(newObservation)
      expect(found).not.toContain('Maya lives in Berlin')
      await client.close()
    })

    test('what has ended is said to be no longer true wherever texts alone are told', async () => {
      const until = (content: string, end: string) => add({ content, until: end })
      const [ended] = (await until('Maya rents a boat', '2020-05')).observations
      await until('Maya is on leave', '2100')
      const client = await connect()
      for (const [tool, args] of Object.entries({
        open_nodes: { names: ['Maya'] },
        search_nodes: { query: 'Maya' },
        read_graph: {},
      })) {
        const { structured, text } = await ask(client, tool, args)
        const notice = `No longer true: "Maya" 3 [${ended!.id}] until 2020-05.`
        expect(structured, tool).toMatchObject({ notice })
        expect(text, tool).toContain(notice)
      }
      await client.close()
    })

    test('what is replaced can be named by its exact text', async () => {
      const client = await connect()
      const addition = (replaces: string[], content = 'Maya lives in Lisbon') => ({
        observations: [{ entityName: 'Maya', contents: [{ content, replaces }] }],
      })
      const missed = await ask(client, 'add_observations', addition(['Maya lives in Berlin now']))
      expect(missed.isError).toBe(true)
      expectShown(missed, `the nearest is ${berlin.id}: "Maya lives in Berlin"`)
      expect(await ask(client, 'add_observations', addition(['Maya lives in Berlin']))).toMatchObject({
        isError: false,
      })
      const lisbon = (await read(berlin.id))?.replacedBy
      expect(await read(lisbon!)).toMatchObject({ content: 'Maya lives in Lisbon', replaces: [berlin.id] })
      const { observations } = await add({ content: 'Maya lives in Rome' })
      const [{ id: observation }, replaces] = [observations[0]!, ['Maya lives in Lisbon']]
      expect(await ask(client, 'update_observation', { observation, replaces })).toMatchObject({
        isError: false,
      })
      expect(await read(lisbon!)).toMatchObject({ replacedBy: observation })
      await client.close()
    })

    test('a fact that is known already replaces others too, once', async () => {
      const client = await connect()
      const { observations } = await add({ content: 'Maya lives in Lisbon', at: '2026-02' })
      const contents = [{ content: 'Maya lives in Lisbon', replaces: [berlin.id] }]
      const addition = { observations: [{ entityName: 'Maya', contents }] }
      for (let time = 0; time < 2; time++) {
        const { structured } = await ask(client, 'add_observations', addition)
        expect(structured).toMatchObject({ results: [{ addedObservations: [] }] })
        expect(await read(berlin.id)).toMatchObject({ replacedBy: observations[0]!.id, until: '2026-02' })
      }
      expect(await read(observations[0]!.id)).toMatchObject({ replaces: [berlin.id] })
      await client.close()
    })

    test('an agent that explores is told how many facts were replaced or have expired', async () => {
      const client = await connect()
      const explored = () => ask(client, 'explore_entity', { name: 'Maya' })
      expect((await explored()).structured).not.toHaveProperty('notice')
      await move()
      const notice = 'Not told, since replaced or expired: 1 of 3 observations (list_changes has them).'
      expect((await explored()).structured).toMatchObject({ notice, entity: { observationsCount: 3 } })
      await client.close()
    })

    test('an agent explores what is told, however many newer facts are not', async () => {
      const expiresAt = new Date(server().clock.now - 1).toISOString()
      const gone = Array.from({ length: 70 }, (_, i) => ({ content: `Maya was away ${i}`, expiresAt }))
      await person.rest.createObservations({ params: { id: maya }, body: { observations: gone } })
      const client = await connect()
      const answer = await ask(client, 'explore_entity', { name: 'Maya' })
      expectShown(answer, 'Maya lives in Berlin', 'Maya likes green tea')
      expectNotShown(answer, 'was away', 'older')
      await client.close()
    })

    test('an agent gives times and what a fact replaces in one call, and can say again what was true', async () => {
      const client = await connect()
      // Models write null for what they leave out.
      const absent = { until: null, expiresAt: null, metadata: null, source: null, files: null }
      const fact = { content: 'Maya lives in Lisbon', at: '2026-02', replaces: [berlin.id], ...absent }
      const addition = { entityName: 'Maya', contents: [fact, 'Maya sails'] }
      const added = await ask(client, 'add_observations', { observations: [addition] })
      expect(added.structured).toMatchObject({
        results: [{ addedObservations: ['Maya lives in Lisbon', 'Maya sails'] }],
      })
      expectShown(await ask(client, 'recall', { query: 'Where does Maya live?' }), '2026-02')
      const back = { entityName: 'Maya', contents: ['Maya lives in Berlin'] }
      expect((await ask(client, 'add_observations', { observations: [back] })).structured).toMatchObject({
        results: [{ addedObservations: ['Maya lives in Berlin'] }],
      })
      const created = await ask(client, 'create_entities', {
        entities: [
          { name: 'Leo', entityType: 'person', observations: [{ content: 'Leo was born', at: '1990' }] },
        ],
      })
      expect(created.structured).toMatchObject({ entities: [{ observations: ['Leo was born'] }] })
      const refused = await ask(client, 'add_observations', {
        observations: [{ entityName: 'Leo', contents: [{ content: 'Leo moved', at: 'last year' }] }],
      })
      expect(refused).toMatchObject({ isError: true })
      await client.close()
    })

    test('recall marks an older fact that a newer one may contradict, and tells the time of equal days', async () => {
      const client = await connect()
      const [newest] = (await add({ content: 'Maya lives in Lisbon' })).observations
      const answer = await ask(client, 'recall', { query: 'Where does Maya live?' })
      expect(answer.structured.observations).toContainEqual(
        expect.objectContaining({ id: berlin.id, newer: newest!.id }),
      )
      expect(answer.text).toContain(`newer: ${newest!.id}`)
      await add({ content: 'Maya lives in Rome' })
      const { structured } = await ask(client, 'recall', { query: 'Where does Maya live?' })
      const created = (structured.observations as Observation[]).map(({ createdAt }) => createdAt)
      expect(new Set(created.map((time) => time.length))).toEqual(new Set([10, 17]))
      await client.close()
    })

    test('recall marks what a move has ended, not what shares only "to" with it, nor the same place', async () => {
      const client = await connect()
      const observations = [
        'Lives in Plovdiv',
        'Allergic to peanuts',
        'Moved to Varna in 2024',
        'Lives in Varna',
      ]
      await ask(client, 'create_entities', {
        entities: [{ name: 'Sofia', entityType: 'person', observations }],
      })
      const { structured } = await ask(client, 'recall', { query: 'What do we know about Sofia?' })
      const facts = structured.observations as Observation[]
      const newer = facts.filter((fact) => 'newer' in fact).map(({ content }) => content)
      expect(facts).toHaveLength(observations.length)
      expect(newer).toEqual(['Lives in Plovdiv'])
      await client.close()
    })

    test('recall marks a count that a later fact tells to have changed, not another count', async () => {
      const client = await connect()
      const observations = [
        'The night shift handles 1,200 parcels per hour on the old conveyor, and management asks whether it is enough for the weeks before Christmas, what should I answer?',
        'We lease 7 forklifts from the dealer in Linz, and two of them are always being repaired.',
        'After the motors were exchanged, the parcels the night shift handles each hour have gone up to 1,450, can you help me work out how many people we can spare?',
      ]
      await ask(client, 'create_entities', {
        entities: [{ name: 'Depot', entityType: 'place', observations }],
      })
      const { structured } = await ask(client, 'recall', { query: 'What do we know about the depot?' })
      const facts = structured.observations as (Observation & { newer?: string })[]
      const idOf = (text: string) => facts.find(({ content }) => content === text)?.id
      const marks = facts.flatMap(({ id, newer }) => (newer === undefined ? [] : [[id, newer]]))
      expect(marks).toEqual([[idOf(observations[0]!), idOf(observations[2]!)]])
      await client.close()
    })
  })
})
