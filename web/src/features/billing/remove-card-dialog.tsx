import { brandOf, type PaymentMethod, type Subscription } from '@loci/contract/billing'
import { useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { toIso } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { UtcDate } from '../../ui/utc-date.tsx'
import { useRemoveCard } from './billing.queries.ts'
import { nameOfPlan } from './billing.rules.ts'

type RemoveCardDialogProps = {
  opened: boolean
  card: PaymentMethod | undefined
  /** No other card can pay for the plan, so the dialog asks twice. */
  needed: boolean
  subscription: Subscription | undefined
  onClose: () => void
}

export function RemoveCardDialog({ opened, card, needed, subscription, onClose }: RemoveCardDialogProps) {
  const [wasWarned, setWarned] = useState(false)
  const remove = useRemoveCard()
  const name = card && `${brandOf(card)} ending in ${card.last4}`
  const isWarning = needed && !wasWarned

  function close() {
    setWarned(false)
    onClose()
  }

  function confirm() {
    if (!card) return
    if (isWarning) return setWarned(true)
    remove.mutate(card.id, {
      onSuccess: () => notifySuccess('Payment method removed'),
      onError: (error) => notifyError('Failed to remove payment method', messageOf(error, '')),
      onSettled: close,
    })
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Remove Payment Method"
      confirmLabel={wasWarned ? 'Remove Last Payment Method' : 'Remove'}
      pending={remove.isPending}
      onConfirm={confirm}
      onClose={close}
    >
      {isWarning && subscription ? (
        <Warning name={name ?? ''} subscription={subscription} />
      ) : wasWarned ? (
        `Are you sure? No payment method will be left for ${nameOfPlan(subscription?.plan ?? '')}.`
      ) : (
        `${name} will no longer be charged.`
      )}
    </ConfirmDialog>
  )
}

function Warning({ name, subscription }: { name: string; subscription: Subscription }) {
  const { plan, status, currentPeriodEnd, pastDue } = subscription
  const date = currentPeriodEnd !== null && <UtcDate iso={toIso(currentPeriodEnd)} named />
  return (
    <>
      {name} is the only payment method for {nameOfPlan(plan)}.{' '}
      {status === 'trialing' && <>Without it, your account returns to Free when the trial ends on {date}.</>}
      {pastDue !== null && <>Without it, the amount due cannot be paid and your account returns to Free.</>}
      {status === 'active' && (
        <>Without it, the payment on {date} fails, and after several attempts your account returns to Free.</>
      )}{' '}
      Nothing you stored is deleted.
    </>
  )
}
