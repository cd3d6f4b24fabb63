import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'

type ConfirmDialogProps = {
  opened: boolean
  title: string
  children: ReactNode
  /** The button's label: the action itself, never "OK". */
  confirmLabel: string
  confirmColor?: string
  /** For dialogs in which 'Cancel' would be ambiguous. */
  closeLabel?: string
  pending: boolean
  /** For dialogs that must appear above another dialog. */
  zIndex?: number
  onConfirm: () => void
  onClose: () => void
}

/** Two stacked overlays must not turn the page black. */
const lighter = { backgroundOpacity: 0.3 }

/** Asks for confirmation before something that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { opened, title, children, confirmLabel, pending, onConfirm, onClose } = props
  const { confirmColor = 'red.7', closeLabel = 'Cancel', zIndex } = props
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="md"
      zIndex={zIndex}
      overlayProps={zIndex === undefined ? undefined : lighter}
    >
      <Text component="div" c="dimmed">
        {children}
      </Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {closeLabel}
        </Button>
        <Button color={confirmColor} loading={pending} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </Group>
    </Modal>
  )
}
