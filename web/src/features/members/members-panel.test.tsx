// @vitest-environment jsdom
import type { Invitation, Member, MembersResponse } from '@loci/contract/members'
import type { Role } from '@loci/contract/rights'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { personAs } from '../../../test/people.ts'
import { show } from '../../../test/screen.tsx'
import { Refusal, serve } from '../../../test/server-double.ts'
import { HandOver } from './hand-over.tsx'
import { MembersPanel } from './members-panel.tsx'

const at = '2026-01-05T09:00:00.000Z'

const member = (userId: string, firstName: string, role: Role, more: Partial<Member> = {}): Member => ({
  userId,
  email: `${firstName.toLowerCase()}@example.com`,
  firstName,
  lastName: 'Example',
  role,
  joinedAt: at,
  ...more,
})

const ada = member('usr_ada', 'Ada', 'owner')
const grace = member('usr_grace', 'Grace', 'member')
const invitation: Invitation = {
  id: 'inv_1',
  email: 'bob@example.com',
  role: 'viewer',
  expiresAt: at,
  createdAt: at,
}

const rowOf = async (name: string) => {
  const row = (await screen.findByText(name)).closest('li')
  if (row === null) throw new Error(`No row of ${name}`)
  return within(row)
}

test('the only owner can neither be removed, nor leave, nor get another role', async () => {
  serve({ listMembers: { members: [ada, grace], invitations: [] } })
  await show(<MembersPanel />)
  const own = await rowOf('Ada Example')
  expect(own.queryByRole('button')).toBeNull()
  expect(own.queryByRole('combobox')).toBeNull()
  expect(own.getByText('Owner')).toBeTruthy()
  const other = await rowOf('Grace Example')
  expect(other.getByRole('button', { name: 'Remove' })).toBeTruthy()
})

test('with a second owner, one of them may leave', async () => {
  serve({ listMembers: { members: [ada, { ...grace, role: 'owner' }], invitations: [] } })
  await show(<MembersPanel />)
  expect((await rowOf('Ada Example')).getByRole('button', { name: 'Leave' })).toBeTruthy()
})

