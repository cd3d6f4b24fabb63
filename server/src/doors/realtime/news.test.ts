import { encodePlaces, toBase64 } from '@loci/contract/place-codec'
import { expect, it, vi } from 'vitest'
import { openTwin } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { connect, patience } from '../../../test/socket.ts'

async function follow(url: string, { token }: Pick<Person, 'token'>) {
  const client = await connect(url, token)
  client.send({ type: 'subscribe_to_graph_changes', payload: {} })
  await client.heard('subscribed')
  const news = () =>
    client.messages.flatMap(({ type, payload }) =>
      type === 'map_changed' || type === 'recalled' ? [{ type, payload }] : [],
    )
  return {
    ...client,
    news,
    hears: (list: unknown[]) => vi.waitFor(() => expect(news()).toEqual(list), patience),
  }
}

const place = ({ rest }: Pick<Person, 'rest'>, entity: number, x: number) =>
  rest.putGraphPlaces({
    body: { regions: [], places: toBase64(encodePlaces([{ entity, x, y: 0, region: -1 }])) },
  })

async function recall(server: TestServer, { apiKey }: Person, query: string) {
  const agent = await connectOverHttp(server, apiKey, 'auto')
  await agent.callTool({ name: 'recall', arguments: { query } })
  await agent.close()
}

describeOnBothDatabases('news of a space', (server) => {
  it('reach everybody who follows it, in every process, and nobody else', async () => {
    const alice = await server().signUp('alice')
    const bob = await server().signUp('bob')
    const { entity: ada } = await alice.rest.createEntity({
      body: { name: 'Ada', type: 'person', observations: ['Ada drinks green tea'] },
    })
    await place(alice, 1, 10)
    const twin = await openTwin(server())
    const followers = [
      await follow(server().url, alice),
      await follow(server().url, alice),
      await follow(twin.url, alice),
    ]
    const stranger = await follow(server().url, bob)
    const changed = (version: number) => ({ type: 'map_changed', payload: { version } })
    await place(alice, 2, 20)
    await Promise.all(followers.map(({ hears }) => hears([changed(2)])))
    await alice.rest.nameRegion({ params: { entityId: ada.id }, body: { name: 'Tea' } })
    await Promise.all(followers.map(({ hears }) => hears([changed(2), changed(3)])))
    await recall(server(), alice, 'green tea')
    const told = {
      type: 'recalled',
      payload: {
        agent: 'test-agent',
        at: expect.any(String),
        entities: [{ id: ada.id, name: 'Ada', type: 'person' }],
      },
    }
    await Promise.all(followers.map(({ hears }) => hears([changed(2), changed(3), told])))
    await place(bob, 1, 10)
    await stranger.hears([changed(1)])
    for (const { socket } of [...followers, stranger]) socket.close()
    await twin.close()
  })

  it('are not told of recalls that are not kept, or in which nothing was found', async () => {
    const alice = await server().signUp()
    const client = await follow(server().url, alice)
    await recall(server(), alice, 'nothing at all')
    const [space] = (await alice.rest.listSpaces()).spaces
    await alice.rest.updateSpace({ params: { id: space!.id }, body: { keepsRecalls: false } })
    await alice.rest.createEntity({ body: { name: 'Ada', type: 'person', observations: ['green tea'] } })
    await recall(server(), alice, 'green tea')
    await server().ctx.usage.flush()
    await place(alice, 1, 10)
    await client.hears([{ type: 'map_changed', payload: { version: 1 } }])
    client.socket.close()
  })
})
