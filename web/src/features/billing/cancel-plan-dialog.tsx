import type { Subscription } from '@loci/contract/billing'
import { messageOf } from '../../lib/errors.ts'
import { toIso } from '../../lib/format.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { UtcDate } from '../../ui/utc-date.tsx'
import { useCancelSubscription } from './billing.queries.ts'
import { nameOfPlan } from './billing.rules.ts'

type CancelPlanDialogProps = { opened: boolean; subscription: Subscription; onClose: () => void }

export function CancelPlanDialog({ opened, subscription, onClose }: CancelPlanDialogProps) {
  const cancel = useCancelSubscription()
  const { plan, currentPeriodEnd } = subscription

  function confirm() {
    cancel.mutate(undefined, {
      onSuccess: () => notifySuccess('Subscription will be cancelled at the end of the billing period'),
      onError: (error) => notifyError('Failed to cancel subscription', messageOf(error, '')),
      onSettled: onClose,
    })
  }

  return (
    <ConfirmDialog
      opened={opened}
      title="Cancel Subscription"
      confirmLabel="Cancel Subscription"
      closeLabel="Keep Subscription"
      pending={cancel.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      You keep {nameOfPlan(plan)} until{' '}
      {currentPeriodEnd === null ? 'the period ends' : <UtcDate iso={toIso(currentPeriodEnd)} named />}. Then
      your account moves to Free. Nothing you stored is deleted, and you can reactivate at any time before
      then.
    </ConfirmDialog>
  )
}
