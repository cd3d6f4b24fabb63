import { violationsIn } from './axe.ts'
import { expect, type Person, test } from './fixtures.ts'

async function seed({ rest }: Person): Promise<string> {
  const { entities } = await rest.createBatch({
    body: {
      entities: [
        { name: 'Planner', type: 'product', observations: ['Plans in UTC'] },
        { name: 'Routing team', type: 'team', observations: ['Meets on Monday'] },
        { name: 'Payroll', type: 'document', observations: ['Sofia earns 90,000'] },
      ],
      relations: [{ from: 'Routing team', to: 'Planner', type: 'owns' }],
    },
  })
  return entities.created[0]!.id
}

test('a view is shared from the graph, read without an account and without scripts, and ended @both', async ({
  page,
  person,
  browser,
  baseURL,
}) => {
  const planner = await seed(person)
  await page.goto(`/graph?selected=${planner}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Entity: Planner' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share a view' })
  await dialog.getByLabel('Note').fill('For the meeting on Wednesday')
  expect(await violationsIn(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Share' }).click()
  const url = await dialog.getByLabel('Link').inputValue()
  expect(url).toContain('/shared/')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const stranger = await browser.newContext({ baseURL: baseURL!, javaScriptEnabled: false })
  const shared = await stranger.newPage()
  const asked: string[] = []
  shared.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await shared.goto(url)
  await expect(shared.getByRole('heading', { level: 1 })).toHaveText('Planner')
  await expect(shared.getByText('For the meeting on Wednesday')).toBeVisible()
  await expect(shared.getByText('Plans in UTC')).toBeVisible()
  await expect(shared.getByRole('group', { name: 'Graph of 2 entities' })).toBeVisible()
  for (const hidden of ['Payroll', 'Meets on Monday', '90,000', 'Ada Lovelace'])
    await expect(shared.getByText(hidden)).toHaveCount(0)
  await shared.getByRole('link', { name: 'Routing team' }).first().click()
  await expect(shared.locator('article:target')).toContainText('Routing team')
  expect(asked.filter((path) => !path.startsWith('/shared/') && path !== '/favicon.ico')).toEqual([])

  await page.goto('/settings#shares')
  const row = page.getByRole('listitem').filter({ hasText: 'Planner' })
  await expect(row).toContainText('Entity, 2 entities')
  await row.getByRole('button', { name: 'End Planner' }).click()
  await expect(page.getByText('Nothing is shared.')).toBeVisible()
  await shared.goto(url)
  await expect(shared.getByRole('heading')).toHaveText('This page is no longer shared.')
  await expect(shared.getByText('Ask whoever sent it for a new link.')).toBeVisible()
  await stranger.close()
})

test('an entity is shared from its page; people who may not share see no button', async ({
  page,
  person,
  newPerson,
}) => {
  const planner = await seed(person)
  await page.goto(`/entities/${planner}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Share...' }).click()
  const dialog = page.getByRole('dialog', { name: 'Share a view' })
  await dialog.getByRole('button', { name: 'Share' }).click()
  await page.goto(await dialog.getByLabel('Link').inputValue())
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Planner')
  expect(await violationsIn(page)).toEqual([])

  const team = await newPerson()
  const { url } = await team.rest.inviteMember({ body: { email: person.email, role: 'member' } })
  await person.rest.acceptInvitation({ params: { token: url.split('#token=')[1]! } })
  const { accountId } = await team.rest.me()
  const theirs = await seed(team)
  await page.goto(`/entities/${theirs}?account=${accountId}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(page.getByRole('menuitem', { name: 'Copy ID' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Share...' })).toHaveCount(0)
  await page.goto(`/graph?account=${accountId}`)
  await expect(page.getByRole('button', { name: 'Views' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Share', exact: true })).toHaveCount(0)
})
