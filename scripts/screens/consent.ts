import { answers, changes, type Screen } from './screen.ts'

/** A program on the user's own machine that asks to be connected. */
export const asks = {
  client: { name: 'Field notes', host: 'localhost:8765', isVerified: false },
  redirectUri: 'http://localhost:8765/callback',
  scopes: ['memory:read', 'memory:write'],
  spaces: [{ id: 'spc_1', name: 'default' }],
  expiresAt: '2030-01-01T00:00:00.000Z',
}

export const consentScreens: Screen[] = [
  {
    name: 'consent',
    path: '/authorize?request=x',
    who: 'demo',
    route: answers('**/oauth/requests/x/details', asks),
  },
  {
    name: 'consent-spaces-verified',
    path: '/authorize?request=x',
    who: 'demo',
    route: answers('**/oauth/requests/x/details', {
      ...asks,
      client: { name: 'Claude', host: 'claude.ai', isVerified: true },
      redirectUri: 'https://claude.ai/api/mcp/auth_callback',
      spaces: [...asks.spaces, { id: 'spc_2', name: 'Work' }],
    }),
  },
  {
    name: 'consent-long',
    path: '/authorize?request=x',
    who: 'demo',
    route: answers('**/oauth/requests/x/details', {
      ...asks,
      client: { ...asks.client, name: 'longname'.repeat(25) },
      redirectUri: `https://${'long.'.repeat(30)}example/`,
    }),
  },
  {
    name: 'consent-accounts',
    path: '/authorize?request=x',
    who: 'demo',
    route: async (page) => {
      await answers('**/oauth/requests/x/details', asks)(page)
      const other = { id: 'acc_2', name: 'longname'.repeat(6), role: 'member' }
      await changes('**/auth/me', (me) => ({ ...me, accounts: [...(me.accounts as object[]), other] }))(page)
    },
  },
  { name: 'consent-over', path: '/authorize?error=expired' },
]
