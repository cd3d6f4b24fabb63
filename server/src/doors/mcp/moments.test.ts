import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { dayMs } from '../../ground/lib/time.ts'

const open: Client[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

const textOf = (result: CallToolResult) =>
  result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

describeOnBothDatabases('times in everyday words', (server) => {
  async function connect(): Promise<Client> {
    const client = await connectOverHttp(server(), (await server().signUp()).apiKey, 'auto')
    open.push(client)
    return client
  }

  /** One observation forty days ago and one today. */
  async function fill(client: Client): Promise<void> {
    const { clock } = server()
    const today = clock.now
    for (const [daysAgo, content] of [
      [40, 'Ada bought a red kettle'],
      [0, 'Ada bought a blue kettle'],
    ] as const) {
      clock.now = today - daysAgo * dayMs
      const entities = [{ name: `Kettle ${daysAgo}`, entityType: 'thing', observations: [content] }]
      const made = await client.callTool({ name: 'create_entities', arguments: { entities } })
      expect(made.isError).toBeFalsy()
    }
    clock.now = today
  }

  test('limit what recall finds', async () => {
    const client = await connect()
    await fill(client)
    const recall = async (more: Record<string, string>) => {
      const result = await client.callTool({ name: 'recall', arguments: { query: 'Ada kettle', ...more } })
      expect(result.isError, textOf(result)).toBeFalsy()
      const { observations } = fieldsIn(result) as { observations: { content: string }[] }
      return observations.map(({ content }) => content).sort()
    }
    const [blue, red] = ['Ada bought a blue kettle', 'Ada bought a red kettle']
    expect(await recall({})).toEqual([blue, red])
    expect(await recall({ after: 'last week' })).toEqual([blue])
    expect(await recall({ after: '3 days ago' })).toEqual([blue])
    expect(await recall({ before: 'yesterday' })).toEqual([red])
    expect(await recall({ before: '2999-06' })).toEqual([blue, red])
    expect(await recall({ after: '2 months ago', before: 'letzte Woche' })).toEqual([red])
  })

  test('limit which changes are listed', async () => {
    const client = await connect()
    await fill(client)
    const result = await client.callTool({ name: 'list_changes', arguments: { since: 'yesterday' } })
    const { changes } = result.structuredContent as { changes: { details: string[] }[] }
    expect(changes.length).toBeGreaterThan(0)
    const details = changes.flatMap((change) => change.details).join('\n')
    expect(details).toContain('Kettle 0')
    expect(details).toContain('Ada bought a blue kettle')
    expect(details).not.toContain('Kettle 40')
    expect(details).not.toContain('Ada bought a red kettle')
  })

  test.each([
    ['recall', { query: 'Ada', after: 'soonish' }],
    ['recall', { query: 'Ada', before: '2026-13-40' }],
    ['list_changes', { since: 'v2.5.24' }],
  ])('what %s cannot read as a time is refused with examples', async (name, args) => {
    const client = await connect()
    const result = await client.callTool({ name, arguments: args })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(
      /Not a time: "(?:soonish|2026-13-40|v2\.5\.24)"\. Write a date \(2026-11-20\)/,
    )
    expect(textOf(result)).toContain('"last week"')
  })
})
