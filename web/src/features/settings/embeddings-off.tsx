import { Button } from '@mantine/core'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useTurnOffEmbeddings } from './embeddings.queries.ts'

export function EmbeddingsOff({ isLocal }: { isLocal: boolean }) {
  const [asking, setAsking] = useState(false)
  const turnOff = useTurnOffEmbeddings()

  function confirm() {
    turnOff.mutate(undefined, {
      onSuccess: () => notifySuccess('Search by meaning is off'),
      onError: (error) => notifyError('Failed to turn it off', messageOf(error, '')),
      onSettled: () => setAsking(false),
    })
  }

  return (
    <>
      <Button variant="default" size="xs" onClick={() => setAsking(true)}>
        Turn Off
      </Button>
      <ConfirmDialog
        opened={asking}
        title="Turn Off Search by Meaning"
        confirmLabel="Turn Off"
        pending={turnOff.isPending}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      >
        Search matches words only. All vectors{isLocal ? ' and the files of the model' : ''} are deleted; what
        you stored stays.
      </ConfirmDialog>
    </>
  )
}
