import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'

/** A green toast. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'green', icon: <IconCheck size={16} />, ...common })
}

/** A red toast; `detail` says more than the headline. */
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
