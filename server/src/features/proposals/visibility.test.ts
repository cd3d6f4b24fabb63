import { constants, inflateRawSync } from 'node:zlib'
import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import { ExportFormat } from '@loci/contract/imports'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, restWith, scopeOf, setPlan } from '../../../test/accounts.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { postMcp } from '../../../test/mcp-raw.ts'
import { proposerOf, toolCaller } from '../../../test/proposer.ts'
import { readSchema } from '../../../test/read-schema.ts'
import { connect } from '../../../test/socket.ts'
import { type Receiver, startReceiver } from '../../../test/webhook-receiver.ts'
import { entityUri, entityUriPrefix, graphUri } from '../../doors/mcp/addresses.ts'

/** In every proposal, and nowhere else. Questions ask for the word beside it, since answers repeat questions. */
const secret = 'zzyzzxq'
const asked = 'quokka'

/** Signature of a file's header in a ZIP archive (APPNOTE 4.3.7). */
const zipHeader = 0x04_03_4b_50

/** Whether a text, or what any file of an archive says, contains a word. */
function isIn(body: Buffer, word: string): boolean {
  if (body.length < 4 || body.readUInt32LE(0) !== zipHeader) return body.includes(word)
  for (let at = 0; at + 30 < body.length; at += 1) {
    if (body.readUInt32LE(at) !== zipHeader) continue
    const from = at + 30 + body.readUInt16LE(at + 26) + body.readUInt16LE(at + 28)
    if (body.subarray(at, from).includes(word)) return true
    const isStored = body.readUInt16LE(at + 8) === 0
    const content = isStored
      ? body.subarray(from)
      : inflateRawSync(body.subarray(from), { finishFlush: constants.Z_SYNC_FLUSH })
    if (content.includes(word)) return true
  }
  return body.includes(word)
}

/** The parameters of a query that the endpoint knows; it ignores all others. */
function knownTo({ query }: Endpoint, text: string): string {
  const known = [...new URLSearchParams(text)].filter(([name]) => name in (query?.shape ?? {}))
  return new URLSearchParams(known).toString()
}

