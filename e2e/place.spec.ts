import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Page } from '@playwright/test'
import { violationsIn } from './axe.ts'
import { expect, type Person, password, signIn, test } from './fixtures.ts'

const command = /--transport http (\S+) (\S+) --header "Authorization: (Bearer \S+)"/

/** Does what the copied command makes Claude Code do: stores a fact with its address and key. */
async function storeWith(text: string, name: string): Promise<void> {
  const [, , url, authorization] = command.exec(text)!
  const client = new Client({ name: 'agent', version: '1' })
  const requestInit = { headers: { authorization: authorization! } }
  await client.connect(new StreamableHTTPClientTransport(new URL(url!), { requestInit }))
  const entities = [{ name, entityType: 'fact', observations: ['Told by an agent'] }]
  const { isError } = await client.callTool({ name: 'create_entities', arguments: { entities } })
  expect(isError).toBeFalsy()
  await client.close()
}

async function namesIn({ rest }: Person, space: string): Promise<string[]> {
  const { entities } = await rest.listEntities({ headers: { 'loci-space': space } })
  return entities.map(({ name }) => name)
}

const place = (page: Page) => page.getByRole('button', { name: /^Space: / })

test('the command copied in a space connects an agent to that space, and lights up there only @both', async ({
  page,
  person,
}) => {
  await page.goto('/dashboard')
  await place(page).click()
  await page.getByRole('menuitem', { name: 'Create space' }).click()
  await page.getByLabel('Name').fill('Client work')
  await page.getByRole('dialog').getByRole('button', { name: 'Create Space' }).click()
  await expect(place(page)).toHaveText('Space: Ada Lovelace / Client work')
  const guide = page.getByRole('region', { name: 'Connect your agent' })
  await expect(guide).toContainText('Ada Lovelace / Client work')
  await expect(guide.getByRole('status')).toContainText('Waiting for the first call')
  const text = (await guide.locator('pre').textContent())!
  expect(command.exec(text)![1]).toBe('loci-client-work')
  await storeWith(text, 'Contract signed')
  await expect(page.getByRole('region', { name: 'The first memory is in' })).toContainText('Contract signed')
  expect(await namesIn(person, 'Client work')).toEqual(['Contract signed'])
  expect(await namesIn(person, 'default')).toEqual([])

  await page.goto('/settings?space=spc_1')
  const panel = page.getByRole('region', { name: 'Connect an agent' })
  await expect(panel).toContainText('Ada Lovelace / default')
  await expect(panel).toContainText(/--transport http loci http:\S+\/mcp --header/)
  await expect(panel.getByRole('status')).toContainText("Waiting for your agent's first call")
})

test('an invited member connects an agent to the memory of the team by a key made for it @both', async ({
  page,
  person: team,
  newPerson,
  browser,
  baseURL,
}) => {
  const guest = await newPerson()
  const { url } = await team.rest.inviteMember({ body: { email: guest.email, role: 'member' } })
  const context = await browser.newContext({ baseURL })
  const own = await context.newPage()
  await signIn(own, guest.token)
  await own.goto(url)
  await own.getByRole('button', { name: `Join as ${guest.email}` }).click()
  const { accountId } = await team.rest.me()
  await expect.poll(() => guest.rest.getPlace()).toMatchObject({ accountId })
  await own.goto('/settings')
  const panel = own.getByRole('region', { name: 'Connect an agent' })
  await expect(panel).toContainText('An agent needs a key of its own for Ada Lovelace / default')
  await expect(panel).not.toContainText(guest.apiKey)
  expect(await violationsIn(own)).toEqual([])
  await panel.getByRole('button', { name: 'Create a key for this memory' }).click()
  await expect(panel.getByText("you won't be able to see it again!")).toBeVisible()
  expect(await violationsIn(own)).toEqual([])
  const text = (await panel.locator('pre').textContent())!
  expect(text).not.toContain(guest.apiKey)
  await storeWith(text, 'Roadmap')
  await expect(panel.getByText('Connected: an agent has called over MCP')).toBeVisible()
  expect(await namesIn(team, 'default')).toEqual(['Roadmap'])
  expect(await namesIn(guest, 'default')).toEqual([])
  await page.goto('/settings')
  await expect(page.getByText('Connected: an agent has called over MCP')).toBeVisible()
  await context.close()
})

test('signing in opens the account and the space where one was last @both', async ({
  page,
  person,
  newPerson,
}) => {
  const team = await newPerson()
  const { invitation, url } = await team.rest.inviteMember({ body: { email: person.email, role: 'member' } })
  expect(invitation.email).toBe(person.email)
  await person.rest.acceptInvitation({ params: { token: url.split('#token=')[1]! } })
  await team.rest.createSpace({ body: { name: 'Plans' } })
  const { id: userId } = await person.rest.me()
  await page.goto('/graph')
  await place(page).click()
  await page.getByRole('menuitemradio', { name: 'Plans' }).click()
  await expect(page).toHaveURL(/\/dashboard\?account=\w+&space=spc_\w+$/)
  await expect(place(page)).toHaveText('Space: Ada Lovelace / Plans')
  const { accountId } = await team.rest.me()
  await expect.poll(() => person.rest.getPlace()).toMatchObject({ accountId })
  await page.goto('/entities')
  await expect(page, 'an address that names none').toHaveURL(/\/entities\?account=\w+&space=spc_\w+$/)
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.getByLabel('Email Address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(place(page)).toHaveText('Space: Ada Lovelace / Plans')

  await team.rest.deleteMember({ params: { userId } })
  await page.goto('/dashboard')
  await expect(place(page)).toHaveText('Space: Ada Lovelace / default')
  await expect(page, 'their own again').toHaveURL('/dashboard')
})

test('a page that is open learns of a deleted space, another role and the end of a membership', async ({
  page,
  person: team,
  newPerson,
}) => {
  const guest = await newPerson()
  const { space } = await team.rest.createSpace({ body: { name: 'Attic' } })
  const { url } = await team.rest.inviteMember({ body: { email: guest.email, role: 'member' } })
  const token = new URL(url).hash.slice(1).split('=').at(-1)!
  await guest.rest.acceptInvitation({ params: { token } })
  const { accountId } = await team.rest.me()
  const params = { userId: (await guest.rest.me()).id }
  await page.goto('/login')
  await page.evaluate((own) => localStorage.setItem('auth_token', own), guest.token)
  await page.goto(`/entities?account=${accountId}&space=${space.id}`)
  const create = page.getByRole('main').getByRole('button', { name: 'Create Entity' })
  await expect(create.first()).toBeVisible()

  await team.rest.deleteSpace({ params: { id: space.id } })
  await page.getByRole('link', { name: 'Relations' }).click()
  await expect(page.getByRole('heading', { name: 'Space not found' })).toBeVisible()
  await page.getByRole('button', { name: 'Go to my default space' }).click()
  await page.getByRole('link', { name: 'Relations' }).click()

  await team.rest.createBatch({
    body: {
      entities: [
        { name: 'Ada', type: 'person' },
        { name: 'Engine', type: 'product' },
      ],
      relations: [{ from: 'Ada', to: 'Engine', type: 'works_on' }],
    },
  })
  await page.getByRole('button', { name: 'Relation actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete Relation' }).click()
  await team.rest.updateMember({ params, body: { role: 'viewer' } })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('Failed to delete relation')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Relation' })).toHaveCount(0)
  await page.keyboard.press('Escape')

  await team.rest.deleteMember({ params })
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('heading', { name: 'Account not found' })).toBeVisible()
})
