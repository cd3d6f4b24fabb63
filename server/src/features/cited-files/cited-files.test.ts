import type { Observation } from '@loci/contract/observations'
import { beforeEach, expect, test } from 'vitest'
import { ask, expectShown } from '../../../test/agent.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { createRandom } from '../../../test/random.ts'
import { checkAll } from '../checks/checks.service.ts'

describeOnBothDatabases('facts that rest on files', (server) => {
  let person: Person
  let app: string
  let fact: Observation

  const repository = 'github.com/ada/engine'
  const cited = { path: 'src/app.ts', lines: '3-9', hash: 'a1', repository }

  beforeEach(async () => {
    person = await server().signUp()
    const { entity } = await person.rest.createEntity({
      body: {
        name: 'engine',
        type: 'project',
        observations: [{ content: 'The app listens on port 7400', files: [cited] }, 'It has no files'],
      },
    })
    app = entity.id
    fact = entity.observations[0]!
  })

  const verify = (...files: { path: string; lines?: string; hash: string | null }[]) =>
    person.rest.verifyObservations({ body: { repository, files } })
  const read = async (id = fact.id) => {
    const { entity } = await person.rest.getEntity({ params: { id: app } })
    return entity.observations.find((one) => one.id === id)
  }
  const newest = async () => (await person.rest.listChanges({ query: { limit: '1' } })).changes[0]!
  const confirm = (id = fact.id) => person.rest.confirmObservation({ params: { id } })

  test('whose file is as it was are confirmed, and nothing is written', async () => {
    const { seq } = await newest()
    expect(await verify({ path: 'src/app.ts', lines: '3-9', hash: 'a1' })).toEqual({
      stale: [],
      confirmed: 1,
    })
    expect(await verify({ path: 'src/other.ts', hash: 'a1' })).toEqual({ stale: [], confirmed: 0 })
    expect((await newest()).seq).toBe(seq)
  })

  test.each([
    ['changed', 'b2'],
    ['gone', null],
  ])('whose file has %s are told with that remark until they are confirmed', async (reason, hash) => {
    const told = { path: 'src/app.ts', lines: '3-9', reason }
    const answer = await verify({ path: 'src/app.ts', hash })
    expect(answer).toEqual({ stale: [{ observationId: fact.id, ...told }], confirmed: 0 })
    expect(await read()).toMatchObject({ state: 'stale', stale: [told] })
    expect((await read())?.updatedAt).toBeUndefined()
    expect(await verify({ path: 'src/app.ts', hash })).toEqual(answer)
    const { observation } = await confirm()
    expect(observation).not.toHaveProperty('stale')
    expect(observation.files).toEqual(hash === null ? undefined : [{ ...cited, hash }])
    expect(await verify({ path: 'src/app.ts', hash })).toEqual({
      stale: [],
      confirmed: hash === null ? 0 : 1,
    })
  })

  test('are no longer stale when the file is as it was, or the fact is corrected, and again after undo', async () => {
    await verify({ path: 'src/app.ts', hash: 'b2' })
    await verify({ path: 'src/app.ts', hash: 'a1' })
    expect(await read()).toEqual(fact)
    await verify({ path: 'src/app.ts', hash: 'b2' })
    await person.rest.updateObservation({
      params: { id: app, observationId: fact.id },
      body: { content: 'The app listens on port 7401' },
    })
    expect(await read()).toMatchObject({ files: [{ ...cited, hash: 'b2' }] })
    expect((await read())?.state).toBeUndefined()
    await person.rest.undoChangeSet({ params: { setId: (await newest()).setId } })
    expect(await read()).toMatchObject({ state: 'stale', files: [cited] })
    for await (const difference of checkAll(server().ctx)) expect.fail(JSON.stringify(difference))
  })

  test('take the hash and the repository of files seen for the first time', async () => {
    const { observations } = await person.rest.createObservations({
      params: { id: app },
      body: { content: 'The router is in one file', files: [{ path: 'src/router.ts' }] },
    })
    await verify({ path: 'src/router.ts', hash: 'c3' })
    const { id } = observations[0]!
    expect((await read(id))?.files).toEqual([{ path: 'src/router.ts', hash: 'c3', repository }])
    expect((await verify({ path: 'src/router.ts', hash: 'd4' })).stale).toMatchObject([{ observationId: id }])
  })

  test('are listed by repository, and the stale ones by themselves', async () => {
    await person.rest.createObservations({
      params: { id: app },
      body: { content: 'Elsewhere', files: [{ path: 'a', repository: 'other' }] },
    })
    const { observations } = await person.rest.listCitedObservations({ query: { repository } })
    expect(observations).toEqual([{ ...fact, entity: { id: app, name: 'engine', type: 'project' } }])
    expect((await person.rest.listStaleObservations({ query: {} })).observations).toEqual([])
    await verify({ path: 'src/app.ts', hash: null })
    expect((await person.rest.listStaleObservations({ query: {} })).observations).toMatchObject([
      { id: fact.id, state: 'stale' },
    ])
    const search = async (states?: string) => {
      const query = { query: 'port', ...(states && { states }) }
      return (await person.rest.searchObservations({ query })).observations
    }
    expect((await search())[0]).toMatchObject({ id: fact.id, state: 'stale' })
    expect(await search('stale')).toHaveLength(1)
    expect((await search('current')).map(({ id }) => id)).not.toContain(fact.id)
  })

  test('are refused as plain texts, and the refusal says what is wanted', async () => {
    const wanted = 'must be an object with a path: {"path": "src/app.ts"}'
    const observations = [{ content: 'Reads its port from the environment', files: ['src/app.ts'] as never }]
    await expect(
      person.rest.createEntity({ body: { name: 'other', type: 'project', observations } }),
    ).rejects.toMatchObject({ status: 400, message: `observations.0.files.0 ${wanted}` })
    const agent = await connectOverHttp(server(), person.apiKey, 'auto')
    const args = { observations: [{ entityName: 'engine', contents: observations }] }
    const { isError, content } = await agent.callTool({ name: 'add_observations', arguments: args })
    expect([isError, JSON.stringify(content)]).toEqual([
      true,
      expect.stringContaining('files[0]: Must be an object with a path'),
    ])
    await agent.close()
  })

  test('of another account are not found', async () => {
    const bob = await server().signUp('bob')
    await expect(bob.rest.confirmObservation({ params: { id: fact.id } })).rejects.toMatchObject({
      status: 404,
    })
    const body = { repository, files: [{ path: 'src/app.ts', hash: null }] }
    expect(await bob.rest.verifyObservations({ body })).toEqual({ stale: [], confirmed: 0 })
    expect(await read()).toEqual(fact)
  })

  test('are told to agents with the remark, and confirmed by them', async () => {
    await verify({ path: 'src/app.ts', hash: 'b2' })
    const client = await connectOverHttp(server(), person.apiKey, 'auto')
    for (const [tool, args] of Object.entries({
      recall: { query: 'Which port does the app listen on?' },
      open_nodes: { names: ['engine'] },
      search_nodes: { query: 'port' },
      explore_entity: { name: 'engine' },
    })) {
      const answer = await ask(client, tool, args)
      expectShown(answer, 'The app listens on port 7400')
      expectShown(answer, 'src/app.ts (lines 3-9) has changed')
    }
    expect(await ask(client, 'update_observation', { observation: fact.id })).toMatchObject({
      isError: false,
    })
    expect(await read()).toMatchObject({ files: [{ ...cited, hash: 'b2' }] })
    await client.close()
  })

  test('drift in a repository of 200 cited facts is found whole, and nothing else is reported', async () => {
    const random = createRandom(7)
    const files = Array.from({ length: 200 }, (_, i) => ({
      path: `src/file-${i % 60}.ts`,
      lines: `${i}`,
      hash: `h${i}`,
    }))
    const { observations } = await person.rest.createObservations({
      params: { id: app },
      body: {
        observations: files.map((file, i) => ({ content: `Fact ${i}`, files: [{ ...file, repository }] })),
      },
    })
    const drifted = new Map<string, string>()
    const now = files.map((file, i) => {
      const chance = random()
      if (chance > 0.3) return file
      drifted.set(observations[i]!.id, chance < 0.1 ? 'gone' : 'changed')
      return { ...file, hash: chance < 0.1 ? null : `other${i}` }
    })
    const { stale, confirmed } = await verify(...now)
    expect(drifted.size).toBeGreaterThan(30)
    expect(new Map(stale.map(({ observationId, reason }) => [observationId, reason]))).toEqual(drifted)
    expect(confirmed).toBe(200 - drifted.size)
  })
})
