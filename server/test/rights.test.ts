import { api } from '@loci/contract/api'
import { LocalModelId } from '@loci/contract/embeddings'
import type { Endpoint, Requirement } from '@loci/contract/endpoint'
import { ClientMessage, rightOfMessage } from '@loci/contract/realtime'
import { type KeyRight, Right } from '@loci/contract/rights'
import { beforeAll, expect, test, vi } from 'vitest'
import { promptRights } from '../src/doors/mcp/prompts.ts'
import { tools } from '../src/doors/mcp/tools/index.ts'
import { addPerson, restWith, setPlan } from './accounts.ts'
import { describeOnBothDatabases } from './harness.ts'
import { connectOverHttp } from './mcp-clients.ts'
import { postMcp } from './mcp-raw.ts'
import { connect as connectApp } from './oauth.ts'
import { rightsTable } from './rights-table.ts'
import { connect, patience } from './socket.ts'

test('the table of rights in the docs matches the code', async () => {
  await expect(rightsTable()).toMatchFileSnapshot('../../docs/rights.md')
})

test('every socket message declares the right it requires', () => {
  expect(Object.keys(rightOfMessage)).toEqual(ClientMessage.options.map(({ shape }) => shape.type.value))
})

const memory = ['memory:read', 'memory:write'] as const
const ofKeys = [...memory, 'conversations:read', 'conversations:write'] as const
/** Written out, so that a slip in the rules cannot grant a right unnoticed. */
const rightsOf: Record<string, readonly Right[]> = {
  'owner signed in': Right.options,
  'admin signed in': Right.options.filter((right) => right !== 'account:manage'),
  'member signed in': [...ofKeys, 'keys:manage'],
  'viewer signed in': ['memory:read'],
  "owner's personal key": ofKeys,
  "viewer's personal key": ['memory:read'],
  'whole key of the owner': ofKeys,
  'read-only key of the owner': ['memory:read'],
  'write-only key of the owner': ['memory:write'],
  'key of the owner for reading conversations': ['conversations:read'],
  'whole key of somebody who is a viewer now': ['memory:read'],
  'connected app': memory,
  'connected app that may only read': ['memory:read'],
}

