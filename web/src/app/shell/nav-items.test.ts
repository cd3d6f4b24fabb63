import { expect, test } from 'vitest'
import { allowedTo } from '../../lib/allowed-to.ts'
import { places } from './nav-items.ts'
import { shortcutGroups } from './shortcuts.ts'

const labels = (items: readonly { label: string }[]) => items.map(({ label }) => label)
const managed = ['API Keys', 'Webhooks', 'Audit Log', 'Billing']

test('a role is offered the places it may use', () => {
  const hidden = (role: Parameters<typeof allowedTo>[0]) => {
    const allowed = labels(allowedTo(role, places))
    return labels(places).filter((label) => !allowed.includes(label))
  }
  expect(hidden('owner')).toEqual([])
  expect(hidden('admin')).toEqual([])
  expect(hidden('member')).toEqual(['Webhooks', 'Audit Log', 'Billing'])
  expect(hidden('viewer')).toEqual(managed)
  expect(hidden(undefined)).toEqual(managed)
})

test('the help lists a key only for those who can use it', () => {
  const listed = (role: 'member' | 'viewer') =>
    shortcutGroups.flatMap(({ rows }) => labels(allowedTo(role, rows)))
  expect(listed('member')).toContain('Create an entity')
  expect(listed('viewer')).not.toContain('Create an entity')
  expect(listed('viewer')).not.toContain('Billing')
})
