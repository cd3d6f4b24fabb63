import { type Receiver, startReceiver, withStatus } from '../server/test/webhook-receiver.ts'
import { violationsIn } from './axe.ts'
import { expect, subscribe, test } from './fixtures.ts'

test.use({ environment: { LOCI_WEBHOOKS_ALLOW_PRIVATE: 'true' } })

test.describe('Webhooks', () => {
  let receiver: Receiver
  test.beforeEach(async () => {
    receiver = await startReceiver()
  })
  test.afterEach(() => receiver.close())

  test("is empty at first, and shows the first endpoint's secret once", async ({ page, person }) => {
    await subscribe(person, 'starter')
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'User menu' }).click()
    await page.getByRole('menuitem', { name: 'Webhooks' }).click()
    await expect(page.getByText('No endpoints yet')).toBeVisible()
    await page.getByRole('button', { name: 'Add Your First Endpoint' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add Endpoint' })
    const add = dialog.getByRole('button', { name: 'Add Endpoint' })
    await expect(add).toBeDisabled()
    await dialog.getByLabel('Endpoint URL').fill('ftp://example.com')
    await add.click()
    await expect(dialog.getByRole('alert')).toContainText('must begin with https://')
    await dialog.getByLabel('Endpoint URL').fill(receiver.url)
    await dialog.getByLabel('Selected events').first().check()
    await expect(add).toBeDisabled()
    const events = dialog.getByRole('group', { name: 'Selected events' })
    await events.getByRole('checkbox', { name: 'entity.created' }).check()
    await add.click()
    await expect(page.getByText(/^whsec_/)).toBeVisible()
    await expect(page.getByText("you won't be able to see it again!")).toBeVisible()
    await page.reload()
    const card = page.getByRole('article')
    await expect(card).toContainText('entity.created')
    await expect(card.getByText('Active')).toBeVisible()
    await expect(page.getByText(/whsec_/)).toHaveCount(0)
    await page.goto('/billing')
    await expect(page.getByText('1 of 5')).toBeVisible()
  })

  test("over the plan's limit, the dialog says so", async ({ page, person: _ }) => {
    await page.goto('/webhooks')
    await page.getByRole('button', { name: 'Add Endpoint' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Endpoint URL').fill(receiver.url)
    await dialog.getByRole('button', { name: 'Add Endpoint' }).click()
    await expect(dialog.getByRole('alert')).toContainText('Your plan allows no webhook endpoints.')
  })

  test('an endpoint shows what was sent and answered, and sends it again', async ({ page, person }) => {
    await subscribe(person, 'starter')
    const { webhook } = await person.rest.createWebhook({ body: { url: receiver.url } })
    receiver.answer = (response) => response.writeHead(400).end('not today')
    await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
    await page.goto('/webhooks')
    await page.getByRole('link', { name: receiver.url }).click()
    const row = page.getByRole('button', { name: /entity\.created/ })
    await expect(row).toContainText('Pending')
    await row.click()
    const panel = page.getByRole('region', { name: /entity\.created/ })
    await expect(panel).toContainText('Answered 400')
    await expect(panel).toContainText('not today')
    await expect(panel).toContainText('"name": "Ada"')
    receiver.answer = withStatus(200)
    await panel.getByRole('button', { name: 'Redeliver' }).click()
    await expect(row).toContainText('Delivered')
    await expect(panel).toContainText('Answered 200')
    await page.getByRole('button', { name: 'Send Test Event' }).click()
    await expect(page.getByRole('button', { name: /webhook\.test/ })).toContainText('200')
    await page.getByText('Failed', { exact: true }).click()
    await expect(page.getByText('No failed deliveries')).toBeVisible()
    expect(receiver.received.at(-1)!.event).toMatchObject({ data: { webhook: webhook.id } })
  })

  test('an endpoint is edited, disabled, enabled, rolled and deleted', async ({ page, person }) => {
    await subscribe(person, 'starter')
    const { webhook } = await person.rest.createWebhook({ body: { url: receiver.url } })
    await page.goto(`/webhooks/${webhook.id}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit Endpoint' })
    await dialog.getByLabel('Description').fill('Our search index')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Our search index')).toBeVisible()
    await page.getByRole('button', { name: 'Disable' }).click()
    await expect(page.getByRole('alert')).toContainText('This endpoint receives no events.')
    await page.getByRole('button', { name: 'Enable' }).click()
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Roll Secret' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Roll Secret' }).click()
    await expect(page.getByText(/^whsec_/)).toBeVisible()
    await expect(
      page.getByText('For 24 hours, events are also signed with the old one.', { exact: false }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: 'Delete Endpoint' }).click()
    await expect(page.getByText('No endpoints yet')).toBeVisible()
  })

  for (const colorScheme of ['light', 'dark'] as const) {
    test(`axe finds no violations, and the page fits 360 pixels (${colorScheme})`, async ({
      page,
      person,
    }) => {
      await page.emulateMedia({ colorScheme })
      const coloursOnly = colorScheme === 'dark'
      await subscribe(person, 'starter')
      receiver.answer = withStatus(500)
      const { webhook } = await person.rest.createWebhook({ body: { url: receiver.url } })
      await person.rest.createEntity({ body: { name: 'Ada', type: 'person' } })
      const failingSince = async () => {
        const { webhook: stored } = await person.rest.getWebhook({ params: { id: webhook.id } })
        return stored.failingSince
      }
      await expect.poll(failingSince).not.toBeNull()
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
      for (const path of ['/webhooks', `/webhooks/${webhook.id}`]) {
        await page.setViewportSize({ width: 1280, height: 860 })
        await page.goto(path)
        await expect(page.getByText('Failing', { exact: true })).toBeVisible()
        if (path !== '/webhooks') {
          await page.getByRole('button', { name: /entity\.created/ }).click()
          await expect(page.getByRole('button', { name: 'Redeliver', exact: true })).toBeVisible()
        }
        expect.soft(await violationsIn(page, undefined, coloursOnly), path).toEqual([])
        await page.setViewportSize({ width: 360, height: 740 })
        await expect.poll(overflow, path).toBeLessThanOrEqual(0)
      }
      await page.goto('/webhooks')
      await page.getByRole('button', { name: 'Add Endpoint' }).click()
      await page.getByLabel('Selected events').first().check()
      await expect(page.getByRole('checkbox', { name: 'entity.created' })).toBeVisible()
      expect(await violationsIn(page, undefined, coloursOnly)).toEqual([])
    })
  }
})