test.each(['member', 'viewer'] as const)('a %s sees the others and can only leave', async (role) => {
  const self = member('usr_ada', 'Ada', role)
  serve({ listMembers: { members: [{ ...grace, role: 'owner' }, self], invitations: [] } })
  await show(<MembersPanel />, { as: personAs(role) })
  expect((await rowOf('Grace Example')).queryByRole('button')).toBeNull()
  expect((await rowOf('Ada Example')).getByRole('button', { name: 'Leave' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Invite' })).toBeNull()
  expect(screen.queryByRole('combobox')).toBeNull()
})

test('an admin manages others, but neither owners nor the role of owner', async () => {
  const owner = member('usr_o', 'Olga', 'owner')
  serve({ listMembers: { members: [owner, member('usr_ada', 'Ada', 'admin'), grace], invitations: [] } })
  await show(<MembersPanel />, { as: personAs('admin') })
  expect((await rowOf('Olga Example')).queryByRole('combobox')).toBeNull()
  const role = (await rowOf('Grace Example')).getByRole('combobox', { name: 'Role of Grace Example' })
  expect(within(role).queryByRole('option', { name: 'Owner' })).toBeNull()
  expect(within(screen.getByLabelText('Role')).queryByRole('option', { name: 'Owner' })).toBeNull()
})

test('a changed role is sent, and a refused one says why and is reverted', async () => {
  const members = [ada, grace]
  const server = serve({
    listMembers: () => ({ members, invitations: [] }),
    updateMember: new Refusal('forbidden', 'Only owners can do this'),
  })
  const { user } = await show(<MembersPanel />)
  const role = async () => (await rowOf('Grace Example')).getByRole<HTMLSelectElement>('combobox')
  await user.selectOptions(await role(), 'Admin')
  expect(await screen.findByText('Only owners can do this')).toBeTruthy()
  expect((await role()).value).toBe('member')
  expect(server.callsOf('updateMember')).toMatchObject([
    { params: { userId: 'usr_grace' }, body: { role: 'admin' } },
  ])
  server.answer({
    updateMember: () => {
      members[1] = { ...grace, role: 'admin' }
      return { member: members[1] }
    },
  })
  await user.selectOptions(await role(), 'Admin')
  expect(await screen.findByText('Grace Example is now Admin')).toBeTruthy()
  await waitFor(async () => expect((await role()).value).toBe('admin'))
})

test('nobody is removed before the question is answered', async () => {
  const members = [ada, grace]
  const server = serve({
    listMembers: () => ({ members, invitations: [] }),
    deleteMember: () => {
      members.pop()
    },
  })
  const { user } = await show(<MembersPanel />)
  await user.click((await rowOf('Grace Example')).getByRole('button', { name: 'Remove' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove Grace Example?' })
  await user.click(within(dialog).getByRole('button', { name: 'Cancel' }))
  expect(server.callsOf('deleteMember')).toEqual([])
  await user.click((await rowOf('Grace Example')).getByRole('button', { name: 'Remove' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove' }))
  expect(await screen.findByText('Grace Example is no longer a member')).toBeTruthy()
  await waitFor(() => expect(screen.queryByText('grace@example.com', { exact: false })).toBeNull())
})

test('an invitation shows its link once, and stays in the list until it is revoked', async () => {
  const answer: MembersResponse = { members: [ada], invitations: [] }
  const url = 'http://127.0.0.1:7400/invitation#abc'
  const server = serve({
    listMembers: () => answer,
    inviteMember: () => {
      answer.invitations = [invitation]
      return { invitation, url, mailed: false }
    },
    deleteInvitation: () => {
      answer.invitations = []
    },
  })
  const { user } = await show(<MembersPanel />)
  const button = await screen.findByRole<HTMLButtonElement>('button', { name: 'Invite' })
  expect(button.disabled).toBe(true)
  await user.type(screen.getByLabelText('Email Address'), 'bob@example.com')
  await user.selectOptions(screen.getByLabelText('Role'), 'Viewer')
  expect(screen.getByText('Reads the memory.')).toBeTruthy()
  await user.click(button)
  expect(await screen.findByText(url)).toBeTruthy()
  expect(screen.getByText(/This server sends no mail/)).toBeTruthy()
  expect(server.callsOf('inviteMember')).toMatchObject([
    { body: { email: 'bob@example.com', role: 'viewer' } },
  ])
  expect(screen.getByLabelText<HTMLInputElement>('Email Address').value).toBe('')
  await user.click((await rowOf('bob@example.com')).getByRole('button', { name: 'Take back' }))
  await waitFor(() => expect(screen.queryByText('Invited')).toBeNull())
})

test('a wrong address is reported at its field, any other refusal above the form', async () => {
  const server = serve({
    listMembers: { members: [ada], invitations: [] },
    inviteMember: new Refusal('validation_failed', 'Invalid input', [
      { path: 'email', message: 'Please enter a valid email address' },
    ]),
  })
  const { user } = await show(<MembersPanel />)
  const email = await screen.findByLabelText('Email Address')
  await user.type(email, 'bob@example.com{Enter}')
  await screen.findByText('Please enter a valid email address')
  expect(email.getAttribute('aria-invalid')).toBe('true')
  expect(screen.queryByRole('alert')).toBeNull()
  server.answer({ inviteMember: new Refusal('rate_limited', 'Too many invitations') })
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Too many invitations')
})

test('ownership is handed over with the password, and says if Stripe did not follow', async () => {
  const server = serve({
    listMembers: { members: [ada, grace], invitations: [] },
    transferOwnership: { member: { ...grace, role: 'owner' }, billingFollows: false },
    me: personAs('admin'),
  })
  const { user } = await show(<HandOver />)
  const open = await screen.findByRole<HTMLButtonElement>('button', { name: 'Hand Over Ownership' })
  await waitFor(() => expect(open.disabled).toBe(false))
  await user.click(open)
  const dialog = within(await screen.findByRole('dialog'))
  const submit = dialog.getByRole<HTMLButtonElement>('button', { name: 'Hand Over' })
  await user.selectOptions(dialog.getByLabelText('New owner'), 'Grace Example (grace@example.com)')
  expect(submit.disabled).toBe(true)
  await user.type(dialog.getByLabelText('Your password'), 'engines weave algebra')
  await user.click(submit)
  expect(await screen.findByText('Grace Example is the owner now')).toBeTruthy()
  expect(screen.getByText('Stripe still writes to the owner before')).toBeTruthy()
  expect(server.callsOf('transferOwnership')).toMatchObject([
    { params: { userId: 'usr_grace' }, body: { password: 'engines weave algebra' } },
  ])
})

test('an account of one has nobody to hand ownership over to', async () => {
  serve({ listMembers: { members: [ada], invitations: [] } })
  await show(<HandOver />)
  expect(await screen.findByText(/Invite somebody first/)).toBeTruthy()
  expect(screen.getByRole<HTMLButtonElement>('button').disabled).toBe(true)
})
