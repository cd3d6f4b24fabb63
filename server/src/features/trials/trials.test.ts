import { beforeAll, expect, test } from 'vitest'
import { addMember, addPerson, restWith, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { connect } from '../../../test/oauth.ts'

describeOnBothDatabases('doors', (server) => {
  let alice: Person
  let home: string
  let work: string
  beforeAll(async () => {
    alice = await server().signUp('Alice')
    await setPlan(server(), alice, 'power-user')
    home = (await alice.rest.listSpaces()).spaces[0]!.id
    work = (await alice.rest.createSpace({ body: { name: 'Work' } })).space.id
    await alice.rest.createEntity({
      body: { name: 'Kettle', type: 'thing', observations: ['The kettle whistles in G'] },
    })
  })

  const create = { name: 'Cup', type: 'thing' }
  const write = (key: string, space: string, name: string) =>
    server().call('POST', '/api/entities', {
      token: key,
      headers: { 'loci-space': space },
      body: { ...create, name },
    })
  const setDoor = (id: string, space: string, opens: 'none' | 'read' | 'propose' | 'write') =>
    alice.rest.updateKey({ params: { id }, body: { door: { space, opens } } })
  const keyOf = async (id: string) => (await alice.rest.listKeys()).apiKeys.find((key) => key.id === id)!

  test('a key gets into each space as far as its door there is open', async () => {
    const { id, apiKey } = await alice.rest.createKey({ body: { name: 'agent' } })
    expect((await write(apiKey, work, 'as the rest')).status).toBe(201)
    await setDoor(id, work, 'read')
    expect((await write(apiKey, work, 'not allowed')).body.error.code).toBe('not_permitted')
    expect((await write(apiKey, home, 'in the other space')).status).toBe(201)
    await setDoor(id, work, 'propose')
    expect((await write(apiKey, work, 'waits')).body.proposed).toBe(true)
    await setDoor(id, work, 'none')
    expect((await write(apiKey, work, 'unseen')).body.error.code).toBe('space_not_found')
    expect(await keyOf(id)).toMatchObject({ spaces: null, doors: { [work]: 'none' } })
    await setDoor(id, work, 'write')
    expect(await keyOf(id)).toMatchObject({ spaces: null, doors: {} })
    expect((await write(apiKey, work, 'again')).status).toBe(201)
  })

  test('a key of one space can be let into another, and never opens all of them by losing its last', async () => {
    const { id, apiKey } = await alice.rest.createKey({
      body: { name: 'narrow', spaces: [work], permissions: ['memory:read'] },
    })
    await setDoor(id, home, 'write')
    expect((await write(apiKey, home, 'let in')).status).toBe(201)
    expect((await write(apiKey, work, 'only reads')).status).toBe(403)
    await setDoor(id, home, 'none')
    await setDoor(id, work, 'none')
    expect((await keyOf(id)).spaces).toEqual([])
    expect((await server().call('GET', '/api/entities', { token: apiKey })).status).toBe(404)
  })

  test('what a door lets in cannot be carried on into a space where it only reads', async () => {
    const { id, apiKey } = await alice.rest.createKey({ body: { name: 'mover' } })
    await setDoor(id, work, 'read')
    const { entity } = await alice.rest.createEntity({ body: { name: 'Suitcase', type: 'thing' } })
    const moved = await server().call('POST', '/api/entities/move', {
      token: apiKey,
      body: { ids: [entity.id], space: work },
    })
    expect(moved.body.error.code).toBe('not_permitted')
  })

  test('the newest call through each door is listed, with refusals', async () => {
    const { id, apiKey } = await alice.rest.createKey({ body: { name: 'caller' } })
    await setDoor(id, work, 'read')
    await write(apiKey, home, 'by the caller')
    await write(apiKey, work, 'refused')
    const callsOf = async () =>
      (await alice.rest.listDoorCalls()).calls.filter(({ credential }) => credential === id)
    expect(await callsOf()).toMatchObject([
      { spaceId: home, what: 'create entity', isRefused: false },
      { spaceId: work, what: 'create entity', isRefused: true },
    ])
    const member = await addMember(server(), alice)
    expect((await member.listDoorCalls()).calls).toEqual([])
    await alice.rest.deleteKey({ params: { id } })
    expect(await callsOf()).toEqual([])
  })

  test('a trial answers as the credential is answered, writes nothing and is audited', async () => {
    const { id } = await alice.rest.createKey({ body: { name: 'tried' } })
    await setDoor(id, work, 'propose')
    const tryDoor = (space: string, text: string, tool?: 'add_observations', credential = id) =>
      alice.rest.tryDoor({ body: { credential, space, text, ...(tool && { tool }) } })
    const told = await tryDoor(home, 'what does the kettle do?')
    expect(told.outcome).toBe('answered')
    expect(told.text).toContain('The kettle whistles in G')
    expect(await tryDoor(home, 'A fact', 'add_observations')).toMatchObject({
      outcome: 'stored',
      text: 'A fact',
    })
    expect((await tryDoor(work, 'A fact', 'add_observations')).outcome).toBe('proposed')
    await setDoor(id, work, 'read')
    expect((await tryDoor(work, 'A fact', 'add_observations')).outcome).toBe('refused')
    await setDoor(id, work, 'none')
    expect(await tryDoor(work, 'kettle')).toMatchObject({ outcome: 'refused', text: 'Space not found' })
    expect((await tryDoor(home, 'kettle', undefined, 'personal')).outcome).toBe('answered')
    expect((await alice.rest.listRecalls()).recalls).toEqual([])
    const { events } = await alice.rest.listAudit({ query: { category: 'keys' } })
    expect(events[0]).toMatchObject({ action: 'door_tried', details: { space: home, outcome: 'answered' } })
    expect(JSON.stringify(events)).not.toContain('kettle')
  })

  test("others' keys and connections cannot be tried, changed or seen", async () => {
    const { id } = await alice.rest.createKey({ body: { name: 'hers' } })
    const { connectionId } = await connected()
    const bob = await server().signUp('Bob')
    const bobs = (await bob.rest.listSpaces()).spaces[0]!.id
    const { token } = await addPerson(server(), alice, 'member', 'second')
    const member = restWith(server(), token)
    for (const [rest, space] of [
      [bob.rest, bobs],
      [member, home],
    ] as const) {
      for (const credential of [id, connectionId])
        await expect(rest.tryDoor({ body: { credential, space, text: 'x' } })).rejects.toMatchObject({
          status: 404,
        })
      const body = { door: { space, opens: 'write' as const } }
      await expect(rest.updateKey({ params: { id }, body })).rejects.toMatchObject({ code: 'key_not_found' })
    }
    const agent = { credential: id, space: 'nowhere', text: 'x' }
    await expect(alice.rest.tryDoor({ body: agent })).rejects.toMatchObject({ code: 'space_not_found' })
  })

  async function connected() {
    const { tokens } = await connect(server(), alice)
    const [connection] = (await alice.rest.listConnections({})).connections
    return { tokens, connectionId: connection!.id }
  }

  test('an app can be held to reading and set free again', async () => {
    const { tokens, connectionId: id } = await connected()
    const hold = (isReadOnly: boolean) =>
      alice.rest.updateConnection({ params: { id }, body: { isReadOnly } })
    await hold(true)
    expect((await write(tokens.access_token, home, 'by the app')).status).toBe(403)
    const trial = { credential: id, space: home, tool: 'add_observations', text: 'x' } as const
    expect((await alice.rest.tryDoor({ body: trial })).outcome).toBe('refused')
    await hold(false)
    expect((await alice.rest.tryDoor({ body: trial })).outcome).toBe('stored')
    expect((await write(tokens.access_token, home, 'by the app')).status).toBe(201)
  })
})
