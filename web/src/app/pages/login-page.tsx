import { Alert, Anchor } from '@mantine/core'
import { Link, useRouter } from '@tanstack/react-router'
import { useClaim } from '../../features/auth/claim.ts'
import { ClaimHint } from '../../features/auth/claim-hint.tsx'
import { LoginForm } from '../../features/auth/login-form.tsx'
import { takeDestination } from '../../lib/destination.ts'
import { signUp } from '../../lib/server-facts.ts'
import { currentSession, useSession } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

export function LoginPage() {
  const router = useRouter()
  const session = useSession()
  const hasLink = useClaim() !== undefined
  const canSignUp = signUp === 'open' || hasLink
  return (
    <AuthFrame
      title="Sign in to Loci"
      subtitle="Sign in to your agents' memory."
      footer={
        <>
          <Anchor component={Link} to="/forgot-password">
            Forgot your password?
          </Anchor>
          {' · '}
          {canSignUp && (
            <>
              New here?{' '}
              <Anchor component={Link} to="/signup">
                Create an account
              </Anchor>
              {' · '}
            </>
          )}
          <Anchor href="/">Back to home</Anchor>
        </>
      }
    >
      <ClaimHint withLink="Sign in, then add what agents stored on it to your memory." />
      {session.status === 'anonymous' && session.ended === 'expired' && (
        <Alert color="yellow" role="status" mb="md" title="Your session has ended">
          Sign in again to go on where you were.
        </Alert>
      )}
      <LoginForm onSignedIn={() => router.history.replace(takeDestination(signedInId()))} />
    </AuthFrame>
  )
}

function signedInId(): string | undefined {
  const session = currentSession()
  return session.status === 'signed-in' ? session.user.id : undefined
}
