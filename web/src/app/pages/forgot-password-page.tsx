import { Alert, Anchor, Code } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { ForgotPasswordForm } from '../../features/auth/forgot-password-form.tsx'
import { sendsMail } from '../../lib/server-facts.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'

export function ForgotPasswordPage() {
  const email = useLocation({ select: ({ state }) => state.email ?? '' })
  return (
    <AuthFrame
      title="Set a new password"
      subtitle="We will email you a link."
      footer={
        <Anchor component={Link} to="/login" state={{ email }}>
          Back to sign in
        </Anchor>
      }
    >
      {sendsMail ? (
        <ForgotPasswordForm email={email} />
      ) : (
        <Alert color="yellow" title="This server does not send email" role="status">
          Ask the person who runs it to set a new password for you with <Code>loci user reset-password</Code>.
        </Alert>
      )}
    </AuthFrame>
  )
}
