import { asViewer, type Ids, type Screen } from './screen.ts'

export const historyScreens = ({ long }: Ids): Screen[] => [
  { name: 'history-viewer', path: '/history', who: 'demo', route: asViewer },
  { name: 'history', path: '/history', who: 'demo', whole: true },
  { name: 'history-entity', path: `/history?entityId=${long}`, who: 'demo', whole: true },
  { name: 'history-tool', path: '/history?tool=add_observations', who: 'demo' },
  { name: 'history-none', path: '/history?kind=merges&after=2026-01-01', who: 'demo' },
  { name: 'history-empty', path: '/history', who: 'newcomer' },
]
