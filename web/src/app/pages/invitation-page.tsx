import { Alert, Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useInvitation } from '../../features/auth/invitation.queries.ts'
import { forgetInvitation, keepInvitation, readInvitation } from '../../features/auth/invitation.ts'
import { labelOfRole } from '../../features/members/roles.ts'
import { api } from '../../lib/api.ts'
import { rememberDestination } from '../../lib/destination.ts'
import { messageOf } from '../../lib/errors.ts'
import { takeLinkToken } from '../../lib/link-token.ts'
import { ensureSession, logOut, useSession } from '../../lib/session.ts'
import { switchAccount } from '../../lib/switch-account.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'

/** An invitation. A signed-in user accepts it; for others this tab keeps it until they sign in. */
export function InvitationPage() {
  const [token] = useState(() => takeLinkToken() ?? readInvitation() ?? '')
  const session = useSession()
  useEffect(() => void ensureSession(), [])
  const details = useInvitation(token)
  const accept = useMutation({
    mutationFn: () => api.acceptInvitation({ params: { token } }),
    onSuccess: ({ account }) => {
      forgetInvitation()
      switchAccount(account.id)
    },
  })
  const keep = () => {
    keepInvitation(token)
    rememberDestination('/invitation')
  }
  const isInvited = session.status === 'signed-in' && session.user.email === details.data?.email.toLowerCase()
  const problem = accept.error ?? details.error
  return (
    <AuthFrame
      title={details.error ? 'This invitation cannot be used' : 'You are invited'}
      subtitle={details.error ? 'Ask for a new one.' : 'Memory that a team and its agents share.'}
      footer={
        <Anchor component={Link} to="/dashboard">
          Go to Loci
        </Anchor>
      }
    >
      <Stack gap="md">
        {problem && <ErrorAlert message={messageOf(problem, 'The invitation could not be read.')} />}
        {token === '' && (
          <Alert color="yellow" role="status">
            This link is incomplete. Open it from the email again.
          </Alert>
        )}
        {(details.isLoading || session.status === 'checking') && <Loader size="sm" />}
        {details.data && (
          <Text>
            Join the account of <strong>{details.data.account}</strong> as {labelOfRole(details.data.role)}.
            The invitation was sent to {details.data.email}.
          </Text>
        )}
        {details.data && session.status === 'signed-in' && isInvited && (
          <Button loading={accept.isPending} onClick={() => accept.mutate()}>
            Join as {session.user.email}
          </Button>
        )}
        {details.data && session.status === 'signed-in' && !isInvited && (
          <Stack gap="xs">
            <Alert color="yellow" role="status">
              You are signed in as {session.user.email}. Only {details.data.email} can accept this invitation.
            </Alert>
            <Button onClick={() => void logOut()}>Use another account</Button>
          </Stack>
        )}
        {details.data && session.status === 'anonymous' && (
          <Group grow>
            <Button component={Link} to="/login" variant="default" onClick={keep}>
              Sign In
            </Button>
            <Button component={Link} to="/signup" onClick={keep}>
              Create Account
            </Button>
          </Group>
        )}
      </Stack>
    </AuthFrame>
  )
}
