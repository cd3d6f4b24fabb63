import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { storeEntities } from '../../memory/write/store-entities.ts'
import { writeGraph } from '../../memory/write/write-graph.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'

describeOnBothDatabases('during a write of one account', (server) => {
  test('everybody reads the state before it, and afterwards all of it', async () => {
    const { ctx, signUp } = server()
    const [alice, bob] = [await signUp('alice'), await signUp('bob')]
    await bob.rest.createEntity({ body: { name: 'Bob', type: 'person' } })
    const scope = await scopeOf(server(), alice)
    const actor: Actor = { kind: 'session', role: 'owner', userId: alice.userId, ...scope }
    const begun = Promise.withResolvers<void>()
    const mayEnd = Promise.withResolvers<void>()
    const written = writeGraph(ctx, actor, async (write) => {
      await storeEntities(write, [{ name: 'Alice', type: 'person' }])
      begun.resolve()
      await mayEnd.promise
    })
    await begun.promise
    const names = async ({ rest }: typeof alice) =>
      (await rest.listEntities()).entities.map(({ name }) => name)
    try {
      expect(await names(bob)).toEqual(['Bob'])
      expect(await names(alice)).toEqual([])
      expect((await bob.rest.search({ query: { query: 'Bob' } })).results).toHaveLength(1)
      expect((await server().call('GET', '/readyz')).status).toBe(200)
      const agent = await connectOverHttp(server(), bob.apiKey, 'auto')
      expect(JSON.stringify(await agent.callTool({ name: 'read_graph', arguments: {} }))).toContain('Bob')
      await agent.close()
    } finally {
      mayEnd.resolve()
      await written
    }
    expect(await names(alice)).toEqual(['Alice'])
  })
})
