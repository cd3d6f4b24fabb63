import { button, graphRestMs, type Ids, type Screen } from './screen.ts'

export const graphScreens = ({ incident, path }: Ids): Screen[] => [
  {
    name: 'graph-near',
    path: '/graph',
    who: 'demo',
    act: async (page) => {
      await page.waitForTimeout(2_000)
      // Phones zoom with two fingers instead.
      if (!(await button(page, 'Zoom in').isVisible())) return
      for (let i = 0; i < 8; i += 1) await button(page, 'Zoom in').click()
    },
  },
  { name: 'graph', path: '/graph', who: 'demo', whole: true },
  { name: 'graph-selected', path: `/graph?selected=${incident}`, who: 'demo', whole: true },
  {
    name: 'graph-relation',
    path: `/graph?selected=${incident}`,
    who: 'demo',
    act: async (page) => {
      await page.getByRole('tab', { name: /^Relations/ }).click()
      await button(page, 'Add relation').click()
    },
  },
  { name: 'graph-path', path: `/graph?${path}`, who: 'demo', whole: true },
  { name: 'graph-plan', path: '/graph?view=plan', who: 'demo', whole: true },
  { name: 'graph-past', path: '/graph?asOf=40', who: 'demo', whole: true },
  {
    name: 'graph-views',
    path: '/graph',
    who: 'demo',
    act: async (page) => {
      await page.waitForTimeout(graphRestMs)
      await button(page, 'Views').click()
    },
  },
  {
    name: 'graph-lasso',
    path: '/graph',
    who: 'demo',
    act: async (page) => {
      await page.waitForTimeout(graphRestMs)
      await button(page, /^Lasso/).click()
      const { width, height } = page.viewportSize()!
      const corners = [
        [0.42, 0.35],
        [0.62, 0.35],
        [0.62, 0.6],
        [0.42, 0.6],
        [0.42, 0.36],
      ] as const
      const [x, y] = corners[0]
      await page.mouse.move(x * width, y * height)
      await page.mouse.down()
      for (const [right, down] of corners) await page.mouse.move(right * width, down * height, { steps: 8 })
      await page.mouse.up()
    },
  },
  { name: 'graph-list', path: '/graph?view=list', who: 'demo', whole: true },
  { name: 'graph-empty', path: '/graph', who: 'newcomer' },
]
