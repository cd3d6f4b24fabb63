import type { Page } from 'playwright-core'
import {
  sampleConversation,
  sampleConversations,
  sampleCounts,
  sampleDrafts,
  sampleFacts,
  sampleHits,
  sampleTurns,
} from './sample-conversations.ts'
import { sampleProposals } from './sample-proposals.ts'
import { answers, asViewer, button, fails, hangs, type Screen } from './screen.ts'

const long = 'A title of five hundred characters '.repeat(15).slice(0, 500)
const list = '**/api/conversations?*'
const counts = answers('**/api/conversations/counts', sampleCounts)

type Mock = (page: Page) => Promise<unknown>
const both = (one: Mock, other: Mock) => async (page: Page) => {
  await one(page)
  await other(page)
}

/** The list and the numbers beside it. */
const listOf =
  (count: number, nextCursor: string | null = null) =>
  async (page: Page) => {
    await counts(page)
    await answers(list, { conversations: sampleConversations(count), nextCursor })(page)
  }

const one =
  (conversation = sampleConversation(1, { turns: sampleTurns.length })) =>
  async (page: Page) => {
    await answers('**/api/conversations/cnv_1?*', {
      conversation,
      turns: sampleTurns,
      nextCursor: null,
      previousCursor: null,
    })(page)
    await answers('**/api/observations/sourced?*', { observations: sampleFacts, nextCursor: null })(page)
    await answers('**/api/drafts?*', { drafts: sampleDrafts, open: 12, thisWeek: 12, nextCursor: null })(page)
    const proposals = { proposals: sampleProposals.slice(0, 1), open: 19, mayDecide: true, nextCursor: null }
    await answers('**/api/proposals?*', proposals)(page)
  }

export const conversationsScreens: Screen[] = [
  { name: 'conversations', path: '/conversations', who: 'demo', route: listOf(40) },
  {
    name: 'conversations-by-project',
    path: '/conversations?order=project&only=to_decide',
    who: 'demo',
    route: async (page) => {
      await counts(page)
      const byProject = sampleConversations(40).toSorted((one, other) =>
        (one.project?.name ?? 'zz').localeCompare(other.project?.name ?? 'zz'),
      )
      await answers(list, { conversations: byProject, nextCursor: null })(page)
    },
  },
  {
    name: 'conversations-import',
    path: '/conversations',
    who: 'demo',
    route: listOf(40),
    act: (page) => button(page, 'Import').click(),
  },
  {
    name: 'conversations-focus',
    path: '/conversations?project=toll-calculator',
    who: 'demo',
    route: listOf(3),
    act: async (page) => {
      await page.keyboard.press('j')
      await page.keyboard.press('j')
    },
  },
  {
    name: 'conversations-long',
    path: '/conversations',
    who: 'demo',
    route: async (page) => {
      await counts(page)
      const conversation = sampleConversation(1, {
        title: long,
        project: { name: 'p'.repeat(256), branch: 'b'.repeat(256) },
        agent: 'a'.repeat(64),
        turns: 1_234_567,
        bytes: 12_345_678_901,
        facts: 12_345,
      })
      await answers(list, {
        conversations: [conversation, sampleConversation(9, { title: '' })],
        nextCursor: null,
      })(page)
    },
  },
  {
    name: 'conversations-far',
    path: '/conversations',
    who: 'demo',
    route: listOf(10_000),
    act: (page) => page.evaluate(() => window.scrollTo(0, 300_000)),
  },
  { name: 'conversations-empty', path: '/conversations', who: 'newcomer' },
  {
    name: 'conversations-search',
    path: '/conversations?query=rounds%20once',
    who: 'demo',
    route: async (page) => {
      await counts(page)
      await answers('**/api/search/turns?*', { turns: sampleHits, total: 214 })(page)
    },
  },
  { name: 'conversations-none', path: '/conversations?agent=codex', who: 'demo', route: listOf(0) },
  { name: 'conversations-viewer', path: '/conversations', who: 'demo', route: asViewer },
  { name: 'conversations-loading', path: '/conversations', who: 'demo', route: both(counts, hangs(list)) },
  { name: 'conversations-failed', path: '/conversations', who: 'demo', route: both(counts, fails(list)) },
  { name: 'conversation', path: '/conversations/cnv_1', who: 'demo', whole: true, route: one() },
  {
    name: 'conversation-open',
    path: '/conversations/cnv_1?around=trn_12',
    who: 'demo',
    whole: true,
    route: one(),
    act: async (page) => {
      await page.keyboard.press('t')
      await page.keyboard.press(']')
      await page.keyboard.press(']')
      await page.keyboard.press(']')
    },
  },
  {
    name: 'conversation-long',
    path: '/conversations/cnv_1',
    who: 'demo',
    route: one(
      sampleConversation(1, {
        title: 'x'.repeat(500),
        project: { name: 'p'.repeat(256), branch: 'b'.repeat(256) },
      }),
    ),
  },
  {
    name: 'conversation-erase',
    path: '/conversations/cnv_1',
    who: 'demo',
    route: one(),
    act: async (page) => {
      await button(page, 'More about this conversation').click()
      await page.getByRole('menuitem', { name: 'Erase for good' }).click()
    },
  },
  { name: 'conversations-settings', path: '/settings#conversations', who: 'demo', route: counts },
  { name: 'conversations-dashboard', path: '/dashboard', who: 'demo', whole: true, route: listOf(1) },
  { name: 'conversation-missing', path: '/conversations/cnv_404', who: 'newcomer' },
  {
    name: 'conversation-failed',
    path: '/conversations/cnv_1',
    who: 'demo',
    route: fails('**/api/conversations/cnv_1?*'),
  },
]