describe.each<DialectName>(['sqlite', 'postgres'])('what is proposed (%s)', (dialect) => {
  let server: TestServer
  let receiver: Receiver
  let alice: Person
  let codex: Awaited<ReturnType<typeof proposerOf>>
  /** Everybody but the proposer and the reviewers. */
  let others: Record<string, string>
  let ids: {
    harbour: string
    quay: string
    fact: string
    relation: string
    proposed: string
    fromMcp: string
  }

  beforeAll(async () => {
    receiver = await startReceiver()
    server = await startTestServer(dialect, { webhooksAllowPrivate: true }, { webhooks: { lookMs: 20 } })
    alice = await server.signUp()
    await setPlan(server, alice, 'pro')
    codex = await proposerOf(alice)
    const member = await addPerson(server, alice, 'member')
    const viewer = await addPerson(server, alice, 'viewer')
    const otherKey = await alice.rest.createKey({ body: { name: 'other' } })
    const otherProposer = await proposerOf(alice, 'another')
    others = {
      member: member.token,
      viewer: viewer.token,
      'personal key of the owner': alice.apiKey,
      'another key of the owner': otherKey.apiKey,
      'another proposing key': otherProposer.token,
      stranger: (await server.signUp('bob')).token,
    }
    const { entity: harbour } = await alice.rest.createEntity({
      body: { name: 'Harbour', type: 'place', observations: ['The harbour has nine berths'] },
    })
    const { entity: quay } = await alice.rest.createEntity({ body: { name: 'Quay', type: 'place' } })
    const { relation } = await alice.rest.createRelation({
      body: { fromEntityId: quay.id, toEntityId: harbour.id, type: 'part_of' },
    })
    await alice.rest.createWebhook({ body: { url: receiver.url } })
    ids = {
      harbour: harbour.id,
      quay: quay.id,
      fact: harbour.observations[0]!.id,
      relation: relation.id,
      proposed: '',
      fromMcp: '',
    }
  })
  afterAll(async () => {
    await server?.close()
    await receiver?.close()
  })

  async function proposeEverything(): Promise<void> {
    const { rest } = codex
    const { entity } = await rest.createEntity({
      body: {
        name: `A ${asked} called ${secret}`,
        type: secret,
        observations: [`The ${asked} ${secret} sleeps`],
      },
    })
    ids.proposed = entity.id
    const params = { id: ids.harbour }
    await rest.createObservations({ params, body: { content: `The ${asked} ${secret} has a berth` } })
    await rest.updateObservation({
      params: { ...params, observationId: ids.fact },
      body: { content: `The harbour has ten berths and the ${asked} ${secret}` },
    })
    await rest.updateEntity({
      params: { id: ids.quay },
      body: { name: `Quay ${asked} ${secret}`, type: 'place' },
    })
    await rest.updateRelation({ params: { id: ids.relation }, body: { type: secret } })
    await rest.createRelation({
      body: { fromEntityId: ids.harbour, toEntityId: ids.quay, type: `${asked}_${secret}` },
    })
    await rest.createBatch({
      body: {
        entities: [{ name: `${secret} two`, type: 'animal', observations: [`${asked} ${secret}`] }],
        relations: [],
      },
      headers: { 'idempotency-key': 'once' },
    })
    const answer = await codex.callTool('add_observations', {
      observations: [{ entityName: 'Harbour', contents: [`${asked} ${secret} over MCP`] }],
    })
    expect(answer.isError).toBeFalsy()
  }

  /** Every call that reads, with ids of what is there and of what is only proposed. */
  function* readsOf(): Generator<[string, string, object?]> {
    const query = `query=${asked}&limit=5000&include=observations,by,relations&depth=3&from=${ids.harbour}&to=${ids.quay}`
    const short = query.replace('limit=5000', 'limit=100')
    for (const [id, endpoint] of Object.entries<Endpoint>(api)) {
      if (endpoint.method !== 'GET' || endpoint.access === 'public' || id === 'listProposals') continue
      const entities = [ids.harbour, ids.quay, ids.proposed]
      for (const entity of endpoint.path.includes(':') ? entities : ['']) {
        const path = endpoint.path.replace(/:\w+/g, entity)
        const given = ['', short, query, `entityId=${ids.harbour}&ids=${entities}`]
        for (const parameters of new Set(given.map((text) => knownTo(endpoint, text))))
          yield ['GET', `${path}?${parameters}`]
      }
    }
    for (const format of ExportFormat.options) yield ['GET', `/api/export?format=${format}`]
    for (const path of ['/api/entities', '/api/relations', '/api/graph/data', '/api/export'])
      yield ['GET', `${path}?asOf=2100-01-01`]
    // Search corrects spellings and completes words, of which this one is nowhere.
    for (const query of [secret.slice(0, -1), `${secret.slice(0, -1)}k`]) {
      yield ['GET', `/api/search/observations?query=${query}`]
      yield ['GET', `/api/entities?query=${query}`]
      yield ['POST', '/api/search', { query }]
    }
    yield ['POST', '/api/search', { query: asked }]
    yield ['POST', '/api/search/observations', { query: asked }]
  }

  test('is in no table but its own, nor in any answer, export, event or count of somebody else', async () => {
    const before = await Promise.all([alice.rest.listSpaces(), alice.rest.usage(), alice.rest.me()])
    const socket = await connect(server.url, others.member!)
    socket.send({ type: 'subscribe_to_graph_changes', payload: {} })
    await socket.heard('subscribed')
    await proposeEverything()
    const after = await Promise.all([alice.rest.listSpaces(), alice.rest.usage(), alice.rest.me()])
    // That an agent called, and how often, is no secret.
    const counts = ({ operations: _, agentSeenAt: __, ...rest }: Record<string, unknown>) => rest
    expect(after.map(counts)).toEqual(before.map(counts))

    expect(await tablesWith(secret)).toEqual(['proposal_subjects', 'proposals'])

    const tokens = { ...others, 'owner signed in': alice.token }
    const leaks: string[] = []
    let read = 0
    for (const [who, token] of Object.entries(tokens)) {
      for (const [method, path, body] of readsOf()) {
        const response = await fetch(server.url + path, {
          method,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        if (isIn(Buffer.from(await response.arrayBuffer()), secret)) leaks.push(`${who}: ${method} ${path}`)
        read += response.ok ? 1 : 0
      }
    }
    expect(leaks).toEqual([])
    expect(read).toBeGreaterThan(300)

    await alice.rest.createEntity({ body: { name: 'Marker', type: 'mark' } })
    await socket.heard('entity_created')
    socket.socket.close()
    expect(JSON.stringify(socket.messages)).not.toContain(secret)
    const events = () => receiver.received.map(({ event }) => event.type)
    await expect.poll(events, { timeout: 60_000 }).toContain('entity.created')
    await expect.poll(events, { timeout: 60_000 }).toContain('proposal.created')
    expect(JSON.stringify(receiver.received)).not.toContain(secret)
  }, 300_000)

  test('is told over MCP to nobody else', async () => {
    for (const [who, token] of Object.entries(others)) {
      for (const [name, args] of Object.entries({
        recall: { query: `Where does the ${asked} ${secret.slice(0, -1)} sleep?` },
        search_nodes: { query: asked },
        open_nodes: { names: ['Harbour', 'Quay', `a ${asked}`, `${secret.slice(0, -1)}k two`] },
        read_graph: {},
        explore_entity: { name: 'Harbour', depth: 3 },
        find_duplicates: {},
        find_path: { from: 'Quay', to: 'Harbour' },
        list_changes: {},
        list_spaces: {},
      })) {
        const answer = await toolCaller(server.url, token)(name, args)
        expect([who, name, JSON.stringify(answer).includes(secret)]).toEqual([who, name, false])
      }
      for (const uri of [graphUri, entityUri('Harbour')]) {
        const { message } = await postMcp(`${server.url}/mcp`, token, 'current', {
          method: 'resources/read',
          params: { uri },
        })
        if (who !== 'stranger') expect([who, uri, message.error]).toEqual([who, uri, undefined])
        expect([who, uri, JSON.stringify(message).includes(secret)]).toEqual([who, uri, false])
      }
      const { message } = await postMcp(`${server.url}/mcp`, token, 'current', {
        method: 'completion/complete',
        params: {
          ref: { type: 'ref/resource', uri: `${entityUriPrefix}{name}` },
          argument: { name: 'name', value: secret.slice(0, 3) },
        },
      })
      expect([who, message.error]).toEqual([who, undefined])
      expect(JSON.stringify(message)).not.toContain(secret)
    }
  })

  test('is told to its proposer, marked, and to its reviewers in the list', async () => {
    const { entity } = await codex.rest.getEntity({ params: { id: ids.harbour } })
    expect(entity.observations.map(({ content, state }) => [content.includes(secret), state])).toEqual([
      [true, 'proposed'],
      [true, 'proposed'],
      [true, 'proposed'],
    ])
    expect(await codex.rest.getEntity({ params: { id: ids.proposed } })).toMatchObject({
      proposed: true,
      entity: { id: ids.proposed, observations: [{ state: 'proposed' }] },
    })
    const list = (query: Record<string, string>) => codex.rest.listEntities({ query })
    const marks = ({ entities }: Awaited<ReturnType<typeof list>>) => entities.map(({ proposed }) => proposed)
    expect(marks(await list({ query: `${asked} ${secret}` }))).toEqual([true, true])
    expect(await list({ types: secret, include: 'observations' })).toMatchObject({
      entities: [{ id: ids.proposed, proposed: true, observations: [{ state: 'proposed' }] }],
      total: 1,
    })
    const first = await list({ limit: '3' })
    expect([marks(first), first.total]).toEqual([[true, undefined, undefined], 5])
    const { entity: newest } = await alice.rest.createEntity({ body: { name: 'Newest', type: 'mark' } })
    const next = await list({ limit: '3', cursor: (await list({ limit: '2' })).nextCursor! })
    expect(next.entities.map(({ name, proposed }) => [name, proposed])).toEqual([
      ['Marker', undefined],
      ['Quay', undefined],
      ['Harbour', undefined],
    ])
    await alice.rest.deleteEntity({ params: { id: newest.id } })
    const relations = async (query: Record<string, string>) => {
      const { relations, total } = await codex.rest.listRelations({ query })
      return [relations.map(({ type, proposed }) => [type, proposed]), total]
    }
    const own = [`${asked}_${secret}`, true]
    const stored = ['part_of', undefined]
    expect(await relations({})).toEqual([[own, stored], 2])
    expect(await relations({ entityId: ids.quay, limit: '1' })).toEqual([[stored], 2])
    for (const query of [{ query: `${asked} ${secret}` }, { relationTypes: own[0] as string }])
      expect(await relations(query)).toEqual([[own], 1])
    for (const query of [{ query: 'part' }, { relationTypes: 'part_of' }])
      expect(await relations(query)).toEqual([[stored], 1])
    expect(await relations({ entityId: ids.proposed })).toEqual([[], 0])
    const searched = await codex.rest.searchObservations({ query: { query: `the ${asked} sleeps` } })
    expect(searched.observations.find(({ entity }) => entity.id === ids.proposed)).toMatchObject({
      state: 'proposed',
      content: `The ${asked} ${secret} sleeps`,
    })
    const query = `harbour berths ${asked}`
    const { results } = await codex.rest.search({ query: { query, states: 'proposed' } })
    expect(results[0]).toMatchObject({
      entity: { id: ids.harbour },
      matches: [{ state: 'proposed' }, {}, {}],
    })
    for (const others of [{ states: 'current' }, { after: '2100' }, { storedBefore: '2000' }]) {
      const { observations } = await codex.rest.searchObservations({ query: { query: asked, ...others } })
      expect(observations).toEqual([])
    }
    for (const [name, args] of Object.entries({
      recall: { query: `Where does the ${asked} sleep?` },
      search_nodes: { query: asked },
      open_nodes: { names: ['Harbour'] },
      read_graph: {},
    })) {
      const { structuredContent, content } = await codex.callTool(name, args)
      expect([name, structuredContent.notice]).toEqual([name, expect.stringContaining(secret)])
      expect(JSON.stringify(content)).toContain(secret)
    }
    for (const rest of [alice.rest, restWith(server, alice.token), codex.rest])
      expect(JSON.stringify(await rest.listProposals())).toContain(secret)
    const member = restWith(server, others.member!)
    expect((await member.listProposals()).proposals).toEqual([])
    const { space } = await alice.rest.updateSpace({
      params: { id: 'spc_1' },
      body: { reviewers: [(await member.me()).id] },
    })
    expect(space.reviewers).toHaveLength(1)
    expect(await member.listProposals()).toMatchObject({ open: 8, mayDecide: true })
    await alice.rest.updateSpace({ params: { id: 'spc_1' }, body: { reviewers: [] } })
  })

  test('is in what is stored for calls to be repeated only as its proposer may read it', async () => {
    const again = await server.call('POST', '/api/entities/batch', {
      token: codex.token,
      body: {
        entities: [{ name: `${secret} two`, type: 'animal', observations: [`${asked} ${secret}`] }],
        relations: [],
      },
      headers: { 'idempotency-key': 'once' },
    })
    expect([again.status, again.body.proposed, again.body.proposalId]).toEqual([
      200,
      true,
      expect.stringMatching(/^prp_/),
    ])
    for (const [who, token] of Object.entries(others)) {
      const repeated = await server.call('POST', '/api/entities/batch', {
        token,
        body: { entities: [], relations: [] },
        headers: { 'idempotency-key': 'once' },
      })
      expect([who, JSON.stringify(repeated.body).includes(secret)]).toEqual([who, false])
    }
  })

  test('is gone with the fact that it became, once that is erased', async () => {
    const { observations } = await codex.rest.createObservations({
      params: { id: ids.quay },
      body: { content: `The ${asked} ${secret} is a password` },
    })
    const { proposals } = await alice.rest.listProposals({ query: { entityId: ids.quay } })
    const params = { id: proposals[0]!.id }
    await alice.rest.acceptProposal({ params, body: {} })
    await alice.rest.eraseObservation({ params: { id: observations[0]!.id }, body: {} })
    await expect(alice.rest.rejectProposal({ params, body: {} })).rejects.toMatchObject({ status: 404 })
    expect((await alice.rest.listProposals({ query: { status: 'accepted' } })).proposals).toEqual([])
  })

  test('is gone from everywhere once the entity it is about is erased, decided or not', async () => {
    const scope = await scopeOf(server, alice)
    const { proposals } = await alice.rest.listProposals({ query: { entityId: ids.harbour } })
    expect(proposals.length).toBeGreaterThan(2)
    await alice.rest.rejectProposal({ params: { id: proposals[0]!.id }, body: { reason: 'no' } })
    await alice.rest.eraseEntity({ params: { id: ids.harbour } })
    expect((await alice.rest.listProposals({ query: { entityId: ids.harbour } })).proposals).toEqual([])
    expect((await alice.rest.listProposals({ query: { status: 'rejected' } })).proposals).toEqual([])
    const { rows } = await sql<{ steps: string }>`select steps from proposals
      where account_id = ${scope.accountId}`.execute(server.ctx.db)
    expect(JSON.stringify(rows)).not.toContain('berth')
  })

  test('is news to webhooks, which tell that it was proposed and decided on, and not what it says', async () => {
    const { proposalId } = (await codex.rest.createEntity({
      body: { name: `News ${secret}`, type: 'news' },
    })) as { proposalId?: string }
    const { proposalId: other } = (await codex.rest.createEntity({
      body: { name: `Old news ${secret}`, type: 'news' },
    })) as { proposalId?: string }
    await alice.rest.rejectProposal({ params: { id: proposalId! }, body: {} })
    await alice.rest.acceptProposal({
      params: { id: other! },
      body: { changes: [{ subject: { id: await subjectOf(other!) }, after: { name: 'News' } }] },
    })
    const told = () =>
      receiver.received
        .filter(({ event }) => [proposalId, other].includes(event.data.proposal?.id))
        .map(({ event }) => [event.type, event.data.proposal.status])
        .toSorted()
    await expect.poll(told, { timeout: 60_000 }).toEqual([
      ['proposal.accepted', 'accepted'],
      ['proposal.created', 'open'],
      ['proposal.created', 'open'],
      ['proposal.rejected', 'rejected'],
    ])
    const last = receiver.received.findLast(({ event }) => event.type === 'proposal.rejected')!
    expect(last.event.data).toEqual({
      proposal: {
        id: proposalId,
        status: 'rejected',
        by: { kind: 'api_key', id: codex.id, name: 'codex' },
        at: expect.any(String),
      },
      space: { id: 'spc_1', name: 'default' },
    })
    // What was accepted before it was erased is news of the graph.
    const ofProposals = receiver.received.filter(({ event }) => event.type.startsWith('proposal.'))
    expect(JSON.stringify(ofProposals)).not.toContain(secret)
  })

  const subjectOf = async (id: string) =>
    (await alice.rest.listProposals({ query: { by: codex.id } })).proposals.find((one) => one.id === id)!
      .changes[0]!.subject.id

  async function tablesWith(word: string): Promise<string[]> {
    const { db } = server.ctx
    const { tables } = await readSchema(db, dialect)
    const found: string[] = []
    for (const { name, columns } of tables) {
      const texts = columns.map((column) =>
        dialect === 'sqlite'
          ? sql`cast(${sql.ref(column)} as text) like ${`%${word}%`}`
          : sql`${sql.ref(column)}::text like ${`%${word}%`}`,
      )
      const { rows } =
        await sql`select 1 from ${sql.table(name)} where ${sql.join(texts, sql` or `)} limit 1`.execute(db)
      if (rows.length > 0) found.push(name)
    }
    return found.sort()
  }
})
