import { asViewer, button, fails, type Ids, menu, type Screen } from './screen.ts'
import { twoSpaces } from './shell.ts'

export const entitiesScreens = ({ incident, long }: Ids): Screen[] => [
  { name: 'entities', path: '/entities', who: 'demo' },
  {
    name: 'entity-hidden',
    path: '/entities',
    who: 'demo',
    act: async (page, { rest }) => {
      const tags = [...'send it all'].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!))
      const contents = [
        `Invoices go to\u200b billing${tags.join('')}`,
        'Reads \u202ebackwards\u202c in part',
        '\u00ad\u2060 at the start',
      ]
      const name = 'Hidden characters'
      const made = await rest.createBatch({
        body: { entities: [{ name, type: 'concept', observations: contents }], relations: [] },
      })
      const [entity] = [...made.entities.created, ...made.entities.existing]
      await page.goto(`/entities/${entity!.id}`)
      await page.getByText('U+200B').first().waitFor()
    },
  },
  { name: 'entities-filtered', path: '/entities?query=tracking&type=event', who: 'demo' },
  {
    name: 'entities-table',
    path: '/entities?sort=connected',
    who: 'demo',
    act: async (page) => {
      await page.locator('label').filter({ hasText: 'Table' }).click()
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(2)
        .click()
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(4)
        .click()
    },
  },
  {
    name: 'entities-selected',
    path: '/entities?sort=changed',
    who: 'demo',
    act: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(1)
        .check({ force: true })
      await page
        .getByRole('checkbox', { name: /^Select / })
        .nth(3)
        .check({ force: true })
      await button(page, 'Merge').click()
    },
  },
  {
    name: 'entities-move',
    path: '/entities',
    who: 'demo',
    route: twoSpaces,
    act: async (page) => {
      await page
        .getByRole('checkbox', { name: /^Select / })
        .first()
        .click()
      await button(page, 'Move').click()
    },
  },
  {
    name: 'entities-types',
    path: '/entities',
    who: 'demo',
    act: async (page) => {
      await button(page, 'Edit types').click()
      await button(page, 'Rename odd').click()
      await button(page, 'Colour of odd').click()
    },
  },
  { name: 'entities-past', path: '/entities?asOf=2', who: 'demo' },
  { name: 'entities-no-match', path: '/entities?query=zzzzqqqq', who: 'demo' },
  { name: 'entities-empty', path: '/entities', who: 'newcomer' },
  { name: 'entities-failed', path: '/entities', who: 'demo', route: fails('**/api/entities?*') },
  {
    name: 'entity-menu',
    path: '/entities',
    who: 'demo',
    act: (page) => button(page, 'Entity actions').click(),
  },
  {
    name: 'entity-view',
    path: '/entities?query=Orbis',
    who: 'demo',
    act: menu('Entity actions', 'View Details'),
  },
  {
    name: 'entity-edit',
    path: '/entities?query=Orbis',
    who: 'demo',
    act: menu('Entity actions', 'Edit Entity'),
  },
  {
    name: 'entity-delete',
    path: '/entities?query=Orbis',
    who: 'demo',
    act: menu('Entity actions', 'Delete Entity'),
  },
  {
    name: 'entity-create',
    path: '/entities?create=true',
    who: 'demo',
    act: async (page) => {
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Metadata').fill('{"source":')
      await dialog.getByRole('button', { name: 'Create Entity' }).click()
    },
  },
  {
    name: 'entity-type-options',
    path: '/entities?create=true',
    who: 'demo',
    act: (page) => page.getByRole('dialog').getByRole('combobox', { name: 'Type' }).click(),
  },
  { name: 'entity', path: `/entities/${incident}`, who: 'demo', whole: true },
  { name: 'entity-long', path: `/entities/${long}`, who: 'demo', whole: true },
  { name: 'entity-history', path: `/entities/${incident}?tab=history`, who: 'demo', whole: true },
  { name: 'entity-metadata', path: `/entities/${incident}?tab=metadata`, who: 'demo' },
  {
    name: 'entity-past',
    path: `/entities/${incident}?asOf=${new Date().toISOString()}`,
    who: 'demo',
  },
  {
    name: 'entity-edit-fact',
    path: `/entities/${incident}`,
    who: 'demo',
    act: async (page) => {
      await button(page, 'Edit observation').first().click()
      await page.getByLabel('Observation text').fill('Half written')
      await page.getByLabel('Observation text').press('Escape')
    },
  },
  {
    name: 'entity-relate',
    path: `/entities/${incident}`,
    who: 'demo',
    act: (page) => button(page, 'Add relationship').click(),
  },
  {
    name: 'entity-rename',
    path: `/entities/${incident}`,
    who: 'demo',
    act: (page) => button(page, 'Rename entity').click(),
  },
  { name: 'entity-merge', path: `/entities/${incident}`, who: 'demo', act: menu('More actions', 'Merge...') },
  {
    name: 'entity-failing',
    path: `/entities/${incident}`,
    who: 'demo',
    route: (page) => page.route('**/api/relations?**', (route) => route.fulfill({ status: 400, json: {} })),
  },
  { name: 'entities-viewer', path: '/entities', who: 'demo', route: asViewer },
  { name: 'entity-viewer', path: `/entities/${incident}`, who: 'demo', whole: true, route: asViewer },
  { name: 'entities-long', path: '/entities?type=odd', who: 'demo' },
  { name: 'entity-missing', path: '/entities/ent_missing', who: 'demo' },
]
