import type { SecondStep } from '@loci/contract/second-factors'
import { Alert, Anchor, Code } from '@mantine/core'
import { Link, useLocation, useRouter } from '@tanstack/react-router'
import { type ComponentProps, useState } from 'react'
import { useClaim } from '../../features/auth/claim.ts'
import { ClaimHint } from '../../features/auth/claim-hint.tsx'
import { LoginForm } from '../../features/auth/login-form.tsx'
import { SecondStepForm } from '../../features/auth/second-step-form.tsx'
import { takeDestination } from '../../lib/destination.ts'
import { programPath, signUp } from '../../lib/server-facts.ts'
import { currentSession, useSession } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

export function LoginPage() {
  const [step, setStep] = useState<SecondStep>()
  const carried = useLocation({ select: ({ state }) => state.email ?? '' })
  const [email, setEmail] = useState(carried)
  const router = useRouter()
  const enter = () => router.history.replace(takeDestination(signedInId()))
  if (step !== undefined) {
    return (
      <AuthFrame
        title="Confirm it is you"
        subtitle="Your password is correct. One more step."
        footer={<LostEverything />}
      >
        <SecondStepForm step={step} onSignedIn={enter} onBack={() => setStep(undefined)} />
      </AuthFrame>
    )
  }
  return <FirstStep email={email} onEmailChange={setEmail} onSignedIn={enter} onSecondStep={setStep} />
}

/** Only the operator can remove somebody's second factors, at the machine itself. */
function LostEverything() {
  if (programPath === '') return 'Lost everything? Ask the person who runs this server.'
  return (
    <>
      Lost everything? On this machine, run{' '}
      <Code style={{ overflowWrap: 'anywhere' }}>
        node {programPath} user reset-second-factor {'<email>'}
      </Code>
      . After that your password is enough.
    </>
  )
}

function FirstStep(props: ComponentProps<typeof LoginForm>) {
  const session = useSession()
  const hasLink = useClaim() !== undefined
  const canSignUp = signUp === 'open' || hasLink
  return (
    <AuthFrame
      title="Sign in to Loci"
      subtitle="Your agents' memory, where you left it."
      footer={
        <>
          <Anchor component={Link} to="/forgot-password" state={{ email: props.email }}>
            Forgot your password?
          </Anchor>
          {canSignUp && (
            <span>
              New here?{' '}
              <Anchor component={Link} to="/signup">
                Create an account
              </Anchor>
            </span>
          )}
          <Anchor href="/">Back to home</Anchor>
        </>
      }
    >
      <ClaimHint withLink="Sign in, then add what agents stored on it to your memory." />
      {session.status === 'anonymous' && session.ended === 'expired' && (
        <Alert color="yellow" role="status" mb="md" title="Your session has ended">
          Sign in again to continue where you left off.
        </Alert>
      )}
      <LoginForm {...props} />
    </AuthFrame>
  )
}

function signedInId(): string | undefined {
  const session = currentSession()
  return session.status === 'signed-in' ? session.user.id : undefined
}
