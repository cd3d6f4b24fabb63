import type { Role } from '@loci/contract/rights'
import { expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { describeOnBothDatabases, type Person, startTestServer } from '../../../test/harness.ts'
import { openSocket } from '../../../test/socket.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { checkCredentials } from '../checks/check-credentials.ts'

describeOnBothDatabases('members', (server) => {
  const as = (person: Pick<Person, 'token'>) => (method: string, path: string, body?: object) =>
    server().call(method, path, { token: person.token, ...(body && { body }) })
  async function invite(owner: Person, email: string, role: Role = 'member') {
    const answer = await as(owner)('POST', '/api/members/invitations', { email, role })
    expect(answer.status).toBe(201)
    const token: string = answer.body.url.split('#token=')[1]
    return { ...answer.body, token }
  }
  async function join(owner: Person, name: string, role: Role = 'member') {
    const person = await server().signUp(name)
    const { token } = await invite(owner, person.email, role)
    const accepted = await as(person)('POST', `/auth/invitations/${token}/accept`)
    expect(accepted.status).toBe(200)
    return person
  }
  const membersOf = async (person: Person) => (await as(person)('GET', '/api/members')).body

  test('a person is invited, sees what for, and accepts once', async () => {
    const owner = await server().signUp('owner')
    const guest = await server().signUp('guest')
    const { invitation, url, token } = await invite(owner, guest.email.toUpperCase(), 'viewer')
    expect(url).toMatch(/^http:\/\/[^/]+\/invitation#token=[\w-]{43}$/)
    expect(invitation).toMatchObject({ email: guest.email, role: 'viewer' })
    expect(Date.parse(invitation.expiresAt) - Date.parse(invitation.createdAt)).toBe(7 * dayMs)
    expect((await membersOf(owner)).invitations).toEqual([invitation])
    const details = await server().call('GET', `/auth/invitations/${token}`)
    expect(details.body).toEqual({ account: 'owner Example', email: guest.email, role: 'viewer' })
    const accepted = await as(guest)('POST', `/auth/invitations/${token}/accept`)
    expect(accepted.body.account).toMatchObject({
      id: owner.accountId,
      name: 'owner Example',
      role: 'viewer',
    })
    for (const call of ['accept', ''])
      expect(
        (await as(guest)(call ? 'POST' : 'GET', `/auth/invitations/${token}${call && '/accept'}`)).body.error
          .code,
      ).toBe('invitation_not_found')
    const { members, invitations } = await membersOf(owner)
    expect(members.map(({ email, role }: Person & { role: Role }) => [email, role])).toEqual([
      [owner.email, 'owner'],
      [guest.email, 'viewer'],
    ])
    expect(invitations).toEqual([])
    const { accounts } = (await as(guest)('GET', '/auth/me')).body
    expect(accounts.map(({ role }: { role: Role }) => role)).toEqual(['owner', 'viewer'])
  })

  test('an invitation ends when it is revoked, replaced, or seven days old', async () => {
    const owner = await server().signUp('owner')
    const { accountId } = await scopeOf(server(), owner)
    const isOpen = async (token: string) =>
      (await server().call('GET', `/auth/invitations/${token}`)).status === 200
    const first = await invite(owner, 'new@example.org')
    const second = await invite(owner, 'new@example.org', 'admin')
    expect([await isOpen(first.token), await isOpen(second.token)]).toEqual([false, true])
    const path = `/api/members/invitations/${second.invitation.id}`
    expect((await as(owner)('DELETE', path)).status).toBe(204)
    expect((await as(owner)('DELETE', path)).body.error.code).toBe('invitation_not_found')
    expect(await isOpen(second.token)).toBe(false)
    const third = await invite(owner, 'new@example.org')
    expect(await checkCredentials(server().ctx, { first: accountId, last: accountId })).toEqual([])
    const again = await as(owner)('POST', '/api/members/invitations', { email: owner.email, role: 'member' })
    expect(again.body.error.code).toBe('already_member')
    server().clock.now += 7 * dayMs
    expect(await isOpen(third.token)).toBe(false)
    expect((await membersOf(owner)).invitations).toEqual([])
  })

  test('an invitation ends with the rights of its sender, so that nobody returns by their own', async () => {
    const owner = await server().signUp('owner')
    const admin = await join(owner, 'admin', 'admin')
    const second = await server().signUp('second')
    const asAdmin = (path: string) => ({
      token: admin.token,
      headers: { 'loci-account': owner.accountId },
      path,
    })
    const inviteAs = async (email: string) => {
      const { path, ...call } = { ...asAdmin('/api/members/invitations'), body: { email, role: 'admin' } }
      const answer = await server().call('POST', path, call)
      expect(answer.status).toBe(201)
      return answer.body.url.split('#token=')[1] as string
    }
    const accept = (token: string) => as(second)('POST', `/auth/invitations/${token}/accept`)
    const token = await inviteAs(second.email)
    const path = `/api/members/${admin.userId}`
    expect((await as(owner)('PATCH', path, { role: 'viewer' })).status).toBe(200)
    expect((await accept(token)).body.error.code).toBe('invitation_not_found')
    expect((await membersOf(owner)).invitations).toEqual([])
    expect((await as(owner)('PATCH', path, { role: 'admin' })).status).toBe(200)
    expect((await membersOf(owner)).invitations).toHaveLength(1)
    expect((await as(owner)('DELETE', path)).status).toBe(204)
    expect((await server().call('GET', `/auth/invitations/${token}`)).status).toBe(404)
    expect((await accept(token)).body.error.code).toBe('invitation_not_found')
    const body = { email: 'third@example.com', password: second.password, firstName: 'T', lastName: 'T' }
    const registered = await server().call('POST', '/auth/register', { body: { ...body, invitation: token } })
    expect(registered.body.error.code).toBe('invitation_not_found')
  })

  test('an invitation accepted twice at once makes one member', async () => {
    const owner = await server().signUp('owner')
    const guest = await server().signUp('guest')
    const { token } = await invite(owner, guest.email)
    const accept = () => as(guest)('POST', `/auth/invitations/${token}/accept`)
    const answers = await Promise.all([accept(), accept()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    expect((await membersOf(owner)).members).toHaveLength(2)
  })

  test('only the address that was invited can accept, whatever its case', async () => {
    const owner = await server().signUp('owner')
    const [guest, stranger] = [await server().signUp('guest'), await server().signUp('stranger')]
    const { token } = await invite(owner, guest.email.toUpperCase(), 'admin')
    const refused = {
      status: 403,
      body: {
        error: {
          code: 'invitation_for_another',
          message: `This invitation is for ${guest.email}. Only that address can accept it.`,
        },
      },
    }
    expect(await as(stranger)('POST', `/auth/invitations/${token}/accept`)).toMatchObject(refused)
    const body = { email: 'new@example.org', password: stranger.password, firstName: 'N', lastName: 'N' }
    const register = () => server().call('POST', '/auth/register', { body: { ...body, invitation: token } })
    expect(await register()).toMatchObject(refused)
    expect((await server().call('POST', '/auth/register', { body })).status).toBe(201)
    expect((await membersOf(owner)).members).toHaveLength(1)
    expect((await as(guest)('POST', `/auth/invitations/${token}/accept`)).status).toBe(200)
  })

  test('roles can be changed by those who may, and the last owner stays', async () => {
    const owner = await server().signUp('owner')
    const admin = await join(owner, 'admin', 'admin')
    const inAccount = { headers: { 'loci-account': owner.accountId } }
    const asAdmin = (method: string, path: string, body?: object) =>
      server().call(method, path, { token: admin.token, ...inAccount, ...(body && { body }) })
    const role = (person: Person) => `/api/members/${person.userId}`
    expect((await as(owner)('PATCH', role(owner), { role: 'member' })).body.error.code).toBe('last_owner')
    expect((await as(owner)('DELETE', role(owner))).body.error.code).toBe('last_owner')
    for (const [method, body] of [['PATCH', { role: 'viewer' }] as const, ['DELETE'] as const]) {
      const refused = await asAdmin(method, role(owner), body)
      expect(refused.body.error).toMatchObject({
        code: 'not_permitted',
        details: [{ right: 'account:manage' }],
      })
    }
    const refused = await asAdmin('PATCH', role(admin), { role: 'owner' })
    expect(refused.body.error.code).toBe('not_permitted')
    expect((await as(owner)('PATCH', role(admin), { role: 'owner' })).body.member.role).toBe('owner')
    expect((await as(owner)('PATCH', role(owner), { role: 'viewer' })).status).toBe(200)
    const demoted = await as(owner)('PATCH', role(admin), { role: 'viewer' })
    expect(demoted.body.error).toMatchObject({
      code: 'not_permitted',
      details: [{ right: 'members:manage' }],
    })
    const stranger = await server().signUp('stranger')
    expect((await asAdmin('PATCH', role(stranger), { role: 'viewer' })).body.error.code).toBe(
      'member_not_found',
    )
  })

  test('of two owners who step down at once, one stays', async () => {
    const owner = await server().signUp('owner')
    const other = await join(owner, 'other', 'owner')
    const stepDown = (person: Person) =>
      server().call('PATCH', `/api/members/${person.userId}`, {
        token: person.token,
        headers: { 'loci-account': owner.accountId },
        body: { role: 'member' },
      })
    const answers = await Promise.all([stepDown(owner), stepDown(other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test('an owner hands the account over in one step, with their password', async () => {
    const owner = await server().signUp('owner')
    const heir = await join(owner, 'heir', 'viewer')
    const handOver = (userId: string, password = owner.password) =>
      as(owner)('POST', `/api/members/${userId}/ownership`, { password })
    expect((await handOver(heir.userId, 'wrong')).body.error.code).toBe('validation_failed')
    expect((await handOver(owner.userId)).body.error.message).toBe('You are already the owner')
    expect((await handOver('usr_nobody')).body.error.code).toBe('member_not_found')
    const { status, body } = await handOver(heir.userId)
    expect([status, body.billingFollows, body.member]).toMatchObject([
      200,
      true,
      { userId: heir.userId, role: 'owner' },
    ])
    const { members } = await membersOf(owner)
    expect(members.map(({ role }: { role: Role }) => role)).toEqual(['admin', 'owner'])
    const refused = await handOver(heir.userId)
    expect(refused.body.error).toMatchObject({
      code: 'not_permitted',
      details: [{ right: 'account:manage' }],
    })
    const { events } = await owner.rest.listAudit({ query: { category: 'account' } })
    expect(events).toMatchObject([
      {
        action: 'ownership_transferred',
        actor: { userId: owner.userId },
        subject: { name: heir.email },
        details: { from: owner.email, to: heir.email },
      },
    ])
  })

  test('of two concurrent handovers, one happens', async () => {
    const owner = await server().signUp('owner')
    const heirs = [await join(owner, 'one'), await join(owner, 'two')]
    const answers = await Promise.all(
      heirs.map(({ userId }) =>
        as(owner)('POST', `/api/members/${userId}/ownership`, { password: owner.password }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403])
    const { members } = await membersOf(owner)
    expect(members.map(({ role }: { role: Role }) => role).sort()).toEqual(['admin', 'member', 'owner'])
  })

  test('an owner names the account, and all its members see the name', async () => {
    const owner = await server().signUp('owner')
    const guest = await join(owner, 'guest', 'admin')
    const rename = (person: Person, name: string) =>
      server().call('PATCH', '/api/account', {
        token: person.token,
        headers: { 'loci-account': owner.accountId },
        body: { name },
      })
    expect((await rename(guest, 'Mine')).body.error.code).toBe('not_permitted')
    expect((await rename(owner, ' ')).body.error.code).toBe('validation_failed')
    const { body } = await rename(owner, ' Analytical Engines ')
    expect(body.account).toEqual({ id: owner.accountId, name: 'Analytical Engines', role: 'owner' })
    const { accounts } = (await as(guest)('GET', '/auth/me')).body
    expect(accounts.map(({ name }: { name: string }) => name)).toEqual([
      'guest Example',
      'Analytical Engines',
    ])
    const { token } = await invite(owner, 'new@example.org')
    const details = await server().call('GET', `/auth/invitations/${token}`)
    expect(details.body.account).toBe('Analytical Engines')
    await rename(owner, 'Analytical Engines')
    const { events } = await owner.rest.listAudit({ query: { category: 'account' } })
    expect(events.map(({ details }) => details)).toEqual([
      { from: 'owner Example', to: 'Analytical Engines' },
    ])
  })

  test('a call applies to the account it names, and a socket closes when the membership ends', async () => {
    const owner = await server().signUp('owner')
    const guest = await join(owner, 'guest')
    const create = (token: string, account: string) =>
      server().call('POST', `/api/entities?account=${account}`, {
        token,
        body: { name: 'Ours', type: 'thing' },
      })
    expect((await create(guest.token, owner.accountId)).status).toBe(201)
    expect((await as(owner)('GET', '/api/entities')).body.total).toBe(1)
    expect((await as(guest)('GET', '/api/entities')).body.total).toBe(0)
    expect((await create(guest.apiKey, owner.accountId)).body.error.code).toBe('entity_name_taken')
    const { body } = await as(guest)('POST', '/api/keys', { name: 'of my own account' })
    expect((await create(body.apiKey, guest.accountId)).status).toBe(201)
    for (const [token, account] of [
      [body.apiKey, owner.accountId],
      [owner.token, guest.accountId],
      [guest.token, 'acc_nobody'],
    ])
      expect((await create(token, account)).body.error.code).toBe('account_not_found')
    const socket = openSocket(server().url, {}, `?api_key=${guest.token}&account=${owner.accountId}`)
    await socket.heard('connected')
    await as(owner)('DELETE', `/api/members/${guest.userId}`)
    expect(await socket.closed).toBe(1008)
  })

  test('a member who leaves or is removed loses access, and keeps an account of their own', async () => {
    const owner = await server().signUp('owner')
    const guest = await join(owner, 'guest')
    const there = { headers: { 'loci-account': owner.accountId } }
    const made = await server().call('POST', '/api/keys', {
      token: guest.token,
      ...there,
      body: { name: 'mine' },
    })
    const key = made.body.apiKey
    expect((await server().call('GET', '/api/entities', { token: key })).status).toBe(200)
    expect((await as(owner)('DELETE', `/api/members/${guest.userId}`)).status).toBe(204)
    expect((await server().call('GET', '/api/entities', { token: key })).status).toBe(401)
    const gone = await server().call('GET', '/api/entities', { token: guest.token, ...there })
    expect(gone.body.error.code).toBe('account_not_found')
    expect((await as(guest)('GET', '/api/entities')).status).toBe(200)
    const leaver = await join(owner, 'leaver', 'admin')
    const invited = await server().call('POST', '/api/members/invitations', {
      token: leaver.token,
      ...there,
      body: { email: 'late@example.org', role: 'viewer' },
    })
    const leave = await server().call('DELETE', `/api/members/${leaver.userId}`, {
      token: leaver.token,
      ...there,
    })
    expect(leave.status).toBe(204)
    const link = `/auth/invitations/${invited.body.url.split('#token=')[1]}`
    expect((await server().call('GET', link)).body.error.code).toBe('invitation_not_found')
    expect((await membersOf(owner)).members).toHaveLength(1)
  })
})

test('with sign-up by invitation, an invitation lets in and joins the account', async () => {
  const server = await startTestServer('sqlite')
  const owner = await server.signUp('owner')
  server.ctx.config.signUp = 'invited'
  const made = await server.call('POST', '/api/members/invitations', {
    token: owner.token,
    body: { email: 'new@example.org', role: 'member' },
  })
  const invitation = made.body.url.split('#token=')[1]
  const register = (body: object) =>
    server.call('POST', '/auth/register', {
      body: { email: 'new@example.org', password: 'long enough', firstName: 'N', lastName: 'W', ...body },
    })
  expect((await register({})).body.error.code).toBe('sign_up_closed')
  expect((await register({ invitation: 'x' })).body.error.code).toBe('invitation_not_found')
  const joined = await register({ invitation })
  expect(joined.status).toBe(201)
  expect(joined.body.user.accounts.map(({ role }: { role: Role }) => role)).toEqual(['owner', 'member'])
  await server.close()
})
