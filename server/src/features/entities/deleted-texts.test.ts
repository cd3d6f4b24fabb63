import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { statementsOf } from '../../../test/statements-of.ts'
import { numberOf } from '../../ground/lib/ids.ts'
import { analyseStored } from '../../memory/write/analyse-stored.ts'
import { removeEntities } from '../../memory/write/remove-entities.ts'
import { writeGraph } from '../../memory/write/write-graph.ts'
import { findEntity } from '../../rows/entities.repo.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import { checkAll } from '../checks/checks.service.ts'

/** Together more than is left to the write. */
const long = (topic: string) => `${topic} ${'river stone amber. '.repeat(200)}`

describeOnBothDatabases('the texts of an entity, analysed before it is deleted', (server) => {
  test('are used only as far as they are still the same in the write', async () => {
    const { ctx } = server()
    const alice = await server().signUp()
    const { rest } = alice
    const scope = await scopeOf(server(), alice)
    const { entity } = await rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: [long('alpha'), long('beta'), long('gamma')] },
    })
    const params = { id: entity.id }
    const analysed = await analyseStored(ctx.db, scope, [numberOf('ent', entity.id)])
    const { entity: before } = await rest.getEntity({ params })
    const [first, second] = before.observations.map(({ id, content }) => ({
      id: numberOf('obs', id),
      content,
      metadata: null,
    }))
    expect(analysed.find(first!)?.passages.length).toBeGreaterThan(1)
    expect(analysed.find({ ...second!, content: 'delta' })).toBeUndefined()
    expect(analysed.find({ ...second!, metadata: '{}' })).toBeUndefined()

    const observationId = before.observations[0]!.id
    await rest.updateObservation({ params: { ...params, observationId }, body: { content: 'epsilon' } })
    await rest.createObservations({ params, body: { content: 'zeta' } })
    const actor: Actor = { kind: 'session', role: 'owner', userId: alice.userId, ...scope }
    await writeGraph(ctx, actor, async (write) => {
      const stored = await findEntity(write.db, write.scope, entity.id)
      await removeEntities(write, [stored!], analysed)
    })
    for (const query of ['alpha', 'beta', 'epsilon', 'zeta'])
      expect((await rest.search({ query: { query } })).results).toEqual([])
    for await (const { message } of checkAll(ctx)) expect.fail(message)
  })

  test('let the account read meanwhile, even beside other accounts', async () => {
    const [alice, bob] = [await server().signUp(), await server().signUp()]
    const observations = Array.from({ length: 12 }, (_, i) => `${i} ${'river stone amber. '.repeat(3_200)}`)
    const body = { name: 'Ada', type: 'person', observations }
    const { entity } = await alice.rest.createEntity({ body })
    const list = (token: string) => server().call('GET', '/api/entities?limit=1', { token })
    await list(bob.apiKey)
    const statements = await statementsOf(async () => {
      const request = { token: alice.apiKey, body: { ids: [entity.id] } }
      const deleting = server().call('POST', '/api/entities/delete', request)
      for (let i = 0; i < 4; i++) await list(alice.apiKey)
      expect((await deleting).body).toMatchObject({ changed: 1 })
    })
    const begun = statements.findIndex((text) => /^begin immediate|for update/.test(text))
    expect(
      statements.slice(0, begun).filter((text) => text.includes('as "total" from "entities"')),
    ).toHaveLength(4)
  })

  test('leave the index with it, over REST and MCP', async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const observations = [long('alpha'), long('beta'), long('gamma')]
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person', observations } })
    await rest.createEntity({ body: { name: 'Bob', type: 'person', observations } })
    await rest.deleteEntity({ params: { id: entity.id } })
    const client = await connectOverHttp(server(), alice.apiKey, 'auto')
    try {
      await client.callTool({ name: 'delete_entities', arguments: { entityNames: ['Bob', 'Cy'] } })
    } finally {
      await client.close()
    }
    expect((await rest.search({ query: { query: 'alpha' } })).results).toEqual([])
    for await (const { message } of checkAll(server().ctx)) expect.fail(message)
  })
})
