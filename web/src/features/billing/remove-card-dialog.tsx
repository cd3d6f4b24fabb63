import { brandOf, type PaymentMethod } from '@loci/contract/billing'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useRemoveCard } from './billing.queries.ts'

type RemoveCardDialogProps = { opened: boolean; card: PaymentMethod | undefined; onClose: () => void }

export function RemoveCardDialog({ opened, card, onClose }: RemoveCardDialogProps) {
  const remove = useRemoveCard()

  function confirm() {
    if (!card) return
    remove.mutate(card.id, {
      onSuccess: () => notifySuccess('Payment method removed'),
      onError: (error) => notifyError('Failed to remove payment method', messageOf(error, '')),
      onSettled: onClose,
    })
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Remove Payment Method"
      confirmLabel="Remove"
      pending={remove.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      {card && `${brandOf(card)} ending in ${card.last4}`} will not be charged any more.
    </ConfirmDialog>
  )
}
