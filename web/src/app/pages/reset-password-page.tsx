import { Alert, Anchor, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ResetPasswordForm } from '../../features/auth/reset-password-form.tsx'
import { takeLinkToken } from '../../lib/link-token.ts'
import { signOutHere } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

export function ResetPasswordPage() {
  const [token] = useState(takeLinkToken)
  const [isDone, setIsDone] = useState(false)

  /** The reset ended every session, including this browser's. */
  function finish() {
    signOutHere()
    setIsDone(true)
  }

  return (
    <AuthFrame
      title="Choose a new password"
      subtitle="This ends all your other sessions."
      footer={
        <Anchor component={Link} to="/login">
          Back to sign in
        </Anchor>
      }
    >
      {isDone && (
        <Alert color="green" title="Your password is set" role="status">
          <Button component={Link} to="/login" mt="sm">
            Sign In
          </Button>
        </Alert>
      )}
      {!isDone && token !== undefined && <ResetPasswordForm token={token} onDone={finish} />}
      {!isDone && token === undefined && <IncompleteLink />}
    </AuthFrame>
  )
}

const IncompleteLink = () => (
  <Alert color="yellow" title="This link is incomplete" role="status">
    Open it from the email again, or{' '}
    <Anchor component={Link} to="/forgot-password">
      ask for a new one
    </Anchor>
    .
  </Alert>
)
