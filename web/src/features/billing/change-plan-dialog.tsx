import type { ChangePreview, Plan, Subscription } from '@loci/contract/billing'
import { freePlanId } from '@loci/contract/plans'
import { Badge, Button, Group, Modal, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useChangePlan, usePlans, usePreviewChange } from './billing.queries.ts'
import {
  type BillingInterval,
  counterpartOf,
  intervalOf,
  isSetToChange,
  planChangeProblem,
  plansOn,
} from './billing.rules.ts'
import { startPlanCheckout } from './checkout.ts'
import { ConfirmChange } from './confirm-change.tsx'
import { PlanChoices } from './plan-choices.tsx'

type ChangePlanDialogProps = {
  opened: boolean
  subscription: Subscription
  /** Selected before the dialog opened; otherwise the current plan is selected. */
  chosenPlanId: string | undefined
  onClose: () => void
}

export function ChangePlanDialog({ opened, ...rest }: ChangePlanDialogProps) {
  const { data: plans, error, refetch } = usePlans()
  return (
    <Modal opened={opened} onClose={rest.onClose} title="Change Plan" size="lg">
      {error && !plans && <ErrorAlert message="Failed to load plans" onRetry={() => void refetch()} />}
      {!plans && !error && <Skeleton height={320} />}
      {plans && <ChangePlanForm plans={plans} {...rest} />}
    </Modal>
  )
}

type ChangePlanFormProps = { plans: Plan[] } & Omit<ChangePlanDialogProps, 'opened'>

const intervals = [
  { value: 'monthly', label: 'Monthly' },
  {
    value: 'annual',
    label: (
      <Group gap={6} justify="center" wrap="nowrap">
        Annual{' '}
        <Badge color="green" miw="max-content">
          Save 17%
        </Badge>
      </Group>
    ),
  },
]

function ChangePlanForm({ plans, subscription, chosenPlanId, onClose }: ChangePlanFormProps) {
  const initialPlanId = chosenPlanId ?? subscription.plan
  const [interval, setInterval] = useState<BillingInterval>(intervalOf(initialPlanId))
  const [planId, setPlanId] = useState(initialPlanId)
  const { choose, asked, confirm, back, pending, changing } = usePlanChoice(subscription, onClose)
  const shown = plansOn(interval, plans)
  const chosen = shown.find((plan) => plan.id === planId)
  const isCurrent = planId === subscription.plan && !isSetToChange(subscription)

  function switchTo(next: string) {
    const wanted = next === 'annual' ? 'annual' : 'monthly'
    setInterval(wanted)
    setPlanId(counterpartOf(planId, wanted, plans)?.id ?? '')
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (chosen && !isCurrent) void choose(chosen)
  }

  if (asked) {
    return (
      <ConfirmChange
        {...asked}
        subscription={subscription}
        pending={changing}
        onConfirm={() => void confirm(asked)}
        onBack={back}
      />
    )
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <SegmentedControl
          aria-label="Billing interval"
          data={intervals}
          value={interval}
          onChange={switchTo}
          fullWidth
        />
        <PlanChoices plans={shown} currentPlanId={subscription.plan} value={planId} onChange={setPlanId} />
        <Text size="xs" c="dimmed">
          Upgrades apply at once, downgrades at the end of the billing period.
        </Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Close
          </Button>
          <Button type="submit" loading={pending} disabled={!chosen || isCurrent}>
            {chosen && chosen.priceId === null ? 'Downgrade' : 'Change Plan'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type Asked = { plan: Plan; preview: ChangePreview }

/** Applies the choice: from the free plan through checkout, otherwise after the user has confirmed the cost. */
function usePlanChoice(subscription: Subscription, onClose: () => void) {
  const change = useChangePlan()
  const preview = usePreviewChange()
  const [leaving, setLeaving] = useState(false)
  const [asked, setAsked] = useState<Asked>()

  async function choose(plan: Plan) {
    const { id, priceId } = plan
    try {
      if (subscription.plan === freePlanId && priceId !== null) {
        setLeaving(true)
        window.location.assign(await startPlanCheckout(id, priceId))
        return
      }
      setAsked({ plan, preview: await preview.mutateAsync(id) })
    } catch (error) {
      setLeaving(false)
      notifyError(planChangeProblem(error))
    }
  }

  async function confirm({ plan: { id, priceId }, preview: { effectiveAt } }: Asked) {
    try {
      const { pendingUpgrade } = await change.mutateAsync({ planId: id, priceId, effectiveAt })
      if (pendingUpgrade === null)
        notifySuccess(id === freePlanId ? 'Plan changed to Free' : 'Plan changed successfully')
      onClose()
    } catch (error) {
      notifyError(planChangeProblem(error))
    }
  }

  return {
    choose,
    asked,
    confirm,
    back: () => setAsked(undefined),
    pending: leaving || preview.isPending,
    changing: change.isPending,
  }
}
