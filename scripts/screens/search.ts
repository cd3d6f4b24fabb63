import type { Screen } from './screen.ts'

export const searchScreens: Screen[] = [
  {
    name: 'search',
    path: '/search?query=who%20fixed%20the%20tracking%20delay',
    who: 'demo',
    act: async (page) => {
      await page.getByRole('listitem').filter({ hasText: 'Why this result?' }).first().hover()
      await page.getByText('Why this result?').first().click()
    },
  },
  {
    name: 'search-weaker',
    path: '/search?query=who%20fixed%20the%20tracking%20delay',
    who: 'demo',
    whole: true,
  },
  { name: 'search-guess', path: '/search?query=trakcing%20deley', who: 'demo' },
  { name: 'search-blank', path: '/search', who: 'demo' },
  { name: 'search-none', path: '/search?query=zzzzqqq&type=person&after=2026-01-01', who: 'demo' },
]
