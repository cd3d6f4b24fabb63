import { findPlan, freePlanId } from '@loci/contract/plans'
import { Alert, Anchor } from '@mantine/core'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useClaim } from '../../features/auth/claim.ts'
import { ClaimHint } from '../../features/auth/claim-hint.tsx'
import { useInvitation } from '../../features/auth/invitation.queries.ts'
import { readInvitation } from '../../features/auth/invitation.ts'
import { register } from '../../features/auth/register.ts'
import type { SignupValues } from '../../features/auth/signup.rules.ts'
import { SignupForm } from '../../features/auth/signup-form.tsx'
import { startSignupCheckout } from '../../features/billing/checkout.ts'
import { rememberDestination } from '../../lib/destination.ts'
import { isCharging, signUp } from '../../lib/server-facts.ts'
import { switchAccount } from '../../lib/switch-account.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

const redirectDelayMs = 2_000
const route = getRouteApi('/visitor/signup')

/** Why strangers cannot sign up; undefined if they can. */
const closedToStrangers = {
  invited: {
    title: 'By invitation only',
    text: 'Ask the person who runs this server for an account.',
  },
  closed: {
    title: 'Sign-up is closed',
    text: 'This server does not accept new accounts.',
  },
}[signUp]

export function SignupPage() {
  const search = route.useSearch()
  const navigate = useNavigate()
  const [done, setDone] = useState<string>()
  const [next, setNext] = useState<'/login' | '/dashboard'>()
  const [token] = useState(readInvitation)
  const { data: invitation, isLoading } = useInvitation(token ?? '')
  const isInvited = signUp === 'invited' && token !== undefined
  const closed = useClaim() === undefined && !isInvited ? closedToStrangers : undefined
  const plan = findPaidPlan(search.plan)
  const interval = search.billing === 'annual' ? 'annual' : 'monthly'

  // A user who has navigated away meanwhile is not redirected.
  useEffect(() => {
    if (next === undefined) return
    const timer = setTimeout(() => void navigate({ to: next }), redirectDelayMs)
    return () => clearTimeout(timer)
  }, [next, navigate])

  /** Users who already have an account reach the plan after signing in. */
  function keepPlan() {
    if (plan) rememberDestination(`/billing?plan=${plan.id}&billing=${interval}`)
  }

  async function submit(values: SignupValues) {
    const joined = await register(values)
    if (joined !== undefined) return switchAccount(joined)
    if (!plan) {
      setDone('Account created successfully! Redirecting to login...')
      return setNext('/login')
    }
    setDone('Account created successfully! Taking you to billing...')
    try {
      window.location.assign(await startSignupCheckout(plan.id, interval))
    } catch {
      setNext('/dashboard')
    }
  }

  return (
    <AuthFrame
      title="Create your account"
      subtitle="Memory that outlives the conversation."
      footer={
        <>
          <span>
            Already have an account?{' '}
            <Anchor component={Link} to="/login" onClick={keepPlan}>
              Sign in
            </Anchor>
          </span>
          <Anchor href="/">Back to home</Anchor>
        </>
      }
    >
      {search.payment === 'cancelled' && !done && (
        <Alert color="yellow" title="Checkout was cancelled" role="status" mb="md">
          Nothing was charged.
        </Alert>
      )}
      {plan && !done && !closed && (
        <Alert color="iris" title={`Selected Plan: ${plan.name} (${interval})`} mb="md">
          You'll be taken to billing after signup
        </Alert>
      )}
      {done && (
        <Alert color="green" role="status">
          {done}
        </Alert>
      )}
      {!done && closed && (
        <Alert color="yellow" title={closed.title} role="status">
          {closed.text}
        </Alert>
      )}
      {!done && !closed && (
        <ClaimHint withLink="The account that you create here gets what agents stored on it." />
      )}
      {invitation && !done && !closed && (
        <Alert color="iris" title={`Join the account of ${invitation.account}`} role="status" mb="md">
          The invitation was sent to {invitation.email}.
        </Alert>
      )}
      {!done && !closed && !isLoading && (
        <SignupForm
          email={invitation?.email}
          label={plan ? `Create Account & Subscribe to ${plan.name}` : 'Create Account'}
          onSubmit={submit}
        />
      )}
    </AuthFrame>
  )
}

function findPaidPlan(id: string | undefined) {
  const plan = id === undefined || !isCharging ? undefined : findPlan(id)
  return plan?.sold && plan.id !== freePlanId ? plan : undefined
}
