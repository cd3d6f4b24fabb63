import type { NewWebhook } from '@loci/contract/webhooks'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openTwin, restWith, setPlan } from '../../../test/accounts.ts'
import { type Person, startTestServer, type TestServer } from '../../../test/harness.ts'
import { type SmtpDouble, startSmtpDouble } from '../../../test/smtp-double.ts'
import { type Received, type Receiver, startReceiver, withStatus } from '../../../test/webhook-receiver.ts'
import { type MailConfig, readMail } from '../../ground/config/config-mail.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../ground/lib/time.ts'
import { finishRemovals } from '../removals/removals.ts'

const tryMs = 1_500
const patience = { timeout: 60_000, interval: 20 }
const options = { webhooks: { tryMs, lookMs: 10 } }
const otherProtocol = 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n'

describe.each(['sqlite', 'postgres'] as const)('webhooks (%s)', (dialect) => {
  let server: TestServer
  let receiver: Receiver
  let smtp: SmtpDouble
  let alice: Person

  beforeAll(async () => {
    smtp = await startSmtpDouble()
    const mail = readMail({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'loci@example.com' }) as MailConfig
    server = await startTestServer(dialect, { webhooksAllowPrivate: true, mail }, options)
  })
  afterAll(async () => {
    await server?.close()
    await smtp?.close()
  })
  beforeEach(async () => {
    // Signatures are valid for five minutes.
    server.clock.now = Date.now()
    receiver = await startReceiver()
    alice = await newPerson()
  })
  afterEach(() => receiver.close())

  async function newPerson(name = 'alice', plan = 'pro'): Promise<Person> {
    const person = await server.signUp(name)
    await setPlan(server, person, plan)
    return person
  }
  const create = (input: object = {}, person = alice): Promise<NewWebhook> =>
    person.rest.createWebhook({ body: { url: receiver.url, ...input } })
  const write = async (name: string, person = alice) =>
    (await person.rest.createEntity({ body: { name, type: 'thing' } })).entity
  const namesOf = (received: readonly Received[]) => received.map(({ event }) => event.data.change.after.name)
  const verify = (secret: string, { body, headers }: Received) =>
    new Verifier(secret).verify(body, headers as Record<string, string>)
  const deliveriesOf = async ({ webhook }: NewWebhook, status?: 'pending' | 'delivered' | 'failed') =>
    (await alice.rest.listDeliveries({ params: { id: webhook.id }, query: { status } })).deliveries
  const stored = (created: NewWebhook, count: number, status?: 'pending' | 'delivered' | 'failed') =>
    vi.waitUntil(async () => {
      const found = await deliveriesOf(created, status)
      return found.length === count && found
    }, patience)
  /** The mails to alice about her endpoints. */
  const mailsOfAlice = () =>
    smtp.mails.filter(({ to, headers }) => to.includes(alice.email) && headers.subject?.startsWith('Webhook'))
  /** Moves the clock, and waits until the request due then was answered and its result stored. */
  async function pass(created: NewWebhook, ms: number, attempts: number) {
    server.clock.now += ms
    return vi.waitUntil(
      async () => (await deliveriesOf(created)).find((one) => one.attempts.length === attempts),
      patience,
    )
  }

  test('an endpoint is created, read, changed and deleted; its secret is shown once', async () => {
    const { webhook, secret } = await create({ description: ' Ours ', events: ['entity.created'] })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const same = { ...webhook, url: receiver.url, description: 'Ours', status: 'active', spaces: null }
    expect(webhook).toEqual(same)
    const { id } = webhook
    expect((await alice.rest.getWebhook({ params: { id } })).webhook).toEqual(webhook)
    expect((await alice.rest.listWebhooks()).webhooks).toEqual([webhook])
    const changed = await alice.rest.updateWebhook({
      params: { id },
      body: { events: ['*', 'entity.deleted'] },
    })
    expect(changed.webhook).toEqual({ ...webhook, events: ['*'] })
    const rows = await server.ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).execute()
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
    expect((await alice.rest.usage()).webhooks).toBe(1)
    expect((await alice.rest.analytics()).webhookCount).toBe(1)
    await alice.rest.deleteWebhook({ params: { id } })
    await expect(alice.rest.getWebhook({ params: { id } })).rejects.toMatchObject({
      code: 'webhook_not_found',
    })
    expect((await alice.rest.listWebhooks()).webhooks).toEqual([])
    await vi.waitUntil(async () => {
      const left = await server.ctx.db.selectFrom('webhooks').select('id').where('id', '=', id).execute()
      return left.length === 0
    }, patience)
  })

  test('invalid endpoints are refused', async () => {
    for (const body of [{ events: [] }, { events: ['nothing'] }, { url: '' }, { spaces: [] }]) {
      await expect(create(body)).rejects.toMatchObject({ code: 'validation_failed' })
    }
    await expect(create({ url: 'ftp://example.com' })).rejects.toMatchObject({ code: 'webhook_url_refused' })
    await expect(create({ spaces: ['elsewhere'] })).rejects.toMatchObject({ code: 'space_not_found' })
    expect((await create({ spaces: ['default'] })).webhook.spaces).toEqual(['spc_1'])
  })

  test("the plan's limit holds exactly, however many are created at once in two processes", async () => {
    await setPlan(server, alice, 'starter')
    const twin = await openTwin(server)
    const there = { ...alice, rest: restWith(twin, alice.token) }
    const places = [alice, there, alice, there, alice, there, alice, there, alice]
    const made = await Promise.allSettled(places.map((place) => create({}, place)))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const result of made) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'plan_limit_reached' })
    }
    const { webhooks } = await alice.rest.listWebhooks()
    expect(webhooks).toHaveLength(5)
    await setPlan(server, alice, 'pro')
    const disabled = [webhooks[0]!, (await create()).webhook]
    const setStatus = ({ rest }: Person, { id }: { id: string }, status: 'active' | 'disabled') =>
      rest.updateWebhook({ params: { id }, body: { status } })
    for (const webhook of disabled) await setStatus(alice, webhook, 'disabled')
    await setPlan(server, alice, 'starter')
    const [one, other] = disabled
    const enabled = [setStatus(alice, one!, 'active'), setStatus(there, other!, 'active')]
    const outcomes = (await Promise.allSettled(enabled)).map(({ status }) => status)
    expect(outcomes.toSorted()).toEqual(['fulfilled', 'rejected'])
    await twin.close()
    const free = await newPerson('bob', 'free')
    await expect(create({}, free)).rejects.toThrow('Your plan allows no webhook endpoints.')
  })

  test('every change is sent once, in order and signed, as the log records it', async () => {
    await write('before')
    const { secret, webhook } = await create()
    for (let i = 0; i < 12; i++) await write(`thing ${i}`)
    const entity = await write('last')
    await alice.rest.createObservations({ params: { id: entity.id }, body: { content: 'A fact' } })
    await alice.rest.deleteEntity({ params: { id: entity.id } })
    const received = await receiver.expectCount(16)
    expect(namesOf(received.slice(0, 13))).toEqual([
      ...Array.from({ length: 12 }, (_, i) => `thing ${i}`),
      'last',
    ])
    const { changes } = await alice.rest.listChanges({ query: { order: 'asc', after: '1' } })
    expect(received.map(({ event }) => event.data.change)).toEqual(changes)
    for (const one of received) {
      expect(verify(secret, one)).toEqual(one.event)
      const { type, timestamp, data } = one.event
      expect(type).toBe(data.change.operation.replace('_', '.'))
      expect(timestamp).toBe(data.change.at)
      expect(data.space).toEqual({ id: 'spc_1', name: 'default' })
    }
    expect(received.map(({ event }) => event.type).slice(13)).toEqual([
      'observation.added',
      'observation.deleted',
      'entity.deleted',
    ])
    await receiver.expectCount(changes.length)
    const deliveries = await stored({ webhook, secret }, changes.length, 'delivered')
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect(deliveries.map(({ eventId }) => eventId).reverse()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
    expect(deliveries[0]!.attempts).toEqual([
      { at: expect.any(String), statusCode: 204, ms: expect.any(Number) },
    ])
    expect((await alice.rest.getWebhook({ params: { id: webhook.id } })).webhook.lastSuccessAt).not.toBeNull()
  })

  test('an endpoint gets the events it subscribed to, and nothing from other accounts', async () => {
    const bob = await newPerson('bob')
    await create({ events: ['entity.deleted', 'relation.created'] })
    const [one, two] = [await write('One'), await write('Two')]
    const ends = { fromEntityId: one.id, toEntityId: two.id }
    await alice.rest.createRelation({ body: { ...ends, type: 'knows' } })
    await write('Of bob', bob)
    await alice.rest.deleteEntity({ params: { id: two.id } })
    const received = await receiver.expectCount(2)
    expect(received.map(({ event }) => event.type)).toEqual(['relation.created', 'entity.deleted'])
  })

  test('after a roll both secrets sign for a day', async () => {
    const { webhook, secret } = await create()
    const { secret: fresh } = await alice.rest.rollWebhookSecret({ params: { id: webhook.id } })
    expect(fresh).not.toBe(secret)
    await write('one')
    const [both] = await receiver.expectCount(1)
    expect(verify(secret, both!)).toEqual(verify(fresh, both!))
    server.clock.now += dayMs + 1
    vi.setSystemTime(server.clock.now)
    await write('two')
    const [, after] = await receiver.expectCount(2)
    expect(verify(fresh, after!)).toEqual(after!.event)
    expect(() => verify(secret, after!)).toThrow()
    vi.useRealTimers()
  })

  test('a receiver that fails for hours is retried by the schedule, then given up', async () => {
    receiver.answer = withStatus(500)
    const created = await create()
    await write('stubborn')
    await stored(created, 1, 'pending')
    const delays = [
      5 * secondMs,
      5 * minuteMs,
      30 * minuteMs,
      2 * hourMs,
      5 * hourMs,
      10 * hourMs,
      14 * hourMs,
      20 * hourMs,
      24 * hourMs,
    ]
    for (const [i, delay] of delays.entries()) {
      const [waiting] = await deliveriesOf(created)
      expect(Date.parse(waiting!.nextAttemptAt!)).toBe(server.clock.now + delay)
      expect(waiting!.attempts.at(-1)).toMatchObject({ statusCode: 500, error: 'Answered 500' })
      await pass(created, delay, i + 2)
    }
    const [given] = await deliveriesOf(created, 'failed')
    expect(given).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(receiver.received).toHaveLength(10)
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    receiver.answer = withStatus(200)
    server.clock.now += 5 * secondMs
    await write('afterwards')
    await receiver.expectCount(11)
    await stored(created, 1, 'delivered')
    const { webhook } = await alice.rest.getWebhook({ params: { id: created.webhook.id } })
    expect(webhook).toMatchObject({ status: 'active', failingSince: null })
  })

  test('a short outage does not change the order', async () => {
    receiver.answer = withStatus(503)
    const created = await create()
    await write('one')
    await stored(created, 1, 'pending')
    await write('two')
    receiver.answer = withStatus(200)
    server.clock.now += 5 * secondMs
    await receiver.expectCount(3)
    expect(namesOf(receiver.received)).toEqual(['one', 'one', 'two'])
  })

  test('the first success after an outage brings the deliveries that wait forward, in order', async () => {
    receiver.answer = withStatus(503)
    const created = await create()
    const failTwice = async (name: string) => {
      await write(name)
      for (const attempts of [1, 2]) {
        server.clock.now += 5 * secondMs
        const newest = async () => (await deliveriesOf(created))[0]?.attempts
        await expect.poll(newest, patience).toHaveLength(attempts)
      }
    }
    await failTwice('one')
    await failTwice('two')
    for (const { nextAttemptAt } of await stored(created, 2, 'pending')) {
      expect(Date.parse(nextAttemptAt!)).toBeGreaterThan(server.clock.now + 4 * minuteMs)
    }
    const before = receiver.received.length
    receiver.answer = withStatus(200)
    server.clock.now += 5 * secondMs
    await write('three')
    await stored(created, 3, 'delivered')
    expect(namesOf(receiver.received.slice(before))).toEqual(['three', 'one', 'two'])
  })

  test('an event that fails alone is brought forward once for each retry, and keeps its schedule', async () => {
    receiver.answer = (response, { event }) =>
      response.writeHead(event.data.change.after.name === 'bad' ? 500 : 200).end()
    const created = await create()
    await write('bad')
    await stored(created, 1, 'pending')
    await pass(created, 5 * secondMs, 2)
    const [planned] = await deliveriesOf(created, 'pending')
    for (const [i, name] of ['one', 'two', 'three'].entries()) {
      server.clock.now += 5 * secondMs
      await write(name)
      await stored(created, i + 1, 'delivered')
      const [bad] = await vi.waitUntil(async () => {
        const pending = await deliveriesOf(created, 'pending')
        return pending[0]!.attempts.length === 3 && pending
      }, patience)
      expect(bad!.nextAttemptAt).toBe(
        new Date(Date.parse(planned!.attempts[1]!.at) + 5 * minuteMs).toISOString(),
      )
      expect(Object.keys(bad!.attempts[2]!)).toEqual(Object.keys(bad!.attempts[1]!))
    }
  })

  test('all deliveries that failed since a time are sent again, in order', async () => {
    receiver.answer = withStatus(400)
    const created = await create()
    const { id } = created.webhook
    const fail = async (name: string, count: number) => {
      await write(name)
      await stored(created, count, 'pending')
      await alice.rest.updateWebhook({ params: { id }, body: { status: 'disabled' } })
      const since = new Date(server.clock.now).toISOString()
      server.clock.now += minuteMs
      await alice.rest.updateWebhook({ params: { id }, body: { status: 'active' } })
      return since
    }
    await fail('one', 1)
    const since = await fail('two', 1)
    await fail('three', 1)
    const { received } = receiver
    const before = received.length
    receiver.answer = withStatus(200)
    const redeliverAll = (body: { since: string }) => alice.rest.redeliverFailed({ params: { id }, body })
    expect(await redeliverAll({ since })).toEqual({ count: 2 })
    await stored(created, 2, 'delivered')
    expect(namesOf(received.slice(before))).toEqual(['two', 'three'])
    expect(await redeliverAll({ since })).toEqual({ count: 0 })
    await expect(redeliverAll({ since: 'yesterday' })).rejects.toMatchObject({ code: 'validation_failed' })
    await alice.rest.updateWebhook({ params: { id }, body: { status: 'disabled' } })
    await expect(redeliverAll({ since })).rejects.toMatchObject({ code: 'webhook_disabled' })
  })

  test('test events and redeliveries are limited, by endpoint and by account', async () => {
    const endpoints = [await create(), await create(), await create(), await create()]
    const sendTest = ({ webhook }: NewWebhook) => alice.rest.testWebhook({ params: { id: webhook.id } })
    const sendUntilRefused = async (one: NewWebhook) => {
      for (let sent = 0; sent < 100; sent++) {
        const refusal = await sendTest(one).then(
          () => undefined,
          (error) => error,
        )
        if (refusal !== undefined) return { sent, refusal }
      }
      return undefined
    }
    const [first, ...others] = endpoints
    const ofFirst = await sendUntilRefused(first!)
    expect(ofFirst).toMatchObject({ sent: 20, refusal: { code: 'rate_limited', status: 429 } })
    const { status, headers, body } = await server.call('POST', `/api/webhooks/${first!.webhook.id}/test`, {
      token: alice.token,
    })
    expect([status, body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    const [delivery] = await stored(first!, 20, 'delivered')
    const params = { id: first!.webhook.id, deliveryId: delivery!.id }
    await expect(alice.rest.redeliver({ params })).rejects.toMatchObject({ code: 'rate_limited' })
    const all = { params: { id: params.id }, body: { since: new Date(0).toISOString() } }
    for (let i = 0; i < 3; i++) await alice.rest.redeliverFailed(all)
    await expect(alice.rest.redeliverFailed(all)).rejects.toMatchObject({ code: 'rate_limited' })
    const sent = []
    for (const one of others) sent.push((await sendUntilRefused(one))?.sent)
    expect(sent).toEqual([20, 20, 0])
    server.clock.now += 3 * secondMs
    await alice.rest.redeliver({ params })
    await create({}, await newPerson('bob'))
  })

  test('a refused event does not hold up others', async () => {
    receiver.answer = (response, { event }) => {
      const { name } = event.data.change.after
      if (name === 'odd') response.socket!.write(otherProtocol)
      else response.writeHead(name === 'bad' ? 400 : 200).end('no, thanks')
    }
    const created = await create()
    for (const name of ['good', 'bad', 'odd', 'better']) await write(name)
    await receiver.expectCount(4)
    const [odd, bad] = await stored(created, 2, 'pending')
    expect(odd!.attempts).toMatchObject([{ statusCode: 101 }])
    const { delivery } = await alice.rest.getDelivery({
      params: { id: created.webhook.id, deliveryId: bad!.id },
    })
    expect(delivery).toMatchObject({ answer: 'no, thanks', body: receiver.received[1]!.body })
  })

  test('an endpoint without a success for five days is disabled, and the owner gets a mail', async () => {
    receiver.answer = withStatus(500)
    const created = await create({ description: 'Our <shop>' })
    const { id } = created.webhook
    await write('one')
    await stored(created, 1, 'pending')
    // The first attempt began some milliseconds after the event was read, by a clock that went on.
    server.clock.now += 5 * dayMs + secondMs
    const disabled = await vi.waitUntil(async () => {
      const { webhook } = await alice.rest.getWebhook({ params: { id } })
      return webhook.status === 'disabled' && webhook
    }, patience)
    expect(disabled).toMatchObject({
      disabledReason: 'failing',
      disabledAt: new Date(server.clock.now).toISOString(),
    })
    await expect.poll(() => mailsOfAlice().length).toBe(1)
    const [mail] = mailsOfAlice()
    const host = new URL(receiver.url).host
    expect(mail!.headers.subject).toBe(`Webhook endpoint at ${host} was disabled`)
    expect(mail!.text).toContain('Every delivery to it has failed for 5 days.')
    expect(mail!.text).toContain('Endpoint: Our <shop>')
    expect(mail!.text).toContain(`/webhooks/${id}`)
    expect(mail!.html).toContain('Our &#60;shop&#62;')
    expect(await deliveriesOf(created, 'pending')).toEqual([])
    const [failed] = await deliveriesOf(created, 'failed')
    await expect(alice.rest.redeliver({ params: { id, deliveryId: failed!.id } })).rejects.toMatchObject({
      code: 'webhook_disabled',
    })
    const before = receiver.received.length
    await write('while disabled')
    receiver.answer = withStatus(200)
    await alice.rest.testWebhook({ params: { id } })
    await receiver.expectCount(before + 1)
    const enabled = await alice.rest.updateWebhook({ params: { id }, body: { status: 'active' } })
    expect(enabled.webhook).toMatchObject({ status: 'active', disabledReason: null, failingSince: null })
    await write('enabled')
    await receiver.expectCount(before + 2)
    expect(receiver.received.at(-1)!.event.data.change.after.name).toBe('enabled')
  })

  test('a receiver that answers 410 gets no more events', async () => {
    receiver.answer = withStatus(410)
    const created = await create()
    await write('one')
    await stored(created, 1, 'failed')
    const { webhook } = await alice.rest.getWebhook({ params: { id: created.webhook.id } })
    expect(webhook).toMatchObject({ status: 'disabled', disabledReason: 'gone' })
    await expect.poll(() => mailsOfAlice()[0]?.text).toContain('It answered 410 Gone')
  })

  test('endpoints beyond a smaller plan are disabled, newest first, with one mail', async () => {
    for (let i = 0; i < 8; i++) await create()
    await setPlan(server, alice, 'starter')
    server.clock.now += hourMs
    const statuses = async () => (await alice.rest.listWebhooks()).webhooks.map(({ status }) => status)
    const five = Array.from({ length: 5 }, () => 'active')
    await vi.waitUntil(async () => (await statuses()).at(-1) === 'disabled', patience)
    expect(await statuses()).toEqual([...five, 'disabled', 'disabled', 'disabled'])
    expect((await alice.rest.listWebhooks()).webhooks.at(-1)!.disabledReason).toBe('plan')
    await expect.poll(() => mailsOfAlice().length).toBe(1)
    expect(mailsOfAlice()[0]!.text).toContain('Your plan allows 5 webhook endpoints')
  })

  test.each([
    ['hangs', () => {}, 'No complete answer within 20 seconds', null],
    [
      'begins to answer and hangs',
      (response) => response.writeHead(200).write('{'),
      'No complete answer within 20 seconds',
      null,
    ],
    [
      'redirects',
      withStatus(307, { location: '/elsewhere' }),
      'Answered 307; redirects are not followed',
      307,
    ],
    [
      'closes the connection',
      (response) => response.destroy(),
      'Connection closed before an answer came',
      null,
    ],
  ] as [string, Receiver['answer'], string, number | null][])(
    'a receiver that %s has failed',
    async (_, answer, error, statusCode) => {
      receiver.answer = answer
      const created = await create()
      await write('one')
      const [delivery] = await stored(created, 1, 'pending')
      expect(delivery!.attempts).toEqual([
        { at: expect.any(String), ms: expect.any(Number), statusCode, error },
      ])
      expect(receiver.received).toHaveLength(1)
    },
  )

  test('only the beginning of an endless answer is read', async () => {
    let sent = 0
    const chunk = Buffer.alloc(16 * 1024, 'x\0')
    receiver.answer = (response) => {
      response.writeHead(200)
      const more = () => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
        sent += chunk.length
      }
      response.on('drain', more)
      more()
    }
    const created = await create()
    await write('one')
    const [delivery] = await stored(created, 1, 'delivered')
    expect(sent).toBeLessThan(32 * 1024 * 1024)
    const { answer } = (
      await alice.rest.getDelivery({ params: { id: created.webhook.id, deliveryId: delivery!.id } })
    ).delivery
    expect(answer).toBe('x\ufffd'.repeat(500))
  })

  test('a slow endpoint delays no other, in its own account or another', async () => {
    const slow = await startReceiver()
    slow.answer = () => {}
    const bob = await newPerson('bob')
    for (let i = 0; i < 9; i++) await create({ url: slow.url })
    await create()
    await create({}, bob)
    await write('of alice')
    await write('of bob', bob)
    await slow.expectCount(1)
    await receiver.expectCount(2)
    expect(namesOf(receiver.received).sort()).toEqual(['of alice', 'of bob'])
    expect(slow.received.length).toBeLessThanOrEqual(9)
    await slow.close()
  })

  test('a test event and a repeated delivery', async () => {
    const created = await create({ events: ['entity.deleted'] })
    const { id } = created.webhook
    await alice.rest.testWebhook({ params: { id } })
    const [first] = await receiver.expectCount(1)
    expect(verify(created.secret, first!)).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { webhook: id },
    })
    const [delivery] = await stored(created, 1, 'delivered')
    const params = { id, deliveryId: delivery!.id }
    await alice.rest.redeliver({ params })
    const [, again] = await receiver.expectCount(2)
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(again!.body).toBe(first!.body)
    await pass(created, 0, 2)
    expect((await alice.rest.getDelivery({ params })).delivery).toMatchObject({
      status: 'delivered',
      body: first!.body,
    })
    receiver.answer = withStatus(500)
    await alice.rest.testWebhook({ params: { id } })
    const [failed] = await stored(created, 1, 'failed')
    expect(failed!.attempts).toHaveLength(1)
    await expect(alice.rest.redeliver({ params: { id, deliveryId: 'dlv_none' } })).rejects.toMatchObject({
      code: 'delivery_not_found',
    })
  })

  test('a redelivery requested during an attempt is not lost', async () => {
    receiver.answer = withStatus(400)
    const created = await create()
    await write('Ada')
    const [delivery] = await stored(created, 1, 'pending')
    const params = { id: created.webhook.id, deliveryId: delivery!.id }
    const { promise: isUnderWay, resolve: begin } = Promise.withResolvers<void>()
    const { promise: asked, resolve: goOn } = Promise.withResolvers<void>()
    receiver.answer = (response) => {
      begin()
      void asked.then(() => response.writeHead(400).end())
    }
    server.clock.now += secondMs
    await alice.rest.redeliver({ params })
    await isUnderWay
    server.clock.now += secondMs
    await alice.rest.redeliver({ params })
    receiver.answer = withStatus(200)
    goOn()
    const [delivered] = await stored(created, 1, 'delivered')
    expect(delivered!.attempts.map(({ statusCode }) => statusCode)).toEqual([400, 400, 200])
  })

  test('deliveries come in pages, by status', async () => {
    receiver.answer = (response, { event }) =>
      response.writeHead(event.data.change.after.name === 'bad' ? 400 : 200).end()
    const created = await create()
    for (const name of ['a', 'bad', 'b', 'c']) await write(name)
    await stored(created, 4)
    const { id } = created.webhook
    const page = (query: object) => alice.rest.listDeliveries({ params: { id }, query })
    const first = await page({ limit: '3' })
    const second = await page({ limit: '3', cursor: first.nextCursor! })
    expect(second.nextCursor).toBeNull()
    expect([...first.deliveries, ...second.deliveries]).toEqual(await deliveriesOf(created))
    expect((await page({ status: 'delivered', limit: '2' })).deliveries).toHaveLength(2)
    await expect(page({ cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_cursor' })
  })

  test('erased data is not sent again', async () => {
    receiver.answer = withStatus(500)
    const created = await create({ events: ['entity.created'] })
    const { id } = await write('Secret name')
    const [delivery] = await stored(created, 1, 'pending')
    await alice.rest.eraseEntity({ params: { id } })
    receiver.answer = withStatus(200)
    await pass(created, 5 * secondMs, 2)
    const { body, headers, event } = receiver.received.at(-1)!
    expect(body).not.toContain('Secret name')
    expect(headers['webhook-id']).toBe(delivery!.eventId)
    expect(event.data.change).toMatchObject({ erased: true, after: null })
  })

  test('an import is sent in full and in order, also around events that are refused', async () => {
    receiver.answer = (response, { event }) =>
      response.writeHead(event.data.change.after.name.endsWith('7') ? 400 : 200).end()
    const created = await create({ events: ['entity.created'] })
    const lines = Array.from({ length: 330 }, (_, i) => ({
      type: 'entity',
      name: `No ${i}`,
      entityType: 'thing',
      observations: ['x'],
    }))
    await alice.rest.import({ body: lines.map((line) => JSON.stringify(line)).join('\n') })
    const received = await receiver.expectCount(330)
    expect(namesOf(received)).toEqual(lines.map(({ name }) => name))
    const { deliveries } = await vi.waitUntil(async () => {
      const found = await alice.rest.listDeliveries({
        params: { id: created.webhook.id },
        query: { limit: '500' },
      })
      return found.deliveries.length === 330 && found
    }, patience)
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(330)
  })

  test('many endpoints get each event once, however often the sender looks for work', async () => {
    const paths = Array.from({ length: 15 }, (_, i) => `/hook/${i}`)
    for (const path of paths) await create({ url: new URL(path, receiver.url).href })
    const names = Array.from({ length: 40 }, (_, i) => `No ${i}`)
    for (const name of names) await write(name)
    const received = await receiver.expectCount(paths.length * names.length)
    for (const path of paths) {
      expect(namesOf(received.filter((one) => one.path === path))).toEqual(names)
    }
  })

  test('a deleted account leaves nothing behind', async () => {
    const created = await create()
    await write('one')
    await stored(created, 1, 'delivered')
    await alice.rest.deleteAccount({ body: { password: alice.password } })
    await finishRemovals(server.ctx)
    for (const table of ['webhook_deliveries', 'webhook_cursors'] as const) {
      const rows = await server.ctx.db
        .selectFrom(table)
        .select('webhook_id')
        .where('webhook_id', '=', created.webhook.id)
        .execute()
      expect(rows).toEqual([])
    }
  })
})
