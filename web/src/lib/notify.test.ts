import { cleanNotifications, notificationsStore } from '@mantine/notifications'
import { beforeEach, expect, test, vi } from 'vitest'
import { notifyError, notifySuccess, offerUndo } from './notify.tsx'

const shown = () => notificationsStore.getState().notifications

beforeEach(() => cleanNotifications())

test('the newest toast is on top', () => {
  notifySuccess('first')
  offerUndo('second', vi.fn())
  notifyError('third')
  expect(shown().map(({ message }) => message)).toEqual(['third', expect.anything(), 'first'])
})

test('a failure names its cause once', () => {
  notifyError('Failed to save entity', 'The name is taken')
  notifyError('Failed to save entity', 'Failed to save entity')
  expect(shown().map(({ title, message }) => [title, message])).toEqual([
    [undefined, 'Failed to save entity'],
    ['Failed to save entity', 'The name is taken'],
  ])
  expect(shown().every(({ role }) => role === 'alert')).toBe(true)
})
