import type { Subscription } from '@loci/contract/billing'
import { Alert } from '@mantine/core'
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { toIso } from '../../lib/format.ts'
import { UtcDate } from '../../ui/utc-date.tsx'
import { nameOfPlan, noticeOf, priceOfPlan } from './billing.rules.ts'

type PlanNoticeProps = {
  subscription: Subscription
  hasCard: boolean
  /** The next step. */
  children?: ReactNode
}

/** What the owner must see unasked: a failed payment, the end of a trial, why the plan is Free. */
export function PlanNotice({ subscription, hasCard, children }: PlanNoticeProps) {
  const notice = noticeOf(subscription)
  if (notice === undefined) return null
  const isFailure = notice.kind === 'past_due'
  return (
    <Alert
      role={isFailure ? 'alert' : 'status'}
      color={isFailure ? 'red' : notice.kind === 'trial' ? 'iris' : 'yellow'}
      icon={isFailure ? <IconAlertTriangle size={18} /> : <IconInfoCircle size={18} />}
      py={isFailure ? undefined : 8}
      title={isFailure ? notice.title : undefined}
    >
      {!isFailure && <b>{notice.title}.</b>} <Words subscription={subscription} hasCard={hasCard} />{' '}
      {children}
    </Alert>
  )
}

const on = (epochSeconds: number) => <UtcDate iso={toIso(epochSeconds)} named />

function Words({ subscription, hasCard }: Omit<PlanNoticeProps, 'children'>) {
  const { plan, pastDue, ended, trialEnd } = subscription
  if (pastDue !== null) return <PastDueWords plan={plan} {...pastDue} />
  if (ended !== null) return <EndedWords {...ended} />
  if (trialEnd === null) return null
  return hasCard ? (
    <>
      Your {nameOfPlan(plan)} trial ends on {on(trialEnd)}. After that, {nameOfPlan(plan)} costs{' '}
      {priceOfPlan(plan)}.
    </>
  ) : (
    <>
      Your {nameOfPlan(plan)} trial ends on {on(trialEnd)}. Add a payment method before then, or your account
      returns to Free.
    </>
  )
}

type PastDueWordsProps = { plan: string } & NonNullable<Subscription['pastDue']>

function PastDueWords({ plan, nextTryAt, endsAt }: PastDueWordsProps) {
  return (
    <>
      Your last payment for {nameOfPlan(plan)} failed.{' '}
      {nextTryAt === null ? (
        'We will not try again automatically.'
      ) : (
        <>We will try again on {on(nextTryAt)}.</>
      )}{' '}
      If it is not paid{endsAt !== null && <> by {on(endsAt)}</>}, your account returns to Free. Nothing you
      stored is deleted.
    </>
  )
}

function EndedWords({ plan, at, reason }: NonNullable<Subscription['ended']>) {
  const name = nameOfPlan(plan)
  if (reason === 'payment_failed') {
    return (
      <>
        {name} ended on {on(at)} because the payment failed. Nothing you stored was deleted.
      </>
    )
  }
  if (reason === 'trial_ended') {
    return (
      <>
        Your {name} trial ended on {on(at)} without a payment method. Nothing you stored was deleted.
      </>
    )
  }
  if (reason === 'disputed') {
    return (
      <>
        {name} ended on {on(at)} because a payment was disputed at the bank. Nothing you stored was deleted.
      </>
    )
  }
  return (
    <>
      {name} was cancelled and ended on {on(at)}. Nothing you stored was deleted.
    </>
  )
}
