import { asViewer, button, menu, type Screen } from './screen.ts'

export const relationsScreens: Screen[] = [
  { name: 'relations-viewer', path: '/relations', who: 'demo', route: asViewer },
  { name: 'relations', path: '/relations', who: 'demo' },
  { name: 'relations-empty', path: '/relations', who: 'newcomer' },
  { name: 'relations-long', path: '/relations?query=knows', who: 'demo' },
  {
    name: 'relation-create',
    path: '/relations',
    who: 'demo',
    act: async (page) => {
      await button(page, 'Create Relation').click()
      await page.getByRole('dialog').getByRole('button', { name: 'Create Relation' }).click()
    },
  },
  { name: 'relation-edit', path: '/relations', who: 'demo', act: menu('Relation actions', 'Edit Relation') },
  {
    name: 'relation-delete',
    path: '/relations',
    who: 'demo',
    act: menu('Relation actions', 'Delete Relation'),
  },
]
