import { expect, type Person, test } from './fixtures.ts'

async function seed({ rest }: Person) {
  const names = ['Ada Lovelace', 'Charles Babbage', 'Analytical Engine']
  const ids: string[] = []
  for (const name of names) {
    const { entity } = await rest.createEntity({ body: { name, type: 'concept' } })
    ids.push(entity.id)
  }
  return ids as [string, string, string]
}

test.describe('Relation Management', () => {
  test('says that it is empty', async ({ page, person: _ }) => {
    await page.goto('/relations')
    await expect(page.getByText('No relations found')).toBeVisible()
    await expect(page.getByText('Create your first relation to get started')).toBeVisible()
  })

  test('creates a relation; the entity picked on one side is disabled on the other', async ({
    page,
    person,
  }) => {
    await seed(person)
    await page.goto('/relations')
    await page.getByRole('button', { name: 'Create Relation' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create New Relation' })
    await expect(dialog.getByText('Create a new relationship between two entities.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Create Relation' }).click()
    await expect(dialog.getByText('Source entity is required')).toBeVisible()
    await expect(dialog.getByText('Target entity is required')).toBeVisible()
    await expect(dialog.getByText('Relation type is required')).toBeVisible()

    await dialog.getByRole('combobox', { name: 'From Entity' }).fill('Ada')
    await page.getByRole('option', { name: /Ada Lovelace/ }).click()
    await dialog.getByRole('combobox', { name: 'To Entity' }).click()
    await expect(page.getByRole('option', { name: /Ada Lovelace/ })).toHaveAttribute('data-combobox-disabled')
    await page.getByRole('option', { name: /Analytical Engine/ }).click()
    await dialog.getByRole('combobox', { name: 'Relation Type' }).click()
    await expect(page.getByRole('option')).toHaveText([
      'Relates to',
      'Depends on',
      'Part of',
      'Uses',
      'Enables',
      'Based on',
      'Implements',
      'Extends',
      'Contains',
      'Influences',
    ])
    await page.getByRole('option', { name: 'Depends on' }).click()
    await dialog.getByRole('button', { name: 'Create Relation' }).click()
    await expect(page.getByText('Relation created successfully')).toBeVisible()
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('columnheader')).toHaveText([
      'From Entity',
      'Relation',
      'To Entity',
      'Created',
      'Actions',
    ])
  })

  test('an entity with a long name shows its type among those to pick from', async ({ page, person }) => {
    await person.rest.createEntity({ body: { name: 'Reviewers of every change '.repeat(19), type: 'team' } })
    await page.goto('/relations?create=true')
    await page.getByRole('combobox', { name: 'From Entity' }).click()
    await expect(page.getByRole('option').getByText('team')).toBeInViewport()
  })

  test('editing changes only the type', async ({ page, person }) => {
    const [ada, charles] = await seed(person)
    await person.rest.createRelation({ body: { fromEntityId: ada, toEntityId: charles, type: 'uses' } })
    await page.goto('/relations')
    await page.getByRole('button', { name: 'Relation actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit Relation' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Relation' })
    await expect(
      dialog.getByText('Update the relation type. Entity connections cannot be modified.'),
    ).toBeVisible()
    await expect(dialog.getByRole('combobox', { name: 'From Entity' })).toBeDisabled()
    await expect(dialog.getByRole('combobox', { name: 'To Entity' })).toBeDisabled()
    await dialog.getByRole('combobox', { name: 'Relation Type' }).click()
    await page.getByRole('option', { name: 'Influences' }).click()
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByText('Relation updated successfully')).toBeVisible()
    await expect(page.getByRole('cell', { name: 'Influences' })).toBeVisible()
  })

  test('deleting asks first', async ({ page, person }) => {
    const [ada, charles] = await seed(person)
    await person.rest.createRelation({ body: { fromEntityId: ada, toEntityId: charles, type: 'uses' } })
    await page.goto('/relations')
    await page.getByRole('button', { name: 'Relation actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Relation' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(page.getByText('Relation deleted successfully')).toBeVisible()
    await expect(page.getByText('No relations found')).toBeVisible()
  })

  test('failures are shown in red and keep what was chosen', async ({ page, person }) => {
    const [ada, charles] = await seed(person)
    await person.rest.createRelation({ body: { fromEntityId: ada, toEntityId: charles, type: 'uses' } })
    await page.goto('/relations')
    const fail = (path: string) => page.route(path, (route) => route.fulfill({ status: 400, json: {} }))
    await expect(page.getByRole('row')).toHaveCount(2)
    await fail('**/api/relations/rel_*')
    await page.getByRole('button', { name: 'Relation actions' }).click()
    await page.getByRole('menuitem', { name: 'Edit Relation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Relation Type' }).click()
    await page.getByRole('option', { name: 'Enables' }).click()
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(page.getByText('Failed to save relation').first()).toBeVisible()
    await expect(dialog.getByRole('combobox', { name: 'Relation Type' })).toHaveValue('Enables')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Relation actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Relation' }).click()
    await expect(dialog).toContainText('Are you sure you want to delete')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByText('Failed to delete relation')).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await fail('**/api/relations?*')
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect(page.getByText('Failed to load relations').first()).toBeVisible()
  })

  test('search and type filter narrow the list', async ({ page, person }) => {
    const [ada, charles, engine] = await seed(person)
    for (const [toEntityId, type] of [
      [charles, 'works_with'],
      [engine, 'works_with'],
      [engine, 'uses'],
    ] as const) {
      await person.rest.createRelation({ body: { fromEntityId: ada, toEntityId, type } })
    }
    await page.goto('/relations')
    await page.getByRole('combobox', { name: 'Relation type' }).click()
    await expect(page.getByRole('option')).toHaveText(['All Types', 'Works with (2)', 'Uses (1)'])
    await page.getByRole('option', { name: 'Works with (2)' }).click()
    await expect(page.getByRole('row')).toHaveCount(3)
    await page.getByLabel('Search relations').fill('babbage')
    await expect(page).toHaveURL(/query=babbage/)
    await expect(page.getByRole('row')).toHaveCount(2)
    await page.getByLabel('Search relations').fill('CAL eng')
    await expect(page.getByRole('row')).toHaveCount(2)
    await expect(page.getByRole('cell', { name: 'Analytical Engine' })).toBeVisible()
    await expect(page.getByText('1 relation', { exact: true })).toBeVisible()
    await page.getByLabel('Search relations').fill('engine analytical')
    await expect(page.getByText('No relations found')).toBeVisible()
  })
})
