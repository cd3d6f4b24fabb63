import { Alert, Anchor, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { takeLinkToken } from '../../lib/link-token.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'

export function VerifyEmailPage() {
  const [token] = useState(takeLinkToken)
  const verification = useQuery({
    queryKey: ['verify-email', token],
    queryFn: async () => {
      await api.verifyEmail({ body: { token: token! } })
      return true
    },
    enabled: token !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <AuthFrame
      title="Confirm your email address"
      subtitle="So that email about your account reaches you."
      footer={
        <Anchor component={Link} to="/dashboard">
          Go to Loci
        </Anchor>
      }
    >
      {token === undefined && (
        <Alert color="yellow" role="status">
          This link is incomplete. Open it from the email again.
        </Alert>
      )}
      {verification.isLoading && <Loader size="sm" />}
      {verification.isSuccess && (
        <Alert color="green" role="status">
          Your email address is confirmed.
        </Alert>
      )}
      {verification.isError && (
        <ErrorAlert message={messageOf(verification.error, 'The address could not be confirmed.')} />
      )}
    </AuthFrame>
  )
}
