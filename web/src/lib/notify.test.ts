import { cleanNotifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { notifyError, notifySuccess } from './notify.tsx'

const shown = () => notificationsStore.getState().notifications

beforeEach(() => cleanNotifications())

test('the toast of a change stays for ten seconds, that of a creation as long as any other', () => {
  notifySuccess('Entity deleted successfully', vi.fn())
  notifySuccess('Entity created successfully', vi.fn(), 'created')
  notifySuccess('Default payment method updated')
  expect(shown().map(({ autoClose }) => autoClose)).toEqual([10_000, undefined, undefined])
})

test('a failure names its cause once', () => {
  notifyError('Failed to save entity', 'The name is taken')
  notifyError('Failed to save entity', 'Failed to save entity')
  expect(shown().map(({ title, message }) => [title, message])).toEqual([
    ['Failed to save entity', 'The name is taken'],
    [undefined, 'Failed to save entity'],
  ])
  expect(shown().every(({ role }) => role === 'alert')).toBe(true)
})
