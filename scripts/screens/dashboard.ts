import { asViewer, button, changes, fails, hangs, type Screen } from './screen.ts'

export const dashboardScreens: Screen[] = [
  { name: 'dashboard', path: '/dashboard', who: 'demo', whole: true },
  { name: 'dashboard-empty', path: '/dashboard', who: 'newcomer', whole: true },
  { name: 'dashboard-first-memory', path: '/dashboard', who: 'beginner', whole: true },
  {
    name: 'dashboard-brief-forgotten',
    path: '/dashboard',
    who: 'demo',
    whole: true,
    route: changes('**/api/brief', (json) => {
      const { brief } = json as { brief: { items: object[] } }
      const items = brief.items.map((item, index) =>
        index === 0
          ? { ...item, kind: 'forgotten' }
          : index === 1
            ? { ...item, kind: 'changed', before: 'Autovacuum now runs every day on `positions`' }
            : { ...item, isRead: index > 4 },
      )
      return { ...json, brief: { ...brief, items } }
    }),
  },
  {
    name: 'dashboard-brief-none',
    path: '/dashboard',
    who: 'demo',
    route: changes('**/api/brief', (json) => ({
      ...json,
      brief: { ...(json as { brief: object }).brief, items: [] },
    })),
  },
  { name: 'dashboard-brief-failed', path: '/dashboard', who: 'demo', route: fails('**/api/brief') },
  { name: 'dashboard-brief-loading', path: '/dashboard', who: 'demo', route: hangs('**/api/brief') },
  { name: 'dashboard-brief-viewer', path: '/dashboard', who: 'demo', route: asViewer },
  {
    name: 'dashboard-brief-answer',
    path: '/dashboard',
    who: 'demo',
    act: async (page) => button(page, 'Answer').click(),
  },
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
