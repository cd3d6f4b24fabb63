import { Modal, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { mayDiscard, UnsavedScope, useIsAsking } from '../lib/unsaved.ts'

/** A dialog with a form: Esc, a click outside and its cross ask before they throw away what was written. */
export function FormModal({ onClose, children, ...props }: ModalProps) {
  const [scope] = useState(() => Symbol('form'))
  // The question is a dialog of its own, and Esc is its alone.
  const asking = useIsAsking()
  return (
    <Modal
      {...props}
      closeOnEscape={!asking}
      closeOnClickOutside={!asking}
      onClose={() => void mayDiscard(scope).then((may) => may && onClose())}
    >
      <UnsavedScope value={scope}>{children}</UnsavedScope>
    </Modal>
  )
}
