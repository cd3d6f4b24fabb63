import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { restWith } from '../../../test/accounts.ts'
import { type DialectName, type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { proposerOf } from '../../../test/proposer.ts'
import { type SmtpDouble, startSmtpDouble } from '../../../test/smtp-double.ts'
import { readMail } from '../../ground/config/config-mail.ts'
import { dayMs, toIso } from '../../ground/lib/time.ts'
import { nextMonday } from './brief-mails.rules.ts'
import { queueBriefMails } from './brief-mails.service.ts'

test('a mail comes on Monday at 7:00 UTC', () => {
  const next = (text: string) => toIso(nextMonday(Date.parse(text)))
  expect(next('2026-11-25T12:00:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next('2026-11-29T23:59:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next('2026-11-30T06:59:00Z')).toBe('2026-11-30T07:00:00.000Z')
  expect(next('2026-11-30T07:00:00Z')).toBe('2026-12-07T07:00:00.000Z')
})

describe.each<DialectName>(['sqlite', 'postgres'])('the weekly mail (%s)', (dialect) => {
  let smtp: SmtpDouble
  let server: TestServer
  let alice: Person
  let entityId: string
  beforeAll(async () => {
    smtp = await startSmtpDouble()
    const mail = readMail({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' })
    if (typeof mail !== 'object') throw new Error(mail)
    server = await startTestServer(dialect, { mail })
    alice = await server.signUp('Alice')
    const { entity } = await alice.rest.createEntity({ body: { name: 'Kettle', type: 'thing' } })
    entityId = entity.id
  })
  afterAll(async () => {
    await server?.close()
    await smtp?.close()
  })

  const confirm = ({ userId }: Person) =>
    server.ctx.db.updateTable('users').set({ email_verified_at: 1 }).where('id', '=', userId).execute()
  const turn = (isOn: boolean, { rest } = alice) => rest.setBriefMail({ body: { isOn } })
  const tellWaiting = (tellsWaiting: boolean) => alice.rest.setBriefMail({ body: { tellsWaiting } })
  const learn = (content: string) =>
    restWith(server, alice.apiKey).createObservations({ params: { id: entityId }, body: { content } })
  const weekLater = async () => {
    server.clock.now += 7 * dayMs
    await queueBriefMails(server.ctx)
  }
  const queued = async () => {
    const rows = await server.ctx.db.selectFrom('mails').select('id').execute()
    return rows.filter(({ id }) => id.startsWith('brief-')).length
  }
  /** The newest mail, once as many have arrived as were queued. */
  const newestMail = async () => {
    const count = await queued()
    const mails = () => smtp.mails.filter((mail) => mail.headers['list-unsubscribe'] !== undefined)
    await vi.waitFor(() => expect(mails()).toHaveLength(count), { timeout: 60_000 })
    return mails().at(-1)!
  }
  const stopUrlOf = (text: string) => /\/weekly-mail\/\S+/.exec(text)![0]

  test('is off until asked for, and cannot go to an address that is not confirmed', async () => {
    const off = { isOn: false, tellsWaiting: false, isPossible: false, nextAt: null }
    expect((await alice.rest.getBriefMail()).mail).toEqual(off)
    for (const ask of [turn, tellWaiting]) await expect(ask(true)).rejects.toMatchObject({ code: 'mail_off' })
    await expect(alice.rest.setBriefMail({ body: {} })).rejects.toMatchObject({ status: 400 })
    await confirm(alice)
    const { mail } = await turn(true)
    const nextAt = toIso(nextMonday(server.clock.now))
    expect(mail).toEqual({ isOn: true, tellsWaiting: false, isPossible: true, nextAt })
  })

  test('tells what happened since the last one, once, and nothing in a week without news', async () => {
    await turn(true)
    await learn('The kettle whistles in G')
    await weekLater()
    expect(await queued()).toBe(1)
    const mail = await newestMail()
    expect(mail.to).toEqual([alice.email.toLowerCase()])
    expect(mail.text).toContain('Kettle\n- The kettle whistles in G\n')
    expect(mail.text).toContain(`/dashboard?account=${alice.accountId}&space=spc_1`)
    expect(mail.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    await queueBriefMails(server.ctx)
    await weekLater()
    expect(await queued()).toBe(1)
    await learn('It was descaled')
    await weekLater()
    const { text } = await newestMail()
    expect(text).toContain('It was descaled')
    expect(text).not.toContain('whistles in G')
  })

  test('tells what waits for a decision in the same mail, and none of its words', async () => {
    const codex = await proposerOf(alice)
    const propose = (content: string) =>
      codex.rest.createObservations({ params: { id: entityId }, body: { content } })
    await propose('The kettle is poisoned')
    await propose('The kettle sings')
    expect((await turn(false)).mail.isOn).toBe(false)
    expect((await tellWaiting(true)).mail).toMatchObject({ isOn: false, tellsWaiting: true })
    await learn('It is of copper')
    await weekLater()
    const only = await newestMail()
    expect(only.headers.subject).toBe('2 wait for your decision in default')
    expect(only.text).toMatch(
      /2 wait for your decision in default: codex 2\. The oldest has waited \d+ days?\./,
    )
    expect(only.text).toContain(`/inbox?account=${alice.accountId}&space=spc_1`)
    expect(only.text).not.toMatch(/poisoned|sings|copper/)

    await turn(true)
    await learn('It is of tin')
    const sent = await queued()
    await weekLater()
    expect(await queued()).toBe(sent + 1)
    const both = await newestMail()
    expect(both.headers.subject).toBe('Your week in default')
    expect(both.text).toMatch(/2 wait for your decision[\s\S]*Kettle\n- It is of tin/)
    expect(both.text).not.toMatch(/poisoned|copper/)

    await turn(false)
    const { proposals } = await alice.rest.listProposals()
    await alice.rest.decideProposals({ body: { reject: proposals.map(({ id }) => id) } })
    await weekLater()
    expect(await queued()).toBe(sent + 1)
    expect((await tellWaiting(false)).mail.nextAt).toBeNull()
  })

  test('ends with its link, by a button and without signing in', async () => {
    await turn(true)
    await learn('It boils over')
    await weekLater()
    const path = stopUrlOf((await newestMail()).text)
    const isOn = async () => (await alice.rest.getBriefMail()).mail.isOn
    const page = await fetch(server.url + path)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Stop the weekly mail?')])
    expect(await isOn()).toBe(true)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(server.url + path, { method: 'POST', body })).status).toBe(200)
    expect(await isOn()).toBe(false)
    for (const wrong of ['/weekly-mail/x', path.slice(0, -4)])
      expect((await fetch(server.url + wrong, { method: 'POST', body })).status).toBe(404)
  })

  test('ends with the switch, and with the membership', async () => {
    await turn(true)
    expect((await turn(false)).mail.isOn).toBe(false)
    await turn(true)
    const sent = await queued()
    await learn('Nobody is told of this')
    await server.ctx.db.deleteFrom('members').where('user_id', '=', alice.userId).execute()
    await weekLater()
    expect(await queued()).toBe(sent)
    expect(await server.ctx.db.selectFrom('brief_mails').selectAll().execute()).toEqual([])
  })
})
