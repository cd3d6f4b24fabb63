import { answerDiscard, useIsAsking } from '../lib/unsaved.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

/** Mantine's dialogs have z-index 200. */
const aboveDialogs = 300

/** Asks before unsaved text is discarded. */
export function DiscardDialog() {
  const asking = useIsAsking()
  return (
    <ConfirmDialog
      opened={asking}
      title="Discard unsaved changes?"
      confirmLabel="Discard"
      closeLabel="Keep editing"
      pending={false}
      zIndex={aboveDialogs}
      onConfirm={() => answerDiscard(true)}
      onClose={() => answerDiscard(false)}
    >
      What you wrote will be lost.
    </ConfirmDialog>
  )
}
