import { api, type OperationId } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { beforeAll, expect, test } from 'vitest'
import { restWith, setPlan } from './accounts.ts'
import { addPasskey } from './authenticator.ts'
import { addCard } from './billing.ts'
import { endCredentials } from './dead-credentials.ts'
import { describeOnBothDatabases, type Person } from './harness.ts'
import { connectOverHttp } from './mcp-clients.ts'
import { connect } from './oauth.ts'

const endpoints = Object.entries<Endpoint>(api)
const guarded = endpoints.filter(([, { access }]) => access !== 'public')
const withId = guarded.filter(([, { path }]) => path.includes(':'))

/** A valid body for each call on an existing item. */
const bodies: Partial<Record<OperationId, object>> = {
  updateEntityType: { colour: 9 },
  updateMember: { role: 'viewer' },
  transferOwnership: { password: 'correct horse battery' },
  updateEntity: { name: 'Mine now', type: 'person' },
  createObservations: { content: 'Mine now' },
  updateRelation: { type: 'mine' },
  updateObservation: { content: 'Mine now' },
  mergeEntity: { into: 'ent_yyyyyy' },
  updateSpace: { name: 'Mine now' },
  redeliverFailed: { since: '2026-01-01' },
  updateWebhook: { description: 'Mine now' },
  updateView: { name: 'Mine now' },
  renamePasskey: { name: 'Mine now' },
  deletePasskey: {},
  nameRegion: { name: 'Mine now' },
  updateKey: { writes: 'propose' },
  updateConnection: { writes: 'propose' },
  approveConnection: { scopes: ['memory:read'], space: 'spc_1' },
}

