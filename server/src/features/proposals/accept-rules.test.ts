import { expect, test } from 'vitest'
import { addPerson, restWith, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { proposerOf } from '../../../test/proposer.ts'

describeOnBothDatabases('rules that accept proposals', (server) => {
  async function cast() {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'pro')
    const codex = await proposerOf(alice)
    const { entity: toll } = await alice.rest.createEntity({
      body: { name: 'Toll', type: 'decision', observations: ['Tolls are rounded up'] },
    })
    const { entity: other } = await alice.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await codex.rest.createObservations({ params: { id: toll.id }, body: { content: 'Tolls are in cents' } })
    const { proposals } = await alice.rest.listProposals()
    return { alice, rest: alice.rest, codex, toll, other, proposalId: proposals[0]!.id }
  }
  const waiting = async (rest: Awaited<ReturnType<typeof cast>>['rest']) => (await rest.listProposals()).open

  test('accept what the agent adds to entities of the type from the next one on, and leave the rest', async () => {
    const { rest, alice, codex, toll, other, proposalId } = await cast()
    const { rule } = await rest.createAcceptRule({ body: { proposalId, type: 'decision' } })
    expect(rule).toMatchObject({
      by: { kind: 'api_key', id: codex.id, name: 'codex' },
      type: 'decision',
      createdBy: { id: alice.userId },
    })
    expect(await waiting(rest)).toBe(1)

    const params = { id: toll.id }
    const answer = await fetch(`${server().url}/api/entities/${toll.id}/observations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${codex.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Tolls are paid monthly' }),
    })
    expect([answer.status, answer.headers.get('loci-proposal')]).toEqual([201, null])
    const setId = answer.headers.get('loci-change-set')!
    const body = await answer.json()
    expect(body).not.toHaveProperty('proposed')
    const { entity } = await rest.getEntity({ params })
    expect(entity.observations.at(-1)).toMatchObject({
      id: body.observations[0].id,
      content: 'Tolls are paid monthly',
    })
    const { changes } = await rest.listChanges({ query: { setId } })
    expect(changes).toMatchObject([
      { actor: { kind: 'session', id: alice.userId }, onBehalfOf: { kind: 'api_key', id: codex.id } },
    ])
    const { proposals } = await rest.listProposals({ query: { status: 'accepted' } })
    expect(proposals).toMatchObject([{ setId, note: 'Accepted by a rule for "decision"' }])

    const added = await codex.callTool('create_entities', {
      entities: [{ name: 'Round once', entityType: 'decision', observations: ['At the end'] }],
    })
    expect(JSON.stringify(added.content)).not.toContain('review')
    expect((await rest.listEntities()).entities.map(({ name }) => name)).toContain('Round once')

    const [first] = toll.observations
    for (const call of [
      () => codex.rest.createObservations({ params: { id: other.id }, body: { content: 'Another type' } }),
      () =>
        codex.rest.updateObservation({
          params: { ...params, observationId: first!.id },
          body: { content: 'Tolls are rounded down' },
        }),
      () =>
        codex.rest.createObservations({
          params,
          body: { content: 'Tolls are never rounded', replaces: [first!.id] },
        }),
      () => codex.rest.deleteObservation({ params: { ...params, observationId: first!.id } }),
      () =>
        codex.rest.createRelation({
          body: { fromEntityId: toll.id, toEntityId: other.id, type: 'made_by' },
        }),
      () => codex.rest.deleteEntity({ params }),
    ]) {
      const before = await waiting(rest)
      await call()
      expect(await waiting(rest)).toBe(before + 1)
    }
    await rest.undoChangeSet({ params: { setId } })
  })

  test('are for one agent, one space and one type, and end when they are deleted', async () => {
    const { alice, rest, codex, toll, proposalId } = await cast()
    const { rule } = await rest.createAcceptRule({ body: { proposalId, type: 'decision' } })
    await rest.createAcceptRule({ body: { proposalId, type: 'decision' } })
    const { rules } = await rest.listAcceptRules()
    expect(rules).toHaveLength(1)
    const another = await proposerOf(alice, 'another')
    await another.rest.createObservations({ params: { id: toll.id }, body: { content: 'From another' } })
    expect(await waiting(rest)).toBe(2)
    expect(await codex.rest.listAcceptRules()).toEqual({ rules: [] })
    await expect(rest.deleteAcceptRule({ params: { id: rule.id } })).rejects.toMatchObject({ status: 404 })
    await rest.deleteAcceptRule({ params: { id: rules[0]!.id } })
    await codex.rest.createObservations({ params: { id: toll.id }, body: { content: 'After the rule' } })
    expect(await waiting(rest)).toBe(3)
    const { events } = await rest.listAudit({ query: { category: 'spaces' } })
    expect(events.map(({ action, details }) => [action, details])).toEqual([
      ['accept_rule_ended', { type: 'decision', from: 'codex' }],
      ['accept_rule_created', { type: 'decision', from: 'codex' }],
      ['accept_rule_created', { type: 'decision', from: 'codex' }],
    ])
  })

  test('end with the right of the person who made them, and never make a member a reviewer', async () => {
    const { alice, rest, codex, toll, proposalId } = await cast()
    const admin = await addPerson(server(), alice, 'admin')
    const member = await addPerson(server(), alice, 'member')
    const body = { proposalId, type: 'decision' }
    await expect(restWith(server(), member.token).createAcceptRule({ body })).rejects.toMatchObject({
      status: 403,
      code: 'not_permitted',
    })
    await expect(codex.rest.createAcceptRule({ body })).rejects.toMatchObject({ status: 403 })
    await restWith(server(), admin.token).createAcceptRule({ body })
    const propose = (content: string) =>
      codex.rest.createObservations({ params: { id: toll.id }, body: { content } })
    await propose('While an admin made the rule')
    expect(await waiting(rest)).toBe(1)
    await rest.updateMember({ params: { userId: admin.userId }, body: { role: 'member' } })
    await propose('When they are none any more')
    expect(await waiting(rest)).toBe(2)
    await rest.updateSpace({ params: { id: 'spc_1' }, body: { reviewers: [admin.userId] } })
    await propose('When the space names them')
    expect(await waiting(rest)).toBe(2)
    await rest.deleteMember({ params: { userId: admin.userId } })
    await propose('When they are gone')
    expect(await waiting(rest)).toBe(3)
  })

  test('leave what cannot be applied to a person', async () => {
    const { alice, rest, codex, toll, proposalId } = await cast()
    await rest.createAcceptRule({ body: { proposalId, type: 'decision' } })
    await codex.rest.createEntity({ body: { name: 'Bridge', type: 'bridge' } })
    // It builds on what only waits.
    await codex.rest.createObservations({
      params: { id: (await rest.listProposals()).proposals[0]!.changes[0]!.subject.id },
      body: { content: 'On a bridge' },
    })
    expect(await waiting(rest)).toBe(3)
    await setPlan(server(), alice, 'free')
    const text = 'x'.repeat(60_000)
    await codex.rest.createObservations({ params: { id: toll.id }, body: { content: text } })
    expect(await waiting(rest)).toBe(3)
  })
})
