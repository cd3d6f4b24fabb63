import { button, changes, type Screen } from './screen.ts'

export const keysScreens: Screen[] = [
  { name: 'doors', path: '/doors', who: 'demo', whole: true },
  {
    name: 'doors-open',
    path: '/doors',
    who: 'demo',
    whole: true,
    act: async (page) => {
      await page.getByRole('button', { name: /Write/ }).first().click()
      const [question, attempt] = [
        page.getByLabel('A question to recall'),
        page.getByRole('button', { name: 'Try it' }),
      ]
      await question.fill('who approved the retry policy')
      await attempt.last().click()
      await page.getByText(/^Answered in/).waitFor()
    },
  },
  { name: 'api-keys', path: '/api-keys', who: 'demo', whole: true, route: changes('**/api/keys', agedKeys) },
  { name: 'api-keys-empty', path: '/api-keys', who: 'newcomer' },
  {
    name: 'api-keys-new',
    path: '/api-keys',
    who: 'demo',
    act: async (page, { rest }) => {
      await button(page, 'Create API Key').click()
      await page.getByRole('dialog').getByLabel('Name').fill('Agent on the build server')
      await page.getByRole('dialog').getByRole('button', { name: 'Create API Key' }).click()
      await page.getByText('Save this key now').waitFor()
      const { apiKeys } = await rest.listKeys()
      const { id } = apiKeys.find(({ name }) => name === 'Agent on the build server')!
      await rest.deleteKey({ params: { id } })
    },
  },
  {
    name: 'key-create',
    path: '/api-keys',
    who: 'demo',
    act: (page) => button(page, 'Create API Key').click(),
  },
  { name: 'key-roll', path: '/api-keys', who: 'demo', act: (page) => button(page, 'Roll').click() },
  { name: 'key-delete', path: '/api-keys', who: 'demo', act: (page) => button(page, 'Delete').click() },
]

/** One key that has expired, one that soon will. */
function agedKeys(json: Record<string, unknown>): object {
  const dayMs = 86_400_000
  const at = (days: number) => new Date(Date.now() + days * dayMs).toISOString()
  const ages = [
    { lastUsedAt: at(-0.01), lastOperation: { type: 'create', resource: 'observation' } },
    { isExpiringSoon: true, expiresAt: at(5), permissions: ['memory:read'] },
    { isExpired: true, expiresAt: at(-2) },
  ]
  const keys = Array.isArray(json.apiKeys) ? json.apiKeys : []
  return { ...json, apiKeys: keys.map((key, index) => ({ ...key, ...ages[index % ages.length] })) }
}
