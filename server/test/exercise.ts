import { setTimeout as sleep } from 'node:timers/promises'
import type { RestClient } from '@loci/client/rest'
import { restWith } from './accounts.ts'
import type { Person, TestServer } from './harness.ts'
import { connectOverHttp } from './mcp-clients.ts'

/** Makes nearly every call there is, in each form that queries the database differently. */
export async function exerciseTheContract(server: TestServer, person: Person): Promise<void> {
  await exerciseGraph(person.rest)
  await exerciseProposals(person)
  await exerciseHistory(person.rest)
  await exerciseConversations(person.rest)
  await exerciseAccount(person.rest)
  await exerciseWebhooks(server, person)
  await exerciseTools(server, person)
  await server.ctx.usage.flush()
}

async function exerciseGraph(rest: RestClient): Promise<void> {
  const create = async (name: string) =>
    (
      await rest.createEntity({
        body: { name, type: 'person', observations: [`${name} counts engines`, 'x'] },
      })
    ).entity
  const [ada, bob, eve] = [await create('Ada'), await create('Bob'), await create('Eve')]
  const { relation } = await rest.createRelation({
    body: { fromEntityId: ada.id, toEntityId: bob.id, type: 'knows' },
  })
  await rest.createRelation({ body: { fromEntityId: bob.id, toEntityId: eve.id, type: 'knows' } })
  await rest.createBatch({
    body: {
      entities: [{ name: 'Zoe', type: 'place' }],
      relations: [{ from: 'Ada', to: 'Zoe', type: 'visits' }],
    },
  })
  await rest.updateEntity({
    params: { id: ada.id },
    body: { name: 'Ada', type: 'writer', observations: ['x'] },
  })
  await rest.createObservations({ params: { id: bob.id }, body: { content: 'Bob has found an engine' } })
  await rest.updateRelation({ params: { id: relation.id }, body: { type: 'trusts' } })
  for (const filter of [{}, { types: 'person,place' }, { query: 'engine' }, { include: 'observations' }]) {
    const { nextCursor } = await rest.listEntities({ query: { ...filter, limit: '1' } })
    if (nextCursor !== null) await rest.listEntities({ query: { ...filter, limit: '1', cursor: nextCursor } })
  }
  const relationSearches = [
    ...['trusts', 'eve', 'ob', 'o'].map((query) => ({ query })),
    { query: 'bob', relationTypes: 'knows,visits' },
    { query: 'o', relationTypes: 'knows,visits' },
    { query: 'i', entityId: ada.id },
  ]
  for (const filter of [{}, { relationTypes: 'knows,trusts' }, { entityId: bob.id }, ...relationSearches]) {
    const { nextCursor } = await rest.listRelations({ query: { ...filter, limit: '1' } })
    if (nextCursor !== null)
      await rest.listRelations({ query: { ...filter, limit: '1', cursor: nextCursor } })
  }
  for (const sort of ['newest', 'changed', 'name', 'connected', 'facts'] as const) {
    const query = { sort, order: 'asc', limit: '1', include: 'latest,by,relations' } as const
    const { nextCursor } = await rest.listEntities({ query })
    await rest.listEntities({ query: { ...query, types: 'person,place' } })
    await rest.listEntities({ query: { ...query, cursor: nextCursor ?? undefined } })
  }
  await rest.export({ query: { ids: `${ada.id},${bob.id}` } })
  await rest.retypeEntities({ body: { ids: [ada.id, bob.id], type: 'writer' } })
  await rest.listEntityTypes()
  await rest.updateEntityType({ params: { type: 'writer' }, body: { type: 'author', colour: 12 } })
  await rest.updateEntityType({ params: { type: 'author' }, body: { type: 'writer' } })
  await rest.listRelationTypes()
  await rest.graphData()
  await rest.graphData({ query: { rootEntityId: ada.id } })
  await rest.neighbourhood({ params: { id: ada.id } })
  await rest.shortestPath({ query: { from: ada.id, to: eve.id } })
  await rest.graphNotes({ query: { ids: `${ada.id},${bob.id}` } })
  await exerciseViews(rest, ada.id)
  await exerciseFiles(rest, ada.id)
  await exerciseDuplicates(rest, [ada.id, bob.id])
  await exerciseHealth(rest, ada.id)
  for (const query of ['engine', 'engnie', 'eng', '"counts engines"', 'Ada Bob', 'what happened yesterday']) {
    await rest.search({ query: { query, expand: 'true' } })
    await rest.searchObservations({ query: { query, after: '2020-01-01', types: 'person' } })
  }
  await rest.previewRecall({ body: { query: 'engine' } })
  await rest.deleteObservation({ params: { id: bob.id, observationId: bob.observations[0]!.id } })
  await rest.deleteRelation({ params: { id: relation.id } })
  await rest.deleteEntity({ params: { id: eve.id } })
}

