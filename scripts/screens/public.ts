import { answers, button, type Screen } from './screen.ts'

export const publicScreens: Screen[] = [
  {
    name: 'invitation',
    path: '/invitation#token=x',
    route: answers('**/auth/invitations/x', {
      account: 'Analytical Engines',
      email: 'grace@example.com',
      role: 'member',
    }),
  },
  { name: 'invitation-over', path: '/invitation#token=x' },
  { name: 'landing', path: '/', whole: true },
  { name: 'pricing', path: '/pricing', whole: true },
  { name: 'pricing-annual', path: '/pricing', act: (page) => page.getByLabel('Annual').check() },
  { name: 'login', path: '/login' },
  {
    name: 'login-refused',
    path: '/login',
    act: async (page) => {
      await page.getByLabel('Email Address').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill('wrong')
      await button(page, 'Sign In').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'signup', path: '/signup', whole: true },
  {
    name: 'signup-plan',
    path: '/signup?plan=pro&billing=annual',
    whole: true,
    act: async (page) => {
      await page.getByLabel('First Name').fill('Ada')
      await page.getByLabel('Last Name').fill('Lovelace')
      await page.getByLabel('Email Address').fill('ada@example')
      await page.getByLabel('Password', { exact: true }).fill('Lovelace')
      await page.getByLabel('Confirm Password').fill('Lovelace')
      await button(page, /Create Account/).click()
    },
  },
  { name: 'signup-invited', path: '/signup', on: 'invited' },
  { name: 'signup-closed', path: '/signup', on: 'closed' },
  { name: 'login-closed', path: '/login', on: 'closed' },
  { name: 'landing-closed', path: '/', on: 'closed', whole: true },
  { name: 'signup-unclaimed', path: '/signup', on: 'with unclaimed memory', whole: true },
  { name: 'login-unclaimed', path: '/login', on: 'with unclaimed memory', whole: true },
  { name: 'signup-claim', path: '/signup#claim=a-token', on: 'with unclaimed memory', whole: true },
  { name: 'landing-not-charging', path: '/', on: 'not charging', whole: true },
  { name: 'pricing-not-charging', path: '/pricing', on: 'not charging', whole: true },
  { name: 'dashboard-not-charging', path: '/dashboard', on: 'not charging', who: 'newcomer', whole: true },
  { name: 'billing-not-charging', path: '/billing', on: 'not charging', who: 'newcomer', whole: true },
  { name: 'api-docs', path: '/api/docs' },
]
