import { proposalHeader } from '@loci/contract/proposals'
import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { proposerOf } from '../../../test/proposer.ts'

describeOnBothDatabases('proposals', (server) => {
  test('what a proposing key creates is applied only once a reviewer accepts it, with the ids it was given', async () => {
    const alice = await server().signUp()
    const { rest } = alice
    const codex = await proposerOf(alice)
    const { status, headers, body } = await server().call('POST', '/api/entities', {
      token: codex.token,
      body: { name: 'Ada', type: 'person', observations: ['Ada likes tea'] },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      proposed: true,
      entity: { name: 'Ada', observations: [{ content: 'Ada likes tea', state: 'proposed' }] },
    })
    expect(headers.get(proposalHeader)).toBe(body.proposalId)
    expect(headers.get('loci-change-set')).toBe(null)
    expect((await rest.listEntities()).total).toBe(0)
    expect((await rest.listChanges()).changes).toEqual([])

    const { proposals, open, mayDecide } = await rest.listProposals()
    expect({ open, mayDecide }).toEqual({ open: 1, mayDecide: true })
    expect(proposals).toMatchObject([
      {
        id: body.proposalId,
        status: 'open',
        by: { kind: 'api_key', id: codex.id, name: 'codex' },
        source: null,
        changesCount: 2,
        rivals: [],
        restsOn: [],
        changes: [
          {
            operation: 'entity_created',
            subject: { kind: 'entity', id: body.entity.id, name: 'Ada' },
            before: null,
          },
          {
            operation: 'observation_added',
            subject: {
              kind: 'observation',
              entityId: body.entity.id,
              entityName: 'Ada',
              entityType: 'person',
            },
            before: null,
            after: { content: 'Ada likes tea' },
          },
        ],
      },
    ])
    expect(await codex.rest.listProposals()).toMatchObject({ open: 1, mayDecide: false })

    const { setId, proposal } = await rest.acceptProposal({ params: { id: body.proposalId }, body: {} })
    expect(proposal).toMatchObject({
      status: 'accepted',
      setId,
      decidedBy: { kind: 'session', id: alice.userId },
    })
    const { entity } = await rest.getEntity({ params: { id: body.entity.id } })
    const { state: _, ...fact } = body.entity.observations[0]
    expect(entity.observations).toEqual([expect.objectContaining(fact)])
    expect(entity.observations[0]!.state).toBe(undefined)
    const { changes } = await rest.listChanges()
    for (const change of changes)
      expect(change).toMatchObject({
        setId,
        actor: { kind: 'session', id: alice.userId },
        onBehalfOf: { kind: 'api_key', id: codex.id, name: 'codex' },
      })
    expect((await rest.listProposals({ query: { status: 'accepted' } })).proposals).toMatchObject([{ setId }])
    await rest.undoChangeSet({ params: { setId } })
    expect((await rest.listEntities()).total).toBe(0)
  })

  test('a call that is repeated by its key answers the same, and proposes nothing more', async () => {
    const alice = await server().signUp()
    const codex = await proposerOf(alice)
    const headers = { 'idempotency-key': 'once' }
    const create = () =>
      server().call('POST', '/api/entities', {
        ...{ token: codex.token, headers },
        body: { name: 'Ada', type: 'person' },
      })
    const first = await create()
    const again = await create()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect([again.body, again.headers.get(proposalHeader)]).toEqual([first.body, first.body.proposalId])
    expect(await alice.rest.listProposals()).toMatchObject({ open: 1 })
  })

  test('every answer marks the facts in it that wait, and no others', async () => {
    const alice = await server().signUp()
    const { rest } = await proposerOf(alice)
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Harbour', type: 'place', observations: ['It has nine berths', 'It opened in 1912'] },
    })
    const [berths, opened] = entity.observations
    const params = { id: entity.id }
    const added = await rest.createObservations({ params, body: { content: 'It has a crane' } })
    expect(added.observations.map(({ state }) => state)).toEqual(['proposed'])
    const corrected = await rest.updateObservation({
      params: { ...params, observationId: berths!.id },
      body: { content: 'It has ten berths' },
    })
    expect(corrected.observation).toMatchObject({ content: 'It has ten berths', state: 'proposed' })
    const renamed = await rest.updateEntity({ params, body: { name: 'Port', type: 'place' } })
    expect(renamed.entity.observations.map(({ id, state }) => [id, state])).toEqual([
      [berths!.id, undefined],
      [opened!.id, undefined],
    ])
  })

  test('the fields of an answer say that it waits, and an undo that waits has no number', async () => {
    const alice = await server().signUp()
    const codex = await proposerOf(alice)
    await alice.rest.createEntity({ body: { name: 'Harbour', type: 'place' } })
    const { structuredContent } = await codex.callTool('undo_changes', { number: 1 })
    expect(structuredContent).toEqual({ notice: expect.stringMatching(/^Not stored yet/), undone: 1 })
  })

  test('an agent builds on what it proposed before: entities, then facts and relations of them', async () => {
    const alice = await server().signUp()
    const codex = await proposerOf(alice)
    await codex.callTool('create_entities', {
      entities: [
        { name: 'Loci', entityType: 'project', observations: ['Loci is a memory'] },
        { name: 'Grace', entityType: 'person', observations: [] },
      ],
    })
    const added = await codex.callTool('add_observations', {
      observations: [{ entityName: 'Grace', contents: ['Grace leads Loci'] }],
    })
    expect(added.isError).toBeFalsy()
    expect(added.structuredContent.results).toEqual([
      { entityName: 'Grace', addedObservations: ['Grace leads Loci'] },
    ])
    expect(JSON.stringify(added.content)).toContain("waits for a person's review as prp_")
    const related = await codex.callTool('create_relations', {
      relations: [{ from: 'Grace', to: 'Loci', relationType: 'leads' }],
    })
    expect(related.isError).toBeFalsy()
    const { proposals } = await alice.rest.listProposals()
    const [third, second, first] = proposals
    expect(proposals.map(({ restsOn }) => restsOn)).toEqual([[first!.id], [first!.id], []])
    expect(third!.changes).toMatchObject([
      { operation: 'relation_created', after: { fromEntity: { name: 'Grace' }, toEntity: { name: 'Loci' } } },
    ])
    const early = alice.rest.acceptProposal({ params: { id: second!.id }, body: {} })
    await expect(early).rejects.toMatchObject({ status: 409, code: 'proposal_conflict' })
    const decided = await alice.rest.decideProposals({
      body: { accept: [third!.id, second!.id, first!.id] },
    })
    expect(decided).toMatchObject({
      accepted: [{ id: first!.id }, { id: second!.id }, { id: third!.id }],
      failed: [],
    })
    expect((await alice.rest.listRelations()).relations).toMatchObject([{ type: 'leads' }])
  })
})