async function exerciseDuplicates(rest: RestClient, ids: [string, string]): Promise<void> {
  for (const name of ['Ada Byron', 'A. Byron']) {
    const observations = [`${name} counts all the engines`]
    await rest.createEntity({ body: { name, type: 'writer', observations } })
  }
  await rest.createBatch({
    body: {
      entities: [],
      relations: ['Ada Byron', 'A. Byron'].map((from) => ({ from, to: 'Zoe', type: 'visits' })),
    },
  })
  await rest.listDuplicates({ query: { limit: '1' } })
  await rest.dismissDuplicate({ body: { ids } })
  await rest.undismissDuplicate({ body: { ids } })
}

async function exerciseHealth(rest: RestClient, id: string): Promise<void> {
  const body = { observations: ['The port is 8080', 'The port is 3000'].map((content) => ({ content })) }
  const { observations } = await rest.createObservations({ params: { id }, body })
  const { items } = await rest.getMemoryHealth({ query: { kind: 'rivals' } })
  await rest.dismissHealthItem({ body: { id: items[0]!.id } })
  await rest.undismissHealthItem({ body: { id: items[0]!.id } })
  await rest.eraseObservation({
    params: { id: observations[0]!.id },
    body: { content: 'The port is hidden' },
  })
}

async function exerciseProposals({ rest, url }: Person): Promise<void> {
  const { id } = (await rest.listEntities()).entities[0]!
  const params = { id: 'spc_1' }
  const { id: reviewer } = await rest.me()
  await rest.updateSpace({ params, body: { writes: 'direct', autoAcceptDays: 30, reviewers: [reviewer] } })
  const { id: key, apiKey } = await rest.createKey({ body: { name: 'proposer', writes: 'propose' } })
  const proposer = restWith({ url }, apiKey)
  for (const content of ['One proposal', 'Another proposal', 'A third proposal'])
    await proposer.createObservations({ params: { id }, body: { content } })
  await proposer.createEntity({ body: { name: 'Proposed', type: 'thing', observations: ['New'] } })
  await proposer.createBatch({
    body: { entities: [], relations: [{ from: 'Proposed', to: 'Zoe', type: 'likes' }] },
  })
  await proposer.getEntity({ params: { id } })
  await proposer.listProposals({ query: { entityId: id } })
  const { proposals } = await rest.listProposals({ query: { by: key, limit: '2' } })
  await rest.listProposals({ query: { entityId: id } })
  await rest.listProposals({ query: { conversation: 'cnv_1' } })
  // It builds on another.
  await rest.acceptProposal({ params: { id: proposals[0]!.id }, body: {} }).catch(() => {})
  const { proposals: all } = await rest.listProposals()
  const { rule } = await rest.createAcceptRule({ body: { proposalId: all[0]!.id, type: 'ruled' } })
  await proposer.createEntity({ body: { name: 'Ruled', type: 'ruled', observations: ['At once'] } })
  await rest.listAcceptRules()
  await rest.deleteAcceptRule({ params: { id: rule.id } })
  const [first, second, ...others] = all.map((proposal) => proposal.id).toReversed()
  await rest.acceptProposal({ params: { id: first! }, body: {} })
  await rest.rejectProposal({ params: { id: second! }, body: {} })
  await rest.decideProposals({ body: { accept: others } })
  await rest.updateKey({ params: { id: key }, body: { writes: 'direct' } })
  await rest.deleteKey({ params: { id: key } })
}

