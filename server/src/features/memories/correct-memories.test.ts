import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'

describeOnBothDatabases('corrections by an agent', (server) => {
  let person: Person
  let agent: Client
  beforeEach(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await agent.listTools()
    const entities = [
      { name: 'Ada', entityType: 'person', observations: ['Lives in Porto', 'Likes tea'] },
      { name: 'Ada Lovelace', entityType: 'person', observations: ['Likes tea', 'Writes programs'] },
      { name: 'Acme', entityType: 'company', observations: [] },
    ]
    await call('create_entities', { entities })
    await call('create_relations', { relations: [{ from: 'Ada', to: 'Acme', relationType: 'works_at' }] })
  })
  afterEach(() => agent.close())

  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  type Result = { structured: any; text: string; code: string | undefined }

  async function call(name: string, args: Record<string, unknown>): Promise<Result> {
    const result = await agent.callTool({ name, arguments: args })
    const { isError, content, _meta } = result
    const [text = ''] = content.map((part) => (part.type === 'text' ? part.text : ''))
    const error = _meta?.['dev.loci/error'] as { code: string } | undefined
    return { structured: fieldsIn(result), text, code: isError ? (error?.code ?? 'unknown') : undefined }
  }
  const open = async (name: string) => (await call('open_nodes', { names: [name] })).structured
  const lastCall = async (): Promise<number> =>
    (await call('list_changes', { limit: 1 })).structured.changes[0].number

  test('change the text of an observation, found by its text or id, and keep its id', async () => {
    const fact = { entityName: 'Ada', observation: 'Lives in Porto', newObservation: 'Lives in Lisbon' }
    const { structured } = await call('update_observation', fact)
    expect(structured).toEqual({
      id: expect.stringMatching(/^obs_/),
      entityName: 'Ada',
      observation: 'Lives in Lisbon',
    })
    const again = { entityName: 'Ada', observation: structured.id, newObservation: 'Lives in Faro' }
    expect((await call('update_observation', again)).structured.id).toBe(structured.id)
    expect((await open('Ada')).entities[0].observations).toEqual(['Lives in Faro', 'Likes tea'])
    const { changes } = (await call('list_changes', { limit: 1 })).structured
    expect(changes[0]).toMatchObject({
      what: 'corrected 1 observation',
      entities: ['Ada'],
      details: [`+ Ada: "Lives in Faro" [${structured.id}] (was "Lives in Lisbon")`],
    })
    const long = await call('update_observation', { ...again, newObservation: 'x'.repeat(5_000) })
    expect(long.structured).toEqual({ notice: expect.any(String), id: structured.id, entityName: 'Ada' })
  })

  test('need only the id of an observation', async () => {
    const [{ id }] = (await call('recall', { query: 'Where does Ada live?' })).structured.observations
    const fact = { observation: id, newObservation: 'Lives in Lisbon' }
    expect((await call('update_observation', fact)).structured).toEqual({
      id,
      entityName: 'Ada',
      observation: 'Lives in Lisbon',
    })
    const unknown = await call('update_observation', { ...fact, observation: 'obs_zzzz' })
    expect(unknown).toMatchObject({
      code: 'observation_not_found',
      text: 'No observation has the id obs_zzzz.',
    })
    const text = await call('update_observation', { ...fact, observation: 'Lives in Lisbon' })
    expect(text.code).toBe('observation_not_found')
    expect(text.text).toContain('or the entityName too')
  })

  test('describe an observation that does not exist', async () => {
    const missing = await call('update_observation', {
      entityName: 'Ada',
      observation: 'Lives in Porta',
      newObservation: 'x',
    })
    expect(missing.code).toBe('observation_not_found')
    expect(missing.text).toContain('Lives in Porto')
    const nobody = await call('update_observation', {
      entityName: 'Adda',
      observation: 'x',
      newObservation: 'y',
    })
    expect(nobody.code).toBe('entity_not_found')
    const empty = await call('update_observation', {
      entityName: 'Ada',
      observation: 'Likes tea',
      newObservation: '',
    })
    expect(empty.code).toBeDefined()
  })

  test('merge two entities, after which both names lead to one', async () => {
    const { structured } = await call('merge_entities', { names: ['Ada'], into: 'Ada Lovelace' })
    expect(structured).toEqual({ name: 'Ada Lovelace', aliases: ['Ada'], observations: 3 })
    expect(await open('Ada')).toEqual({
      entities: [
        {
          name: 'Ada Lovelace',
          entityType: 'person',
          observations: ['Lives in Porto', 'Likes tea', 'Writes programs'],
        },
      ],
      relations: [{ from: 'Ada Lovelace', to: 'Acme', relationType: 'works_at' }],
    })
    await call('add_observations', {
      observations: [{ entityName: 'Ada', contents: ['Plays chess', 'Likes tea'] }],
    })
    const known = await call('create_entities', {
      entities: [{ name: 'Ada', entityType: 'person', observations: [] }],
    })
    expect(known.structured).toMatchObject({ entities: [], skipped: ['Ada'] })
    const relation = { from: 'Acme', to: 'Ada', relationType: 'employs' }
    expect((await call('create_relations', { relations: [relation] })).code).toBeUndefined()
    expect((await call('explore_entity', { name: 'Ada' })).structured.entity).toMatchObject({
      name: 'Ada Lovelace',
      aliases: ['Ada'],
    })
    expect((await call('delete_entities', { entityNames: ['Ada'] })).structured.success).toBe(false)
    expect((await call('update_entity', { name: 'Acme', newName: 'Ada' })).code).toBe('entity_name_taken')
    expect((await call('update_entity', { name: 'Ada', newName: 'Ada' })).structured).toMatchObject({
      name: 'Ada',
    })
    expect((await open('Ada')).entities[0].observations).toHaveLength(4)
    expect((await call('merge_entities', { names: ['Ada'], into: 'Ada' })).code).toBe('same_entity')
    expect((await call('merge_entities', { names: ['Nobody'], into: 'Ada' })).code).toBe('entity_not_found')
  })

  test('refuse a name that is taken, and suggest the merge', async () => {
    const { text, code } = await call('update_entity', { name: 'Ada', newName: 'Ada Lovelace' })
    expect(code).toBe('entity_name_taken')
    expect(text).toContain('merge_entities {"names":["Ada"],"into":"Ada Lovelace"}')
  })

  test('undo a call by its number, and undo the undoing', async () => {
    await call('delete_entities', { entityNames: ['Ada', 'Acme'] })
    const { structured } = await call('undo_changes', { number: await lastCall() })
    expect(structured).toEqual({ number: await lastCall(), undone: 5 })
    expect((await open('Ada')).relations).toEqual([{ from: 'Ada', to: 'Acme', relationType: 'works_at' }])
    await call('undo_changes', { number: structured.number })
    expect((await open('Ada')).entities).toEqual([])
    expect((await call('undo_changes', { number: 1_000 })).code).toBe('change_set_not_found')
    expect((await call('undo_changes', { number: structured.number })).code).toBe('undo_conflict')
  })
})
