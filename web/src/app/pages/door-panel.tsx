import type { Door } from '@loci/contract/doors'
import { Button, CloseButton, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { KeySnippet } from '../../features/agents/key-snippet.tsx'
import { pathOf, serverNameOf } from '../../features/agents/memory-address.ts'
import type { Cell } from '../../features/doors/agents.rules.ts'
import { DoorChoice } from '../../features/doors/door-choice.tsx'
import classes from '../../features/doors/door-panel.module.css'
import lights from '../../features/doors/doors.module.css'
import { TryDoor } from '../../features/doors/try-door.tsx'
import { useKeySecrets } from '../../features/keys/keys.queries.ts'
import { programPath } from '../../lib/server-facts.ts'
import { useSession } from '../../lib/session.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'

type PanelProps = {
  cell: Cell
  isPending: boolean
  onChoose: (door: Door) => void
  onClose: () => void
}

/** One door: how far it stands open, whose it is, how a client uses it, and a call through it. */
export function DoorPanel({ cell, isPending, onChoose, onClose }: PanelProps) {
  const { agent, space, credential, door } = cell
  return (
    <aside className={classes.panel} aria-label={`${agent.name} into ${space.name}`}>
      <header>
        <WriterMark name={agent.name} isAgent={agent.kind !== 'yours'} />
        <h2>
          <bdi>{agent.name}</bdi> <small>into</small> <bdi>{space.name}</bdi>
        </h2>
        <CloseButton aria-label="Close" onClick={onClose} />
      </header>
      <DoorChoice cell={cell} isPending={isPending} onChoose={onChoose} />
      {credential === undefined && agent.kind !== 'signed in' && (
        <Text size="sm" c="dimmed">
          {agent.name} has no key in this account. Opening the door creates one that reaches this memory only.
        </Text>
      )}
      {credential !== undefined && <Facts cell={cell} />}
      {credential !== undefined && door !== 'none' && (
        <>
          <DoorSnippet cell={cell} />
          <TryDoor cell={cell} />
        </>
      )}
    </aside>
  )
}

function Facts({ cell: { credential, call } }: { cell: Cell }) {
  const secret = useSecretOf(credential)
  if (credential === undefined) return null
  return (
    <dl className={classes.facts}>
      <dt>{credential.kind === 'connection' ? 'App' : 'Key'}</dt>
      <dd>
        <bdi className={classes.credential}>{credential.name}</bdi>{' '}
        <span className="loci-mono">{credential.preview}</span>
        {secret && <CopyButton value={secret} label="Copy key" />}
        <Button
          variant="subtle"
          size="compact-sm"
          renderRoot={(props) => (
            <Link
              {...props}
              {...(credential.kind === 'connection'
                ? { to: '/settings', hash: 'connect' }
                : { to: '/api-keys' })}
            />
          )}
        >
          Manage
        </Button>
      </dd>
      <dt>Last call</dt>
      <dd>
        {call === undefined ? (
          'None seen here'
        ) : (
          <>
            <span className={lights.light} data-light={call.isRefused ? 'refused' : 'recent'}>
              <TimeText iso={call.at} />
            </span>{' '}
            <span className="loci-mono">{call.what}</span>
            {call.isRefused && ', refused: this door does not open that far'}
          </>
        )}
      </dd>
    </dl>
  )
}

/** The whole key where this page knows it: the personal one, and those created since it was opened. */
function useSecretOf(credential: Cell['credential']): string | undefined {
  const session = useSession()
  const { secrets } = useKeySecrets()
  if (credential?.kind === 'personal')
    return session.status === 'signed-in' ? (session.user.apiKey ?? undefined) : undefined
  return credential && secrets[credential.id]
}

function DoorSnippet({ cell: { account, space, credential } }: { cell: Cell }) {
  const session = useSession()
  const secret = useSecretOf(credential)
  if (credential === undefined) return null
  if (credential.kind === 'connection')
    return (
      <Text size="sm" c="dimmed">
        {credential.name} signed in through the browser. It needs no key and nothing to paste.
      </Text>
    )
  const isOwn = session.status === 'signed-in' && session.user.accountId === account.id
  const memory = { foreignAccount: isOwn ? undefined : account.name, space, spaces: account.spaces }
  const { origin } = window.location
  return (
    <section className={classes.snippet} aria-label="Connect a client">
      <KeySnippet
        at={{
          server: serverNameOf(memory),
          origin,
          url: origin + pathOf(memory, { isNamed: true }),
          space: space.id,
          key: secret ?? (credential.preview || 'YOUR_KEY'),
          program: programPath === '' ? undefined : programPath,
        }}
      />
      {secret === undefined && (
        <Text size="xs" c="dimmed">
          Put the whole key in the place of {credential.preview || 'YOUR_KEY'}. It is shown once, when it is
          created or rolled.
        </Text>
      )}
    </section>
  )
}
