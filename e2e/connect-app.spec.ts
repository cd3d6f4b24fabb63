import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRestClient } from '@loci/client/rest'
import { askForToken, authorizeUrl, codeForm, registerApp } from '../server/test/oauth.ts'
import { violationsIn } from './axe.ts'
import { expect, password, test } from './fixtures.ts'

test('an app asks for access, the person signs in, grants read access, and disconnects it', async ({
  browser,
  newPerson,
  serverUrl,
}) => {
  const person = await newPerson()
  const place = { url: serverUrl }
  // The app listens on the user's own machine, as native programs do.
  const listener = createServer((_request, response) => response.end('Back in the app')).listen(
    0,
    '127.0.0.1',
  )
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  const app = await registerApp(place, {
    name: 'Field notes',
    redirectTo: `http://127.0.0.1:${port}/callback`,
  })
  const context = await browser.newContext({ baseURL: serverUrl })
  const page = await context.newPage()

  await page.goto(authorizeUrl(place, app))
  await page.getByLabel('Email address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Connect Field notes' })).toBeVisible()
  await expect(page.getByText(`this computer (127.0.0.1:${port})`)).toBeVisible()
  await expect(page.getByText(person.email)).toBeVisible()
  expect(await violationsIn(page)).toEqual([])
  await page.getByLabel('Only read this memory').check()
  await page.getByRole('button', { name: 'Allow' }).click()
  await expect(page.getByText('Back in the app')).toBeVisible()

  const end = new URL(page.url())
  expect(end.searchParams.get('iss')).toBe(serverUrl)
  const tokens = await askForToken(place, codeForm(app, end.searchParams.get('code')!))
  const rest = createRestClient({ baseUrl: serverUrl, token: () => tokens.access_token })
  expect((await rest.listEntities()).entities).toEqual([])
  await expect(rest.createEntity({ body: { name: 'n', type: 't' } })).rejects.toMatchObject({
    code: 'not_permitted',
  })

  await page.goto('/settings')
  const apps = page.getByRole('region', { name: 'Connected apps' })
  await expect(apps).toContainText('Read only · default')
  await apps.getByRole('button', { name: 'Disconnect Field notes' }).click()
  await expect(apps).toContainText('No app is connected.')
  await expect(rest.listEntities()).rejects.toMatchObject({ status: 401 })

  // A user who declines sends the app away; errors are shown without signing in.
  await page.goto(authorizeUrl(place, app))
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(/error=access_denied/)
  const stranger = await (await browser.newContext({ baseURL: serverUrl })).newPage()
  await stranger.goto(authorizeUrl(place, app, { redirect_uri: 'https://evil.example/' }))
  await expect(stranger.getByRole('alert')).toContainText('an address that it has not registered')
  await context.close()
  await stranger.context().close()
  listener.close()
})
