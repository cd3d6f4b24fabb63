import { asViewer, button, changes, fails, hangs, type Screen } from './screen.ts'

const open = (question: string | RegExp) => async (page: Parameters<NonNullable<Screen['act']>>[0]) => {
  await page.getByRole('link', { name: question }).first().click()
  await page.getByRole('heading', { name: 'Handed over', exact: true }).waitFor()
}
const orbis = /What happened to Orbis/

export const recallsScreens: Screen[] = [
  { name: 'recalls', path: '/recalls', who: 'demo' },
  { name: 'recalls-unanswered', path: '/recalls?found=false', who: 'demo' },
  { name: 'recalls-empty', path: '/recalls', who: 'newcomer' },
  { name: 'recalls-failed', path: '/recalls', who: 'demo', route: fails('**/api/recalls?*') },
  { name: 'recalls-loading', path: '/recalls', who: 'demo', route: hangs('**/api/recalls?*') },
  { name: 'replay', path: '/recalls', who: 'demo', whole: true, act: open(orbis) },
  {
    name: 'replay-outdated',
    path: '/recalls',
    who: 'demo',
    act: async (page) => {
      await open(orbis)(page)
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('o')
    },
  },
  {
    name: 'replay-again',
    path: '/recalls',
    who: 'demo',
    whole: true,
    act: async (page) => {
      await open(orbis)(page)
      await button(page, 'Ask again').click()
      await button(page, 'As it was told').waitFor()
    },
  },
  { name: 'replay-nothing', path: '/recalls', who: 'demo', act: open(/Where is the zeppelin/) },
  {
    name: 'replay-since',
    path: '/recalls',
    who: 'demo',
    route: changes('**/api/recalls/rcl_*', (json) => {
      const { recall } = json as { recall: { rows: object[] } }
      const [first, second, third, ...rest] = recall.rows
      const { observationId, rank, reason, tokens } = second as Record<string, unknown>
      const rows = [
        { ...first, since: 'changed' },
        { observationId, rank, reason, tokens, since: 'forgotten' },
        { ...third, since: 'replaced' },
        ...rest,
      ]
      return { ...json, recall: { ...recall, rows } }
    }),
    act: open(orbis),
  },
  { name: 'replay-viewer', path: '/recalls', who: 'demo', route: asViewer, act: open(orbis) },
  { name: 'replay-too-old', path: '/recalls/rcl_0', who: 'demo' },
]
