// @vitest-environment jsdom
import type { Role } from '@loci/contract/rights'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { catchRedirects } from '../../../test/browser.ts'
import { noCounts } from '../../../test/conversations.ts'
import { dialogNamed } from '../../../test/find.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { SettingsPage } from './settings-page.tsx'

const no = new Refusal('forbidden', 'No')

/** A section of the page, or its list, with every part of it refused. */
async function showRefused(
  role: Role,
  { at = '/settings', more = {}, answers = {} }: { at?: string; more?: Person; answers?: Answers } = {},
) {
  const server = serve({
    countConversations: noCounts,
    usage: no,
    listConnections: no,
    listMembers: no,
    listSessions: no,
    secondFactors: no,
    embeddingsStatus: no,
    getEmbeddingsChoice: no,
    listSpaces: { spaces: [spaceNamed('default', 'spc_1'), spaceNamed('Work', 'spc_2', { entities: 3 })] },
    listShares: no,
    getBriefMail: { mail: { isOn: false, tellsWaiting: false, isPossible: false, nextAt: null } },
    ...answers,
  })
  return { server, ...(await show(<SettingsPage />, { as: personAs(role, more), at })) }
}

type Person = Parameters<typeof personAs>[1]

const links = () => within(screen.getByRole('navigation', { name: 'Settings' })).getAllByRole('link')
const titles = () =>
  screen
    .getAllByRole('heading', { level: 2 })
    .filter((heading) => !heading.closest('nav'))
    .map(({ textContent }) => textContent)

const common = ['Search by meaning', 'Members', 'Spaces']
const shared = ['Search by meaning', 'Shared views', 'Members', 'Spaces']
const own = ['Profile', 'Security', 'Weekly mail']

test.each<[Role, string[]]>([
  ['owner', ['Connect', 'Import and backup', 'Conversations', 'Recalls', ...shared, 'Account', ...own]],
  ['admin', ['Connect', 'Import and backup', 'Conversations', 'Recalls', ...shared, ...own]],
  ['member', ['Connect', 'Import and backup', 'Conversations', ...common, ...own]],
  ['viewer', ['Connect', 'Backup', ...common, ...own]],
])('a %s finds the sections that the role has, and each opens alone', async (role, expected) => {
  const { user, address } = await showRefused(role)
  expect(links().map(({ firstChild }) => firstChild?.textContent)).toEqual(expected)
  const seen = new Set<string | null>()
  for (const link of links()) {
    await user.click(link)
    expect(address()).toBe(link.getAttribute('href'))
    expect(links().filter((one) => one.getAttribute('aria-current') === 'page')).toEqual([link])
    for (const title of titles()) seen.add(title)
    expect(titles().length, link.textContent).toBeLessThan(4)
  }
  expect(seen.has('Delete account')).toBe(role === 'owner')
  expect(seen.has('Import')).toBe(role !== 'viewer')
})

test.each([
  ['/settings', 'Connect an agent'],
  ['/settings#sessions', 'Second factor'],
  ['/settings#backup', 'Import'],
  ['/settings#account', 'Account'],
  ['/settings#unknown', 'Connect an agent'],
])('%s opens the section that has it', async (at, title) => {
  await showRefused('owner', { at })
  expect(titles()[0]).toBe(title)
})

test('text that was not saved is there again after a look at another section', async () => {
  const { user } = await showRefused('owner', { at: '/settings#profile' })
  await user.type(screen.getByLabelText('First Name'), ' Augusta')
  await user.click(links().find(({ textContent }) => textContent?.startsWith('Members'))!)
  expect(titles()).toEqual(['Members'])
  await user.click(links().find(({ textContent }) => textContent?.startsWith('Profile'))!)
  expect(screen.getByLabelText<HTMLInputElement>('First Name').value).toMatch(/ Augusta$/)
})

test.each([
  ['owner', true],
  ['member', false],
] as const)('%s: the audit log is linked from the members: %s', async (role, isLinked) => {
  await showRefused(role, { at: '/settings#members' })
  expect(screen.queryByRole('link', { name: 'Audit log' }) !== null).toBe(isLinked)
})

test('a part that is refused says so, and the others stay usable', async () => {
  await showRefused('owner', { at: '/settings#security' })
  expect(await screen.findByText('Failed to load how you sign in')).toBeTruthy()
  expect(await within(screen.getByRole('region', { name: 'Sessions' })).findByRole('alert')).toBeTruthy()
})

test('spaces are opened, named and deleted from their list, and whoever looks stays there', async () => {
  catchRedirects('https://loci.example/settings')
  const { user, server, address } = await showRefused('owner', { at: '/settings#spaces' })
  const rows = await screen.findAllByRole('listitem')
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^default.*Open now/),
    expect.stringMatching(/^Work3 entities, .*OpenRename/),
  ])
  server.answer({ updateSpace: { space: spaceNamed('Client', 'spc_2') } })
  await user.click(within(rows[1]!).getByRole('button', { name: 'Rename' }))
  const dialog = await dialogNamed('Rename Space')
  await user.type(dialog.getByLabelText('Name'), 'x')
  await user.click(dialog.getByRole('button', { name: 'Save Changes' }))
  expect(await screen.findByText('Client')).toBeTruthy()
  expect(server.callsOf('updateSpace')[0]?.params).toEqual({ id: 'spc_2' })
  expect(address()).toBe('/settings#spaces')
  await user.click(screen.getByRole('button', { name: 'Open' }))
  expect(address()).toBe('/settings?space=spc_2#spaces')
})

test('the last space cannot be deleted, and viewers change none', async () => {
  const one = { listSpaces: { spaces: [spaceNamed('default', 'spc_1')] } }
  await showRefused('owner', { at: '/settings#spaces', answers: one })
  expect(await screen.findByRole('button', { name: 'Rename' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
})

test('without a key to paste, an agent is connected with a key of its own', async () => {
  const answers = { listSpaces: { spaces: [spaceNamed('default', 'spc_1')] } }
  await showRefused('member', { more: { apiKey: null, apiKeyWithheld: true }, answers })
  expect(await screen.findByRole('button', { name: 'Create a key for this memory' })).toBeTruthy()
  expect(screen.getByText(/Your key is shown once you/)).toBeTruthy()
})
