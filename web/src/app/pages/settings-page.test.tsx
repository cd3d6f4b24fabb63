// @vitest-environment jsdom
import type { Role } from '@loci/contract/rights'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { noCounts } from '../../../test/conversations.ts'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { type Answers, Refusal, serve } from '../../../test/server-double.ts'
import { spaceNamed } from '../../../test/spaces.ts'
import { SettingsPage } from './settings-page.tsx'

/** The page as a role sees it once every part has been refused, which no part may take for an empty list. */
async function showRefused(role: Role, more: Parameters<typeof personAs>[1] = {}, answers: Answers = {}) {
  const no = new Refusal('forbidden', 'No')
  const server = serve({
    countConversations: noCounts,
    usage: no,
    listConnections: no,
    listMembers: no,
    listSessions: no,
    secondFactors: no,
    embeddingsStatus: no,
    getEmbeddingsChoice: no,
    listSpaces: no,
    listShares: no,
    getBriefMail: { mail: { isOn: false, isPossible: false, nextAt: null } },
    ...answers,
  })
  await show(<SettingsPage />, { as: personAs(role, more) })
  await waitFor(() => expect(server.callsOf('secondFactors')).toHaveLength(1))
  return server
}

const places = () =>
  [...screen.getByRole('navigation', { name: 'Settings' }).children].map(({ textContent }) => textContent)
const own = ['Weekly mail', 'Profile', 'Password', 'Second factor', 'Sessions']
const common = ['Search by meaning', 'Members', ...own]
const shared = ['Search by meaning', 'Members', 'Shared views', ...own]

test.each<[Role, string[]]>([
  ['owner', ['Connect', 'Import and backup', 'Conversations', ...shared, 'Account']],
  ['admin', ['Connect', 'Import and backup', 'Conversations', ...shared]],
  ['member', ['Connect', 'Import and backup', 'Conversations', ...common]],
  ['viewer', ['Connect', 'Backup', ...common]],
])('a %s finds the places that the role has, and each leads somewhere', async (role, expected) => {
  await showRefused(role)
  expect(places()).toEqual(expected)
  for (const link of screen.getByRole('navigation', { name: 'Settings' }).querySelectorAll('a'))
    expect(document.querySelector(link.getAttribute('href')!), link.textContent).not.toBeNull()
  expect(screen.queryByRole('heading', { name: 'Delete account' }) !== null).toBe(role === 'owner')
  expect(screen.queryByRole('heading', { name: 'Import' }) !== null).toBe(role !== 'viewer')
  const mayReadAudit = role === 'owner' || role === 'admin'
  expect(screen.queryByRole('link', { name: 'Audit log' }) !== null).toBe(mayReadAudit)
})

test('a part that is refused says so, and the others stay usable', async () => {
  await showRefused('owner')
  expect(await screen.findByText('Failed to load how you sign in')).toBeTruthy()
  expect(screen.getByLabelText('First Name')).toBeTruthy()
  expect(screen.queryByText('No app is connected.')).toBeNull()
})

test('without a key to paste, an agent is connected with a key of its own', async () => {
  const answers = { listSpaces: { spaces: [spaceNamed('default', 'spc_1')] } }
  await showRefused('member', { apiKey: null, apiKeyWithheld: true }, answers)
  expect(await screen.findByRole('button', { name: 'Create a key for this memory' })).toBeTruthy()
  expect(screen.getByText(/Your key is shown once you/)).toBeTruthy()
})
