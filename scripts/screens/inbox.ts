import type { Page } from 'playwright-core'
import { sampleConversation, sampleTurns } from './sample-conversations.ts'
import { decidedProposals, manyProposals, sampleProposals } from './sample-proposals.ts'
import { answers, fails, hangs, type Screen } from './screen.ts'

type Listed = { proposals: object[]; open?: number; mayDecide?: boolean; nextCursor?: string | null }

/** What waits, what was decided, and the conversation that some of it is from. */
const listed =
  ({ proposals, open = proposals.length, mayDecide = true, nextCursor = null }: Listed) =>
  async (page: Page) => {
    await page.route('**/api/proposals?*', (route) => {
      const isDecided = /status=(accepted|rejected)/.test(route.request().url())
      const json = isDecided
        ? { proposals: decidedProposals, open, mayDecide, nextCursor: null }
        : { proposals, open, mayDecide, nextCursor }
      return route.fulfill({ json })
    })
    await answers('**/api/conversations/cnv_1?*', {
      conversation: sampleConversation(1),
      turns: sampleTurns,
      nextCursor: null,
      previousCursor: null,
    })(page)
  }

const full = listed({ proposals: sampleProposals, open: 31 })

export const inboxScreens: Screen[] = [
  { name: 'inbox', path: '/inbox', who: 'demo', route: full, whole: true },
  {
    name: 'inbox-list',
    path: '/inbox',
    who: 'demo',
    route: full,
    act: async (page) => {
      const list = page.getByRole('button', { name: 'List' })
      if (await list.isVisible()) await list.click()
      await page.keyboard.press('j')
      await page.keyboard.press('j')
      await page.keyboard.press('Shift+J')
      await page.keyboard.press('Shift+J')
    },
  },
  {
    name: 'inbox-edit',
    path: '/inbox',
    who: 'demo',
    route: full,
    act: (page) => page.keyboard.press('e'),
  },
  {
    name: 'inbox-conflict',
    path: '/inbox',
    who: 'demo',
    route: async (page) => {
      await full(page)
      await page.route('**/api/proposals/prp_1/accept', (route) =>
        route.fulfill({
          status: 409,
          json: {
            error: {
              code: 'proposal_conflict',
              message: 'What this proposal rests on has changed',
              details: [
                {
                  message: 'this observation was changed since',
                  before: { content: 'Services round to whole cents before adding up.' },
                  now: { content: 'Services keep exact amounts and round for show.' },
                },
              ],
            },
          },
        }),
      )
    },
    act: async (page) => {
      await page.keyboard.press('a')
      await page.getByText('It waits again, with what has changed since.').waitFor()
      await page.keyboard.press('k')
      await page.getByText('This fact has changed since').waitFor()
    },
  },
  {
    name: 'inbox-many',
    path: '/inbox',
    who: 'demo',
    route: listed({ proposals: manyProposals, open: 10_000, nextCursor: 'more' }),
  },
  { name: 'inbox-decided', path: '/inbox?show=accepted', who: 'demo', route: full },
  { name: 'inbox-done', path: '/inbox', who: 'demo', route: listed({ proposals: [] }) },
  {
    name: 'inbox-own',
    path: '/inbox',
    who: 'demo',
    route: listed({ proposals: sampleProposals, mayDecide: false }),
  },
  { name: 'inbox-empty', path: '/inbox', who: 'newcomer' },
  { name: 'inbox-loading', path: '/inbox', who: 'demo', route: hangs('**/api/proposals?*') },
  { name: 'inbox-failed', path: '/inbox', who: 'demo', route: fails('**/api/proposals?*') },
]
