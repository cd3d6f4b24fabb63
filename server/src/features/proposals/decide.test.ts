import { expect, test } from 'vitest'
import { addMember, addPerson, openTwin, restWith, scopeOf, setPlan, signIn } from '../../../test/accounts.ts'
import { arrayOf } from '../../../test/array-of.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { proposerOf, toolCaller } from '../../../test/proposer.ts'
import { checkAll } from '../checks/checks.service.ts'
import { sweepProposals } from './proposals-sweep.ts'

describeOnBothDatabases('decisions on proposals', (server) => {
  async function cast() {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'pro')
    const { entity } = await alice.rest.createEntity({
      body: { name: 'Harbour', type: 'place', observations: ['It has nine berths', 'It opened in 1912'] },
    })
    return { alice, rest: alice.rest, codex: await proposerOf(alice), entity }
  }

  const differences = async () => (await arrayOf(checkAll(server().ctx))).map(({ message }) => message)

  const idOf = async (rest: Awaited<ReturnType<typeof cast>>['rest']) =>
    (await rest.listProposals()).proposals[0]!.id

  test('every kind of change can be proposed, is applied as proposed, and taken back by undo', async () => {
    const { rest, codex, entity } = await cast()
    const { entity: other } = await rest.createEntity({
      body: { name: 'Port', type: 'place', observations: ['A second name of it'] },
    })
    const { relation } = await rest.createRelation({
      body: { fromEntityId: other.id, toEntityId: entity.id, type: 'near' },
    })
    const { entity: gone } = await rest.createEntity({ body: { name: 'Gone', type: 'place' } })
    await rest.deleteEntity({ params: { id: gone.id } })
    const params = { id: entity.id }
    const [first, second] = entity.observations
    const calls: Record<string, () => Promise<unknown>> = {
      correct: () =>
        codex.rest.updateObservation({
          params: { ...params, observationId: first!.id },
          body: { content: 'It has ten berths' },
        }),
      replace: () =>
        codex.rest.createObservations({
          params,
          body: { content: 'It has eleven berths', at: '2026-03', replaces: [first!.id] },
        }),
      forget: () => codex.rest.deleteObservation({ params: { ...params, observationId: second!.id } }),
      rename: () => codex.rest.updateEntity({ params, body: { name: 'Old harbour', type: 'ruin' } }),
      retype: () => codex.rest.retypeEntities({ body: { ids: [entity.id, other.id], type: 'site' } }),
      relate: () =>
        codex.rest.createRelation({
          body: { fromEntityId: entity.id, toEntityId: other.id, type: 'feeds' },
        }),
      'change a relation': () =>
        codex.rest.updateRelation({ params: { id: relation.id }, body: { type: 'beside' } }),
      unrelate: () => codex.rest.deleteRelation({ params: { id: relation.id } }),
      merge: () => codex.rest.mergeEntity({ params: { id: other.id }, body: { into: entity.id } }),
      delete: () => codex.rest.deleteEntity({ params }),
      restore: () => codex.rest.restoreEntity({ params: { id: gone.id } }),
      batch: () =>
        codex.rest.createBatch({
          body: {
            entities: [{ name: 'Crane', type: 'machine', observations: ['Lifts 40 t'] }],
            relations: [{ from: 'Crane', to: 'Harbour', type: 'stands_in' }],
          },
        }),
    }
    const graph = async () =>
      (await (await rest.export()).text())
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/"updatedAt":"[^"]*",?/, ''))
        .sort()
    const before = await graph()
    for (const [what, call] of Object.entries(calls)) {
      await call()
      expect([what, await graph()]).toEqual([what, before])
      const { proposals } = await rest.listProposals()
      expect([what, proposals.length]).toEqual([what, 1])
      const { setId } = await rest.acceptProposal({ params: { id: proposals[0]!.id }, body: {} })
      expect([what, await graph()]).not.toEqual([what, before])
      const { changes } = await rest.listChanges({ query: { setId } })
      expect([what, changes.map(({ operation }) => operation).toSorted()]).toEqual([
        what,
        expect.arrayContaining(proposals[0]!.changes.map(({ operation }) => operation)),
      ])
      expect(changes[0]).toMatchObject({ actor: { kind: 'session' }, onBehalfOf: { id: codex.id } })
      await rest.undoChangeSet({ params: { setId } })
      expect([what, await graph()]).toEqual([what, before])
    }
    expect(await differences()).toEqual([])
  })

  test('undoing a change set can be proposed', async () => {
    const { rest, codex, entity } = await cast()
    const { changes } = await rest.listChanges()
    const proposed = await codex.rest.undoChangeSet({ params: { setId: changes[0]!.setId } })
    expect(proposed).toMatchObject({ proposed: true, proposalId: await idOf(rest), setId: 'set_0' })
    expect((await rest.getEntity({ params: { id: entity.id } })).entity.name).toBe('Harbour')
    await rest.acceptProposal({ params: { id: await idOf(rest) }, body: {} })
    await expect(rest.getEntity({ params: { id: entity.id } })).rejects.toMatchObject({ status: 404 })
  })

  test('what it rests on has changed: 409 with both states, and nothing is applied', async () => {
    const { rest, codex, entity } = await cast()
    const params = { id: entity.id, observationId: entity.observations[0]!.id }
    await codex.rest.updateEntity({
      params,
      body: {
        name: 'Harbour',
        type: 'port',
        observations: [{ id: params.observationId, content: 'It has ten berths' }],
      },
    })
    const id = await idOf(rest)
    await rest.updateObservation({ params, body: { content: 'It has eight berths' } })
    const before = await rest.getEntity({ params })
    await expect(rest.acceptProposal({ params: { id }, body: {} })).rejects.toMatchObject({
      status: 409,
      code: 'proposal_conflict',
      details: [
        {
          subject: { kind: 'observation', id: params.observationId, entityId: entity.id },
          before: { content: 'It has nine berths' },
          now: { content: 'It has eight berths' },
        },
      ],
    })
    expect(await rest.getEntity({ params })).toEqual(before)
    expect(await rest.listProposals()).toMatchObject({ open: 1 })
    await rest.deleteEntity({ params })
    await expect(rest.acceptProposal({ params: { id }, body: {} })).rejects.toMatchObject({
      code: 'proposal_conflict',
      details: [{ now: null }, { now: null }, { now: null }],
    })
    await rest.rejectProposal({ params: { id }, body: { reason: 'The harbour is gone' } })
    const [rejected] = (await rest.listProposals({ query: { status: 'rejected' } })).proposals
    expect(rejected).toMatchObject({ id, status: 'rejected', note: 'The harbour is gone', rivals: [] })
  })

  test('a name that was taken meanwhile is a conflict too', async () => {
    const { rest, codex } = await cast()
    await codex.rest.createEntity({ body: { name: 'Crane', type: 'machine' } })
    await rest.createEntity({ body: { name: 'Crane', type: 'bird' } })
    const failed = rest.acceptProposal({ params: { id: await idOf(rest) }, body: {} })
    await expect(failed).rejects.toMatchObject({ status: 409, code: 'proposal_conflict' })
    expect((await rest.listEntities()).total).toBe(2)
  })

  test('what would be restored exists again: a conflict, and its proposer can go on', async () => {
    const { rest, codex, entity } = await cast()
    const params = { id: entity.id }
    const [, second] = entity.observations
    const { headers } = await server().call(
      'DELETE',
      `/api/entities/${entity.id}/observations/${second!.id}`,
      {
        token: codex.token,
      },
    )
    await rest.acceptProposal({ params: { id: headers.get('loci-proposal')! }, body: {} })
    const setId = (await rest.listChanges({ query: { limit: '1' } })).changes[0]!.setId
    await codex.rest.undoChangeSet({ params: { setId } })
    const undoing = await idOf(rest)
    await rest.undoChangeSet({ params: { setId } })
    await rest.deleteEntity({ params })
    await codex.rest.restoreEntity({ params })
    const restoring = await idOf(rest)
    await rest.restoreEntity({ params })
    for (const id of [undoing, restoring])
      await expect(rest.acceptProposal({ params: { id }, body: {} })).rejects.toMatchObject({
        code: 'proposal_conflict',
        details: expect.arrayContaining([
          expect.objectContaining({ message: expect.stringContaining('exists again'), before: null }),
        ]),
      })
    await codex.rest.updateEntity({ params, body: { name: 'Old harbour', type: 'place' } })
    await rest.acceptProposal({ params: { id: await idOf(rest) }, body: {} })
    expect((await rest.getEntity({ params })).entity.name).toBe('Old harbour')
    expect(await differences()).toEqual([])
  })

  test('a reviewer edits before accepting: words, times, what it replaces, and what is left out', async () => {
    const { rest, codex, entity } = await cast()
    const [berths, opened] = entity.observations
    await codex.rest.createObservations({
      params: { id: entity.id },
      body: {
        observations: [
          { content: 'It has tenn berths', replaces: [berths!.id] },
          { content: 'The password is hunter2' },
          { content: 'It opened in 1913' },
        ],
      },
    })
    const [{ id, changes, rivals }] = (await rest.listProposals()).proposals as [never] as [
      Awaited<ReturnType<typeof rest.listProposals>>['proposals'][number],
    ]
    expect(rivals.map(({ entity: of }) => of.name)).toContain('Harbour')
    const [fact, secret, year] = changes.filter(({ operation }) => operation === 'observation_added')
    await rest.acceptProposal({
      params: { id },
      body: {
        changes: [
          { ...fact!, after: { ...fact!.after, content: 'It has ten berths', at: '2026-02' } },
          { subject: secret!.subject, leaveOut: true },
          { subject: year!.subject, after: { replaces: [opened!.id] } },
        ],
      },
    })
    const { entity: stored } = await rest.getEntity({ params: { id: entity.id } })
    expect(
      stored.observations.map(({ content, state, until, at }) => ({ content, state, until, at })),
    ).toEqual([
      { content: 'It has nine berths', state: 'replaced', until: '2026-02', at: undefined },
      { content: 'It opened in 1912', state: 'replaced', until: expect.any(String), at: undefined },
      { content: 'It has ten berths', state: undefined, until: undefined, at: '2026-02' },
      { content: 'It opened in 1913', state: undefined, until: undefined, at: undefined },
    ])
    expect(JSON.stringify(await rest.listChanges())).not.toContain('hunter2')
    expect((await rest.searchObservations({ query: { query: 'ten berths' } })).observations[0]).toMatchObject(
      {
        content: 'It has ten berths',
      },
    )
    expect(await differences()).toEqual([])
    await codex.rest.createEntity({ body: { name: 'Crane', type: 'machine', observations: ['Lifts 40 t'] } })
    const next = (await rest.listProposals()).proposals[0]!
    const foreign = { subject: { id: entity.id }, after: { name: 'Mine' } }
    await expect(
      rest.acceptProposal({ params: { id: next.id }, body: { changes: [foreign] } }),
    ).rejects.toMatchObject({ status: 400, code: 'validation_failed' })
    await expect(
      rest.acceptProposal({
        params: { id: next.id },
        body: { changes: next.changes.map(({ subject }) => ({ subject, leaveOut: true })) },
      }),
    ).rejects.toMatchObject({ status: 400 })
    const named = { subject: next.changes[0]!.subject, after: { name: 'Gantry', type: 'crane' } }
    await rest.acceptProposal({ params: { id: next.id }, body: { changes: [named] } })
    expect((await rest.listEntities()).entities[0]).toMatchObject({ name: 'Gantry', type: 'crane' })
  })

  test('an edit by a reviewer keeps to what every call keeps to', async () => {
    const { rest, codex, entity } = await cast()
    const [berths, opened] = entity.observations
    const params = { id: entity.id }
    await rest.createObservations({ params, body: { content: 'It has ten berths', replaces: [berths!.id] } })
    const { observations } = await codex.rest.createObservations({
      params,
      body: { content: 'It opened in 1913', at: '1913', replaces: [opened!.id] },
    })
    const subject = { id: observations[0]!.id }
    const accept = async (after: object) =>
      rest.acceptProposal({ params: { id: await idOf(rest) }, body: { changes: [{ subject, after }] } })
    const refused = [
      { until: '1912' },
      { at: '1920', until: '1919' },
      ...['nothing', 'obs_zzzz', berths!.id, subject.id].map((id) => ({ replaces: [id] })),
    ]
    for (const after of refused)
      await expect(accept(after), JSON.stringify(after)).rejects.toMatchObject({ code: 'validation_failed' })
    await accept({ replaces: [], until: '1914' })
    const stored = (await rest.getEntity({ params })).entity.observations.find(({ id }) => id === subject.id)
    expect(stored).toMatchObject({ at: '1913', until: '1914' })
    expect(stored).not.toHaveProperty('replaces')
    expect(await differences()).toEqual([])
  })

  test('of two reviewers at once, in two processes, exactly one decides', async () => {
    const { alice, rest, codex } = await cast()
    const admin = await addPerson(server(), alice, 'admin')
    const twin = await openTwin(server())
    const onTwin = restWith(twin, admin.token)
    for (const accepts of [true, false]) {
      await codex.rest.createEntity({ body: { name: `Crane ${accepts}`, type: 'machine' } })
      const params = { id: await idOf(rest) }
      const results = await Promise.allSettled([
        rest.acceptProposal({ params, body: {} }),
        accepts ? onTwin.acceptProposal({ params, body: {} }) : onTwin.rejectProposal({ params, body: {} }),
      ])
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const [{ reason }] = results.filter((result) => result.status === 'rejected') as [PromiseRejectedResult]
      expect(reason).toMatchObject({ status: 409, code: 'proposal_decided' })
    }
    await twin.close()
    expect((await rest.listChanges({ query: { operation: 'entity_created' } })).changes.length).toBeLessThan(
      4,
    )
    expect(await differences()).toEqual([])
  })

  test('deciding twice is 409, an unknown proposal 404, and several at once fail one by one', async () => {
    const { rest, codex } = await cast()
    for (const name of ['One', 'Two', 'Harbour 2'])
      await codex.rest.createEntity({ body: { name, type: 'thing' } })
    const [third, second, first] = (await rest.listProposals()).proposals.map(({ id }) => id)
    await rest.createEntity({ body: { name: 'Two', type: 'thing' } })
    expect(
      await rest.decideProposals({ body: { accept: [second!, first!, 'prp_zzzzz'], reject: [third!] } }),
    ).toMatchObject({
      accepted: [{ id: first }],
      rejected: [third],
      failed: [
        { id: second, code: 'proposal_conflict' },
        { id: 'prp_zzzzz', code: 'proposal_not_found' },
      ],
    })
    for (const body of [{}, { accept: [], reject: [] }, { accept: [first!], reject: [first!] }])
      await expect(rest.decideProposals({ body })).rejects.toMatchObject({
        status: 400,
        code: 'validation_failed',
      })
    for (const decide of [
      () => rest.acceptProposal({ params: { id: first! }, body: {} }),
      () => rest.rejectProposal({ params: { id: third! }, body: {} }),
    ])
      await expect(decide()).rejects.toMatchObject({ status: 409, code: 'proposal_decided' })
    await expect(rest.acceptProposal({ params: { id: 'prp_zzzzz' }, body: {} })).rejects.toMatchObject({
      status: 404,
      code: 'proposal_not_found',
    })
  })

  test('a proposal of a key that was deleted since can still be decided by a person, who sees whose it was', async () => {
    const { rest, codex } = await cast()
    await codex.rest.createEntity({ body: { name: 'Crane', type: 'machine' } })
    await rest.deleteKey({ params: { id: codex.id } })
    await expect(codex.rest.listProposals()).rejects.toMatchObject({ status: 401 })
    const id = await idOf(rest)
    const { proposal } = await rest.acceptProposal({ params: { id }, body: {} })
    expect(proposal.by).toMatchObject({ id: codex.id, name: 'codex' })
  })

  test('who may not write any more proposes nothing, and what they proposed stays for a person to decide', async () => {
    const { alice, rest } = await cast()
    const max = await addPerson(server(), alice, 'admin')
    const own = restWith(server(), max.token)
    const { id, apiKey } = await own.createKey({ body: { name: 'scout', writes: 'propose' } })
    const scout = restWith(server(), apiKey)
    for (const name of ['Crane', 'Buoy', 'Pilot boat'])
      await scout.createEntity({ body: { name, type: 'machine' } })
    await rest.updateMember({ params: { userId: max.userId }, body: { role: 'viewer' } })
    await expect(scout.createEntity({ body: { name: 'Tug', type: 'machine' } })).rejects.toMatchObject({
      status: 403,
    })
    await expect(own.acceptProposal({ params: { id: await idOf(rest) }, body: {} })).rejects.toMatchObject({
      status: 403,
      code: 'not_permitted',
    })
    await rest.acceptProposal({ params: { id: await idOf(rest) }, body: {} })
    await rest.deleteMember({ params: { userId: max.userId } })
    const { proposal } = await rest.acceptProposal({ params: { id: await idOf(rest) }, body: {} })
    expect(proposal.by).toMatchObject({ id, name: 'scout' })
    await rest.rejectProposal({ params: { id: await idOf(rest) }, body: {} })
    expect((await rest.listProposals()).open).toBe(0)
    expect((await rest.listEntities()).total).toBe(3)
    expect(await differences()).toEqual([])
  })

  test('in a reviewed space only reviewers write at once, and agents in nobody’s name', async () => {
    const { alice, rest } = await cast()
    await rest.updateSpace({ params: { id: 'spc_1' }, body: { writes: 'propose' } })
    const member = await addMember(server(), alice)
    const { entity } = await member.createEntity({ body: { name: 'Of a member', type: 'thing' } })
    expect((await member.getEntity({ params: { id: entity.id } })).proposed).toBe(true)
    await expect(rest.getEntity({ params: { id: entity.id } })).rejects.toMatchObject({ status: 404 })
    await restWith(server(), alice.apiKey).createEntity({ body: { name: 'Of a key', type: 'thing' } })
    await toolCaller(alice.url, alice.token)('create_entities', {
      entities: [{ name: 'Of an agent', entityType: 'thing', observations: [] }],
    })
    await rest.createEntity({ body: { name: 'Of the owner', type: 'thing' } })
    // The agent called in the name of this session, which therefore sees what it proposed.
    expect((await rest.listEntities()).entities.map(({ name, proposed }) => [name, proposed])).toEqual([
      ['Of an agent', true],
      ['Of the owner', undefined],
      ['Harbour', undefined],
    ])
    expect((await rest.listProposals()).open).toBe(3)
    expect(await member.listProposals()).toMatchObject({ open: 1, mayDecide: false })
    const { id: userId } = await member.me()
    await rest.updateSpace({ params: { id: 'spc_1' }, body: { reviewers: [userId] } })
    await member.createEntity({ body: { name: 'Of a reviewer', type: 'thing' } })
    expect((await rest.listProposals()).open).toBe(3)
    for (const { id } of (await member.listProposals()).proposals)
      await member.acceptProposal({ params: { id }, body: {} })
    expect((await rest.listEntities()).total).toBe(6)
    const unknown = rest.updateSpace({ params: { id: 'spc_1' }, body: { reviewers: ['usr_nobody'] } })
    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'member_not_found' })
  })

  test('a proposing key is refused what cannot be proposed, and a viewer cannot propose', async () => {
    const { alice, rest, codex, entity } = await cast()
    const refused = { status: 403, code: 'not_proposable' }
    const instead = { ...refused, message: expect.stringContaining('POST /api/entities/batch') }
    await expect(codex.rest.import({ body: '' })).rejects.toMatchObject(instead)
    await expect(codex.rest.createSpace({ body: { name: 'Own' } })).rejects.toMatchObject(refused)
    await expect(
      codex.rest.updateEntityType({ params: { type: 'place' }, body: { type: 'spot' } }),
    ).rejects.toMatchObject(refused)
    const erase = codex.rest.eraseEntity({ params: { id: entity.id } })
    await expect(erase).rejects.toMatchObject({ status: 403, code: 'not_permitted' })
    await rest.updateSpace({ params: { id: 'spc_1' }, body: { writes: 'propose' } })
    await expect(
      restWith(server(), alice.apiKey).import({ body: '{"type":"entity"}' }),
    ).rejects.toMatchObject(instead)
    expect(await server().ctx.db.selectFrom('imports').select('id').execute()).toEqual([])
    const viewer = await addMember(server(), alice, 'viewer')
    await expect(viewer.createEntity({ body: { name: 'V', type: 't' } })).rejects.toMatchObject({
      code: 'not_permitted',
    })
    await rest.updateKey({ params: { id: codex.id }, body: { writes: 'direct' } })
    expect((await rest.listKeys()).apiKeys).toMatchObject([{ id: codex.id, writes: 'direct' }])
    await rest.updateSpace({ params: { id: 'spc_1' }, body: { writes: 'direct' } })
    await codex.rest.createEntity({ body: { name: 'Direct', type: 'thing' } })
    expect((await rest.listProposals()).open).toBe(0)
  })

  test('the plan counts a proposal only when it is accepted', async () => {
    const { alice, rest, codex } = await cast()
    await setPlan(server(), alice, 'free')
    await codex.rest.createEntity({ body: { name: 'Crane', type: 'machine' } })
    const scope = await scopeOf(server(), alice)
    const row = server().ctx.db.updateTable('accounts').where('account_id', '=', scope.accountId)
    await row.set({ entities: 1_000_000 }).execute()
    const accept = () => idOf(rest).then((id) => rest.acceptProposal({ params: { id }, body: {} }))
    await expect(accept()).rejects.toMatchObject({ status: 403, code: 'plan_limit_reached' })
    await row.set({ entities: 1 }).execute()
    await accept()
    expect((await rest.usage()).entities).toBe(2)
  })

  test('a space accepts proposals by itself after its days, except of those who may not write any more', async () => {
    const { alice, rest, codex } = await cast()
    const dismissed = await proposerOf(alice, 'dismissed')
    await rest.updateSpace({ params: { id: 'spc_1' }, body: { autoAcceptDays: 3 } })
    await codex.rest.createEntity({ body: { name: 'Crane', type: 'machine' } })
    await codex.rest.createEntity({ body: { name: 'Taken', type: 'machine' } })
    await dismissed.rest.createEntity({ body: { name: 'Of a deleted key', type: 'machine' } })
    await rest.deleteKey({ params: { id: dismissed.id } })
    await rest.createEntity({ body: { name: 'Taken', type: 'bird' } })
    await sweepProposals(server().ctx)
    expect((await rest.listProposals()).open).toBe(3)
    server().clock.now += 3 * 24 * 3_600_000
    await codex.rest.createEntity({ body: { name: 'Too young', type: 'machine' } })
    await Promise.all([sweepProposals(server().ctx), sweepProposals(server().ctx)])
    const names = (await rest.listEntities()).entities.map(({ name }) => name)
    expect(names.toSorted()).toEqual(['Crane', 'Harbour', 'Taken'])
    expect((await rest.listProposals()).open).toBe(3)
    const [accepted] = (await rest.listProposals({ query: { status: 'accepted' } })).proposals
    expect(accepted).toMatchObject({
      note: 'Accepted by itself after 3 days',
      decidedBy: { client: 'loci review' },
    })
    server().clock.now += 29 * 24 * 3_600_000
    const again = await signIn(server(), alice)
    await again.updateSpace({ params: { id: 'spc_1' }, body: { autoAcceptDays: null } })
    await sweepProposals(server().ctx)
    expect((await again.listProposals({ query: { status: 'accepted' } })).proposals).toHaveLength(1)
    server().clock.now += 2 * 24 * 3_600_000
    await sweepProposals(server().ctx)
    const later = await signIn(server(), alice)
    expect((await later.listProposals({ query: { status: 'accepted' } })).proposals).toEqual([])
    expect((await later.listProposals()).open).toBe(3)
  })

  test('10,000 open proposals of a key stay paged, and are the most it can have', async () => {
    const { alice, rest, codex } = await cast()
    await codex.rest.createEntity({ body: { name: 'Crane', type: 'machine', observations: ['Lifts 40 t'] } })
    const { db } = server().ctx
    const scope = await scopeOf(server(), alice)
    const row = await db
      .selectFrom('proposals')
      .selectAll()
      .where('account_id', '=', scope.accountId)
      .executeTakeFirstOrThrow()
    for (let first = 1; first < 10_000; first += 500) {
      const rows = Array.from({ length: Math.min(500, 10_000 - first) }, (_, i) => ({
        ...row,
        id: row.id + first + i,
      }))
      await db.insertInto('proposals').values(rows).execute()
    }
    // These numbers are taken now.
    const account = db.updateTable('accounts').where('account_id', '=', scope.accountId)
    await account.set({ next_id: row.id + 10_000 }).execute()
    const pages: number[] = []
    const seen = new Set<string>()
    for (let cursor: string | undefined; pages.length < 5; ) {
      const { proposals, open, nextCursor } = await rest.listProposals({
        query: { limit: '100', ...(cursor === undefined ? {} : { cursor }) },
      })
      expect(open).toBe(10_000)
      pages.push(proposals.length)
      for (const { id } of proposals) seen.add(id)
      cursor = nextCursor ?? undefined
    }
    expect(pages).toEqual([100, 100, 100, 100, 100])
    expect(seen.size).toBe(500)
    const more = codex.rest.createEntity({ body: { name: 'One more', type: 'machine' } })
    await expect(more).rejects.toMatchObject({ status: 409, code: 'proposal_limit_reached' })
    const other = await proposerOf(alice, 'other')
    await other.rest.createEntity({ body: { name: 'One more', type: 'machine' } })
  })
})
