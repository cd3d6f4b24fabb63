import { readFileSync } from 'node:fs'
import { connectOverHttp } from '../server/test/mcp-clients.ts'
import { violationsIn } from './axe.ts'
import { expect, password, test } from './fixtures.ts'

test.describe('Settings', () => {
  test('the snippets contain the address and the key, shown exactly as they are copied', async ({
    page,
    person,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/settings')
    const panel = page.getByRole('tabpanel')
    await expect(panel).toContainText('claude mcp add -s user --transport http loci http://127.0.0.1')
    await expect(panel).toContainText(person.apiKey)
    await panel.getByRole('button', { name: 'Copy' }).click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`--header "Authorization: Bearer ${person.apiKey}"`)
    await page.getByRole('tab', { name: 'Cursor' }).click()
    await expect(panel).toContainText('"mcpServers"')
    await expect(panel.getByRole('link', { name: 'Add to Cursor' })).toHaveAttribute('href', /^cursor:/)
  })

  test('the live check turns green when the first call over MCP arrives', async ({
    page,
    person,
    serverUrl,
  }) => {
    await page.goto('/settings')
    await expect(page.getByText("Waiting for your agent's first call...")).toBeVisible()
    const agent = await connectOverHttp({ url: serverUrl }, person.apiKey, 'legacy')
    await expect(page.getByText('Connected: an agent has called over MCP')).toBeVisible()
    await agent.close()
  })

  test('a personal key that can no longer be shown can be rolled', async ({ page, person }) => {
    await page.route('**/auth/me', async (route) => {
      if (route.request().method() !== 'GET') return route.fallback()
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), apiKey: null } })
    })
    await page.goto('/settings')
    await expect(page.getByText('Your key cannot be shown')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create a key for this memory' })).toBeVisible()
    await page.getByRole('button', { name: 'Roll' }).click()
    await page.getByRole('button', { name: 'Roll Key' }).click()
    await page.getByRole('button', { name: 'Reveal key' }).click()
    await expect(page.getByText(/^loci_\w{46}$/)).toBeVisible()
    expect(person.apiKey).not.toBe(await page.getByText(/^loci_\w{46}$/).textContent())
  })

  test('the personal key can be revealed and rolled', async ({ page, person }) => {
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Reveal key' }).click()
    await expect(page.getByText(person.apiKey, { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Roll' }).click()
    await page.getByRole('button', { name: 'Roll Key' }).click()
    await expect(page.getByText('Personal API key rolled')).toBeVisible()
    await expect(page.getByText(person.apiKey)).toHaveCount(0)
    expect((await person.rest.me()).apiKey).not.toBe(person.apiKey)
    await expect(page.getByText('Connected', { exact: true })).toBeVisible()
    await person.rest.createEntity({ body: { name: 'Heard by the new connection', type: 'concept' } })
    await expect(page.getByText('Entity created: Heard by the new connection')).toBeVisible()
  })

  test('names can be changed', async ({ page, person }) => {
    await page.goto('/settings#profile')
    await page.getByLabel('First Name').fill('Augusta')
    await page.getByRole('button', { name: 'Save Profile' }).click()
    await expect(page.getByText('Profile updated')).toBeVisible()
    expect((await person.rest.me()).firstName).toBe('Augusta')
  })

  test('a wrong current password is reported and ends no session', async ({ page, person: _ }) => {
    await page.goto('/settings#profile')
    await page.getByLabel('Current Password').fill('wrong-one')
    await page.getByLabel('New Password', { exact: true }).fill('Another-horse-8')
    await page.getByLabel('Confirm New Password').fill('Another-horse-8')
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByLabel('Current Password')).toHaveAccessibleDescription(
      'The current password is incorrect',
    )
    await expect(page.getByLabel('Current Password')).toBeFocused()
    await expect(page).toHaveURL('/settings#profile')
    await page.getByLabel('Current Password').fill(password)
    await page.getByRole('button', { name: 'Change Password' }).click()
    await expect(page.getByText(/Password changed/)).toBeVisible()
  })

  test('a common password is refused at its field', async ({ page, person: _ }) => {
    await page.goto('/settings#password')
    await page.getByLabel('Current Password').fill(password)
    await page.getByLabel('New Password', { exact: true }).fill('password1')
    await page.getByLabel('Confirm New Password').fill('password1')
    await page.getByLabel('Confirm New Password').press('Enter')
    const field = page.getByLabel('New Password', { exact: true })
    await expect(field).toHaveAccessibleDescription('This password is too common. Choose another one.')
    await expect(field).toBeFocused()
    await expect(page.getByText('This password is too common. Choose another one.')).toHaveCount(1)
  })

  test('after a password change the keys that still work are listed, and the personal one can be rolled', async ({
    page,
    person,
  }) => {
    await person.rest.createKey({ body: { name: 'Nightly job', permissions: [] } })
    await page.goto('/settings#password')
    await page.getByLabel('Current Password').fill(password)
    await page.getByLabel('New Password', { exact: true }).fill('Another-horse-8')
    await page.getByLabel('Confirm New Password').fill('Another-horse-8')
    await page.getByRole('button', { name: 'Change Password' }).click()
    const notice = page.getByRole('status').filter({ hasText: 'Your API keys still work' })
    await expect(notice.getByRole('list')).toContainText('Nightly job')
    expect((await person.rest.me()).apiKey).toBe(person.apiKey)
    await notice.getByRole('button', { name: 'Roll Personal API Key' }).click()
    await expect(page.getByText('Personal API key rolled')).toBeVisible()
    expect((await person.rest.me()).apiKey).not.toBe(person.apiKey)
    await notice.getByRole('link', { name: 'Manage API keys' }).click()
    await expect(page).toHaveURL('/api-keys')
  })

  test('another session can be ended', async ({ page, person }) => {
    await person.rest.login({ body: { email: person.email, password } })
    await page.goto('/settings#sessions')
    const sessions = page.getByRole('region', { name: 'Sessions' })
    await expect(sessions.getByText('This session')).toBeVisible()
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await sessions.getByRole('button', { name: 'End session' }).click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await person.rest.login({ body: { email: person.email, password } })
    await page.reload()
    await sessions.getByRole('button', { name: 'End all other sessions' }).click()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect(sessions.getByText('This session')).toBeVisible()
  })

  test('a memory is imported, its problems are listed, and it is exported again', async ({
    page,
    person: _,
  }) => {
    await page.goto('/settings#memory')
    const lines = [
      { type: 'entity', name: 'Ada', entityType: 'person', observations: ['Wrote the first program'] },
      { type: 'entity', name: 'Engine', entityType: 'technology', observations: [] },
      { type: 'relation', from: 'Ada', to: 'Engine', relationType: 'uses' },
      { type: 'relation', from: 'Ada', to: 'Nobody', relationType: 'uses' },
    ]
    const buffer = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n`)
    await page
      .getByLabel('Choose a file or drop it here')
      .setInputFiles({ name: 'memory.jsonl', mimeType: '', buffer })
    await expect(page.getByText('Reference memory server file')).toBeVisible()
    await expect(page.getByRole('row', { name: 'Entities 2 0' })).toBeVisible()
    await expect(page.getByRole('list', { name: 'First new entities' })).toContainText(
      'Wrote the first program',
    )
    await page.getByText('2 problems in the file').click()
    await expect(page.getByRole('list', { name: 'Problems in the file' })).toContainText(
      /Line 4: .*Nobody.*Line 5: /,
    )
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await expect(page.getByText('Import finished')).toBeVisible()
    await expect(page.getByRole('row', { name: 'Entities 2 0' })).toBeVisible()

    await page.reload()
    await expect(page.getByText('Import finished')).toBeVisible()
    await page.getByRole('button', { name: 'Done' }).click()
    const downloading = page.waitForEvent('download')
    await page.getByLabel('Format').selectOption('mcp-memory')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    const path = await (await downloading).path()
    const exported = readFileSync(path, 'utf8').trim().split('\n')
    expect(exported.map((line) => JSON.parse(line))).toEqual(lines.slice(0, 3))
  })

  test('deleting the account asks for the password and signs out', async ({ page, person }) => {
    await page.goto('/settings#account')
    await page.getByRole('button', { name: 'Delete Account' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete Account' })
    await dialog.getByLabel('Your password').fill('wrong-one')
    await dialog.getByRole('button', { name: 'Delete Account' }).click()
    await expect(dialog.getByRole('alert')).toBeVisible()
    await dialog.getByLabel('Your password').fill(person.password)
    await dialog.getByRole('button', { name: 'Delete Account' }).click()
    await expect(page).toHaveURL('/login')
  })

  // Test servers are shared, so nobody owns one: the responses are mocked.
  test('the owner of a self-hosted server chooses the embeddings', async ({ page, person }) => {
    const nothing = { isOffered: true, isFixed: false, chosen: null, installation: null }
    const installation = {
      model: 'bge-small-en-v1.5',
      step: 'model',
      bytesDone: 12e6,
      bytes: 35e6,
      failure: null,
    }
    let choice: object = nothing
    const sent: unknown[] = []
    await page.route('**/api/embeddings/choice', async (route) => {
      const request = route.request()
      if (request.method() === 'DELETE') choice = nothing
      if (request.method() !== 'PUT') return route.fulfill({ json: choice })
      const body = request.postDataJSON()
      sent.push(body)
      if (body.provider === 'local') choice = { ...nothing, installation }
      else {
        const error = { code: 'embedder_unavailable', message: 'http://127.0.0.1:11434 cannot be reached' }
        return route.fulfill({ status: 502, json: { error } })
      }
      return route.fulfill({ json: choice })
    })
    await page.goto('/settings#meaning')
    await expect(page.getByText(person.email).first()).toBeVisible()
    const section = page.locator('#meaning')
    await section.getByText('Ollama', { exact: true }).click()
    await section.getByLabel('Model').fill('bge-m3')
    await section.getByRole('button', { name: 'Use This' }).click()
    await expect(section.getByRole('alert')).toContainText('cannot be reached')
    expect(sent.at(-1)).toEqual({ provider: 'ollama', url: 'http://127.0.0.1:11434', model: 'bge-m3' })
    expect(await violationsIn(page, '#meaning')).toEqual([])
    await section.getByText('On the server', { exact: true }).click()
    await section.getByRole('button', { name: 'Use This' }).click()
    await expect(section.getByRole('progressbar', { name: 'Downloading bge-small-en-v1.5' })).toBeVisible()
    choice = { ...nothing, installation: { ...installation, failure: 'The disk is full.' } }
    await expect(section.getByRole('alert')).toContainText('The disk is full.')
    await section.getByRole('button', { name: 'Try again' }).click()
    await expect(section.getByRole('progressbar')).toBeVisible()
    const chosen = { provider: 'local', model: 'bge-small-en-v1.5', url: null, hasKey: false }
    choice = { ...nothing, chosen }
    await section.getByRole('button', { name: 'Turn Off' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Turn Off' }).click()
    await expect(page.getByText('Search by meaning is off')).toBeVisible()
    await expect(section.getByRole('button', { name: 'Use This' })).toBeVisible()
  })
})