describeOnBothDatabases('rights', (server) => {
  let tokens: Record<string, string>

  beforeAll(async () => {
    const owner = await server().signUp()
    await setPlan(server(), owner, 'pro')
    const [admin, member, viewer] = [
      await addPerson(server(), owner, 'admin'),
      await addPerson(server(), owner, 'member'),
      await addPerson(server(), owner, 'viewer'),
    ]
    const demoted = await addPerson(server(), owner, 'member', 'demoted')
    const { apiKey: keyOfDemoted } = await restWith(server(), demoted.token).createKey({
      body: { name: 'k' },
    })
    await server()
      .ctx.db.updateTable('members')
      .set({ role: 'viewer' })
      .where('user_id', '=', demoted.userId)
      .execute()
    const keyWith = async (permissions: KeyRight[]) =>
      (await owner.rest.createKey({ body: { name: 'key', permissions } })).apiKey
    const appWith = async (scopes: string[]) =>
      (await connectApp(server(), owner, scopes)).tokens.access_token
    tokens = {
      'owner signed in': owner.token,
      'admin signed in': admin.token,
      'member signed in': member.token,
      'viewer signed in': viewer.token,
      "owner's personal key": owner.apiKey,
      "viewer's personal key": viewer.apiKey,
      'whole key of the owner': await keyWith([]),
      'read-only key of the owner': await keyWith(['memory:read']),
      'write-only key of the owner': await keyWith(['memory:write']),
      'key of the owner for reading conversations': await keyWith(['conversations:read']),
      'whole key of somebody who is a viewer now': keyOfDemoted,
      'connected app': await appWith([...memory]),
      'connected app that may only read': await appWith(['memory:read']),
    }
  })

  test('what further restricts a call, as the table says, is enforced', async () => {
    await server().signUp('somebody')
    const [owner, admin, member] = [
      tokens['owner signed in']!,
      tokens['admin signed in']!,
      tokens['member signed in']!,
    ]
    const ask = async (token: string, method: string, path: string, body?: object) => {
      const { status, body: told } = await server().call(method, path, { token, ...(body && { body }) })
      return [status, told?.error?.code, told?.error?.details?.[0]?.right].filter((one) => one !== undefined)
    }
    const ownerId = (await restWith(server(), owner).me()).id
    const connection = (await restWith(server(), owner).listConnections()).connections[0]!.id
    const { token: invited } = await invitedBy(owner)
    const confined = await restWith(server(), owner).createKey({
      body: { name: 'confined', spaces: ['spc_1'] },
    })
    const forbidden = (right?: string) => [403, 'not_permitted', ...(right === undefined ? [] : [right])]
    const asOwner = { email: 'x@example.org', role: 'owner' }
    const agent = await connectOverHttp(server(), tokens['whole key of the owner']!, 'auto')
    await agent.callTool({ name: 'recall', arguments: { query: 'What did the owner ask?' } })
    await agent.close()
    const { recalls, questions } = {
      ...(await restWith(server(), owner).listRecalls()),
      ...(await restWith(server(), owner).listUnanswered()),
    }
    expect([recalls.length, questions.length]).toEqual([1, 1])
    const recall = `/api/recalls/${recalls[0]!.id}`
    const notFound = [404, 'recall_not_found']
    const asMember = restWith(server(), member)
    const restricted: Record<string, [Promise<unknown[]>, unknown[]]> = {
      acceptInvitation: [
        ask(member, 'POST', `/auth/invitations/${invited}/accept`),
        [403, 'invitation_for_another'],
      ],
      inviteMember: [ask(admin, 'POST', '/api/members/invitations', asOwner), forbidden('account:manage')],
      updateMember: [
        ask(admin, 'PATCH', `/api/members/${ownerId}`, { role: 'member' }),
        forbidden('account:manage'),
      ],
      deleteMember: [ask(member, 'DELETE', `/api/members/${ownerId}`), forbidden('members:manage')],
      listConnections: [ask(member, 'GET', '/api/connections?all=true'), forbidden('members:manage')],
      deleteConnection: [
        ask(member, 'DELETE', `/api/connections/${connection}`),
        [404, 'connection_not_found'],
      ],
      updateConnection: [
        ask(member, 'PATCH', `/api/connections/${connection}`, { writes: 'propose' }),
        [404, 'connection_not_found'],
      ],
      listProposals: [ask(member, 'GET', '/api/proposals'), [200]],
      acceptProposal: [ask(member, 'POST', '/api/proposals/prp_1/accept'), forbidden('memory:review')],
      rejectProposal: [ask(member, 'POST', '/api/proposals/prp_1/reject'), forbidden('memory:review')],
      decideProposals: [
        ask(member, 'POST', '/api/proposals/decide', { reject: ['prp_1'] }),
        forbidden('memory:review'),
      ],
      listAcceptRules: [asMember.listAcceptRules().then(({ rules }) => rules), []],
      createAcceptRule: [
        ask(member, 'POST', '/api/proposals/rules', { proposalId: 'prp_1', type: 'note' }),
        forbidden('memory:review'),
      ],
      deleteAcceptRule: [ask(member, 'DELETE', '/api/proposals/rules/arl_1'), forbidden('memory:review')],
      keepDraft: [
        ask(tokens['write-only key of the owner']!, 'POST', '/api/drafts/drf_1/keep'),
        forbidden('conversations:read'),
      ],
      createSpace: [ask(confined.apiKey, 'POST', '/api/spaces', { name: 'New' }), forbidden('memory:write')],
      updateSpace: [
        ask(member, 'PATCH', '/api/spaces/spc_1', { keepsRecalls: false }),
        forbidden('memory:review'),
      ],
      listRecalls: [asMember.listRecalls().then(({ recalls }) => recalls), []],
      listUnanswered: [asMember.listUnanswered().then(({ questions }) => questions), []],
      listDoorCalls: [asMember.listDoorCalls().then(({ calls }) => calls), []],
      tryDoor: [
        ask(member, 'POST', '/api/doors/try', { credential: confined.id, space: 'spc_1', text: 'x' }),
        [404, 'key_not_found'],
      ],
      getRecall: [ask(member, 'GET', recall), notFound],
      deleteRecall: [ask(member, 'DELETE', recall), notFound],
      chooseEmbeddings: [
        ask(owner, 'PUT', '/api/embeddings/choice', { provider: 'local', model: LocalModelId.options[0] }),
        forbidden(),
      ],
      stopEmbeddingsInstallation: [ask(owner, 'DELETE', '/api/embeddings/installation'), forbidden()],
      turnOffEmbeddings: [ask(owner, 'DELETE', '/api/embeddings/choice'), forbidden()],
    }
    const named = Object.entries<Endpoint>(api).filter(([, { restriction }]) => restriction !== undefined)
    expect(Object.keys(restricted).sort()).toEqual(named.map(([id]) => id).sort())
    for (const [id, [answer, expected]] of Object.entries(restricted))
      expect([id, await answer]).toEqual([id, expected])
    expect(await ask(admin, 'DELETE', `/api/members/${ownerId}`)).toEqual(forbidden('account:manage'))
  })

  const invitedBy = async (token: string) => {
    const body = { email: 'invited@example.org', role: 'member' as const }
    const { url } = await restWith(server(), token).inviteMember({ body })
    return { token: url.split('#token=')[1]! }
  }

  const isAllowed = (who: string, requires: Requirement) =>
    requires === 'credential' ||
    (requires === 'session' ? who.endsWith('signed in') : rightsOf[who]!.includes(requires))

  test.each(Object.keys(rightsOf))('%s: every REST call', async (who) => {
    for (const [id, { method, path, access }] of Object.entries<Endpoint>(api)) {
      if (access === 'public') continue
      // NUL is always refused, but rights are checked first: nothing runs.
      const address = `${path.replace(/:\w+/g, 'x')}?nul=%00`
      const { status, body } = await server().call(method, address, { token: tokens[who]! })
      const refusal = access === 'session' ? 'session_required' : 'not_permitted'
      const expected = isAllowed(who, access) ? [400, 'validation_failed'] : [403, refusal]
      expect([id, status, body.error.code]).toEqual([id, ...expected])
      if (body.error.code === 'not_permitted') expect(body.error.details).toEqual([{ right: access }])
    }
  })

  test.each(Object.keys(rightsOf))('%s: every tool, prompt and resource', async (who) => {
    const ask = async (method: string, params: object) =>
      (await postMcp(`${server().url}/mcp`, tokens[who]!, 'current', { method, params })).message
    const named = (list: { name: string }[]) => list.map(({ name }) => name)
    const permitted = <T extends { right: Right }>(list: readonly T[]) =>
      list.filter(({ right }) => isAllowed(who, right))
    const always = tools.filter(
      ({ onlyWithSpaces, onlyWithConversations }) => !onlyWithSpaces && !onlyWithConversations,
    )
    expect(named((await ask('tools/list', {})).result.tools)).toEqual(named(permitted(always)))
    expect(named((await ask('prompts/list', {})).result.prompts)).toEqual(named(permitted(promptRights)))
    for (const { name, right } of tools) {
      // Wrong arguments: if the tool is allowed, the error is about them.
      const call = { name, arguments: { limit: 'nonsense', entities: 1 } }
      const { result, error } = await ask('tools/call', call)
      const code = error?.data?.code ?? result?._meta?.['dev.loci/error']?.code
      expect([name, code === 'not_permitted']).toEqual([name, !isAllowed(who, right)])
    }
    for (const { name, right } of promptRights) {
      const { error } = await ask('prompts/get', { name, arguments: { task: 'x' } })
      expect([name, error?.data?.code]).toEqual([name, isAllowed(who, right) ? undefined : 'not_permitted'])
    }
    const read = await ask('resources/read', { uri: 'memory://knowledge-graph' })
    expect(read.error?.data?.code).toBe(isAllowed(who, 'memory:read') ? undefined : 'not_permitted')
    if (isAllowed(who, 'memory:read')) return
    const notifications = { resourceSubscriptions: ['memory://knowledge-graph'] }
    const listen = await ask('subscriptions/listen', { notifications })
    expect(listen.error.data.code).toBe('not_permitted')
  })

  test.each(Object.keys(rightsOf))('%s: every socket message', async (who) => {
    const socket = await connect(server().url, tokens[who]!)
    for (const [type, right] of Object.entries(rightOfMessage)) {
      socket.send({ id: type, type, payload: { entityId: 'ent_1' } } as never)
      const answer = await vi.waitFor(() => {
        const found = socket.messages.find(({ id }) => id === type)
        expect(found).toBeDefined()
        return found!
      }, patience)
      expect([type, answer.type === 'error']).toEqual([type, right !== undefined && !isAllowed(who, right)])
    }
    socket.socket.close()
  })
})
