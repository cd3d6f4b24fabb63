import { changes, fails, hangs, type Screen } from './screen.ts'

export const dashboardScreens: Screen[] = [
  { name: 'dashboard', path: '/dashboard', who: 'demo', whole: true },
  { name: 'dashboard-empty', path: '/dashboard', who: 'newcomer', whole: true },
  { name: 'dashboard-first-memory', path: '/dashboard', who: 'beginner', whole: true },
  { name: 'dashboard-loading', path: '/dashboard', who: 'demo', route: hangs('**/api/analytics') },
  { name: 'dashboard-failed', path: '/dashboard', who: 'demo', route: fails('**/api/analytics') },
  {
    name: 'dashboard-at-limit',
    path: '/dashboard',
    who: 'demo',
    whole: true,
    route: changes('**/api/analytics', (summary) => ({ ...summary, userPlan: 'free', totalEntities: 962 })),
  },
  { name: 'dashboard-subscribed', path: '/dashboard?success=true&plan=pro', who: 'demo' },
]
