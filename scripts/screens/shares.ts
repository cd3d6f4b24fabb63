import type { Page } from 'playwright-core'
import { button, changes, fails, graphRestMs, hangs, type Ids, type Person, type Screen } from './screen.ts'

const list = '**/api/shares*'
const inAWeek = () => new Date(Date.now() + 7 * 24 * 60 * 60 * 1000).toISOString()

type View = Parameters<Person['rest']['createShare']>[0]['body']['view']

/** Shares a view, and opens its page as somebody without an account does. */
const shared = (view: (person: Person) => Promise<View> | View) => async (page: Page, person: Person) => {
  const body = { view: await view(person), expiresAt: inAWeek() }
  const { url, share } = await person.rest.createShare({ body })
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await person.rest.deleteShare({ params: { id: share.id } })
}

async function aRegion({ rest }: Person): Promise<View> {
  const { regions = [] } = await rest.getGraphPlaces({ query: {} })
  return { kind: 'region', regionId: regions[0]!.id }
}

const row = { kind: 'region', title: 'Orbis Medical', entities: 14, createdBy: { name: 'Demo User' } }
const aDay = 24 * 60 * 60 * 1000
const daysFromNow = (days: number) => new Date(Date.now() + days * aDay).toISOString()
const rows = [
  { ...row, id: 'shr_1', createdAt: daysFromNow(-0.01), expiresAt: daysFromNow(30) },
  {
    ...row,
    ...{ id: 'shr_2', kind: 'path', title: 'Tracking delay of 14 April to Orbis Medical', entities: 3 },
    ...{ createdAt: daysFromNow(-3), expiresAt: null },
  },
  {
    ...row,
    ...{ id: 'shr_3', kind: 'date', title: 'A date', entities: 200, createdBy: { name: 'n'.repeat(128) } },
    ...{ createdAt: daysFromNow(-40), expiresAt: daysFromNow(-10) },
  },
  {
    ...row,
    ...{ id: 'shr_4', kind: 'entity', title: 'longname'.repeat(16), entities: 1 },
    ...{ createdAt: daysFromNow(-50), expiresAt: daysFromNow(2) },
  },
  {
    ...row,
    ...{ id: 'shr_5', kind: 'entity', title: 'عنصر باسم عربي 🚀', entities: 1 },
    ...{ createdAt: daysFromNow(-60), expiresAt: daysFromNow(2) },
  },
]

export const sharesScreens = ({ incident, long, path }: Ids): Screen[] => {
  const ends = new URLSearchParams(path)
  const settings = { path: '/settings#shares', who: 'demo' } as const
  return [
    { ...settings, name: 'shares', route: changes(list, () => ({ shares: rows })) },
    { ...settings, name: 'shares-none' },
    { ...settings, name: 'shares-loading', route: hangs(list) },
    { ...settings, name: 'shares-failed', route: fails(list) },
    {
      name: 'share-create',
      path: `/graph?selected=${incident}`,
      who: 'demo',
      act: async (page) => {
        await page.waitForTimeout(2_000)
        await button(page, 'Share').click()
        await page.getByRole('menuitem').last().click()
        await page.getByRole('dialog', { name: 'Share a view' }).waitFor()
      },
    },
    {
      name: 'share-created',
      path: `/entities/${incident}`,
      who: 'demo',
      act: async (page) => {
        await button(page, 'More actions').click()
        await page.getByRole('menuitem', { name: 'Share...' }).click()
        const dialog = page.getByRole('dialog', { name: 'Share a view' })
        await dialog.getByRole('button', { name: 'Share' }).click()
        await dialog.getByLabel('Link').waitFor()
      },
    },
    {
      name: 'shared-region',
      path: '/graph',
      who: 'demo',
      whole: true,
      act: async (page, person) => {
        // The first visit stores the map.
        await page.waitForTimeout(graphRestMs)
        await shared(async () => ({ ...(await aRegion(person)), note: 'For the meeting on Wednesday' }))(
          page,
          person,
        )
      },
    },
    {
      name: 'shared-entity',
      path: '/login',
      who: 'demo',
      whole: true,
      act: shared(() => ({ kind: 'entity', entityId: incident })),
    },
    {
      name: 'shared-long',
      path: '/login',
      who: 'demo',
      whole: true,
      act: shared(() => ({ kind: 'entity', entityId: long, note: 'n'.repeat(300) })),
    },
    {
      name: 'shared-path',
      path: '/login',
      who: 'demo',
      whole: true,
      act: shared(() => ({ kind: 'path', from: ends.get('from')!, to: ends.get('to')! })),
    },
    {
      name: 'shared-date',
      path: '/login',
      who: 'demo',
      whole: true,
      act: shared(() => ({ kind: 'date', asOf: new Date().toISOString() })),
    },
    { name: 'shared-ended', path: '/shared/gone' },
  ]
}