async function exerciseFiles(rest: RestClient, id: string): Promise<void> {
  const [path, repository] = ['engine.ts', 'engine']
  const body = { content: 'Counts in one file', files: [{ path, repository }] }
  const { observations } = await rest.createObservations({ params: { id }, body })
  for (const hash of ['a', null])
    await rest.verifyObservations({ body: { repository, files: [{ path, hash }] } })
  await rest.listCitedObservations({ query: { repository } })
  await rest.listStaleObservations({ query: {} })
  await rest.confirmObservation({ params: { id: observations[0]!.id } })
}

async function exerciseViews(rest: RestClient, entityId: string): Promise<void> {
  const { view } = await rest.createView({ body: { name: 'View', search: 'limit=500' } })
  await rest.listViews()
  await rest.updateView({ params: { id: view.id }, body: { name: 'Other view' } })
  await rest.deleteView({ params: { id: view.id } })
  await rest.nameRegion({ params: { entityId }, body: { name: 'Region' } })
  await rest.listRegionNames()
  await rest.unnameRegion({ params: { entityId } })
  const body = { regions: [{ id: entityId, tint: 0 }], places: 'AAEBAgQB' }
  await rest.putGraphPlaces({ body })
  await rest.putGraphPlaces({ body, headers: { 'If-Match': '"1"' } })
  const { version } = await rest.getGraphPlaces({ query: {} })
  await rest.getGraphPlaces({ query: { known: String(version) } })
  const { share } = await rest.createShare({ body: { view: { kind: 'entity', entityId } } })
  await rest.listShares()
  await rest.deleteShare({ params: { id: share.id } })
}

async function exerciseConversations(rest: RestClient): Promise<void> {
  const turn = { at: '2026-01-01', role: 'tool' as const, text: 'Counted', files: ['/w/engine.ts'] }
  const store = (externalId: string, project?: { name: string; path: string }) =>
    rest.storeTurns({
      body: {
        conversation: { agent: 'a', externalId, title: 'Engines', ...(project && { project }) },
        turns: [0, 1, 2].map((n) => ({ ...turn, externalId: String(n) })),
      },
    })
  const { conversationId: id } = await store('one', { name: 'engine', path: '/w/engine' })
  await store('one')
  const other = await store('two')
  await rest.createEntity({
    body: {
      name: 'Said',
      type: 'fact',
      observations: [{ content: 'Counted', source: { conversationId: id } }],
    },
  })
  const filters = [
    ...[{}, { agent: 'a' }, { project: 'engine' }, { project: '/w/engine' }, { file: 'engine.ts' }],
    ...[{ query: 'engines' }, { after: '2020-01-01', before: '2030-01-01' }],
    ...(['facts', 'to_decide', 'failed'] as const).map((only) => ({ only })),
    ...(['project', 'agent'] as const).map((order) => ({ order })),
  ]
  for (const filter of filters) {
    const { nextCursor } = await rest.listConversations({ query: { ...filter, limit: '1' } })
    if (nextCursor !== null)
      await rest.listConversations({ query: { ...filter, limit: '1', cursor: nextCursor } })
  }
  const { turns, nextCursor } = await rest.readConversation({ params: { id }, query: { limit: '1' } })
  await rest.readConversation({ params: { id }, query: { cursor: nextCursor!, limit: '1' } })
  await rest.readConversation({ params: { id }, query: { around: turns[0]!.id } })
  const narrowed = {
    project: '/w/engine',
    agent: 'a',
    file: 'engine.ts',
    after: '2020-01-01',
    before: '2030-01-01',
  }
  await rest.searchTurns({ query: { query: 'counted', near: 'engine', context: '4', ...narrowed } })
  await rest.searchTurns({ query: { query: 'countde' } })
  await rest.countConversations()
  await rest.findInConversation({ params: { id }, query: { query: 'engine' } })
  await rest.listSourcedObservations({ query: { conversation: id } })
  await exerciseDrafts(rest)
  await rest.deleteConversation({ params: { id } })
  await rest.eraseConversation({ params: { id: other.conversationId } })
}

