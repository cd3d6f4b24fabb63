import { afterEach, beforeEach, expect, test } from 'vitest'
import { addMember, addPerson, openTwin, restWith, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { sha256 } from '../../ground/lib/secrets.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'

describeOnBothDatabases('API keys', (server) => {
  let startedAt: number
  beforeEach(() => {
    startedAt = server().clock.now
  })
  afterEach(() => {
    server().clock.now = startedAt
  })

  test('a key is created, shown without its secret, used and deleted', async () => {
    const { rest } = await server().signUp('Ada')
    const { id, apiKey } = await rest.createKey({ body: { name: ' Agent ' } })
    expect(apiKey).toMatch(/^loci_[0-9A-Za-z]{46}$/)
    expect((await rest.listKeys()).apiKeys).toEqual([
      {
        id,
        name: 'Agent',
        keyPreview: `${apiKey.slice(0, 6)}…${apiKey.slice(-4)}`,
        createdAt: toIso(startedAt),
        expiresAt: null,
        isExpired: false,
        isExpiringSoon: false,
        lastUsedAt: null,
        createdBy: { name: 'Ada Example' },
        usage: { totalRequests: 0, activeDays: 0 },
        permissions: [],
        spaces: null,
        writes: 'direct',
        doors: {},
        lastOperation: null,
      },
    ])
    const agent = restWith(server(), apiKey)
    await agent.createEntity({ body: { name: 'n', type: 't' } })
    await rest.deleteKey({ params: { id } })
    await expect(agent.listEntities()).rejects.toMatchObject({ status: 401 })
    await expect(rest.deleteKey({ params: { id } })).rejects.toMatchObject({ code: 'key_not_found' })
  })

  test('requests, active days and the last use of a key are counted, including refused requests', async () => {
    const { rest } = await server().signUp()
    const { apiKey } = await rest.createKey({ body: { name: 'agent' } })
    const agent = restWith(server(), apiKey)
    await Promise.all(Array.from({ length: 5 }, () => agent.listEntities()))
    await expect(agent.getEntity({ params: { id: 'ent_none' } })).rejects.toMatchObject({ status: 404 })
    server().clock.now += dayMs
    await agent.listEntities()
    const [key] = (await rest.listKeys()).apiKeys
    expect(key).toMatchObject({
      usage: { totalRequests: 7, activeDays: 2 },
      lastUsedAt: toIso(server().clock.now),
    })
  })

  test('two processes count the use of one key together', async () => {
    const person = await server().signUp()
    const { apiKey } = await person.rest.createKey({ body: { name: 'agent' } })
    const twin = await openTwin(server())
    for (const place of [server(), twin]) await restWith(place, apiKey).listEntities()
    await twin.close()
    expect((await person.rest.listKeys()).apiKeys[0]?.usage).toEqual({ totalRequests: 2, activeDays: 1 })
  })

  test('another process refuses ended keys, sessions and personal keys at its next request', async () => {
    const person = await server().signUp()
    const { id, apiKey } = await person.rest.createKey({ body: { name: 'agent' } })
    const twin = await openTwin(server())
    const { token } = await twin.anonymous.login({ body: person })
    const ends = [
      [apiKey, () => person.rest.deleteKey({ params: { id } })],
      [person.apiKey, () => person.rest.rollPersonalKey()],
      [token, () => restWith(server(), token).logout()],
    ] as const
    for (const [credential, end] of ends) {
      const places = [restWith(twin, credential), restWith(server(), credential)]
      for (const place of [...places, ...places]) await place.listEntities()
      await end()
      for (const place of places) await expect(place.listEntities()).rejects.toMatchObject({ status: 401 })
    }
    await twin.close()
  })

  test('a rolled key works for two more weeks beside the new one', async () => {
    const { rest } = await server().signUp()
    const old = await rest.createKey({ body: { name: 'agent' } })
    const { newKey } = await rest.rollKey({ params: { id: old.id } })
    const { apiKeys } = await rest.listKeys()
    expect(apiKeys.map((key) => key.id)).toEqual([newKey.id, old.id])
    expect(apiKeys[0]).toMatchObject({ name: 'agent', expiresAt: null })
    expect(apiKeys[1]).toMatchObject({
      expiresAt: toIso(startedAt + 14 * dayMs),
      isExpiringSoon: true,
      isExpired: false,
    })
    await expect(rest.rollKey({ params: { id: old.id } })).rejects.toMatchObject({ code: 'key_rolled' })
    server().clock.now = startedAt + 14 * dayMs - 1
    await restWith(server(), old.apiKey).listEntities()
    server().clock.now = startedAt + 14 * dayMs
    await expect(restWith(server(), old.apiKey).listEntities()).rejects.toMatchObject({ status: 401 })
    await restWith(server(), newKey.apiKey).listEntities()
    expect((await rest.listKeys()).apiKeys[1]).toMatchObject({ isExpired: true, isExpiringSoon: false })
  })

  test('a key that ends in less than two weeks keeps its end when it is rolled', async () => {
    const { rest } = await server().signUp()
    const expiresAt = toIso(startedAt + 3 * dayMs)
    const old = await rest.createKey({ body: { name: 'short', expiresAt } })
    server().clock.now += dayMs
    await rest.rollKey({ params: { id: old.id } })
    const { apiKeys } = await rest.listKeys()
    expect(apiKeys.map((key) => key.expiresAt)).toEqual([toIso(startedAt + 4 * dayMs), expiresAt])
  })

  test('a key can neither end in the past nor have unknown permissions', async () => {
    const { rest } = await server().signUp()
    const past = toIso(startedAt - 1)
    await expect(rest.createKey({ body: { name: 'k', expiresAt: past } })).rejects.toMatchObject({
      status: 400,
    })
    await expect(
      rest.createKey({ body: { name: 'k', permissions: ['read' as 'memory:read'] } }),
    ).rejects.toMatchObject({
      status: 400,
    })
  })

  test('of twenty keys created concurrently with three places left, three are created', async () => {
    const person = await server().signUp()
    await setPlan(server(), person, 'starter')
    const twin = await openTwin(server())
    const clients = [person.rest, restWith(twin, person.token)]
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => clients[i % 2]!.createKey({ body: { name: `k${i}` } })),
    )
    await twin.close()
    const refused = results.filter((result) => result.status === 'rejected')
    expect(refused).toHaveLength(17)
    for (const { reason } of refused) {
      expect(reason).toMatchObject({
        status: 403,
        code: 'plan_limit_reached',
        details: [{ limit: 3, used: 3, plan: 'starter' }],
      })
    }
    expect((await person.rest.listKeys()).apiKeys).toHaveLength(3)
  })

  test('expired keys and the old half of a rolled key do not count towards the plan', async () => {
    const { rest } = await server().signUp()
    await rest.createKey({ body: { name: 'short', expiresAt: toIso(startedAt + 1) } })
    server().clock.now += 1
    const { id } = await rest.createKey({ body: { name: 'agent' } })
    await rest.rollKey({ params: { id } })
    await expect(rest.createKey({ body: { name: 'more' } })).rejects.toMatchObject({
      code: 'plan_limit_reached',
      details: [{ limit: 1, used: 1, plan: 'free' }],
    })
    expect((await rest.usage()).apiKeys).toBe(1)
  })

  test('a key is not rolled while many rolled ones still work', async () => {
    const { rest } = await server().signUp()
    let { id } = await rest.createKey({ body: { name: 'agent' } })
    for (let rolled = 0; rolled < 50; rolled++) {
      id = (await rest.rollKey({ params: { id } })).newKey.id
    }
    await expect(rest.rollKey({ params: { id } })).rejects.toMatchObject({ code: 'rate_limited' })
    server().clock.now += 14 * dayMs
    expect((await rest.rollKey({ params: { id } })).newKey.id).not.toBe(id)
  })

  /** What is stored for this key, which must not appear in it. */
  async function keptFor(key: string) {
    const rows = await server().ctx.db.selectFrom('idempotency_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key)
    return rows.filter((row) => row.key.endsWith(` ${sha256(key)}`))
  }

  test('a repeated request creates one key and shows it again, sealed under the Idempotency-Key meanwhile', async () => {
    const { rest } = await server().signUp()
    const headers = { 'idempotency-key': 'once-and-no-more' }
    const body = { name: 'agent' }
    const made = await rest.createKey({ body, headers })
    expect(await rest.createKey({ body, headers })).toEqual(made)
    expect((await rest.listKeys()).apiKeys).toHaveLength(1)
    const [kept] = await keptFor('once-and-no-more')
    expect(server().ctx.secretBox.open(kept?.body ?? '')).toBeUndefined()
    for (const other of [
      () => rest.createKey({ body: { name: 'other' }, headers }),
      () => rest.createSpace({ body, headers }),
    ]) {
      await expect(other()).rejects.toMatchObject({ code: 'idempotency_conflict' })
    }
    const space = { 'idempotency-key': 'a-space' }
    await rest.createSpace({ body, headers: space })
    await expect(rest.createKey({ body, headers: space })).rejects.toMatchObject({
      code: 'idempotency_conflict',
    })
  })

  test('a repeated password change does nothing, and no trace of the password is kept', async () => {
    const { rest, password } = await server().signUp()
    const headers = { 'idempotency-key': 'new-password' }
    const body = { currentPassword: password, newPassword: 'another long one' }
    const changed = await rest.changePassword({ body, headers })
    expect(await rest.changePassword({ body, headers })).toEqual(changed)
    await expect(
      rest.changePassword({ body: { ...body, newPassword: 'yet another one' }, headers }),
    ).rejects.toMatchObject({ code: 'idempotency_conflict' })
    const [kept] = await keptFor('new-password')
    expect(kept?.request_hash).not.toBe(sha256(JSON.stringify(['POST', '/auth/me/password', body])))
  })

  test("a member's idempotency key is not the owner's, even with the same text", async () => {
    const owner = await server().signUp()
    const member = await addMember(server(), owner)
    const headers = { 'idempotency-key': 'deploy' }
    const body = { name: 'Ours', type: 'concept' }
    const { entity } = await owner.rest.createEntity({ body, headers })
    await expect(member.createEntity({ body, headers })).rejects.toMatchObject({ code: 'entity_name_taken' })
    expect((await owner.rest.createEntity({ body, headers })).entity.id).toBe(entity.id)
    const rolled = await member.rollPersonalKey({ headers: { 'idempotency-key': 'roll' } })
    const own = await owner.rest.rollPersonalKey({ headers: { 'idempotency-key': 'roll' } })
    expect(own.apiKey).not.toBe(rolled.apiKey)
    const named = { body: { name: 'agent' }, headers: { 'idempotency-key': 'key' } }
    await setPlan(server(), owner, 'pro')
    const keys = [await owner.rest.createKey(named), await member.createKey(named)]
    expect(keys[0]?.apiKey).not.toBe(keys[1]?.apiKey)
  })

  test('members see, roll and delete only the keys they created; admins those of everybody', async () => {
    const owner = await server().signUp()
    await setPlan(server(), owner, 'pro')
    const [member, admin] = [
      await addMember(server(), owner),
      restWith(server(), (await addPerson(server(), owner, 'admin')).token),
    ]
    const ofOwner = (await owner.rest.createKey({ body: { name: 'production' } })).id
    const ofMember = (await member.createKey({ body: { name: 'laptop' } })).id
    const listed = async (rest: typeof member) => (await rest.listKeys()).apiKeys.map(({ id }) => id)
    expect(await listed(member)).toEqual([ofMember])
    expect(await listed(admin)).toEqual([ofMember, ofOwner])
    const params = { id: ofOwner }
    await expect(member.rollKey({ params })).rejects.toMatchObject({ code: 'key_not_found' })
    await expect(member.deleteKey({ params })).rejects.toMatchObject({ code: 'key_not_found' })
    expect(await listed(owner.rest)).toEqual([ofMember, ofOwner])
    const { newKey } = await member.rollKey({ params: { id: ofMember } })
    await member.deleteKey({ params: { id: newKey.id } })
    await admin.deleteKey({ params })
    expect(await listed(owner.rest)).toEqual([ofMember])
  })

  test('a read-only key stays read-only when rolled, and the list says what it did last', async () => {
    const { rest } = await server().signUp()
    const { id } = await rest.createKey({ body: { name: 'reader', permissions: ['memory:read'] } })
    const { newKey } = await rest.rollKey({ params: { id } })
    const agent = restWith(server(), newKey.apiKey)
    await agent.listEntities()
    await expect(agent.createEntity({ body: { name: 'n', type: 't' } })).rejects.toMatchObject({
      status: 403,
      code: 'not_permitted',
    })
    server().clock.now += 1_000
    await agent.listRelations()
    expect((await rest.listKeys()).apiKeys[0]).toMatchObject({
      id: newKey.id,
      permissions: ['memory:read'],
      lastOperation: { type: 'query', resource: 'relation' },
      lastUsedAt: toIso(startedAt + 1_000),
    })
  })
})
