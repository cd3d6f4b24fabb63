import { Modal, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { mayDiscard, UnsavedScope, useIsAsking } from '../lib/unsaved.ts'

/** A dialog with a form: Esc, a click outside and its close button ask before discarding unsaved text. */
export function FormModal({ onClose, children, ...props }: ModalProps) {
  const [scope] = useState(() => Symbol('form'))
  // The question is a dialog of its own and must be the only one to handle Esc.
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
