import { Skeleton } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { notifySuccess } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { useRenewBilling, useSetupIntent } from './billing.queries.ts'
import { TestCardForm } from './test-card-form.tsx'

const StripeCardForm = lazy(() => import('./stripe-card-form.tsx'))

type AddCardDialogProps = { opened: boolean; onClose: () => void }

export function AddCardDialog({ opened, onClose }: AddCardDialogProps) {
  return (
    <FormModal opened={opened} onClose={onClose} title="Add Payment Method">
      <CardForm onClose={onClose} />
    </FormModal>
  )
}

/** The card form: ours in test mode, otherwise Stripe's. */
function CardForm({ onClose }: { onClose: () => void }) {
  const { data: intent, error, refetch } = useSetupIntent()
  const renew = useRenewBilling()

  function finish() {
    notifySuccess('Payment method added successfully')
    renew()
    onClose()
  }

  if (error) {
    const message = messageOf(error, 'Failed to add payment method')
    return <ErrorAlert message={message} onRetry={() => void refetch()} />
  }
  if (!intent) return <Skeleton height={220} />
  const { clientSecret, gateway, publishableKey } = intent
  if (gateway === 'sandbox' || publishableKey === null) {
    return <TestCardForm clientSecret={clientSecret} onAdded={finish} onClose={onClose} />
  }
  return (
    <Suspense fallback={<Skeleton height={220} />}>
      <StripeCardForm
        clientSecret={clientSecret}
        publishableKey={publishableKey}
        onAdded={finish}
        onClose={onClose}
      />
    </Suspense>
  )
}
