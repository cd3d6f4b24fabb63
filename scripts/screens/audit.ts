import { answers, button, fails, type Screen } from './screen.ts'

const auditActor = {
  kind: 'session',
  userId: 'usr_1',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  client: null,
}

const auditEvents = [
  {
    action: 'key_created',
    subject: { kind: 'key', name: 'deploy robot' },
    details: { permissions: 'memory:read' },
  },
  {
    action: 'member_role_changed',
    subject: { kind: 'person', name: 'grace@example.com' },
    details: { from: 'member', to: 'admin' },
  },
  {
    action: 'sign_in_failed',
    by: { kind: 'visitor' },
    details: { reason: 'wrong password', device: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0' },
  },
  {
    action: 'signed_in',
    details: { device: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/140.0 Safari/537.36' },
  },
  {
    action: 'data_exported',
    by: { kind: 'api_key', credential: { id: 'key_1', name: 'nightly backup' }, client: 'cursor' },
    details: { format: 'loci' },
  },
  {
    action: 'space_deleted',
    subject: { kind: 'space', name: 'longname'.repeat(16) },
    details: { entities: 12 },
  },
  {
    action: 'connection_granted',
    subject: { kind: 'connection', name: 'Claude' },
    details: { host: 'claude.ai', scopes: 'memory:read memory:write' },
  },
  {
    action: 'plan_changed',
    by: { kind: 'system', name: '' },
    subject: { kind: 'plan', name: 'pro' },
    details: { from: 'free', to: 'pro' },
  },
  {
    action: 'password_reset',
    by: { kind: 'local', name: '' },
    subject: { kind: 'person', name: 'grace@example.com' },
    details: {},
  },
]

const auditPage = {
  events: auditEvents.map(({ action, by = {}, subject, details }, i) => ({
    id: `aud_${i}`,
    at: new Date(Date.now() - i * 5 * 3_600_000).toISOString(),
    action,
    category: 'keys',
    actor: { ...auditActor, credential: null, ...by },
    subject: subject ? { id: null, ...subject } : null,
    details,
    address: i === 7 ? null : '203.0.113.0/24',
  })),
  nextCursor: 'more',
  keptDays: 365,
}

export const auditScreens: Screen[] = [
  { name: 'audit', path: '/audit', who: 'demo', whole: true, route: answers('**/api/audit?*', auditPage) },
  { name: 'audit-own', path: '/audit', who: 'newcomer' },
  { name: 'audit-none', path: '/audit?category=billing&since=day', who: 'newcomer' },
  {
    name: 'audit-older-failed',
    path: '/audit',
    who: 'demo',
    route: async (page) => {
      await answers('**/api/audit?*', auditPage)(page)
      await fails('**/api/audit?*cursor=*')(page)
    },
    act: (page) => button(page, 'Show older events').click(),
  },
  {
    name: 'audit-failed',
    path: '/audit',
    who: 'demo',
    route: (page) => page.route('**/api/audit?*', (route) => route.fulfill({ status: 500, body: '{}' })),
  },
]
