import type { AuditEvent } from '@loci/contract/audit'
import { expect, test } from 'vitest'
import { detailsOf, sentenceOf } from './audit-words.ts'

const event = (change: Partial<AuditEvent>): AuditEvent => ({
  id: 'aud_1',
  at: '2026-11-22T10:00:00.000Z',
  action: 'key_created',
  category: 'keys',
  actor: { kind: 'session', userId: 'usr_1', name: 'Ada', email: null, credential: null, client: null },
  subject: { kind: 'key', id: 'key_1', name: 'robot' },
  details: {},
  address: null,
  ...change,
})
const by = (kind: AuditEvent['actor']['kind'], name = ''): AuditEvent['actor'] => ({
  ...event({}).actor,
  kind,
  name,
})

test.each<[Partial<AuditEvent>, string]>([
  [{}, 'Ada | created the API key | robot'],
  [
    { action: 'sign_in_failed', actor: by('visitor', 'Ada'), subject: null },
    'Somebody | failed to sign in as | Ada',
  ],
  [
    { action: 'member_joined', actor: by('local'), subject: { kind: 'person', id: null, name: 'b@x.org' } },
    'The operator of this server | added | b@x.org',
  ],
  [{ action: 'plan_changed', actor: by('system'), subject: null }, 'Loci | changed the plan to | '],
  [{ action: 'member_left' }, 'Ada | left the account | '],
])('%j reads as a sentence', (change, sentence) => {
  expect(Object.values(sentenceOf(event(change))).join(' | ')).toBe(sentence)
})

test('details say what changed, from which device, credential and network', () => {
  const told = event({
    actor: { ...by('api_key', 'Ada'), credential: { id: 'key_1', name: 'robot' }, client: 'cursor' },
    details: { from: 'member', to: 'admin', device: 'agent/1', permissions: 'memory:read' },
    address: '203.0.113.0/24',
  })
  expect(detailsOf(told, (device) => `on ${device}`)).toEqual([
    'member → admin',
    'read only',
    'on agent/1',
    'API key robot',
    'cursor',
    '203.0.113.0/24',
  ])
})
