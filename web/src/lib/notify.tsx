import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import classes from './notify.module.css'

const undoableMs = 10_000

/** What a toast reports: something new, or a change to what was there. */
export type Reported = 'created' | 'changed'

/** A green toast; with `undo` it has a button, and after a change it stays for ten seconds instead of five. */
export function notifySuccess(message: string, undo?: () => void, reported: Reported = 'changed'): void {
  const look = { color: 'green', icon: <IconCheck size={16} />, ...common }
  if (undo === undefined) {
    notifications.show({ message, ...look })
    return
  }
  const id = notifications.show({
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span className={classes.message}>{message}</span>
        <Button
          className={classes.undo}
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    ...(reported === 'changed' && { autoClose: undoableMs }),
    ...look,
  })
}

/** A red toast; `detail` adds to the headline. */
export function notifyError(message: string, detail?: string): void {
  notifications.show({
    ...(detail && detail !== message ? { title: message, message: detail } : { message }),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    role: 'alert',
    ...common,
  })
}

const common = { closeButtonProps: { 'aria-label': 'Dismiss' } }
