import type { AuditEvent } from '@loci/contract/audit'
import { expect, test } from 'vitest'
import { addPerson, setPlan } from '../../../test/accounts.ts'
import { addCard } from '../../../test/billing.ts'
import { describeOnBothDatabases, type Person, startTestServer } from '../../../test/harness.ts'
import { dayMs } from '../../ground/lib/time.ts'
import { setPlanOfUser } from '../users/administer-accounts.ts'
import { sweepAudit } from './audit-sweep.ts'
import { finishRecording } from './record-later.ts'

describeOnBothDatabases('the audit log', (server) => {
  const auditOf = async ({ token }: Pick<Person, 'token'>, query = '') => {
    const { status, body } = await server().call('GET', `/api/audit${query}`, { token })
    expect(status).toBe(200)
    return body as { events: AuditEvent[]; nextCursor: string | null }
  }
  const actionsOf = async (person: Person, query = '') =>
    (await auditOf(person, query)).events.map(({ action }) => action)
  const signInWith = (email: string, password: string) =>
    server().call('POST', '/auth/login', { body: { email, password } })

  test('records sign-ins, successful and failed, and sign-outs', async () => {
    const owner = await server().signUp('owner')
    const { email, password, userId } = owner
    expect((await signInWith(email, 'not the password')).status).toBe(401)
    expect((await signInWith('nobody@example.org', password)).status).toBe(401)
    await finishRecording(server().ctx)
    const { token } = (await signInWith(email, password)).body
    await server().call('POST', '/auth/logout', { token })
    const { events } = await auditOf(owner)
    expect(
      events.map(({ action, actor, subject, details }) => [action, actor.kind, subject?.kind, details]),
    ).toEqual([
      ['signed_out', 'session', 'session', {}],
      ['signed_in', 'session', undefined, { device: 'node' }],
      ['sign_in_failed', 'visitor', undefined, { reason: 'wrong password', device: 'node' }],
      ['signed_in', 'session', undefined, { device: 'node' }],
      ['signed_up', 'session', 'person', {}],
    ])
    for (const { actor, address, category, at } of events) {
      expect(actor).toMatchObject({ userId, name: 'owner Example', email })
      expect(address).toBe('127.0.0.0/24')
      expect(category).toBe('sign_ins')
      expect(Date.parse(at)).toBe(server().clock.now)
    }
  })

  test('records keys and people, but nothing that failed', async () => {
    const owner = await server().signUp('owner')
    const body = { name: 'robot', permissions: ['memory:read' as const] }
    const { id } = await owner.rest.createKey({ body })
    const { newKey } = await owner.rest.rollKey({ params: { id } })
    await owner.rest.deleteKey({ params: newKey })
    await expect(owner.rest.deleteKey({ params: newKey })).rejects.toMatchObject({ status: 404 })
    const { invitation } = await owner.rest.inviteMember({ body: { email: 'a@example.org', role: 'viewer' } })
    await owner.rest.deleteInvitation({ params: invitation })
    const { userId } = await addPerson(server(), owner, 'member')
    await owner.rest.updateMember({ params: { userId }, body: { role: 'admin' } })
    await expect(
      owner.rest.updateMember({ params: { userId: owner.userId }, body: { role: 'admin' } }),
    ).rejects.toMatchObject({ code: 'last_owner' })
    await owner.rest.deleteMember({ params: { userId } })
    const keys = (await auditOf(owner, '?category=keys')).events
    expect(keys.map(({ action, subject, details }) => [action, subject, details])).toEqual([
      ['key_deleted', { kind: 'key', id: newKey.id, name: 'robot' }, {}],
      ['key_rolled', { kind: 'key', id, name: 'robot' }, { newKey: newKey.id }],
      [
        'key_created',
        { kind: 'key', id, name: 'robot' },
        { permissions: 'memory:read', spaces: 'all', writes: 'direct' },
      ],
    ])
    const people = (await auditOf(owner, '?category=members')).events
    expect(people.map(({ action, actor, details }) => [action, actor.kind, details])).toEqual([
      ['member_removed', 'session', { role: 'admin' }],
      ['member_role_changed', 'session', { from: 'member', to: 'admin' }],
      ['member_joined', 'local', {}],
      ['invitation_deleted', 'session', { role: 'viewer' }],
      ['member_invited', 'session', { role: 'viewer' }],
    ])
  })

  test('records spaces, data, webhooks and billing', async () => {
    const owner = await server().signUp('owner')
    const { rest } = owner
    const { space } = await rest.createSpace({ body: { name: 'Second' } })
    await rest.updateSpace({ params: space, body: { name: 'Other' } })
    await rest.deleteSpace({ params: space })
    await expect(rest.deleteSpace({ params: { id: 'spc_1' } })).rejects.toMatchObject({ code: 'last_space' })
    const { entity } = await rest.createEntity({ body: { name: 'Hidden', type: 'person' } })
    await (await rest.export()).text()
    await rest.import({ body: '' })
    await rest.eraseEntity({ params: entity })
    await setPlan(server(), owner, 'starter')
    const url = 'https://receiver.invalid/hook?secret=x'
    const { webhook } = await rest.createWebhook({ body: { url } })
    await rest.rollWebhookSecret({ params: webhook })
    await rest.deleteWebhook({ params: webhook })
    await addCard(owner)
    await setPlanOfUser(server().ctx, owner.email, 'pro')
    const { events } = await rest.listAudit()
    const told = events.filter(({ category }) => category !== 'sign_ins')
    expect(
      told.map(({ action, actor, subject, details }) => [action, actor.kind, subject?.name, details]),
    ).toEqual([
      ['plan_changed', 'local', 'pro', { from: 'starter', to: 'pro' }],
      ['card_added', 'session', 'visa 4242', {}],
      ['webhook_deleted', 'session', 'https://receiver.invalid', {}],
      ['webhook_secret_rolled', 'session', 'https://receiver.invalid', {}],
      ['webhook_created', 'session', 'https://receiver.invalid', {}],
      ['entity_erased', 'session', '', { space: 'spc_1' }],
      ['data_imported', 'session', '', { space: 'spc_1', format: 'mcp-memory', bytes: 0 }],
      ['data_exported', 'session', '', { space: 'spc_1', format: 'loci' }],
      ['space_deleted', 'session', 'Other', { entities: 0 }],
      ['space_renamed', 'session', 'Other', { from: 'Second', to: 'Other' }],
      ['space_created', 'session', 'Second', {}],
    ])
    expect(JSON.stringify(events)).not.toMatch(/Hidden|secret=/)
  })

  test('is filtered by person, action and time, and read page by page', async () => {
    const owner = await server().signUp('owner')
    const admin = await addPerson(server(), owner, 'admin')
    const began = server().clock.now
    server().clock.now += dayMs
    for (let i = 0; i < 3; i++) await owner.rest.rollPersonalKey()
    const asAdmin = await auditOf(admin, `?userId=${admin.userId}`)
    expect(asAdmin.events.map(({ action }) => action)).toEqual(['signed_in'])
    const since = new Date(began + 1).toISOString()
    expect(await actionsOf(owner, `?after=${since}`)).toEqual(Array(3).fill('personal_key_rolled'))
    expect(await actionsOf(owner, `?before=${since}&userId=${owner.userId}`)).toEqual([
      'signed_in',
      'signed_up',
    ])
    expect(await actionsOf(owner, '?actions=signed_up,member_joined')).toEqual(['member_joined', 'signed_up'])
    expect(await actionsOf(owner, '?actions=')).toEqual(await actionsOf(owner, ''))
    const seen: AuditEvent[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await auditOf(owner, `?limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...page.events)
      cursor = page.nextCursor
    }
    expect(seen).toEqual((await auditOf(owner)).events)
    for (const [query, code] of [
      ['cursor=x', 'invalid_cursor'],
      ['category=x', 'validation_failed'],
      ['actions=x', 'validation_failed'],
    ]) {
      const refused = await server().call('GET', `/api/audit?${query}`, { token: owner.token })
      expect(refused.body.error.code).toBe(code)
    }
  })

  test('is of the account alone', async () => {
    await server().signUp('owner')
    const other = await server().signUp('other')
    expect((await auditOf(other)).events.every(({ actor }) => actor.userId === other.userId)).toBe(true)
  })

  test('is exported as CSV that no spreadsheet evaluates', async () => {
    const owner = await server().signUp('owner')
    await owner.rest.createKey({ body: { name: '=1+1, "x"', permissions: [] } })
    const answer = await owner.rest.exportAudit()
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const lines = Buffer.from(await answer.arrayBuffer())
      .toString()
      .split('\r\n')
    expect(lines[0]).toMatch(/^\ufefftime,category,action,person,email,/)
    expect(lines.map((line) => line.split(',')[2])).toEqual([
      'action',
      'audit_exported',
      'key_created',
      'signed_in',
      'signed_up',
      undefined,
    ])
    expect(lines[2]).toContain(`"'=1+1, ""x"""`)
    const some = await (await owner.rest.exportAudit({ query: { category: 'keys' } })).text()
    expect(some.split('\r\n')).toHaveLength(3)
  })

  test('forgets entries older than its retention', async () => {
    const owner = await server().signUp('owner')
    server().clock.now += 365 * dayMs + 1
    const { token } = (await signInWith(owner.email, owner.password)).body
    const events = () => server().ctx.db.selectFrom('audit_events').selectAll().execute()
    expect((await events()).length).toBeGreaterThan(1)
    expect(await actionsOf({ ...owner, token })).toEqual(['signed_in'])
    await sweepAudit(server().ctx)
    expect((await events()).map(({ action }) => action)).toEqual(['signed_in'])
  })
})

test('stores as much of addresses as the operator wants', async () => {
  const server = await startTestServer('sqlite', { auditAddresses: 'full' })
  const owner = await server.signUp()
  server.ctx.config.auditAddresses = 'off'
  await owner.rest.createKey({ body: { name: 'a', permissions: [] } })
  const { events } = await owner.rest.listAudit()
  expect(events.map(({ address }) => address)).toEqual([null, '127.0.0.1', '127.0.0.1'])
  await server.close()
})
