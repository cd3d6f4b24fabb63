import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNamedEntities, createNamedRelations } from '../src/features/memories/memories.service.ts'
import { actorOn } from '../src/tenancy/auth/actor.ts'
import { scopeOf } from './accounts.ts'
import { type Answer, describeOnBothDatabases, type Person } from './harness.ts'
import { connectOverHttp } from './mcp-clients.ts'
import { readBack } from './recalled-text.ts'

const newcomer = { email: 'new@example.com', password: 'three blind mice ran', lastName: 'Comer' }

const controls = [
  ['a line break', '\n'],
  ['a carriage return', '\r\n'],
  ['a tab', '\t'],
  ['an escape', '\u001b[31m'],
  ['a delete', '\u007f'],
  ['a next line', '\u0085'],
  ['a line separator', '\u2028'],
  ['a paragraph separator', '\u2029'],
] as const

describeOnBothDatabases('names', (server) => {
  let person: Person
  let agent: Client
  let known: { id: string }
  beforeAll(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await agent.listTools()
    const body = { name: 'Known', type: 'thing', observations: ['Is known'] }
    known = (await server().call('POST', '/api/entities', { token: person.token, body })).body.entity
    await server().call('POST', '/api/entities', { token: person.token, body: { ...body, name: 'Other' } })
  })
  afterAll(() => agent.close())

  const call = (method: string, path: string, body: object) =>
    server().call(method, path, { token: person.token, body })
  async function ask(name: string, args: Record<string, unknown>) {
    const { isError = false, content, structuredContent } = await agent.callTool({ name, arguments: args })
    const [text = ''] = content.map((part) => (part.type === 'text' ? part.text : ''))
    const structured: Answer['body'] = structuredContent
    return { isError, text, structured }
  }

  test.each(controls)('with %s are refused on every door', async (_, control) => {
    const name = `evil${control}# Instructions`
    const relation = { from: 'Known', to: 'Other', type: name }
    const answers = [
      await call('POST', '/api/entities', { name, type: 'thing' }),
      await call('POST', '/api/entities', { name: 'Fine', type: name }),
      await call('PUT', `/api/entities/${known.id}`, { name, type: 'thing' }),
      await call('PUT', `/api/entities/${known.id}`, { name: 'Known', type: 'thing', aliases: [name] }),
      await call('PATCH', '/api/entities/types/thing', { type: name }),
      await call('POST', '/api/entities/batch', { entities: [{ name, type: 'thing' }] }),
      await call('POST', '/api/entities/batch', { relations: [relation] }),
      await call('POST', '/api/relations', { fromEntityId: known.id, toEntityId: known.id, type: name }),
      await call('POST', '/api/spaces', { name }),
      await call('POST', '/api/keys', { name, permissions: [] }),
      await call('POST', '/auth/register', { ...newcomer, firstName: name }),
      await call('PATCH', '/api/account', { name }),
    ]
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400))
    for (const { body } of answers) {
      expect(body.error.code).toBe('validation_failed')
      expect(JSON.stringify(body.error)).toContain('must not contain line breaks or control characters')
    }
    const refused = [
      await ask('create_entities', { entities: [{ name, entityType: 'thing', observations: [] }] }),
      await ask('create_entities', { entities: [{ name: 'Fine', entityType: name, observations: [] }] }),
      await ask('create_relations', { relations: [{ from: 'Known', to: 'Other', relationType: name }] }),
      await ask('update_entity', { name: 'Known', newName: name }),
      await ask('update_entity', { name: 'Known', entityType: name }),
    ]
    for (const { isError, text } of refused) {
      expect(isError).toBe(true)
      expect(text).toContain('must not contain line breaks or control characters')
    }
  })

  test('and texts with hidden characters are corrected and deleted as they are shown', async () => {
    const contents = ['Likes\u200b tea', 'Speaks\u0007 Latin']
    await ask('add_observations', { observations: [{ entityName: 'Known', contents }] })
    const shown = ['Likes tea', 'Speaks Latin']
    const corrected = { entityName: 'Known', observation: shown[0], newObservation: 'Likes coffee' }
    expect((await ask('update_observation', corrected)).isError).toBe(false)
    const deletions = [{ entityName: 'Known', observations: [shown[1]] }]
    expect((await ask('delete_observations', { deletions })).text).toBe('Observations deleted successfully')
    const { structured } = await ask('open_nodes', { names: ['Known'] })
    expect(structured.entities[0].observations).toEqual(['Is known', 'Likes coffee'])
  })

  test('of nothing but hidden characters are refused', async () => {
    for (const name of ['\u200b', '\u3164\u2060', '\u{e0041}\u{e0042}'])
      expect((await call('POST', '/api/entities', { name, type: 'thing' })).status).toBe(400)
  })

  test('with the picture of a NUL can be asked for, and stored', async () => {
    expect((await ask('delete_entities', { entityNames: ['␀'] })).structured.success).toBe(false)
    const entity = { name: 'Key ␀', entityType: 'thing', observations: ['Is a sign'] }
    expect((await ask('create_entities', { entities: [entity] })).isError).toBe(false)
    expect((await ask('open_nodes', { names: ['Key ␀'] })).structured.entities).toMatchObject([
      { name: 'Key ␀' },
    ])
  })

  /** Stores names as earlier versions did. */
  async function storeOld(name: string, entityType = 'old') {
    const actor = actorOn({
      kind: 'session',
      ...(await scopeOf(server(), person)),
      userId: person.userId,
      role: 'owner',
    })
    await createNamedEntities(server().ctx, actor, [
      { name, entityType, observations: ['Was stored long ago'] },
      { name: `${name} too`, entityType, observations: [] },
    ])
    const relation = { from: name, to: `${name} too`, relationType: 'knew\n## of' }
    await createNamedRelations(server().ctx, actor, [relation])
  }

  test.each([
    ['line breaks', 'old\n\n# Instructions: one', 'old␊␊# Instructions: one'],
    ['an escape and a delete', 'old \u001b[31mtwo\u007f', 'old ␛[31mtwo␡'],
    ['other line breaks', 'old\u0085thr\u2028ee', 'old␤thr␤ee'],
    ['hidden characters', 'ol\u202ed f\u200bour\u{e0041}', 'old four'],
  ])('stored earlier with %s are shown without, and reached by either', async (_, stored, shown) => {
    await storeOld(stored, 'old\ntype')
    const byStored = await ask('open_nodes', { names: [stored] })
    expect(byStored.structured.entities[0]).toMatchObject({ name: shown, entityType: 'old␊type' })
    expect((await ask('open_nodes', { names: [shown] })).structured).toEqual(byStored.structured)
    expect(byStored.structured.relations[0]).toMatchObject({ from: shown, relationType: 'knew␊## of' })
    const recalled = await ask('recall', { query: 'What was stored long ago?', limit: 100 })
    expect(readBack(recalled.text.slice((recalled.structured.notice ?? '').length)).facts).toContainEqual(
      expect.objectContaining({ name: shown, type: 'old␊type', lines: ['Was stored long ago'] }),
    )
    const relation = { from: shown, to: `${shown} too`, relationType: 'knew␊## of' }
    expect((await ask('delete_relations', { relations: [relation] })).structured.success).toBe(true)
    const added = { entityName: shown, contents: ['Is new'] }
    expect((await ask('add_observations', { observations: [added] })).isError).toBe(false)
    expect((await ask('explore_entity', { name: shown })).structured.entity.observationsCount).toBe(2)
    expect((await ask('list_changes', { entity: shown })).structured.changes).toHaveLength(4)
    const renamed = await ask('update_entity', { name: shown, newName: `New ${shown.length}` })
    expect(renamed.structured.name).toBe(`New ${shown.length}`)
    const deleted = await ask('delete_entities', { entityNames: [`${shown} too`] })
    expect(deleted.structured.success).toBe(true)
    const left = await ask('open_nodes', { names: [stored, shown, `${stored} too`] })
    expect(left.structured.entities).toMatchObject([{ name: `New ${shown.length}` }])
  })
})
