import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTwin, scopeOf } from '../../../test/accounts.ts'
import { type DialectName, startTestServer, type TestServer } from '../../../test/harness.ts'
import { type SmtpDouble, startSmtpDouble } from '../../../test/smtp-double.ts'
import { readMail } from '../../ground/config/config-mail.ts'
import { createSecretBox } from '../../ground/lib/secrets.ts'
import { minuteMs } from '../../ground/lib/time.ts'
import { transact } from '../../store/transact.ts'
import type { MailContent } from './mail-content.ts'
import { queueMail } from './queue-mail.ts'
import { sendMails } from './send-mails.ts'
import { createSmtp } from './smtp.ts'

const content: MailContent = {
  subject: 'Zoë, <b>hello</b>',
  paragraphs: [
    'First & foremost.',
    'Then – at length – more of it, so that the line has to be folded somewhere.',
  ],
  facts: [
    ['Total', '$20.00'],
    ['Paid with', 'Visa'],
  ],
  action: { label: 'Open', url: 'https://loci.example.com/?a=1&b=2' },
  footnote: 'You get this because.',
}

describe.each<DialectName>(['sqlite', 'postgres'])('mails (%s)', (dialect) => {
  let smtp: SmtpDouble
  let server: TestServer
  let accountId: number
  let ids = 0
  beforeAll(async () => {
    smtp = await startSmtpDouble()
    const mail = readMail({ SMTP_URL: smtp.url, LOCI_MAIL_FROM: 'Loci <loci@example.com>' })
    if (typeof mail !== 'object') throw new Error(mail)
    server = await startTestServer(dialect, { mail })
    accountId = (await scopeOf(server, await server.signUp())).accountId
  })
  afterAll(async () => {
    await server?.close()
    await smtp?.close()
  })
  beforeEach(() => {
    smtp.reply = () => undefined
  })

  const queue = (id = `mail-${++ids}`, more: { to?: string; expiresAt?: number } = {}) =>
    transact(server.ctx, (inner) =>
      queueMail(inner, { accountId, id, to: `${id}@example.org`, content, ...more }),
    )
  const sentTo = (id: string) => smtp.mails.filter((mail) => mail.to.includes(`${id}@example.org`))
  const rowOf = (id: string) =>
    server.ctx.db
      .selectFrom('mails')
      .select(['tries', 'content', 'failure', 'next_try_at', 'sent_at'])
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .executeTakeFirst()
  const until = async (holds: () => boolean | Promise<boolean>) =>
    expect.poll(holds, { interval: 10 }).toBe(true)
  /** Checks the outbox once, as the sender does every minute. */
  const look = async (ctx = server.ctx) =>
    sendMails(ctx, ctx.config.mail!, await createSmtp(ctx.config.mail!))

  test('goes out right after the commit as text and HTML, and its contents are forgotten', async () => {
    await queue('first')
    await until(async () => (await rowOf('first'))?.sent_at !== null)
    const [mail] = sentTo('first')
    expect(mail).toMatchObject({
      from: 'loci@example.com',
      to: ['first@example.org'],
      headers: {
        from: 'Loci <loci@example.com>',
        to: 'first@example.org',
        'message-id': expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/),
        'auto-submitted': 'auto-generated',
        'content-type': expect.stringContaining('multipart/alternative'),
      },
    })
    expect(mail?.text.trimEnd()).toBe(`First & foremost.

${content.paragraphs[1]}

Total:     $20.00
Paid with: Visa

Open: https://loci.example.com/?a=1&b=2

-- 
You get this because.`)
    expect(mail?.html).toContain('<title>Zoë, &#60;b&#62;hello&#60;/b&#62;</title>')
    expect(mail?.html).toContain('href="https://loci.example.com/?a=1&#38;b=2"')
    expect(await rowOf('first')).toMatchObject({ content: null, failure: null, next_try_at: null, tries: 1 })
  })

  test('is kept sealed until it is sent', async () => {
    smtp.reply = (command) => (command === '.' ? '451 Later' : undefined)
    await queue('sealed')
    await until(async () => (await rowOf('sealed'))?.failure !== null)
    expect((await rowOf('sealed'))?.content).not.toContain('First')
  })

  test('waits if only a process with another secret can open it', async () => {
    const former = createSecretBox('a secret that this process does not have', 'personal-api-key')
    const next = { ...server.ctx, secretBox: former }
    await transact(next, (inner) =>
      queueMail(inner, { accountId, id: 'foreign', to: 'foreign@example.org', content }),
    )
    await until(async () => (await rowOf('foreign'))?.failure === 'was sealed with another secret')
    expect(await rowOf('foreign')).toMatchObject({ tries: 1, sent_at: null })
    const ours = server.ctx.secretBox.seal(former.open((await rowOf('foreign'))!.content!)!)
    await server.ctx.db.updateTable('mails').set({ content: ours }).where('id', '=', 'foreign').execute()
    server.clock.now += minuteMs
    await look()
    expect(sentTo('foreign')).toHaveLength(1)
  })

  test('is sent once, however often it is queued', async () => {
    await queue('once')
    await queue('once')
    await until(() => sentTo('once').length > 0)
    await queue('once')
    await look()
    expect(sentTo('once')).toHaveLength(1)
  })

  test('is not sent if the transaction is rolled back', async () => {
    const work = transact(server.ctx, async (inner) => {
      await queueMail(inner, { accountId, id: 'never', to: 'never@example.org', content })
      throw new Error('No')
    })
    await expect(work).rejects.toThrow('No')
    await look()
    expect(sentTo('never')).toEqual([])
  })

  test('is retried after a minute if the server says later, under the same Message-ID', async () => {
    smtp.reply = (command) => (command === '.' ? '451 Later' : undefined)
    const before = smtp.commands.filter((command) => command === 'DATA').length
    await queue('later')
    await until(async () => (await rowOf('later'))?.failure === 'EMESSAGE, the server answered 451')
    expect(smtp.commands.filter((command) => command === 'DATA').length).toBeGreaterThan(before)
    smtp.reply = () => undefined
    await look()
    expect(sentTo('later')).toEqual([])
    server.clock.now += minuteMs
    await look()
    expect(sentTo('later')).toHaveLength(1)
    expect(await rowOf('later')).toMatchObject({ tries: 2, failure: null })
  })

  test('is given up if the server refuses it permanently, and delays no other', async () => {
    smtp.reply = (command) => (command.includes('nobody@') ? '550 No such user' : undefined)
    await queue('refused', { to: 'nobody@example.org' })
    await queue('after-refused')
    await until(async () => sentTo('after-refused').length === 1)
    expect(await rowOf('refused')).toMatchObject({
      tries: 1,
      failure: 'EENVELOPE, the server answered 550',
      next_try_at: null,
      content: null,
    })
  })

  test('is given up after two days of failures', async () => {
    smtp.reply = (command) => (command === '.' ? '451 Later' : undefined)
    await queue('given-up')
    await until(async () => (await rowOf('given-up'))?.failure !== null)
    for (let tries = 2; tries <= 8; tries++) {
      server.clock.now = (await rowOf('given-up'))!.next_try_at!
      await look()
      expect((await rowOf('given-up'))?.tries).toBe(tries)
    }
    expect(await rowOf('given-up')).toMatchObject({ next_try_at: null, content: null })
  })

  test('is not sent after its expiry', async () => {
    smtp.reply = (command) => (command === '.' ? '451 Later' : undefined)
    await queue('expiring', { expiresAt: server.clock.now + minuteMs })
    await until(async () => (await rowOf('expiring'))?.failure !== null)
    smtp.reply = () => undefined
    server.clock.now += minuteMs
    await look()
    expect(sentTo('expiring')).toEqual([])
    expect((await rowOf('expiring'))?.failure).toBe('expired before it could be sent')
  })

  test('is sent once by several processes that look at the same time', async () => {
    const twin = await openTwin(server)
    const names = Array.from({ length: 15 }, (_, index) => `crowd-${index}`)
    smtp.reply = (command) => (command === '.' ? '451 Later' : undefined)
    for (const name of names) await queue(name)
    await until(async () => (await rowOf('crowd-14'))?.failure !== null)
    smtp.reply = () => undefined
    server.clock.now += minuteMs
    await Promise.all([look(), look(twin.ctx), look(), look(twin.ctx)])
    expect(names.map((name) => sentTo(name).length)).toEqual(names.map(() => 1))
    await twin.close()
  })

  test('waits while the mail server is down, and then goes out', async () => {
    smtp.reply = (command) => (command.startsWith('EHLO') ? 'hang' : undefined)
    await queue('away')
    await until(() => smtp.commands.at(-1)?.startsWith('EHLO') === true)
    smtp.reply = () => undefined
    smtp.drop()
    await until(async () => (await rowOf('away'))?.failure !== null)
    expect(await rowOf('away')).toMatchObject({ sent_at: null, tries: 1 })
    server.clock.now += minuteMs
    await look()
    expect(sentTo('away')).toHaveLength(1)
  })

  test('delays the end of the process by a few seconds at most', async () => {
    const twin = await openTwin(server)
    smtp.reply = (command) => (command.startsWith('EHLO') ? 'hang' : undefined)
    await transact(twin.ctx, (inner) =>
      queueMail(inner, { accountId, id: 'hanging', to: 'hanging@example.org', content }),
    )
    await until(() => smtp.commands.at(-1)?.startsWith('EHLO') === true)
    const began = performance.now()
    await twin.close()
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

test('without a mail server nothing is stored and nothing is attempted', async () => {
  const server = await startTestServer('sqlite')
  const { accountId } = await scopeOf(server, await server.signUp())
  await queueMail(server.ctx, { accountId, id: 'x', to: 'x@example.org', content })
  expect(await server.ctx.db.selectFrom('mails').selectAll().execute()).toEqual([])
  await server.close()
})

test('a password is never sent to another machine without TLS', async () => {
  const smtp = await startSmtpDouble()
  const open = {
    host: '127.0.0.1',
    port: smtp.port,
    secure: false,
    from: { name: '', address: 'a@example.com' },
  }
  const auth = { user: 'loci', pass: 'secret' }
  const mail = {
    subject: 's',
    text: 't',
    html: 'h',
    to: 'b@example.com',
    messageId: 'm@example.com',
    date: new Date(),
  }
  const strict = await createSmtp({ ...open, requireTls: true, auth })
  await expect(strict(mail)).rejects.toMatchObject({ kind: 'server' })
  expect(smtp.commands.filter((command) => command.startsWith('AUTH'))).toEqual([])
  const onThisMachine = await createSmtp({ ...open, requireTls: false, auth })
  await onThisMachine(mail)
  expect(smtp.commands).toContain(`AUTH PLAIN ${Buffer.from('\0loci\0secret').toString('base64')}`)
  await smtp.close()
})
