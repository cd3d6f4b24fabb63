import { Alert } from '@mantine/core'
import { IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { usePlanHasCome } from './billing.queries.ts'
import { nameOfPlan } from './billing.rules.ts'
import type { CheckoutReturn } from './checkout.ts'

type CheckoutNoticeProps = { result: CheckoutReturn | undefined; onDismiss: () => void }

/** The outcome of the checkout that the user returns from. */
export function CheckoutNotice({ result, onDismiss }: CheckoutNoticeProps) {
  const succeeded = result?.outcome === 'success'
  const planHasCome = usePlanHasCome(succeeded)
  if (result === undefined) return null
  const plan = result.plan === undefined ? undefined : nameOfPlan(result.plan)
  const { title, text } = wordsFor(succeeded, planHasCome, plan)
  return (
    <Alert
      role="status"
      color={succeeded ? 'green' : 'yellow'}
      icon={succeeded ? <IconCheck size={18} /> : <IconInfoCircle size={18} />}
      title={title}
      withCloseButton
      closeButtonLabel="Dismiss"
      onClose={onDismiss}
    >
      {text}
    </Alert>
  )
}

function wordsFor(succeeded: boolean, planHasCome: boolean, plan: string | undefined) {
  if (!succeeded) {
    return {
      title: 'Checkout was cancelled',
      text: `Nothing was charged and your plan is unchanged.`,
    }
  }
  return planHasCome
    ? {
        title: `You are subscribed${plan ? ` to ${plan}` : ''}`,
        text: 'The limits of the new plan apply now.',
      }
    : { title: 'Thank you', text: `${plan ?? 'Your plan'} is being set up. This takes a moment.` }
}
