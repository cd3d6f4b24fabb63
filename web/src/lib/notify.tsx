import { Button, Group } from '@mantine/core'
import { randomId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import classes from './notify.module.css'
import { addOffer, takeOffer } from './undo-offers.ts'

/** A green toast. */
export function notifySuccess(message: string): void {
  notifications.show({ message, ...success, ...common() })
}

/** A green toast with a button that undoes what it reports, as Ctrl+Z does for the last one. */
export function offerUndo(message: string, undo: () => void, sets: readonly string[] = []): void {
  const offer = { undo, sets, toastId: randomId() }
  addOffer(offer)
  notifications.show({
    id: offer.toastId,
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span className={classes.message}>{message}</span>
        <Button className={classes.undo} size="compact-sm" variant="subtle" onClick={() => takeOffer(offer)}>
          Undo
        </Button>
      </Group>
    ),
    ...success,
    ...common(),
  })
}

/** A red toast; `detail` adds to the headline. */
export function notifyError(message: string, detail?: string): void {
  notifications.show({
    ...(detail && detail !== message ? { title: message, message: detail } : { message }),
    color: 'red',
    icon: <IconAlertTriangle size={16} />,
    role: 'alert',
    ...common(),
  })
}

let shown = 0

/** The newest toast is on top. */
const common = () => ({ closeButtonProps: { 'aria-label': 'Dismiss' }, priority: ++shown })
const success = { color: 'green', icon: <IconCheck size={16} />, className: classes.success }
