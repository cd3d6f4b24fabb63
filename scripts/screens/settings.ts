import { asks } from './consent.ts'
import { embeddings } from './meaning.ts'
import { answers, asViewer, button, changes, type Screen } from './screen.ts'

const connectedApps = ['Claude', 'ChatGPT', 'longname'.repeat(25)].map((name, i) => ({
  id: `con_${i}`,
  client: { name, host: ['claude.ai', 'chatgpt.com', 'localhost:8765'][i] },
  scopes: i === 1 ? ['memory:read'] : asks.scopes,
  space: asks.spaces[0],
  createdAt: new Date(Date.now() - 3 * 86_400_000).toISOString(),
  lastUsedAt: i === 2 ? null : new Date(Date.now() - 240_000).toISOString(),
}))

const importPreview = {
  format: 'chatgpt',
  bytes: 4_812_000,
  isWhole: true,
  entities: { created: 212, existing: 3 },
  observations: { created: 4_310, existing: 41 },
  relations: { created: 12, existing: 0 },
  entityTypes: [
    { type: 'conversation', count: 204 },
    { type: 'project', count: 7 },
    { type: 'memories', count: 1 },
  ],
  relationTypes: [{ type: 'part_of', count: 12 }],
  sample: [
    {
      name: 'Trip to Rome',
      type: 'conversation',
      observations: ['User: How do I get to Rome without flying, and how long does it take from London?'],
      observationsCount: 8,
    },
    {
      name: 'x'.repeat(500),
      type: 'conversation',
      observations: ['ChatGPT: '.repeat(40)],
      observationsCount: 2,
    },
  ],
  existing: [
    { id: 'ent_1', name: 'ChatGPT memories', type: 'memories' },
    { id: 'ent_2', name: 'Cooling of the engine', type: 'conversation' },
  ],
  skipped: { total: 2, first: ['message_feedback.json', 'user.json'] },
  problems: {
    total: 2,
    first: [
      { file: 'conversations.json', item: 7, message: '3 messages of other branches were left out' },
      { file: 'conversations.json', item: 31, message: '1 attachment was left out' },
    ],
  },
}

const importReport = {
  id: 'imp_1',
  format: 'mcp-memory',
  state: 'running',
  entities: { created: 1204, existing: 12 },
  observations: { created: 6310, existing: 41 },
  relations: { created: 0, existing: 0 },
  problems: { total: 3, first: [{ line: 17, message: 'This line is not JSON' }] },
  pass: 'entities',
  bytes: 1_000_000,
  bytesDone: 612_000,
  createdAt: new Date().toISOString(),
  updatedAt: new Date().toISOString(),
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
/** An account that several people share. */
const people = changes('**/api/members', (answer) => {
  const [self] = answer.members as object[]
  const person = (userId: string, firstName: string, role: string, secondFactor: boolean) => ({
    ...{ userId, firstName, lastName: 'Hopper', role, secondFactor },
    email: `${userId}@example.com`,
    joinedAt: daysAgo(9),
  })
  return {
    members: [
      { ...self, secondFactor: true },
      person('grace', 'Grace', 'admin', true),
      person('longname'.repeat(6), 'longname'.repeat(6), 'viewer', false),
    ],
    invitations: [
      {
        id: 'inv_1',
        email: 'new@example.org',
        role: 'member',
        expiresAt: daysAgo(-6),
        createdAt: daysAgo(1),
      },
    ],
  }
})

const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 20_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/20.1 Mobile/15E148 Safari/604.1',
  'curl/8.14.1',
]
const sessions = browsers.map((userAgent, i) => ({
  id: `ses_${i}`,
  userAgent,
  network: i === 2 ? null : ['198.51.100.0/24', '2001:db8:12::/48'][i],
  current: i === 0,
  createdAt: daysAgo(3 * i + 1),
  lastSeenAt: daysAgo(i),
  expiresAt: daysAgo(-25),
}))

export const settingsScreens: Screen[] = [
  { name: 'members', path: '/settings#members', who: 'demo', route: people },
  {
    name: 'member-remove',
    path: '/settings#members',
    who: 'demo',
    route: people,
    act: (page) => button(page, 'Remove').click(),
  },
  {
    name: 'hand-over',
    path: '/settings#account',
    who: 'demo',
    route: people,
    act: (page) => button(page, 'Hand Over Ownership').click(),
  },
  {
    name: 'sessions',
    path: '/settings#sessions',
    who: 'demo',
    route: answers('**/auth/sessions', { sessions }),
  },
  { name: 'settings-viewer', path: '/settings', who: 'demo', whole: true, route: asViewer },
  { name: 'settings-spaces', path: '/settings#spaces', who: 'demo' },
  { name: 'settings-profile', path: '/settings#profile', who: 'demo' },
  { name: 'settings-recalls', path: '/settings#recalls', who: 'demo' },
  { name: 'settings-account', path: '/settings#account', who: 'demo' },
  {
    name: 'settings-apps',
    path: '/settings',
    who: 'demo',
    whole: true,
    route: answers('**/api/connections', { connections: connectedApps }),
  },
  { name: 'settings', path: '/settings', who: 'demo', whole: true },
  {
    name: 'settings-install',
    path: '/settings',
    who: 'demo',
    act: async (page) => {
      const tab = page.getByRole('tab', { name: 'Cursor' })
      if (await tab.isVisible()) await tab.click()
      else await page.getByRole('combobox', { name: 'Client' }).selectOption('Cursor')
      await page.getByRole('link', { name: 'Add to Cursor' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-key-withheld',
    path: '/settings',
    who: 'demo',
    route: changes('**/auth/me', (me) => ({ ...me, apiKey: null, apiKeyWithheld: true })),
  },
  {
    name: 'settings-key-lost',
    path: '/settings',
    who: 'demo',
    whole: true,
    route: changes('**/auth/me', (me) => ({ ...me, apiKey: null })),
  },
  {
    name: 'settings-importing',
    path: '/settings#memory',
    who: 'demo',
    route: async (page) => {
      await page.addInitScript(() => localStorage.setItem('loci_import', 'imp_1'))
      await answers('**/api/imports/*', { import: importReport })(page)
      await answers('**/api/embeddings', embeddings)(page)
    },
  },
  {
    name: 'settings-import-preview',
    path: '/settings#memory',
    who: 'demo',
    whole: true,
    route: answers('**/api/import/preview*', { preview: importPreview }),
    act: async (page) => {
      const buffer = Buffer.from('PK')
      const name = `chatgpt-export-of-${'a-long-name-'.repeat(8)}2026.zip`
      await page.getByLabel('Choose a file or drop it here').setInputFiles({ name, mimeType: '', buffer })
      await page.getByText('problems in the file').click()
    },
  },
  {
    name: 'settings-limit',
    path: '/settings#memory',
    who: 'demo',
    route: async (page) => {
      await page.addInitScript(() => localStorage.setItem('loci_import', 'imp_1'))
      await answers('**/api/imports/*', { import: { ...importReport, state: 'plan_limit_reached' } })(page)
      const failure = { message: 'The model does not answer', at: new Date().toISOString() }
      await answers('**/api/embeddings', { ...embeddings, state: 'unreachable', failure })(page)
    },
  },
  {
    name: 'account-delete',
    path: '/settings#account',
    who: 'demo',
    act: (page) => button(page, 'Delete Account').click(),
  },
]
