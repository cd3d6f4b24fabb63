import { Alert, Anchor, Skeleton, Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { wordsOfError } from '../../features/connections/connection-words.ts'
import { useConnectionRequest, useDecide } from '../../features/connections/connections.queries.ts'
import { ConsentForm } from '../../features/connections/consent-form.tsx'
import { isApiError, messageOf } from '../../lib/errors.ts'
import { useUser } from '../../lib/session.ts'
import { AuthFrame } from '../../ui/auth-frame.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'

const route = getRouteApi('/authorize')

/** Where an app sends the browser to ask for access to the memory. */
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
      {request && user ? (
        <ConsentForm
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

/** Apps name themselves; the whole name stands below. */
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
