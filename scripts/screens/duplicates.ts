import { button, changes, fails, type Screen } from './screen.ts'

export const duplicatesScreens: Screen[] = [
  { name: 'duplicates', path: '/duplicates', who: 'demo' },
  {
    name: 'duplicates-apart',
    path: '/duplicates',
    who: 'demo',
    route: changes('**/api/duplicates?*', asUnbroken),
    act: async (page) => {
      await page.route('**/api/duplicates/dismiss*', (route) => route.fulfill({ json: {} }))
      await button(page, 'Not the same').click()
    },
  },
  {
    name: 'duplicates-more-failed',
    path: '/duplicates',
    who: 'demo',
    route: async (page) => {
      await changes('**/api/duplicates?*', (json) => ({ ...json, nextCursor: 'more' }))(page)
      await fails('**/api/duplicates?*cursor=*')(page)
    },
    act: (page) => button(page, 'Show more').click(),
  },
  { name: 'duplicates-none', path: '/duplicates', who: 'newcomer' },
  { name: 'duplicates-failed', path: '/duplicates', who: 'demo', route: fails('**/api/duplicates?*') },
]

/** Pairs whose long names have no place to break, and differ in their ends. */
function asUnbroken(json: Record<string, unknown>): object {
  const pairs = Array.isArray(json.duplicates) ? json.duplicates : []
  return {
    ...json,
    duplicates: pairs.map((pair) => ({
      ...pair,
      entities: pair.entities.map((entity: object, index: number) => ({
        ...entity,
        name: `${'longname'.repeat(62)}-${index}`,
        type: 'long_type_'.repeat(12),
        aliases: ['alias'.repeat(60)],
      })),
    })),
  }
}
