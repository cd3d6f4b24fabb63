import pino from 'pino'
import { expect, test } from 'vitest'
import { openContext } from '../src/open-context.ts'
import { addCard, goodCard, openCheckout, sendForm } from './billing.ts'
import { listenOn, testConfig } from './harness.ts'
import { startReceiver } from './webhook-receiver.ts'

const card = { ...goodCard, number: '5555555555554444', cvc: '9173' }

test('at the finest level, the log contains no password, key, secret, card or billing address', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const { config, remove } = await testConfig('sqlite')
  const server = await listenOn(await openContext({ ...config, webhooksAllowPrivate: true }, log), {
    webhooks: { lookMs: 10 },
  })
  const receiver = await startReceiver()
  receiver.answer = (response) => void response.writeHead(500).end('answer-of-the-receiver')
  const alice = await server.signUp()
  const { rest, token, password, apiKey, email } = alice
  const newPassword = 'another correct horse'
  const checkout = await openCheckout(alice, 'pro')
  const { number, cvc } = card
  expect((await sendForm(checkout, { action: 'card', number, cvc, expiry: '12/90' })).status).toBe(303)
  await addCard(alice, card)
  const { webhook, secret } = await rest.createWebhook({
    body: { url: `${receiver.url}/path-of-the-receiver` },
  })
  const rolled = await rest.rollWebhookSecret({ params: { id: webhook.id } })
  const key = await rest.createKey({ body: { name: 'key', permissions: [] } })
  await rest.createEntity({ body: { name: 'Ada', type: 'person' } })
  await receiver.expectCount(1)
  await server.call('POST', '/auth/login', { body: { email, password: 'a wrong password' } })
  const unparsable = { method: 'POST', headers: { 'content-type': 'application/json' } }
  await fetch(`${server.url}/auth/login`, { ...unparsable, body: `{"password": "${password}"` })
  await fetch(`${server.url}/ws/connect?api_key=${apiKey}`)
  await fetch(`${server.url}/nowhere/${key.apiKey}?token=${token}`)
  await rest.changePassword({ body: { currentPassword: password, newPassword } })
  await server.close()
  await receiver.close()
  await remove()

  const all = lines.join('')
  expect(lines.length).toBeGreaterThan(10)
  const secrets = {
    token,
    password,
    newPassword,
    apiKey,
    email,
    wrongPassword: 'a wrong password',
    checkout: new URL(checkout).pathname.split('/').at(-1)!,
    number,
    cvc: `"${cvc}"`,
    secret: secret.slice(6),
    rolled: rolled.secret.slice(6),
    key: key.apiKey,
    path: 'path-of-the-receiver',
    answer: 'answer-of-the-receiver',
  }
  const found = Object.entries(secrets).filter(([, value]) => all.includes(value))
  expect(found).toEqual([])
})
