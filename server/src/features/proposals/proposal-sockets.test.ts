import { expect, test } from 'vitest'
import { addPerson, restWith, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { proposerOf } from '../../../test/proposer.ts'
import { connect } from '../../../test/socket.ts'

describeOnBothDatabases('news of proposals on sockets', (server) => {
  async function listen(token: string) {
    const socket = await connect(server().url, token)
    socket.send({ type: 'subscribe_to_graph_changes', payload: {} })
    await socket.heard('subscribed')
    const news = () => socket.messages.filter(({ type }) => type.startsWith('proposal.'))
    return { ...socket, news, types: () => news().map(({ type }) => type) }
  }

  test('reach reviewers and the proposer, and nobody else', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'pro')
    const codex = await proposerOf(alice)
    const other = await proposerOf(alice, 'another')
    const viewer = await addPerson(server(), alice, 'viewer')
    const reviewer = await addPerson(server(), alice, 'member')
    const bob = await server().signUp('bob')
    const { id: reviewerId } = await restWith(server(), reviewer.token).me()
    await alice.rest.updateSpace({ params: { id: 'spc_1' }, body: { reviewers: [reviewerId] } })
    const hearing = await Promise.all([alice.token, reviewer.token, codex.token].map(listen))
    const deaf = await Promise.all([viewer.token, other.token, alice.apiKey, bob.token].map(listen))

    const propose = (name: string) => codex.rest.createEntity({ body: { name, type: 'place' } })
    const ids = (await Promise.all(['Secret quay', 'Secret pier'].map(propose))).map(
      (answer) => (answer as { proposalId?: string }).proposalId!,
    )
    await alice.rest.acceptProposal({ params: { id: ids[0]! }, body: {} })
    await alice.rest.decideProposals({ body: { reject: [ids[1]!] } })
    for (const one of hearing) await one.heard('proposal.rejected')
    const expected = ['proposal.created', 'proposal.created', 'proposal.accepted', 'proposal.rejected']
    for (const one of hearing) expect(one.types()).toEqual(expected)
    expect(hearing[0]!.news()[3]).toEqual({
      id: `evt_${ids[1]}_rejected`,
      type: 'proposal.rejected',
      payload: {
        id: ids[1],
        status: 'rejected',
        by: { kind: 'api_key', id: codex.id, name: 'codex' },
        at: expect.any(String),
      },
      timestamp: expect.any(String),
    })
    expect(JSON.stringify(hearing[0]!.news())).not.toContain('Secret')

    // What is accepted is news to all, so whoever has heard of that would have heard of the proposals.
    for (const one of deaf.slice(0, 3)) await one.heard('entity_created')
    for (const one of deaf) expect(one.types()).toEqual([])
    for (const one of [...hearing, ...deaf]) one.socket.close()
  })

  test('end for somebody who may not review any more, on the open socket', async () => {
    const alice = await server().signUp()
    await setPlan(server(), alice, 'pro')
    const codex = await proposerOf(alice)
    const admin = await addPerson(server(), alice, 'admin')
    const [socket, own] = [await listen(admin.token), await listen(codex.token)]
    await codex.rest.createEntity({ body: { name: 'Quay', type: 'place' } })
    await socket.heard('proposal.created')
    const { id } = await restWith(server(), admin.token).me()
    await alice.rest.updateMember({ params: { userId: id }, body: { role: 'member' } })
    await codex.rest.createEntity({ body: { name: 'Pier', type: 'place' } })
    await own.heard('proposal.created', 2)
    await alice.rest.createEntity({ body: { name: 'Marker', type: 'mark' } })
    await socket.heard('entity_created')
    expect(socket.types()).toEqual(['proposal.created'])
    socket.socket.close()
    own.socket.close()
  })
})
