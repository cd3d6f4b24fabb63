import { expect, test } from 'vitest'
import { addPerson } from '../../../test/accounts.ts'
import { ask, expectShown } from '../../../test/agent.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('where facts are from', (server) => {
  const cited = {
    content: 'Orders are kept for ten years',
    source: { title: 'Tax handbook', quote: 'ten years' },
  }
  const said = {
    content: 'Orders are sharded by customer',
    source: { conversationId: 'conv_7', turnId: 't3' },
  }
  const asked = {
    recall: { query: 'How are orders kept and sharded?' },
    open_nodes: { names: ['Orders'] },
    explore_entity: { name: 'Orders' },
  }

  test('is told on request, with who wrote them, now and as of then', async () => {
    const owner = await server().signUp('Ada')
    const client = await connectOverHttp(server(), owner.apiKey, 'auto')
    const orders = {
      name: 'Orders',
      entityType: 'service',
      observations: [cited, said, 'Orders has no source'],
    }
    await ask(client, 'create_entities', { entities: [orders] })
    server().clock.now += 60_000
    for (const [tool, args] of Object.entries(asked)) {
      expect((await ask(client, tool, args)).text, tool).not.toContain('Tax handbook')
      for (const when of [{}, { asOf: 'now' }]) {
        const answer = await ask(client, tool, { ...args, ...when, with: ['source'] })
        expectShown(answer, 'Tax handbook', 'ten years', 'conversation conv_7 turn t3', 'test-agent')
      }
    }
    await client.close()
  })

  test('is always told of what others wrote', async () => {
    const owner = await server().signUp('Ada')
    const member = await addPerson(server(), owner, 'member')
    const theirs = await connectOverHttp(server(), member.apiKey, 'auto')
    const orders = { name: 'Orders', entityType: 'service', observations: [cited] }
    await ask(theirs, 'create_entities', { entities: [orders] })
    const own = await connectOverHttp(server(), owner.apiKey, 'auto')
    for (const [tool, args] of Object.entries(asked))
      expectShown(await ask(own, tool, args), 'Tax handbook', 'Max Member')
    await own.close()
    await theirs.close()
  })
})
