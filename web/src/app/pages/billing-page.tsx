import type { PaymentMethod } from '@loci/contract/billing'
import { selfHostedPlanId } from '@loci/contract/plans'
import { Badge, Button, Skeleton, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { PlanUsage } from '../../features/analytics/plan-usage.tsx'
import { AddCardDialog } from '../../features/billing/add-card-dialog.tsx'
import {
  useBillingDetails,
  useInvoices,
  usePaymentMethods,
  useReactivateSubscription,
  useSubscription,
} from '../../features/billing/billing.queries.ts'
import { findChosenPlan, isNeeded } from '../../features/billing/billing.rules.ts'
import { BillingDetailsPanel } from '../../features/billing/billing-details-form.tsx'
import { BillingHistory } from '../../features/billing/billing-history.tsx'
import { BillingNotices, PendingUpgrade } from '../../features/billing/billing-notices.tsx'
import { CancelPlanDialog } from '../../features/billing/cancel-plan-dialog.tsx'
import { ChangePlanDialog } from '../../features/billing/change-plan-dialog.tsx'
import { readCheckoutReturn } from '../../features/billing/checkout.ts'
import { CheckoutNotice } from '../../features/billing/checkout-notice.tsx'
import { CurrentPlan } from '../../features/billing/current-plan.tsx'
import { PaymentMethodList } from '../../features/billing/payment-method-list.tsx'
import { PlanFeatures } from '../../features/billing/plan-features.tsx'
import { PlanNotice } from '../../features/billing/plan-notice.tsx'
import { RemoveCardDialog } from '../../features/billing/remove-card-dialog.tsx'
import { TestClock } from '../../features/billing/test-clock.tsx'
import { messageOf } from '../../lib/errors.ts'
import { notifyError, notifySuccess } from '../../lib/notify.tsx'
import { useMay } from '../../lib/rights.ts'
import { hasTestClock, isCharging } from '../../lib/server-facts.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Section } from '../../ui/section.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import classes from './billing-page.module.css'

const route = getRouteApi('/app/billing')

export function BillingPage() {
  const mayManage = useMay('billing:manage')
  if (!isCharging) return <FreeOfCharge />
  return mayManage ? <PaidBilling /> : <NotPermitted />
}

function NotPermitted() {
  return (
    <Page title="Billing & Subscription" subtitle="Your use of the plan.">
      <Section title="Managed by owners and admins">
        <Text>Only owners and admins can see this account's plan, cards and invoices.</Text>
      </Section>
      <PlanUsage />
    </Page>
  )
}

function FreeOfCharge() {
  return (
    <Page title="Billing & Subscription" subtitle="Your use of this server.">
      <Section title="This server does not charge">
        <Text>There are no plans, no prices and no limits here.</Text>
      </Section>
      <PlanUsage />
    </Page>
  )
}

function PaidBilling() {
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const result = readCheckoutReturn(search)
  const chosenPlanId = result === undefined ? findChosenPlan(search.plan, search.billing) : undefined
  const subscription = useSubscription()
  const cards = usePaymentMethods()
  const invoices = useInvoices()
  const details = useBillingDetails()
  const { open, close, isOpen, subject } = useDialog<'card' | 'plan' | 'cancel' | 'remove', PaymentMethod>()
  const reactivate = useReactivateSubscription()

  const clearAddress = () => void navigate({ to: '/billing', search: {}, replace: true, resetScroll: false })

  function closePlans() {
    close()
    if (chosenPlanId !== undefined) clearAddress()
  }

  function takeBack() {
    reactivate.mutate(undefined, {
      onSuccess: () => notifySuccess('Subscription reactivated'),
      onError: (error) => notifyError('Failed to reactivate subscription', messageOf(error, '')),
    })
  }

  return (
    <Page
      title="Billing & Subscription"
      subtitle="Your plan, payment and usage."
      actions={subscription.data?.testMode && <Badge color="yellow">Test mode: no real money moves</Badge>}
    >
      <CheckoutNotice result={result} onDismiss={clearAddress} />
      {subscription.data && cards.data && (
        <PlanNotice subscription={subscription.data} hasCard={cards.data.length > 0} />
      )}
      <Loaded
        query={subscription}
        failure="Failed to load subscription information"
        waiting={<Skeleton height={210} />}
      >
        {(data) => (
          <>
            <PendingUpgrade pendingUpgrade={data.pendingUpgrade} />
            <BillingNotices notices={data.notices} />
            <div className={classes.columns}>
              <CurrentPlan
                subscription={data}
                hasCard={cards.data === undefined || cards.data.length > 0}
                reactivating={reactivate.isPending}
                onChange={() => open('plan')}
                onCancel={() => open('cancel')}
                onReactivate={takeBack}
              />
              <PlanFeatures features={data.features} />
              <ChangePlanDialog
                opened={isOpen('plan') || (chosenPlanId !== undefined && data.plan !== selfHostedPlanId)}
                subscription={data}
                chosenPlanId={chosenPlanId}
                onClose={closePlans}
              />
              <CancelPlanDialog opened={isOpen('cancel')} subscription={data} onClose={close} />
            </div>
          </>
        )}
      </Loaded>
      <div className={classes.columns}>
        <div className={classes.column}>
          <Section
            title="Payment Methods"
            flush
            aside={
              <Button
                variant="default"
                size="xs"
                leftSection={<IconPlus size={14} />}
                onClick={() => open('card')}
              >
                Add Payment Method
              </Button>
            }
          >
            <Loaded query={cards} failure="Failed to load payment methods" waiting={<Skeleton height={60} />}>
              {(data) => <PaymentMethodList cards={data} onRemove={(card) => open('remove', card)} />}
            </Loaded>
          </Section>
          <Section title="Billing History" description="Dates are in UTC." flush>
            <Loaded
              query={invoices}
              failure="Failed to load billing history"
              waiting={<Skeleton height={60} />}
            >
              {(data) => <BillingHistory invoices={data} />}
            </Loaded>
          </Section>
        </div>
        <Section title="Billing Details" description="Printed on future invoices.">
          <Loaded
            query={details}
            failure="Failed to load billing details"
            waiting={<Skeleton height={260} />}
          >
            {(data) => <BillingDetailsPanel details={data} />}
          </Loaded>
        </Section>
      </div>
      <PlanUsage />
      {hasTestClock && <TestClock />}
      <AddCardDialog opened={isOpen('card')} onClose={close} />
      <RemoveCardDialog
        opened={isOpen('remove')}
        card={subject}
        needed={subject !== undefined && isNeeded(subject, cards.data, subscription.data)}
        subscription={subscription.data}
        onClose={close}
      />
    </Page>
  )
}
