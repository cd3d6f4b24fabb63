import type { Client } from '@modelcontextprotocol/client'
import { afterEach, expect, test } from 'vitest'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { talk } from '../../../test/talk.ts'
import { checkAll } from '../checks/checks.service.ts'

describeOnBothDatabases('receipts', (server) => {
  let agent: Client | undefined
  afterEach(async () => agent?.close())

  /** Calls a tool, and stores the call with its result as the agent's transcript has them. */
  async function callAndTell(
    person: Person,
    tool: string,
    args: object,
    { prefix = 'mcp__loci__', ok = true } = {},
  ) {
    agent ??= await connectOverHttp(server(), person.apiKey, 'auto')
    const { content } = await agent.callTool({ name: tool, arguments: { ...args } })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    return {
      text,
      tell: (shown = text, startedAt = server().clock.now) =>
        tell(person, prefix + tool, shown, { ok, startedAt }),
    }
  }

  const tell = (
    person: Person,
    name: string,
    text: string,
    { ok = true, startedAt = server().clock.now } = {},
  ) =>
    talk(
      person,
      'shop',
      [
        { role: 'person', text: 'go' },
        { role: 'tool', text, tool: { name, ok } },
      ],
      { startedAt },
    )

  async function sourcesOf({ rest }: Person, name: string) {
    const { entities } = await rest.listEntities({ query: { query: name, include: 'observations' } })
    const found = entities.find((entity) => entity.name === name)
    return Object.fromEntries((found?.observations ?? []).map(({ content, source }) => [content, source]))
  }

  test('give the facts that a call stored their turn as source', async () => {
    agent = undefined
    const alice = await server().signUp()
    const entities = [
      { name: 'shop', entityType: 'project', observations: ['shop runs on Node', 'shop says "tea"'] },
    ]
    const created = await callAndTell(alice, 'create_entities', { entities })
    const id = await created.tell()
    const { turns } = await alice.rest.readConversation({ params: { id } })
    const source = { conversationId: id, turnId: turns[1]!.id }
    expect(await sourcesOf(alice, 'shop')).toEqual({ 'shop runs on Node': source, 'shop says "tea"': source })
    expect((await alice.rest.readConversation({ params: { id } })).conversation.facts).toBe(2)
    const added = await callAndTell(alice, 'add_observations', {
      observations: [{ entityName: 'shop', contents: ['shop sells tea'] }],
    })
    const second = await added.tell(`Wall time: 0.1 seconds\nOutput:\n${added.text}`)
    expect(await sourcesOf(alice, 'shop')).toMatchObject({
      'shop sells tea': { conversationId: second },
      'shop runs on Node': { conversationId: id },
    })
    expect(await arrayOf(checkAll(server().ctx))).toEqual([])
  })

  test('are read from results that were cut, as far as they are whole', async () => {
    agent = undefined
    const alice = await server().signUp()
    const facts = Array.from({ length: 9 }, (_, i) => `mill grinds corn of kind ${i}`)
    const created = await callAndTell(alice, 'create_entities', {
      entities: [{ name: 'mill', entityType: 'place', observations: facts }],
    })
    const half = created.text.indexOf('kind 4')
    const id = await created.tell(`${created.text.slice(0, half)} ... ${created.text.slice(half + 40)}`)
    const sources = Object.values(await sourcesOf(alice, 'mill'))
    expect(sources.filter((source) => source?.conversationId === id).length).toBeGreaterThan(5)
    expect(sources).toContain(undefined)
  })

  test('are no receipts: readings, failures, other tools, other times, and facts with a source', async () => {
    agent = undefined
    const alice = await server().signUp()
    const own = { url: 'https://example.com/' }
    await alice.rest.createEntity({
      body: {
        name: 'dam',
        type: 'place',
        observations: ['dam holds', { content: 'dam leaks', source: own }],
      },
    })
    const text = JSON.stringify({
      results: [{ entityName: 'dam', addedObservations: ['dam holds', 'dam leaks'] }],
    })
    await tell(alice, 'mcp__loci__open_nodes', text)
    await tell(alice, 'mcp__loci__add_observations', text, { ok: false })
    await tell(alice, 'mcp__other__add_observations', text)
    await tell(alice, 'mcp__loci__add_observations', text, { startedAt: server().clock.now - 86_400_000 })
    expect(await sourcesOf(alice, 'dam')).toEqual({ 'dam holds': undefined, 'dam leaks': own })
    const id = await tell(alice, 'mcp__loci__add_observations', text)
    expect(await sourcesOf(alice, 'dam')).toEqual({
      'dam holds': expect.objectContaining({ conversationId: id }),
      'dam leaks': own,
    })
  })

  test('leave the write that stored the facts free to be undone', async () => {
    agent = undefined
    const alice = await server().signUp()
    const created = await callAndTell(alice, 'create_entities', {
      entities: [{ name: 'weir', entityType: 'place', observations: ['weir is old'] }],
    })
    await created.tell()
    const { changes } = await alice.rest.listChanges({ query: {} })
    expect(changes.map(({ operation }) => operation)).toEqual(['observation_added', 'entity_created'])
    await alice.rest.undoChangeSet({ params: { setId: changes[0]!.setId } })
    expect((await alice.rest.listEntities({ query: {} })).entities).toEqual([])
  })
})