async function exerciseDrafts(rest: RestClient): Promise<void> {
  const texts = ['We decided to use engines.', 'From now on, count engines.', 'My name is Ada.']
  const turns = texts.map((text, i) => ({
    ...{
      externalId: String(i),
      at: new Date(Date.now() - 600_000).toISOString(),
      role: 'person' as const,
      text,
    },
  }))
  const project = { name: 'engine' }
  await rest.storeTurns({ body: { conversation: { agent: 'a', externalId: 'drafts', project }, turns } })
  const { drafts, nextCursor } = await rest.listDrafts({
    query: { project: 'engine', since: '2020-01-01', limit: '2' },
  })
  await rest.listDrafts({ query: { cursor: nextCursor! } })
  await rest.listDrafts({ query: { conversation: drafts[0]!.source.conversationId } })
  await rest.keepDraft({ params: { id: drafts[0]!.id }, body: {} })
  await rest.dropDraft({ params: { id: drafts[1]!.id } })
}

async function exerciseHistory(rest: RestClient): Promise<void> {
  const create = async (name: string) =>
    (await rest.createEntity({ body: { name, type: 'person', observations: [`${name} drinks tea`, 'y'] } }))
      .entity
  const [kim, lee] = [await create('Kim'), await create('Lee')]
  const [first, second] = kim.observations
  const params = { id: kim.id }
  await rest.updateObservation({
    params: { ...params, observationId: first!.id },
    body: { content: 'Kim drinks coffee' },
  })
  await rest.updateEntity({
    params,
    body: { name: 'Kim', type: 'friend', observations: [{ id: second!.id, content: 'z' }, 'new'] },
  })
  await rest.createRelation({ body: { fromEntityId: kim.id, toEntityId: lee.id, type: 'knows' } })
  const { setId } = await rest.mergeEntity({ params, body: { into: lee.id } })
  await rest.undoChangeSet({ params: { setId } })
  await rest.deleteEntity({ params })
  await rest.restoreEntity({ params })
  const { changes } = await rest.listChanges()
  const { seq, actor } = changes[0]!
  const filters = [
    { limit: '1' },
    { order: 'asc' as const, after: '2020-01-01T00:00:00.000Z', before: String(seq) },
    { entityId: kim.id, operation: 'entity_updated,entity_deleted' },
    { actorId: actor.id, client: '' },
    { setId },
  ]
  for (const query of filters) {
    const { nextCursor } = await rest.listChanges({ query })
    if (nextCursor !== null) await rest.listChanges({ query: { ...query, cursor: nextCursor } })
  }
  await rest.countChanges()
  const asOf = String(seq - 1)
  await rest.listEntities({ query: { asOf } })
  await rest.listEntities({ query: { asOf: '2099-01-01T00:00:00.000Z', include: 'observations' } })
  await rest.getEntity({ params: { id: lee.id }, query: { asOf, include: 'by' } })
  await rest.listRelations({ query: { asOf } })
  await rest.listRelations({ query: { asOf, entityId: lee.id } })
  await rest.graphData({ query: { asOf } })
  await rest.neighbourhood({ params: { id: lee.id }, query: { asOf } })
  await (await rest.export({ query: { asOf } })).text()
  await rest.eraseEntity({ params })
}

async function exerciseAccount(rest: RestClient): Promise<void> {
  await rest.me()
  await rest.listSessions()
  const { id } = await rest.createKey({ body: { name: 'key', permissions: [] } })
  await rest.updateKey({ params: { id }, body: { door: { space: 'spc_1', opens: 'read' } } })
  for (const credential of [id, 'personal'])
    await rest.tryDoor({ body: { credential, space: 'spc_1', text: 'engine' } })
  await rest.listDoorCalls()
  await rest.rollKey({ params: { id } })
  await rest.listKeys()
  await rest.deleteKey({ params: { id } })
  await rest.analytics()
  await rest.usageDays()
  await rest.realTimeStats()
  await rest.monthlySummary()
  await rest.usage()
  const line = '{"type":"entity","name":"half","entityType":"x","observations":["y"]}\n'
  const { import: report } = await rest.import({ body: line })
  await rest.getImport({ params: { id: report.id } })
  await (await rest.export()).text()
  await (await rest.export({ query: { format: 'mcp-memory' } })).text()
  await rest.subscription()
  await rest.listPaymentMethods()
  await rest.listInvoices()
}

