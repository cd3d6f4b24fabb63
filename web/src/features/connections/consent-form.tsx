import type { ApproveConnection, ConnectionRequest } from '@loci/contract/connections'
import { Alert, Button, NativeSelect, Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { placeOfRedirect } from './connection-words.ts'
import classes from './consent-form.module.css'

type ConsentFormProps = {
  request: ConnectionRequest
  /** The signed-in user. */
  email: string
  pending: boolean
  onAllow: (granted: ApproveConnection) => void
  onRefuse: () => void
}

/** Shows which app asks for what, and lets the user choose what to grant. */
export function ConsentForm({ request, email, pending, onAllow, onRefuse }: ConsentFormProps) {
  const { client, redirectUri, scopes, spaces } = request
  const canChoose = scopes.length > 1
  const [access, setAccess] = useState(canChoose ? 'all' : 'asked')
  const [space, setSpace] = useState(spaces[0]?.id ?? '')
  const granted = access === 'read' ? scopes.filter((scope) => scope === 'memory:read') : scopes
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        onAllow({ scopes: granted, space })
      }}
    >
      <dl className={classes.facts}>
        <dt>App</dt>
        <dd>
          <strong>{client.name}</strong>
          {client.isVerified && <> from {client.host}</>}
        </dd>
        <dt>Returns to</dt>
        <dd>
          <Destination redirectUri={redirectUri} />
        </dd>
        <dt>Signed in as</dt>
        <dd>{email}</dd>
        {spaces.length === 1 && (
          <>
            <dt>Space</dt>
            <dd>{spaces[0]!.name}</dd>
          </>
        )}
      </dl>
      {!client.isVerified && (
        <Alert color="yellow" mb="md">
          Loci has not verified the name of this app. Allow it only if you have just asked it to connect.
        </Alert>
      )}
      {spaces.length > 1 && (
        <NativeSelect
          label="Space"
          description="The app sees this space and no other."
          mb="md"
          value={space}
          onChange={(event) => setSpace(event.currentTarget.value)}
          data={spaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {canChoose ? (
        <Radio.Group label="The app may" value={access} onChange={setAccess}>
          <Stack gap={8} mt={6}>
            <Radio value="all" label="Read and change this memory" />
            <Radio value="read" label="Only read this memory" />
          </Stack>
        </Radio.Group>
      ) : (
        <Text>
          {scopes[0] === 'memory:write' ? 'The app may add to this memory.' : 'The app may read this memory.'}
        </Text>
      )}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onRefuse} disabled={pending}>
          Cancel
        </Button>
        <Button type="submit" loading={pending} disabled={spaces.length === 0 || granted.length === 0}>
          Allow
        </Button>
      </div>
    </form>
  )
}

function Destination({ redirectUri }: { redirectUri: string }) {
  const { host, isThisComputer, isProgram } = placeOfRedirect(redirectUri)
  if (isThisComputer) return <>this computer ({host})</>
  return isProgram ? <>the program “{host}” on this computer</> : host
}