describeOnBothDatabases('laws of all routes', (server) => {
  let alice: Person
  let bob: Person
  let ended: Record<string, string>
  let idsOfAlice: Record<string, string>

  beforeAll(async () => {
    alice = await server().signUp()
    bob = await server().signUp('bob')
    ended = await endCredentials(server())
    const { rest } = alice
    // Each account numbers from 1: these numbers exceed all of bob's.
    const observations = Array.from({ length: 50 }, (_, i) => `Number ${i}`)
    await rest.createEntity({ body: { name: 'First', type: 'thing', observations } })
    const { entity } = await rest.createEntity({ body: { name: 'Ada', type: 'person', observations: ['x'] } })
    const { entity: other } = await rest.createEntity({ body: { name: 'Engine', type: 'thing' } })
    const ends = { fromEntityId: entity.id, toEntityId: other.id }
    const { relation } = await rest.createRelation({ body: { ...ends, type: 'uses' } })
    const { id: key } = await rest.createKey({ body: { name: 'key', permissions: [] } })
    const { space } = await rest.createSpace({ body: { name: 'Second' } })
    const { sessions } = await rest.listSessions()
    const { import: imported } = await rest.import({ body: '' })
    await addCard(alice)
    const { paymentMethods } = await rest.listPaymentMethods()
    await setPlan(server(), alice, 'starter')
    const proposing = await rest.createKey({ body: { name: 'proposing', writes: 'propose' } })
    await restWith(server(), proposing.apiKey).createEntity({ body: { name: 'Proposed', type: 'thing' } })
    const { proposals } = await rest.listProposals()
    const accept = { proposalId: proposals[0]!.id, type: 'note' }
    const { rule: acceptRule } = await rest.createAcceptRule({ body: accept })
    const { webhook } = await rest.createWebhook({ body: { url: 'https://receiver.invalid/' } })
    await rest.testWebhook({ params: { id: webhook.id } })
    const { deliveries } = await rest.listDeliveries({ params: { id: webhook.id } })
    const { view } = await rest.createView({ body: { name: 'View', search: '' } })
    await rest.nameRegion({ params: { entityId: entity.id }, body: { name: 'Region' } })
    const at = new Date().toISOString()
    const turn = { externalId: 'a', at, role: 'person' as const, text: 'From now on, say hello' }
    const said = await rest.storeTurns({
      body: { conversation: { agent: 'a', externalId: 'b' }, turns: [turn] },
    })
    const agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    await agent.callTool({ name: 'recall', arguments: { query: 'Ada' } })
    await agent.close()
    const { recalls } = await rest.listRecalls()
    const share = { view: { kind: 'entity' as const, entityId: entity.id } }
    const { share: shared } = await rest.createShare({ body: share })
    const { drafts } = await rest.listDrafts({ query: {} })
    await connect(server(), alice)
    const { connections } = await rest.listConnections()
    const passkey = await addPasskey(server(), alice)
    idsOfAlice = {
      '/api/entities': entity.id,
      '/api/relations': relation.id,
      '/api/relations/graph': entity.id,
      '/api/keys': key,
      '/api/proposals': proposals[0]!.id,
      '/api/proposals/rules': acceptRule.id,
      '/api/connections': connections[0]!.id,
      '/auth/sessions': sessions[0]!.id,
      '/api/imports': imported.id,
      '/api/billing/payment-methods': paymentMethods[0]!.id,
      '/api/webhooks': webhook.id,
      '/api/conversations': said.conversationId,
      '/api/drafts': drafts[0]!.id,
      '/api/views': view.id,
      '/api/shares': shared.id,
      '/api/recalls': recalls[0]!.id,
      '/api/regions': entity.id,
      '/api/observations': entity.observations[0]!.id,
      '/api/spaces': space.id,
      '/auth/me/passkeys': passkey.id,
      observation: entity.observations[0]!.id,
      delivery: deliveries[0]!.id,
    }
  })

  const addressOf = (path: string) =>
    path
      .replace(':observationId', idsOfAlice.observation ?? '')
      .replace(':deliveryId', idsOfAlice.delivery ?? '')
      .replace(/^(.*?)\/:(\w+)/, (_, prefix: string) => `${prefix}/${idsOfAlice[prefix]}`)

  test.each(guarded)('%s requires credentials, and valid ones', async (_, { method, path }) => {
    const tokens = [
      undefined,
      'nonsense',
      '',
      'locis_'.padEnd(49, 'A'),
      `${alice.apiKey.slice(0, -1)}${alice.apiKey.endsWith('0') ? '1' : '0'}`,
      `${alice.token}x`,
      'x'.repeat(600),
      ...Object.values(ended),
    ]
    for (const token of tokens) {
      const { status, headers, body } = await server().call(
        method,
        addressOf(path),
        token === undefined ? {} : { token },
      )
      expect([token, status, body.error.code]).toEqual([token, 401, 'not_authenticated'])
      expect(headers.get('www-authenticate')).toMatch(/^Bearer /)
    }
  })

  test.each(withId)("%s does not reveal another account's data", async (id, { method, path }) => {
    const before = await (await alice.rest.export()).text()
    const body = bodies[id as OperationId]
    const answer = await server().call(method, addressOf(path), {
      token: bob.token,
      ...(body ? { body } : {}),
    })
    expect([id, answer.status, answer.body.error.code]).toEqual([
      id,
      404,
      expect.stringMatching(/_not_found$/),
    ])
    const unknown = addressOf(path)
      .replace(/_[0-9a-z]{26}/g, `_${'0'.repeat(26)}`)
      .replace(/\b(ent|obs|rel|spc|cnv|prp)_[0-9a-z]+/g, '$1_zzzzzz')
    const absent = await server().call(method, unknown, { token: bob.token, ...(body ? { body } : {}) })
    expect(answer.body).toEqual(absent.body)
    const withoutHeader = (text: string) => text.split('\n').slice(1)
    expect(withoutHeader(await (await alice.rest.export()).text())).toEqual(withoutHeader(before))
  })

  test('another account cannot be reached through ids in bodies and queries', async () => {
    const { entity: own } = await bob.rest.createEntity({ body: { name: 'Own', type: 'thing' } })
    // Each account has its own numbers, and alice has more than bob: this number does not exist in his
    // account.
    await alice.rest.createEntity({
      body: { name: 'Hidden', type: 'thing', observations: Array(100).fill('x') },
    })
    const { id: entity } = (await alice.rest.createEntity({ body: { name: 'Far', type: 'thing' } })).entity
    for (const ends of [
      { fromEntityId: own.id, toEntityId: entity },
      { fromEntityId: entity, toEntityId: own.id },
    ]) {
      await expect(bob.rest.createRelation({ body: { ...ends, type: 'spies_on' } })).rejects.toMatchObject({
        code: 'entity_not_found',
      })
      await expect(
        bob.rest.createBatch({ body: { entities: [], relations: [{ ...ends, type: 'spies_on' }] } }),
      ).rejects.toMatchObject({ code: 'entity_not_found' })
    }
    await expect(bob.rest.shortestPath({ query: { from: own.id, to: entity } })).rejects.toMatchObject({
      status: 404,
    })
    await expect(bob.rest.graphData({ query: { rootEntityId: entity } })).rejects.toMatchObject({
      status: 404,
    })
    expect((await bob.rest.listRelations({ query: { entityId: entity } })).relations).toEqual([])
    expect((await bob.rest.search({ query: { query: 'Ada' } })).results).toEqual([])
  })

  test.each(['limit', 'query', 'cursor', 'asOf', 'types', 'space', 'account'])(
    'the parameter %s sent twice is refused as such',
    async (name) => {
      const path = `/api/entities?${name}=1&${name}=2`
      const { status, body } = await server().call('GET', path, { token: alice.token })
      expect([status, body.error.message]).toEqual([400, `${name} is given more than once`])
    },
  )

  test('invalid and malicious addresses are answered as unknown', async () => {
    const tricks = [
      '/nowhere',
      '/api',
      '/api/nowhere',
      '/api/entities/a/b/c',
      '//api//entities',
      '/api/entities/..%2f..%2fetc%2fpasswd',
      '/api/entities/%2e%2e%2f%2e%2e%2fhealthz',
      '/api/entities/%',
      '/api/entities/%zz',
      '/api/entities/%ff%fe',
      '/__proto__',
      '/api/__proto__',
      '/constructor',
      '/api/entities/..\\..\\windows',
      `/${'a/'.repeat(2_000)}`,
      `/api/entities/${'%2e'.repeat(400)}`,
    ]
    for (const path of tricks) {
      const { status, body } = await server().call('GET', path, { token: alice.token })
      expect([path, status, body.error.code]).toEqual([path, 404, expect.stringMatching(/not_found$/)])
    }
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      expect((await server().call(method, '/api/entities', { token: alice.token })).status).toBe(404)
    }
  })
})
