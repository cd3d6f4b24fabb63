import type { User } from '@loci/contract/auth'
import { Alert, Anchor, NativeSelect, Skeleton, Stack } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { wordsOfError } from '../../features/connections/connection-words.ts'
import { useConnectionRequest, useDecide } from '../../features/connections/connections.queries.ts'
import { ConsentForm } from '../../features/connections/consent-form.tsx'
import { labelOfRole } from '../../features/members/roles.ts'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { useUser } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'

const route = getRouteApi('/authorize')

/** The page where an app asks for access to the memory. */
export function AuthorizePage() {
  const { request, error } = route.useSearch()
  return request === undefined ? (
    <Refusal text={wordsOfError(error ?? 'expired')} />
  ) : (
    <Request id={request} />
  )
}

function Request({ id }: { id: string }) {
  const user = useUser()
  const { data: request, error, refetch } = useConnectionRequest(id)
  const decide = useDecide(id)
  if (error) {
    const isOver = isApiError(error, 'connection_request_not_found')
    return (
      <Refusal
        text={messageOf(error, 'The request could not be loaded')}
        {...(isOver ? {} : { onRetry: () => void refetch() })}
      />
    )
  }
  if (decide.isSuccess) {
    return (
      <AuthFrame
        title="Back to the app"
        subtitle="You can close this page if the app does not open."
        footer={<Anchor href="/dashboard">Open Loci</Anchor>}
      >
        {null}
      </AuthFrame>
    )
  }
  return (
    <AuthFrame
      title={request ? `Connect ${shortened(request.client.name)}` : 'Connect an app'}
      subtitle="An app asks for access to your memory."
      footer="You can disconnect it at any time in Settings."
    >
      {decide.error && (
        <Stack mb="md">
          <ErrorAlert message={messageOf(decide.error, 'The app could not be connected')} />
        </Stack>
      )}
      {user && user.accounts.length > 1 && <AccountChoice user={user} />}
      {request && user ? (
        <ConsentForm
          key={user.accountId}
          request={request}
          email={user.email}
          pending={decide.isPending}
          onAllow={(granted) => decide.mutate(granted)}
          onRefuse={() => decide.mutate(undefined)}
        />
      ) : (
        <Skeleton height={220} />
      )}
    </AuthFrame>
  )
}

/** Another account has other spaces and rights, so the page reloads them. */
function AccountChoice({ user }: { user: User }) {
  const navigate = useNavigate({ from: '/authorize' })
  return (
    <NativeSelect
      label="Account"
      mb="md"
      value={user.accountId}
      onChange={(event) => {
        const account = event.currentTarget.value
        void navigate({ search: (search) => ({ ...search, account }), replace: true })
      }}
      data={user.accounts.map(({ id, name, role }) => ({
        value: id,
        label: `${name} (${labelOfRole(role)})`,
      }))}
    />
  )
}

/** Apps choose their own names; the full name is shown below. */
const shortened = (name: string) => (name.length > 48 ? `${name.slice(0, 47)}…` : name)

function Refusal({ text, onRetry }: { text: string; onRetry?: () => void }) {
  return (
    <AuthFrame
      title="This app cannot be connected"
      subtitle="Nothing was changed."
      footer={<Anchor href="/dashboard">Open Loci</Anchor>}
    >
      {onRetry ? (
        <ErrorAlert message={text} onRetry={onRetry} />
      ) : (
        <Alert color="yellow" role="alert">
          {text}
        </Alert>
      )}
    </AuthFrame>
  )
}
