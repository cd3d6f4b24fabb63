import { Alert } from '@mantine/core'
import { IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { nameOfPlan } from './billing.rules.ts'
import type { CheckoutReturn } from './checkout.ts'

type CheckoutNoticeProps = { result: CheckoutReturn | undefined; onDismiss: () => void }

/** How the checkout ended that one comes back from. */
export function CheckoutNotice({ result, onDismiss }: CheckoutNoticeProps) {
  if (result === undefined) return null
  const plan = result.plan === undefined ? undefined : nameOfPlan(result.plan)
  const succeeded = result.outcome === 'success'
  return (
    <Alert
      role="status"
      color={succeeded ? 'green' : 'yellow'}
      icon={succeeded ? <IconCheck size={18} /> : <IconInfoCircle size={18} />}
      title={succeeded ? `You are subscribed${plan ? ` to ${plan}` : ''}` : 'Checkout was cancelled'}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onDismiss}
    >
      {succeeded
        ? 'The limits of the new plan are yours from now on.'
        : `Nothing was charged and your plan is unchanged. ${plan ? `${plan} is` : 'All plans are'} there whenever you want.`}
    </Alert>
  )
}
