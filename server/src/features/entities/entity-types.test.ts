import type { RestClient } from '@loci/client/rest'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { statementsOf } from '../../../test/statements-of.ts'
import { checkAll, repairAll } from '../checks/checks.service.ts'

describeOnBothDatabases('entity types', (server, dialect) => {
  const create = (rest: RestClient, ...entities: [name: string, type: string][]) =>
    rest.createBatch({ body: { entities: entities.map(([name, type]) => ({ name, type })), relations: [] } })
  const coloursOf = async (rest: RestClient) =>
    Object.fromEntries((await rest.listEntityTypes()).types.map(({ type, colour }) => [type, colour]))

  test('known types have fixed colours, others the next free one in order of first use', async () => {
    const { rest } = await server().signUp()
    await create(rest, ['A', 'service'], ['B', 'Person'], ['C', 'decision'], ['D', 'observation'])
    expect(await coloursOf(rest)).toEqual({ service: 7, Person: 2, decision: 8, observation: 16 })
    await rest.updateEntityType({ params: { type: 'decision' }, body: { colour: 9 } })
    await create(rest, ['E', 'incident'], ['F', 'team'], ['G', 'event'])
    expect(await coloursOf(rest)).toMatchObject({ decision: 9, incident: 8, team: 10, event: 6 })
    const types = Array.from({ length: 30 }, (_, i): [string, string] => [`T${i}`, `type ${i}`])
    await create(rest, ...types)
    const { observation: _, ...colours } = await coloursOf(rest)
    expect(new Set(Object.values(colours)).size).toBe(Object.keys(colours).length)
    expect(Math.max(...Object.values(colours))).toBe(40)
  })

  test('a renamed type keeps its colour, is found by its new name, and can be undone', async () => {
    const { rest } = await server().signUp()
    const names = Array.from({ length: 120 }, (_, i): [string, string] => [`Note ${i}`, 'memo/draft'])
    await create(rest, ['A', 'service'], ...names)
    const answer = await rest.updateEntityType({
      params: { type: 'memo/draft' },
      body: { type: 'memorandum' },
    })
    expect(answer).toMatchObject({ retyped: 120, type: { type: 'memorandum', count: 120, colour: 8 } })
    expect(answer.setIds).toHaveLength(1)
    expect(await coloursOf(rest)).toEqual({ memorandum: 8, service: 7 })
    expect((await rest.listEntities({ query: { query: 'memorandum' } })).total).toBe(120)
    expect((await rest.undoChangeSet({ params: { setId: answer.setIds[0]! } })).undone).toBe(120)
    expect(await coloursOf(rest)).toEqual({ 'memo/draft': 8, service: 7 })
  })

  test.for(['.', '..', '%2E', '.%252E'])('a type named %s can be recoloured and renamed', async (name) => {
    const { rest } = await server().signUp()
    await create(rest, ['A', name])
    await rest.updateEntityType({ params: { type: name }, body: { colour: 9 } })
    expect(await coloursOf(rest)).toEqual({ [name]: 9 })
    await rest.updateEntityType({ params: { type: name }, body: { type: 'dots' } })
    expect(await coloursOf(rest)).toEqual({ dots: 9 })
  })

  test('renaming a type to an existing one merges both, with the colour of the latter', async () => {
    const { rest } = await server().signUp()
    await create(rest, ['A', 'service'], ['B', 'svc'], ['C', 'human'])
    await rest.updateEntityType({ params: { type: 'svc' }, body: { type: 'service' } })
    const { type } = await rest.updateEntityType({ params: { type: 'human' }, body: { type: 'person' } })
    expect(type.colour).toBe(2)
    expect(await coloursOf(rest)).toEqual({ service: 7, person: 2 })
  })

  test('refuses impossible names and colours', async () => {
    const alice = await server().signUp()
    await create(alice.rest, ['A', 'person'])
    const patch = async (type: string, body: object) => {
      const path = `/api/entities/types/${encodeURIComponent(type)}`
      const answer = await server().call('PATCH', path, { token: alice.token, body })
      return [answer.status, answer.body.error.code]
    }
    expect(await patch('person', { colour: 3 })).toEqual([400, 'validation_failed'])
    expect(await patch('nothing', { colour: 3 })).toEqual([404, 'entity_type_not_found'])
    expect(await patch('person', {})).toEqual([400, 'validation_failed'])
    expect(await patch('person', { colour: 33 })).toEqual([400, 'validation_failed'])
    expect(await patch('person', { type: ' ' })).toEqual([400, 'validation_failed'])
    const bob = await server().signUp()
    await expect(
      bob.rest.updateEntityType({ params: { type: 'person' }, body: { type: 'x' } }),
    ).rejects.toMatchObject({ code: 'entity_type_not_found' })
  })

  test('lost counts are recounted without losing colours', async () => {
    const alice = await server().signUp()
    const { ctx } = server()
    await create(alice.rest, ['A', 'service'], ['B', 'team'])
    await alice.rest.updateEntityType({ params: { type: 'team' }, body: { colour: 20 } })
    const { accountId } = await scopeOf(server(), alice)
    await ctx.db.updateTable('type_counts').set({ count: 7 }).where('account_id', '=', accountId).execute()
    await repairAll(ctx)
    for await (const difference of checkAll(ctx)) expect.fail(JSON.stringify(difference))
    expect(await coloursOf(alice.rest)).toEqual({ service: 7, team: 20 })
  })

  test('are renamed for many entities at once, not for each by itself', async () => {
    const { rest } = await server().signUp()
    const rename = (type: string, to: string) =>
      statementsOf(() => rest.updateEntityType({ params: { type }, body: { type: to } }))
    await create(rest, ['Boat', 'vessel'])
    const forOne = await rename('vessel', 'yacht')
    await create(rest, ...Array.from({ length: 100 }, (_, i): [string, string] => [`Car ${i}`, 'vehicle']))
    const forMany = await rename('vehicle', 'lorry')
    // The words of each are a statement of their own on SQLite.
    expect(forMany.length - forOne.length).toBeLessThan(dialect === 'sqlite' ? 220 : 20)
  })
})
