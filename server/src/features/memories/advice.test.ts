import type { Client } from '@modelcontextprotocol/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { findNearest } from './describe-missed.ts'

type Answer = { isError: boolean; text: string; structured: Record<string, unknown>; error: unknown }

describeOnBothDatabases('an agent that asks for something not quite right', (server) => {
  let person: Person
  let agent: Client
  beforeEach(async () => {
    person = await server().signUp()
    agent = await connectOverHttp(server(), person.apiKey, 'auto')
    await agent.listTools()
    const entities = [
      { name: 'user', type: 'person', observations: ['Lives in Lisbon', 'Has two cats called Tom and Ada'] },
      { name: 'Acme', type: 'company', observations: ['Founded in 1999'] },
    ]
    await person.rest.createBatch({ body: { entities, relations: [] } })
    await call('create_relations', { relations: [{ from: 'user', to: 'Acme', relationType: 'employed_by' }] })
  })
  afterEach(() => agent.close())

  async function call(name: string, args: Record<string, unknown>): Promise<Answer> {
    const {
      isError = false,
      content,
      structuredContent,
      _meta,
    } = await agent.callTool({ name, arguments: args })
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
    return { isError, text, structured: toRecord(structuredContent), error: _meta?.['dev.loci/error'] }
  }

  async function idsOf(name: string): Promise<string[]> {
    const { entities } = await person.rest.listEntities({ query: { include: 'observations' } })
    return entities.find((entity) => entity.name === name)?.observations?.map(({ id }) => id) ?? []
  }

  test('for a relation that is not there, under another name of an entity, is told which there are', async () => {
    await call('update_entity', { name: 'Acme', newName: 'Acme Ltd' })
    const relations = [{ from: 'user', to: 'Acme', relationType: 'owns' }]
    const { text } = await call('delete_relations', { relations })
    expect(text).toContain('employed_by')
    expect(text).not.toContain('Did you mean')
  })

  test('that was deleted is told when, and how it comes back', async () => {
    await call('update_entity', { name: 'Acme', newName: 'Acme Ltd' })
    await call('delete_entities', { entityNames: ['Acme Ltd', 'user'] })
    const opened = await call('open_nodes', { names: ['Acme Ltd', 'user', 'Nobody'] })
    expect(opened.text).toMatch(
      /Not found: Acme Ltd, user, Nobody\. "Acme Ltd" was deleted on [\d-]{10}; undo_changes {"number":\d+} brings it back\. "user" was/,
    )
    const observations = [{ entityName: 'Acme', contents: ['Sells anvils'] }]
    const added = await call('add_observations', { observations })
    expect(added).toMatchObject({ isError: true })
    const number = Number(/undo_changes {"number":(\d+)}/.exec(added.text)?.[1])
    expect(await call('undo_changes', { number })).toMatchObject({ isError: false })
    expect(await call('add_observations', { observations })).toMatchObject({ isError: false })
    expect((await call('explore_entity', { name: 'Nobody' })).text).not.toContain('deleted')
    expect((await call('undo_changes', { number: 9_999 })).text).toBe(
      'No call has the number 9999; list_changes tells them',
    )
  })

  test.each([
    [
      'add_observations',
      { observations: [{ entityName: 'User', contents: ['x'] }] },
      'Create it with create_entities',
    ],
    [
      'create_relations',
      { relations: [{ from: 'Acme', to: 'User', relationType: 'employs' }] },
      'Create it with create_entities',
    ],
    ['explore_entity', { name: 'User' }, 'Use the exact name'],
    ['find_path', { from: 'Acme', to: 'User' }, 'Use the exact name'],
    ['update_entity', { name: 'User', entityType: 'x' }, 'Use the exact name'],
    [
      'update_relation',
      { from: 'User', to: 'Acme', relationType: 'x', newRelationType: 'y' },
      'Use the exact name',
    ],
  ])('by %s is told the near name and what to do', async (tool, args, whatToDo) => {
    const { isError, text, error } = await call(tool, args)
    expect(isError).toBe(true)
    expect(text).toMatch(/^Entity with name User not found\. Did you mean "user" \(person\)\? /)
    expect(text).toContain(whatToDo)
    expect(error).toEqual({ code: 'entity_not_found' })
  })

  test('relates two entities that do not exist, and is told about both', async () => {
    const { text } = await call('create_relations', {
      relations: [
        { from: 'Usr', to: 'Acme Inc', relationType: 'x' },
        { from: 'user', to: 'Zebra', relationType: 'x' },
      ],
    })
    expect(text).toContain('Entity with name Usr not found. Also not found: Acme Inc, Zebra.')
    expect(text).toContain('"Acme" (company) for "Acme Inc"')
  })

  test('renames an entity to a name that is taken, and is told how to merge the two', async () => {
    const { text, error } = await call('update_entity', { name: 'user', newName: 'Acme' })
    expect(error).toMatchObject({ code: 'entity_name_taken' })
    expect(text).toMatch(
      /^An entity named "Acme" \(company\) exists already.*merge_entities \{"names":\["user"\],"into":"Acme"\}\.$/,
    )
  })

  test('changes a relation of another type, and is told which type exists', async () => {
    const relation = { from: 'user', to: 'Acme', relationType: 'works_at', newRelationType: 'left' }
    expect((await call('update_relation', relation)).text).toBe(
      'Relation user -> works_at -> Acme not found. There is: user -> employed_by -> Acme.',
    )
  })

  test('deletes observations by their ids, as it sees them', async () => {
    const [lisbon = '', cats = ''] = await idsOf('user')
    const deletions = [{ entityName: 'user', observations: [lisbon, 'Has two cats called Tom and Ada'] }]
    const { structured } = await call('delete_observations', { deletions })
    expect(structured).toEqual({ success: true, message: 'Observations deleted successfully' })
    expect(await idsOf('user')).toEqual([])
    const again = await call('delete_observations', {
      deletions: [{ entityName: 'user', observations: [cats] }],
    })
    expect(again.structured).toEqual({
      success: false,
      message: `Deleted 0 of 1 observations. No observation has the id ${cats}.`,
    })
  })

  test('deletes an observation in other words, and is offered the nearest', async () => {
    const [lisbon = '', cats = ''] = await idsOf('user')
    const asked = [
      'Lives in Porto',
      'Has two cats called ...',
      'Founded in 1999',
      'Has two cats called Tom and Ada',
    ]
    const deletions = [{ entityName: 'user', observations: asked }]
    const { structured, text } = await call('delete_observations', { deletions })
    expect(structured).toEqual({ success: true, message: text })
    expect(text).toContain('Deleted 1 of 4 observations.')
    expect(text).toContain(
      `"user" has no observation "Lives in Porto"; the nearest is ${lisbon}: "Lives in Lisbon".`,
    )
    expect(text).toContain('no observation "Founded in 1999"; explore_entity shows')
    const cut = await call('delete_observations', {
      deletions: [{ entityName: 'Acme', observations: ['Founded in', cats, lisbon] }],
    })
    expect(cut.structured.success).toBe(false)
    expect(cut.text).toContain('"Founded in 1999"')
    expect(cut.text).toContain(`${lisbon} belongs to "user", not to "Acme".`)
  })

  test('deletes something that does not exist, and is told that nothing was done', async () => {
    expect((await call('delete_entities', { entityNames: ['USER', 'Zebra'] })).structured).toEqual({
      success: false,
      message: 'Deleted 0 of 2 entities. Not found: USER, Zebra. Did you mean "user" (person) for "USER"?',
    })
    const relations = [
      { from: 'user', to: 'Acme', relationType: 'works_at' },
      { from: 'user', to: 'acme', relationType: 'employed_by' },
    ]
    expect((await call('delete_relations', { relations })).structured).toEqual({
      success: false,
      message:
        'Deleted 0 of 2 relations. The rest matched nothing. ' +
        'Not found: user -> works_at -> Acme. There is: user -> employed_by -> Acme. ' +
        'Not found: user -> employed_by -> acme. No entity is named "acme". Did you mean "Acme" (company)?',
    })
    const [lisbon = ''] = await idsOf('user')
    const { text } = await call('delete_observations', {
      deletions: [{ entityName: 'Zebra', observations: [lisbon, 'x'] }],
    })
    expect(text).toBe(
      `Deleted 0 of 2 observations. Entities not found: Zebra. ${lisbon} belongs to "user", not to "Zebra".`,
    )
  })
})

const toRecord = (value: unknown) => Object.fromEntries(Object.entries(value ?? {}))

test.each([
  ['... in the harbour of ...', 1],
  ['The boat is blue', 0],
  ['Zebras are striped', undefined],
])('nearest to %j', (asked, index) => {
  const candidates = ['The boat was blue', 'A long day in the harbour of Lisbon'].map((content) => ({
    content,
  }))
  expect(findNearest(asked, candidates)).toBe(index === undefined ? undefined : candidates[index])
})
