import type { ListConversationsQuery } from '@loci/contract/conversations'
import { beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { restWith, setPlan } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { proposerOf } from '../../../test/proposer.ts'
import { type Said, talk } from '../../../test/talk.ts'

type Query = z.input<typeof ListConversationsQuery>

const person = (text: string): Said => ({ role: 'person', text })
const tool = (name: string, more: object, text = ''): Said => ({
  role: 'tool',
  text,
  tool: { name, ...more },
})

describeOnBothDatabases('a list of conversations', (server) => {
  let alice: Person
  beforeEach(async () => {
    alice = await server().signUp()
  })

  const tell = (title: string, turns: Said[], hoursAgo = 1, project = 'shop') =>
    talk(alice, project, turns, { title, startedAt: server().clock.now - hoursAgo * 3_600_000 })
  const fact = (conversationId: string, content: string) => ({ content, source: { conversationId } })

  async function pages(query: Query): Promise<string[]> {
    const titles: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await alice.rest.listConversations({ query: { ...query, ...(cursor && { cursor }) } })
      titles.push(...page.conversations.map(({ title }) => title))
      cursor = page.nextCursor
    }
    return titles
  }

  test('stands by project or agent, in the order of their names and the newest first, page by page', async () => {
    const store = (title: string, agent: string, project?: string) =>
      alice.rest.storeTurns({
        body: {
          conversation: { agent, externalId: title, title, ...(project && { project: { name: project } }) },
          turns: [{ externalId: '0', at: `2026-11-01T10:00:0${title}Z`, role: 'person', text: 'said' }],
        },
      })
    await store('1', 'codex', 'shop')
    await store('2', 'aider')
    await store('3', 'codex', 'blog')
    await store('4', 'aider', 'shop')
    await store('5', 'codex')
    for (const limit of ['1', '2', '3', '100']) {
      expect(await pages({ order: 'project', limit })).toEqual(['3', '4', '1', '5', '2'])
      expect(await pages({ order: 'agent', limit })).toEqual(['4', '2', '5', '3', '1'])
      expect(await pages({ order: 'project', agent: 'codex', limit })).toEqual(['3', '1', '5'])
    }
    const { nextCursor } = await alice.rest.listConversations({ query: { limit: '1' } })
    await expect(
      alice.rest.listConversations({ query: { order: 'project', cursor: nextCursor! } }),
    ).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  test('finds a project whose path does not end in its name, and one with a slash in its name', async () => {
    const store = (title: string, project: { name: string; path?: string }) =>
      alice.rest.storeTurns({
        body: {
          conversation: { agent: 'codex', externalId: title, title, project },
          turns: [{ externalId: '0', at: '2026-11-01T10:00:00Z', role: 'person', text: 'Grinding corn' }],
        },
      })
    await store('cloned', { name: 'mill', path: '/home/ada/mill-checkout' })
    await store('named', { name: 'ada/mill' })
    await store('other', { name: 'mill', path: '/srv/mill' })
    const found = async (project: string) => {
      const { turns } = await alice.rest.searchTurns({ query: { query: 'corn', project } })
      return turns.map(({ conversation }) => conversation.title).toSorted()
    }
    for (const [project, titles] of Object.entries({
      '/home/ada/mill-checkout': ['cloned'],
      'ada/mill': ['named'],
      mill: ['cloned', 'other'],
    })) {
      expect((await pages({ project })).toSorted()).toEqual(titles)
      expect(await found(project)).toEqual(titles)
    }
  })

  test('finds words of titles in any case', async () => {
    await tell('Über die ÖFFENTLICHE Straße', [person('said')])
    for (const query of ['Über', 'über', 'ÜBER', 'öffentliche Öffentliche', 'straße', 'STRAßE'])
      expect(await pages({ query })).toEqual(['Über die ÖFFENTLICHE Straße'])
    expect(await pages({ query: 'unter' })).toEqual([])
  })

  test('shows only those that led to facts, in which a tool failed, or that wait for a decision', async () => {
    const said = [tool('Bash', { input: '{"ok":false,"exitCode":1}', exitCode: 0, ok: true })]
    await tell('Fine', said, 9)
    await tell('Refused', [...said, tool('Read', { ok: false })], 8)
    const crash = await tell('Crashed', [tool('Bash', { exitCode: 101 }), tool('Bash', { exitCode: 1 })], 7)
    const rule = await tell('Ruled', [person('From now on, run the linter before you commit.')], 6)
    const gone = await tell('Gone', [tool('Bash', { exitCode: 2 })], 5)
    await alice.rest.createEntity({
      body: {
        name: 'shop',
        type: 'project',
        observations: [
          fact(crash, 'a'),
          fact(crash, 'b'),
          fact(rule, 'c'),
          fact(gone, 'd'),
          { content: 'e', source: { url: 'https://example.com/' } },
        ],
      },
    })
    await alice.rest.deleteConversation({ params: { id: gone } })
    expect(await pages({ only: 'failed', limit: '1' })).toEqual(['Crashed', 'Refused'])
    expect(await pages({ only: 'facts' })).toEqual(['Ruled', 'Crashed'])
    expect(await pages({ only: 'to_decide' })).toEqual(['Ruled'])
    expect(
      await pages({ only: 'failed', before: new Date(server().clock.now - 7.5 * 3_600_000).toISOString() }),
    ).toEqual(['Refused'])
    expect(await alice.rest.countConversations()).toMatchObject({
      facts: 4,
      only: { facts: 2, to_decide: 1, failed: 2 },
    })
    const found = await alice.rest.searchTurns({ query: { query: 'linter', only: 'failed' } })
    expect(found.turns).toEqual([])
    const { turns } = await alice.rest.searchTurns({ query: { query: 'linter', only: 'facts' } })
    expect(turns.map(({ conversation }) => conversation.title)).toEqual(['Ruled'])
    const bob = await server().signUp()
    expect(await bob.rest.countConversations()).toMatchObject({ facts: 0, only: { facts: 0, failed: 0 } })
  })

  test('says how many drafts and proposals of each wait for a decision that the caller may make', async () => {
    const rule = await tell('Ruled', [person('From now on, run the linter before you commit.')])
    await setPlan(server(), alice, 'pro')
    const codex = await proposerOf(alice)
    const { body } = await server().call('POST', '/api/entities', {
      token: codex.token,
      body: { name: 'shop', type: 'project', observations: ['Runs on Node', fact(rule, 'Sells tea')] },
    })
    // Told by the transcript of the agent that proposed it.
    const { body: told } = await server().call('POST', '/api/entities', {
      token: codex.token,
      body: { name: 'mill', type: 'place', observations: ['Grinds corn'] },
    })
    const text = `Not stored yet: it waits for a person's review as ${told.proposalId}.`
    const mill = await tell('Proposed', [tool('mcp__loci__create_entities', {}, text)], 0.5)
    const waiting = async (rest = alice.rest) =>
      Object.fromEntries(
        (await rest.listConversations()).conversations.map(({ title, toDecide }) => [title, toDecide]),
      )
    expect(await waiting()).toEqual({ Ruled: 2, Proposed: 1 })
    const proposalsOf = async (conversation: string) =>
      (await alice.rest.listProposals({ query: { conversation } })).proposals
    expect((await proposalsOf(rule)).map(({ id }) => id)).toEqual([body.proposalId])
    const [proposal] = await proposalsOf(mill)
    expect(proposal).toMatchObject({ id: told.proposalId, source: { conversationId: mill } })
    expect(await proposalsOf('cnv_zzz')).toEqual([])
    const { apiKey } = await alice.rest.createKey({
      body: { name: 'k', permissions: ['conversations:read'] },
    })
    expect(await waiting(restWith(server(), apiKey))).toEqual({ Ruled: 0, Proposed: 0 })

    await alice.rest.acceptProposal({ params: { id: told.proposalId }, body: {} })
    expect(await waiting()).toEqual({ Ruled: 2, Proposed: 0 })
    const [led] = await alice.rest
      .listSourcedObservations({ query: { conversation: mill } })
      .then(({ observations }) => observations)
    expect(led).toMatchObject({ content: 'Grinds corn' })
  })
})
