import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '@loci/client/call'
import type { AuditEvent } from '@loci/contract/audit'
import { SecondStep } from '@loci/contract/second-factors'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addPerson, openTwin, restWith } from '../../../../test/accounts.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../../test/harness.ts'
import { type SmtpDouble, startSmtpDouble } from '../../../../test/smtp-double.ts'
import { connect } from '../../../../test/socket.ts'
import { setUpTotp, totpAt } from '../../../../test/totp.ts'
import { readMail } from '../../../ground/config/config-mail.ts'
import { minuteMs, secondMs } from '../../../ground/lib/time.ts'
import { finishRecording } from '../../audit/record-later.ts'
import { checkCredentials } from '../../checks/check-credentials.ts'
import { removeAccount } from '../remove-account.ts'
import { startSession } from '../start-session.ts'
import { findUserByEmail } from '../users.repo.ts'
import { resetSecondFactors } from './second-factors.service.ts'

const stepMs = 30 * secondMs

describe.each<DialectName>(['sqlite', 'postgres'])('a second factor (%s)', (dialect) => {
  let smtp: SmtpDouble
  let server: TestServer
  beforeAll(async () => {
    smtp = await startSmtpDouble()
    const mail = readMail({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' })
    if (typeof mail !== 'object') throw new Error(mail)
    server = await startTestServer(dialect, { mail })
  })
  afterAll(async () => {
    await server?.close()
    await smtp?.close()
  })

  const statusOf = async (token: string) => (await server.call('GET', '/auth/me', { token })).status
  const knows = async (subject: string, { email }: Person) => {
    const find = () => smtp.mails.some(({ to, headers }) => to.includes(email) && headers.subject === subject)
    for (let i = 0; i < 2_000 && !find(); i++) await sleep(5)
    return find()
  }
  /** Takes the first step; returns the second step that it requires. */
  const firstStep = async ({ email, password }: Person): Promise<SecondStep> => {
    const error = await server.anonymous.login({ body: { email, password } }).catch((thrown) => thrown)
    if (!(error instanceof ApiError) || error.code !== 'second_factor_required') throw error
    return SecondStep.parse(error.details[0])
  }
  const finish = (token: string, code: string) =>
    server.call('POST', '/auth/login/second-factor', { body: { token, code } })
  /** A user with an authenticator app, and its next code. */
  const withApp = async (name = 'alice') => {
    const person = await server.signUp(name)
    const app = await setUpTotp(person.rest, person.password, server.clock.now)
    const nextCode = () => {
      server.clock.now += stepMs
      return totpAt(app.secret, server.clock.now)
    }
    return { person, ...app, nextCode }
  }

  test('is set up with a code from the app, which ends every other session', async () => {
    const person = await server.signUp()
    const { email, password, rest } = person
    const other = await server.anonymous.login({ body: { email, password } })
    expect(await rest.secondFactors()).toEqual({ totp: null, passkeys: [], recoveryCodes: 0 })
    await expect(rest.beginTotp({ body: { password: 'not it' } })).rejects.toMatchObject({
      code: 'validation_failed',
      details: [{ path: 'password' }],
    })
    const { secret, uri, setup } = await rest.beginTotp({ body: { password } })
    expect(uri).toContain(`otpauth://totp/Loci:${encodeURIComponent(email)}?issuer=Loci&secret=${secret}`)
    const code = totpAt(secret, server.clock.now)
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0')
    await expect(rest.confirmTotp({ body: { setup, code: wrong } })).rejects.toMatchObject({
      details: [{ path: 'code' }],
    })
    const stranger = await server.signUp('stranger')
    await expect(stranger.rest.confirmTotp({ body: { setup, code } })).rejects.toMatchObject({
      details: [{ path: 'setup' }],
    })
    expect(await statusOf(other.token), 'nothing has changed yet').toBe(200)

    const { recoveryCodes } = await rest.confirmTotp({ body: { setup, code } })
    expect(new Set(recoveryCodes).size).toBe(10)
    expect([await statusOf(person.token), await statusOf(other.token)]).toEqual([200, 401])
    expect(await rest.secondFactors()).toMatchObject({
      totp: { since: expect.any(String) },
      recoveryCodes: 10,
    })
    expect((await rest.me()).secondFactor).toBe(true)
    expect(await knows('An authenticator app was set up for Loci', person)).toBe(true)
    const { totp_secret: sealed } = await server.ctx.db
      .selectFrom('users')
      .select('totp_secret')
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow()
    expect(sealed).not.toContain(secret)
    expect((await server.call('GET', '/api/entities', { token: person.apiKey })).status).toBe(200)
  })

  test('is required after the password, and its code signs in once', async () => {
    const { person, secret, nextCode } = await withApp()
    const step = await firstStep(person)
    expect(step.methods).toEqual(['totp', 'recovery_code'])
    expect(await statusOf(step.token), 'the first step opens nothing').toBe(401)
    const used = totpAt(secret, server.clock.now)
    expect((await finish(step.token, used)).status, 'it confirmed the set-up').toBe(401)
    const code = nextCode()
    const { status, body } = await finish(step.token, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect([status, await statusOf(body.token)]).toEqual([200, 200])
    expect((await finish(step.token, nextCode())).body.error.code, 'the step is over').toBe(
      'second_step_expired',
    )
    const again = await firstStep(person)
    expect((await finish(again.token, code)).body.error.code, 'a code is good once').toBe(
      'invalid_credentials',
    )
    // The code of the previous step.
    expect((await finish(again.token, totpAt(secret, server.clock.now - stepMs))).status).toBe(401)
    server.clock.now += 10 * minuteMs
    expect((await finish(again.token, nextCode())).body.error.code).toBe('second_step_expired')
  })

  test('begun in one process is finished in another; of two uses of a code at once, one succeeds', async () => {
    const { person, nextCode } = await withApp()
    const twin = await openTwin(server)
    const steps = [await firstStep(person), await firstStep(person)]
    const code = nextCode()
    const answers = await Promise.all(
      steps.map(({ token }, i) =>
        (i === 0 ? twin : server).call('POST', '/auth/login/second-factor', { body: { token, code } }),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
    await twin.close()
  })

  test('can be a recovery code, each once; new ones replace the old', async () => {
    const { person, recoveryCodes, nextCode } = await withApp()
    const { rest, password } = person
    const [first = '', second = ''] = recoveryCodes
    const { token } = await firstStep(person)
    expect((await finish(token, first.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await finish((await firstStep(person)).token, first)).status).toBe(401)
    expect((await rest.secondFactors()).recoveryCodes).toBe(9)
    await expect(rest.rollRecoveryCodes({ body: { password } })).rejects.toMatchObject({
      details: [{ path: 'code' }],
    })
    const rolled = await rest.rollRecoveryCodes({ body: { password, code: nextCode() } })
    expect((await finish((await firstStep(person)).token, second)).status).toBe(401)
    expect((await finish((await firstStep(person)).token, rolled.recoveryCodes![0]!)).status).toBe(200)
    expect(await knows('New recovery codes for your Loci account', person)).toBe(true)
  })

  test('allows ten guesses, then one per quarter of an hour, also with an Idempotency-Key', async () => {
    const { person, nextCode } = await withApp()
    const { token } = await firstStep(person)
    for (let i = 0; i < 5; i++) expect((await finish(token, '12345678')).status).toBe(401)
    const body = { password: person.password, code: '12345678' }
    for (let i = 0; i < 5; i++) {
      const headers = { 'idempotency-key': `guess ${i}` }
      const answer = await server.call('DELETE', '/auth/me/totp', { token: person.token, body, headers })
      expect(answer.status).toBe(400)
    }
    const refused = await finish(token, nextCode())
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited'])
    server.clock.now += 15 * minuteMs
    expect((await finish((await firstStep(person)).token, nextCode())).status).toBe(200)
  })

  test('is turned off with password and code, after which the password suffices again', async () => {
    const { person, nextCode } = await withApp()
    const { rest, email, password } = person
    await expect(rest.deleteTotp({ body: { password } })).rejects.toMatchObject({
      details: [{ path: 'code' }],
    })
    await rest.deleteTotp({ body: { password, code: nextCode() } })
    expect(await rest.secondFactors()).toEqual({ totp: null, passkeys: [], recoveryCodes: 0 })
    expect(await statusOf((await server.anonymous.login({ body: { email, password } })).token)).toBe(200)
    expect(await knows('Your authenticator app was turned off for Loci', person)).toBe(true)
  })

  test('is still required after a new password, and ends with an operator command', async () => {
    const { person, nextCode } = await withApp()
    const step = await firstStep(person)
    const next = 'quite another one'
    await person.rest.changePassword({ body: { currentPassword: person.password, newPassword: next } })
    expect((await finish(step.token, nextCode())).body.error.code, 'begun with the old one').toBe(
      'second_step_expired',
    )
    const changed = { ...person, password: next }
    await firstStep(changed)
    await resetSecondFactors(server.ctx, person.email)
    expect(await statusOf(person.token)).toBe(401)
    const { token } = await server.anonymous.login({ body: { email: person.email, password: next } })
    expect(await statusOf(token)).toBe(200)
    expect(await knows('Your second factor for Loci was removed', person)).toBe(true)
  })

  test('is in the audit log when it changes, fails or signs in, and when the operator resets it', async () => {
    const { person, nextCode } = await withApp('audited')
    const { token } = await firstStep(person)
    await finish(token, '12345678')
    await finishRecording(server.ctx)
    await finish(token, nextCode())
    await resetSecondFactors(server.ctx, person.email)
    const { email, password } = person
    const { token: last } = await server.anonymous.login({ body: { email, password } })
    const { body } = await server.call('GET', '/api/audit', { token: last })
    expect(body.events.map(({ action, details }: AuditEvent) => [action, details])).toMatchObject([
      ['signed_in', {}],
      ['second_factor_reset', {}],
      ['signed_in', { by: 'code' }],
      ['sign_in_failed', { reason: 'wrong second factor' }],
      ['authenticator_added', {}],
      ['signed_in', {}],
      ['signed_up', {}],
    ])
  })

  test('is deleted with the person, and leaves the database consistent', async () => {
    const { person } = await withApp('gone')
    await firstStep(person)
    const { account_id: accountId } = await server.ctx.db
      .selectFrom('members')
      .select('account_id')
      .where('user_id', '=', person.userId)
      .executeTakeFirstOrThrow()
    expect(await checkCredentials(server.ctx, { first: accountId, last: accountId })).toEqual([])
    await removeAccount(server.ctx, accountId)
    const left = server.ctx.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', person.userId)
    expect(await left.execute()).toEqual([])
  })

  test('can be required of all members: whoever lacks one can do nothing but set one up', async () => {
    const owner = await server.signUp('owner')
    const { rest } = owner
    const member = await addPerson(server, owner, 'admin')
    const viewer = await addPerson(server, owner, 'viewer')
    const memberRest = restWith(server, member.token)
    const viewerRest = restWith(server, viewer.token)
    const socket = await connect(server.url, member.token)
    await expect(rest.setSecondFactorRule({ body: { required: true } })).rejects.toMatchObject({
      status: 403,
      code: 'second_factor_missing',
    })
    await setUpTotp(rest, owner.password, server.clock.now)
    const listed = async (by: typeof rest) =>
      (await by.listMembers()).members.map(({ role, secondFactor }) => [role, secondFactor])
    expect(await listed(rest), 'told to who manages members').toEqual([
      ['owner', true],
      ['admin', false],
      ['viewer', false],
    ])
    expect((await listed(viewerRest)).every(([, secondFactor]) => secondFactor === undefined)).toBe(true)
    await expect(memberRest.setSecondFactorRule({ body: { required: true } })).rejects.toMatchObject({
      code: 'not_permitted',
    })
    await rest.setSecondFactorRule({ body: { required: true } })
    await expect.poll(() => socket.socket.readyState).toBe(socket.socket.CLOSED)

    for (const call of ['listEntities', 'listMembers', 'listConnections'] as const) {
      await expect(memberRest[call]()).rejects.toMatchObject({ status: 403, code: 'second_factor_missing' })
    }
    expect(await memberRest.me()).toMatchObject({ secondFactor: false, secondFactorRequired: true })
    const missing = { status: 403, code: 'second_factor_missing' }
    await expect(memberRest.deleteMember({ params: { userId: viewer.userId } })).rejects.toMatchObject(
      missing,
    )
    await memberRest.updateProfile({ body: { firstName: 'Max', lastName: 'Member' } })
    expect((await server.call('GET', '/api/entities', { token: member.apiKey })).status, 'keys work').toBe(
      200,
    )
    await setUpTotp(memberRest, owner.password, server.clock.now)
    await memberRest.listEntities()
    await rest.setSecondFactorRule({ body: { required: false } })
    expect(await rest.me()).toMatchObject({ secondFactor: true, secondFactorRequired: false })
  })

  test('required by another account of a person applies there alone', async () => {
    const { person: owner } = await withApp('owner')
    const guest = await server.signUp('guest')
    const { url } = await owner.rest.inviteMember({ body: { email: guest.email, role: 'member' } })
    await guest.rest.acceptInvitation({ params: { token: url.split('token=')[1]! } })
    await owner.rest.setSecondFactorRule({ body: { required: true } })
    const there = { token: guest.token, headers: { 'loci-account': owner.accountId } }
    expect((await server.call('GET', '/api/entities', there)).body.error.code).toBe('second_factor_missing')
    await guest.rest.listEntities()
  })

  test('required anywhere withholds the personal key, which opens every account, after a password alone', async () => {
    const { person: owner } = await withApp('owner')
    const guest = await server.signUp('guest')
    const { url } = await owner.rest.inviteMember({ body: { email: guest.email, role: 'member' } })
    await guest.rest.acceptInvitation({ params: { token: url.split('token=')[1]! } })
    expect((await guest.rest.me()).apiKey).toBe(guest.apiKey)
    await owner.rest.setSecondFactorRule({ body: { required: true } })
    const { email, password } = guest
    const { user } = await server.anonymous.login({ body: { email, password } })
    const named = await guest.rest.updateProfile({ body: { firstName: 'Gina', lastName: 'Guest' } })
    expect([user.apiKey, (await guest.rest.me()).apiKey, named.apiKey]).toEqual([null, null, null])
    expect(user.apiKeyWithheld).toBe(true)
    await expect(guest.rest.rollPersonalKey()).rejects.toMatchObject({ code: 'second_factor_missing' })
    await setUpTotp(guest.rest, password, server.clock.now)
    expect(await guest.rest.me()).toMatchObject({ apiKey: guest.apiKey, apiKeyWithheld: false })
    await guest.rest.rollPersonalKey()
  })

  test('setting one up or changing the password voids sign-ins already under way', async () => {
    const visitor = { address: '', userAgent: 'late' }
    const old = await server.signUp('old')
    const checked = await findUserByEmail(server.ctx.db, old.email)
    await setUpTotp(old.rest, old.password, server.clock.now)
    const refused = { code: 'invalid_credentials' }
    await expect(startSession(server.ctx, checked!, visitor)).rejects.toMatchObject(refused)
    const other = await server.signUp('other')
    const known = await findUserByEmail(server.ctx.db, other.email)
    await startSession(server.ctx, known!, visitor)
    const body = { currentPassword: other.password, newPassword: 'quite another one' }
    await other.rest.changePassword({ body })
    await expect(startSession(server.ctx, known!, visitor)).rejects.toMatchObject(refused)
    expect((await other.rest.listSessions()).sessions).toHaveLength(1)
  })
})
