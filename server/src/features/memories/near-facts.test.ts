import { expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { talk } from '../../../test/talk.ts'
import type { Recalled } from './recalled.ts'

const names = ['tea-shop', 'garden', 'museum']

describeOnBothDatabases('facts of where a question is asked from', (server) => {
  const recallAs = (apiKey: string) => async (about?: { file?: string; project?: string }) => {
    const agent = await connectOverHttp(server(), apiKey, 'auto')
    const result = await agent.callTool({
      name: 'recall',
      arguments: { query: 'Which port does the staging server use?', ...(about && { about }) },
    })
    await agent.close()
    return (fieldsIn(result) as Recalled).observations?.map(({ entity }) => entity.name)
  }

  /** The same fact of three projects: one kept in a conversation, one that rests on a file. */
  async function remember({ rest }: Person, conversationId: string): Promise<void> {
    const more = [{ source: { conversationId } }, { files: [{ path: 'deploy/staging.yaml' }] }, {}]
    for (const [i, name] of names.entries())
      await rest.createEntity({
        body: {
          ...{ name, type: 'project' },
          observations: [{ content: `The staging server uses port 700${i}`, ...more[i] }],
        },
      })
  }

  test('come first where they answer as well as others', async () => {
    const alice = await server().signUp()
    await remember(alice, await talk(alice, 'tea-shop', [{ role: 'person', text: 'Hello' }]))
    const recall = recallAs(alice.apiKey)
    const [first] = (await recall({ file: '/home/ada/garden/deploy/staging.yaml' })) ?? []
    expect(first).toBe('garden')
    expect((await recall({ project: 'tea-shop' }))?.[0]).toBe('tea-shop')
    expect((await recall({ project: '/home/ada/tea-shop' }))?.[0]).toBe('tea-shop')
    expect(await recall({ file: 'other/deploy.yaml', project: 'nowhere' })).toEqual(await recall())
    expect(new Set(await recall({ project: 'tea-shop' }))).toEqual(new Set(names))
  })

  test('tell a caller without the right to conversations nothing of their projects', async () => {
    const alice = await server().signUp()
    await remember(alice, await talk(alice, 'tea-shop', [{ role: 'person', text: 'Hello' }]))
    const { apiKey } = await alice.rest.createKey({ body: { name: 'k', permissions: ['memory:read'] } })
    const recall = recallAs(apiKey)
    expect(await recall({ project: 'tea-shop' })).toEqual(await recall())
  })
})
