/** The code of each screen by its path, apart from the routes: it is asked for before their code has arrived. */
type Screens = Record<`/${string}`, () => Promise<object>>

/** Screens without the shell. */
export const apartScreens = {
  '/login': () => import('./pages/login-page.tsx'),
  '/signup': () => import('./pages/signup-page.tsx'),
  '/forgot-password': () => import('./pages/forgot-password-page.tsx'),
  '/reset-password': () => import('./pages/reset-password-page.tsx'),
  '/invitation': () => import('./pages/invitation-page.tsx'),
  '/verify-email': () => import('./pages/verify-email-page.tsx'),
  '/authorize': () => import('./pages/authorize-page.tsx'),
  '/second-factor': () => import('./pages/second-factor-page.tsx'),
} satisfies Screens

/** Screens of signed-in people. */
export const shellScreens = {
  '/dashboard': () => import('./pages/dashboard-page.tsx'),
  '/entities': () => import('./pages/entities-page.tsx'),
  '/entities/$entityId': () => import('./pages/entity-page.tsx'),
  '/relations': () => import('./pages/relations-page.tsx'),
  '/graph': () => import('./pages/graph-page.tsx'),
  '/history': () => import('./pages/history-page.tsx'),
  '/conversations': () => import('./pages/conversations-page.tsx'),
  '/conversations/$conversationId': () => import('./pages/conversation-page.tsx'),
  '/inbox': () => import('./pages/inbox-page.tsx'),
  '/duplicates': () => import('./pages/duplicates-page.tsx'),
  '/health': () => import('./pages/health-page.tsx'),
  '/search': () => import('./pages/search-page.tsx'),
  '/recalls': () => import('./pages/recalls-page.tsx'),
  '/recalls/$recallId': () => import('./pages/recall-page.tsx'),
  '/billing': () => import('./pages/billing-page.tsx'),
  '/api-keys': () => import('./pages/api-keys-page.tsx'),
  '/doors': () => import('./pages/doors-page.tsx'),
  '/audit': () => import('./pages/audit-page.tsx'),
  '/webhooks': () => import('./pages/webhooks-page.tsx'),
  '/webhooks/$webhookId': () => import('./pages/webhook-page.tsx'),
  '/settings': () => import('./pages/settings-page.tsx'),
} satisfies Screens

/** The frame around every signed-in page. */
export const loadShell = () => import('./shell/shell.tsx')

/** The code of the screen at a path: of a parameter, any value will do. */
export function screenAt(screens: Screens, pathname: string): Screens[`/${string}`] | undefined {
  const path = Object.keys(screens).find((pattern) =>
    new RegExp(`^${pattern.replace(/\$\w+/g, '[^/]+')}/?$`).test(pathname),
  )
  return screens[path as `/${string}`]
}
