import type { Page } from 'playwright-core'
import { asViewer, button, type Person, type Screen } from './screen.ts'

export const webhooksScreens: Screen[] = [
  { name: 'webhooks-viewer', path: '/webhooks', who: 'demo', route: asViewer },
  { name: 'webhooks-free', path: '/webhooks', who: 'newcomer' },
  { name: 'webhooks', path: '/webhooks', who: 'demo', act: addWebhook },
  {
    name: 'webhook',
    path: '/webhooks',
    who: 'demo',
    whole: true,
    act: openWebhook,
  },
  {
    name: 'webhook-redeliver',
    path: '/webhooks',
    who: 'demo',
    act: async (page, person) => {
      await addWebhook(page, person)
      await openWebhook(page)
      await button(page, 'Redeliver Failed').click()
      await page.getByRole('menuitem', { name: 'All that failed' }).waitFor()
    },
  },
]

async function openWebhook(page: Page): Promise<void> {
  await page
    .getByRole('link', { name: /receiver\.invalid/ })
    .first()
    .click()
}

/** An endpoint with deliveries. */
async function addWebhook(page: Page, { rest }: Person): Promise<void> {
  const { webhooks } = await rest.listWebhooks()
  if (webhooks.length === 0) {
    const { webhook } = await rest.createWebhook({ body: { url: 'https://receiver.invalid/loci' } })
    await rest.testWebhook({ params: { id: webhook.id } })
  }
  await page.reload()
}
