import { changes, fails, type Screen } from './screen.ts'

export const healthScreens: Screen[] = [
  { name: 'health', path: '/health', who: 'demo' },
  { name: 'health-none', path: '/health', who: 'newcomer' },
  { name: 'health-failed', path: '/health', who: 'demo', route: fails('**/api/health/memory*') },
  {
    name: 'health-running',
    path: '/health',
    who: 'demo',
    route: changes('**/api/health/memory*', (json) => ({
      ...json,
      checkedAt: null,
      running: { checked: 61_000, of: 100_000 },
    })),
  },
]
