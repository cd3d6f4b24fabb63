import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { scopeOf } from '../../../test/accounts.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { type SmtpDouble, startSmtpDouble } from '../../../test/smtp-double.ts'
import { readMail } from '../../ground/config/config-mail.ts'
import { dayMs, hourMs, minuteMs } from '../../ground/lib/time.ts'
import { checkCredentials } from '../checks/check-credentials.ts'

describe.each<DialectName>(['sqlite', 'postgres'])('links by mail (%s)', (dialect) => {
  let smtp: SmtpDouble
  let server: TestServer
  let alice: Person
  beforeAll(async () => {
    smtp = await startSmtpDouble()
    const mail = readMail({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' })
    if (typeof mail !== 'object') throw new Error(mail)
    server = await startTestServer(dialect, { mail, publicUrl: 'https://loci.example.com' })
    alice = await server.signUp('alice')
  })
  afterAll(async () => {
    await server?.close()
    await smtp?.close()
  })

  const mailsTo = ({ email }: { email: string }, subject: string) =>
    smtp.mails.filter((mail) => mail.to.includes(email) && mail.headers.subject === subject)
  async function mailTo(person: { email: string }, subject: string, nth = 1) {
    const title = `"${subject}" to ${person.email}`
    await expect
      .poll(() => mailsTo(person, subject).length, { interval: 5, message: title })
      .toBeGreaterThanOrEqual(nth)
    return mailsTo(person, subject)[nth - 1]!
  }
  async function tokenTo(person: { email: string }, subject: string, nth?: number) {
    const { text } = await mailTo(person, subject, nth)
    return /https:\/\/loci\.example\.com\/[a-z-]+#token=([\w-]{43})\s/.exec(text)![1]!
  }
  const reset = 'Set a new password for Loci'
  const ask = async (email: string) =>
    (await server.call('POST', '/auth/password-reset', { body: { email } })).status
  const confirm = (token: string, password: string) =>
    server.call('POST', '/auth/password-reset/confirm', { body: { token, password } })
  const signIn = async ({ email }: { email: string }, password: string) =>
    (await server.call('POST', '/auth/login', { body: { email, password } })).status

  test('a forgotten password is reset once, and every session ends', async () => {
    expect(await ask(alice.email.toUpperCase())).toBe(202)
    const token = await tokenTo(alice, reset)
    const common = await confirm(token, 'password')
    expect(common.status).toBe(400)
    expect(common.body.error.details[0].path).toBe('password')
    expect((await confirm(token, 'a brand new one')).status).toBe(204)
    expect((await server.call('GET', '/auth/me', { token: alice.token })).status).toBe(401)
    expect((await server.call('GET', '/auth/me', { token: alice.apiKey })).body.emailVerified).toBe(true)
    expect(await signIn(alice, alice.password)).toBe(401)
    expect(await signIn(alice, 'a brand new one')).toBe(200)
    const again = await confirm(token, 'yet another one')
    expect(again.status).toBe(404)
    expect(again.body.error.code).toBe('link_not_found')
    await mailTo(alice, 'Your Loci password was changed')
  })

  test('of two who use a link at once, one sets the password', async () => {
    const bob = await server.signUp('bob')
    await ask(bob.email)
    const token = await tokenTo(bob, reset)
    const answers = await Promise.all([confirm(token, 'first password'), confirm(token, 'second password')])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  test('a link ends with the next one, and after an hour', async () => {
    const carol = await server.signUp('carol')
    await ask(carol.email)
    const first = await tokenTo(carol, reset)
    await ask(carol.email)
    const second = await tokenTo(carol, reset, 2)
    expect((await confirm(first, 'a brand new one')).status).toBe(404)
    server.clock.now += hourMs
    expect((await confirm(second, 'a brand new one')).status).toBe(404)
    expect(await signIn(carol, carol.password)).toBe(200)
  })

  test("a request does not reveal who has an account, and fills nobody's mailbox", async () => {
    const dave = await server.signUp('dave')
    for (let i = 0; i < 8; i++) expect(await ask(dave.email)).toBe(202)
    expect(await ask('nobody@example.org')).toBe(202)
    await mailTo(dave, reset, 5)
    const later = await server.signUp('later')
    await ask(later.email)
    await mailTo(later, reset)
    expect(mailsTo(dave, reset)).toHaveLength(5)
    expect(smtp.mails.filter((mail) => mail.to.includes('nobody@example.org'))).toEqual([])
  })

  test('an address that asks too often is slowed down', async () => {
    server.clock.now += 60 * minuteMs
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) statuses.push(await ask(`nobody${i}@example.org`))
    expect(statuses).toEqual([...Array(30).fill(202), 429])
    server.clock.now += 60 * minuteMs
  })

  test('an email address is confirmed by the link sent on sign-up, or by a later one', async () => {
    const subject = 'Confirm your email address'
    const verify = async (token: string) =>
      (await server.call('POST', '/auth/verify-email', { body: { token } })).status
    const isVerified = async ({ token }: Person) =>
      (await server.call('GET', '/auth/me', { token })).body.emailVerified
    const erin = await server.signUp('erin')
    const first = await tokenTo(erin, subject)
    expect(await isVerified(erin)).toBe(false)
    const send = () => server.call('POST', '/auth/me/verification', { token: erin.token })
    expect((await send()).status).toBe(202)
    const second = await tokenTo(erin, subject, 2)
    expect(await verify(first)).toBe(404)
    expect(await confirm(second, 'a brand new one')).toMatchObject({ status: 404 })
    expect(await verify(second)).toBe(204)
    expect(await isVerified(erin)).toBe(true)
    expect(await verify(second), 'opened again').toBe(204)
    expect((await send()).status).toBe(202)
    server.clock.now += 8 * dayMs
    expect(await verify(second), 'after a week').toBe(404)
    expect(mailsTo(erin, subject)).toHaveLength(2)
  })

  test('pending links are no inconsistency, and tokens are not stored', async () => {
    const frank = await server.signUp('frank')
    await ask(frank.email)
    const token = await tokenTo(frank, reset)
    const { db } = server.ctx
    const stored = JSON.stringify([
      await db.selectFrom('credentials').selectAll().execute(),
      await db.selectFrom('mails').selectAll().execute(),
    ])
    expect(stored).not.toContain(token)
    const { accountId } = await scopeOf(server, frank)
    expect(await checkCredentials(server.ctx, { first: accountId, last: accountId })).toEqual([])
  })
})

test('a server without mail answers the same, and sends nothing', async () => {
  const server = await startTestServer('sqlite')
  const { email, token } = await server.signUp()
  expect((await server.call('POST', '/auth/password-reset', { body: { email } })).status).toBe(202)
  const again = await server.call('POST', '/auth/me/verification', { token })
  expect(again.body.error.code).toBe('mail_off')
  await server.close()
})