async function exerciseWebhooks(server: TestServer, person: Person): Promise<void> {
  const { rest } = person
  await setPlan('starter')
  const { webhook } = await rest.createWebhook({ body: { url: 'https://receiver.invalid/' } })
  const params = { id: webhook.id }
  await rest.listWebhooks()
  await rest.createEntity({ body: { name: 'Sent', type: 'event' } })
  await rest.rollWebhookSecret({ params })
  await rest.testWebhook({ params })
  const { deliveries } = await rest.listDeliveries({ params, query: { limit: '1' } })
  await rest.listDeliveries({ params, query: { status: 'pending' } })
  const one = { ...params, deliveryId: deliveries[0]!.id }
  await rest.getDelivery({ params: one })
  await rest.redeliver({ params: one })
  await rest.redeliverFailed({ params, body: { since: '2026-01-01' } })
  await waitForAttempt()
  await rest.updateWebhook({ params, body: { spaces: ['default'] } })
  await rest.updateWebhook({ params, body: { spaces: null, status: 'disabled' } })
  await rest.deleteWebhook({ params })
  await setPlan('free')

  async function setPlan(plan: string): Promise<void> {
    await server.ctx.db
      .updateTable('accounts')
      .set({ plan })
      .where('account_id', '=', (eb) =>
        eb.selectFrom('members').select('account_id').where('user_id', '=', person.userId),
      )
      .execute()
  }

  async function waitForAttempt(): Promise<void> {
    const { delivery } = await rest.getDelivery({ params: one })
    if (delivery.attempts.length > 0) return
    await sleep(50)
    // Nothing listens there, and the endpoint pauses after each failure.
    server.clock.now += 5_000
    await waitForAttempt()
  }
}

/** After an agent asked. */
async function exerciseRecalls(rest: RestClient): Promise<void> {
  const { recalls } = await rest.listRecalls({ query: { by: 'test-agent', limit: '1' } })
  await rest.listRecalls({ query: { found: 'false' } })
  await rest.getRecall({ params: { id: recalls[0]!.id } })
  await rest.getBriefMail()
  await rest.setBriefMail({ body: { isOn: false } })
  await rest.askAgain({ body: { question: 'who purrs' } })
  await rest.listUnanswered()
  await rest.markBrief({ body: { seq: 1 } })
  await rest.readBrief({ body: { seqs: [2] } })
  await rest.getBrief()
  await rest.deleteRecall({ params: { id: recalls[0]!.id } })
}

async function exerciseTools(server: TestServer, { apiKey, rest }: Person): Promise<void> {
  const client = await connectOverHttp(server, apiKey, 'auto')
  const calls: [string, object][] = [
    ['create_entities', { entities: [{ name: 'Tom', entityType: 'cat', observations: ['purrs'] }] }],
    ['add_observations', { observations: [{ entityName: 'Tom', contents: ['sleeps'] }] }],
    ['create_relations', { relations: [{ from: 'Tom', to: 'Ada', relationType: 'owns' }] }],
    ['search_nodes', { query: 'purrs' }],
    ['open_nodes', { names: ['Tom', 'Ada'] }],
    ['read_graph', {}],
    ['read_graph', { after: 'Ada' }],
    ['recall', { query: 'who purrs' }],
    ['explore_entity', { name: 'Ada' }],
    ['find_path', { from: 'Tom', to: 'Zoe' }],
    ['find_duplicates', {}],
    ['list_changes', {}],
    ['list_changes', { since: '2020-01-01T00:00:00Z', until: '2099-01-01' }],
    ['list_changes', { entity: 'Tom', by: 'test-agent', before: 1_000 }],
    ['open_nodes', { names: ['USER', 'Tom'], limit: 1, after: 'Ada' }],
    ['search_nodes', { query: 'purrs', limit: 1 }],
    ['update_entity', { name: 'Tom', newName: 'Thomas' }],
    ['update_relation', { from: 'Thomas', to: 'Ada', relationType: 'owns', newRelationType: 'likes' }],
    ['delete_relations', { relations: [{ from: 'Thomas', to: 'Ada', relationType: 'likes' }] }],
    ['delete_observations', { deletions: [{ entityName: 'Thomas', observations: ['purrs', 'purred'] }] }],
    ['delete_entities', { entityNames: ['Thomas'] }],
    ['list_changes', {}],
  ]
  for (const [name, args] of calls) {
    const result = await client.callTool({ name, arguments: args as Record<string, unknown> })
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`)
  }
  await exerciseRecalls(rest)
  await client.readResource({ uri: (await client.listResources()).resources[0]!.uri })
  await client.close()
}
