import { expect, test } from 'vitest'
import { disabledMail, overPlanMail } from './webhook-mails.ts'

const endpoint = {
  id: 'whk_1',
  url: 'https://hooks.example.com:8443/T01/secret?token=hidden',
  description: '',
}
const address = 'https://loci.example.com'
const textOf = (mail: object) => JSON.stringify(mail)

test.each(['gone', 'failing'] as const)(
  'a mail about an endpoint (%s) names its host and nothing secret',
  (reason) => {
    const mail = disabledMail(endpoint, reason, address)
    expect(mail.subject).toContain('hooks.example.com:8443')
    expect(textOf(mail)).not.toMatch(/secret|hidden|T01/)
    expect(mail.action?.url).toBe('https://loci.example.com/webhooks/whk_1')
  },
)

test('the two reasons are told apart', () => {
  expect(textOf(disabledMail(endpoint, 'gone', address))).toContain('410')
  expect(textOf(disabledMail(endpoint, 'failing', address))).toContain('5 days')
})

test('the description is shown if there is one', () => {
  expect(disabledMail(endpoint, 'gone', address).facts).toEqual([])
  expect(disabledMail({ ...endpoint, description: 'CRM & <b>' }, 'gone', address).facts).toEqual([
    ['Endpoint', 'CRM & <b>'],
  ])
})

test.each([
  [0, 'no webhook endpoints'],
  [1, '1 webhook endpoint,'],
  [5, '5 webhook endpoints,'],
])('a plan that allows %i is said to allow %s', (allowed, words) => {
  expect(overPlanMail(allowed, address).paragraphs[0]).toContain(words)
})
