import { type ApiKey, rolledKeyDays } from '@loci/contract/keys'
import { Anchor, Button, List, Skeleton, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { KeySnippet } from '../../features/agents/key-snippet.tsx'
import { CreateKeyDialog } from '../../features/keys/create-key-dialog.tsx'
import { KeyCard } from '../../features/keys/key-card.tsx'
import { useDeleteKey, useKeySecrets, useKeys, useRollKey } from '../../features/keys/keys.queries.ts'
import { PersonalKey } from '../../features/settings/personal-key.tsx'
import { messageOf } from '../../lib/errors.ts'
import { useMay } from '../../lib/rights.ts'
import { useUser } from '../../lib/session.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { NotPermitted } from '../../ui/not-permitted.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretBanner } from '../../ui/secret-banner.tsx'
import { Section } from '../../ui/section.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import classes from './api-keys-page.module.css'

export function ApiKeysPage() {
  if (useMay('keys:manage')) return <KeysOfAccount />
  return <NotPermitted title="API Keys" text="Viewers of this account have no keys of their own." />
}

function KeysOfAccount() {
  const { data: keys, error, refetch } = useKeys()
  const { secrets, remember } = useKeySecrets()
  const roll = useRollKey()
  const remove = useDeleteKey()
  const { open, close, isOpen, subject } = useDialog<'create' | 'roll' | 'delete', ApiKey>()
  const [fresh, setFresh] = useState<{ title: string; id: string; apiKey: string }>()
  const [problem, setProblem] = useState<string>()

  const freshKey = keys?.find(({ id }) => id === fresh?.id)

  function show(title: string, { id, apiKey }: { id: string; apiKey: string }) {
    remember(id, apiKey)
    setFresh({ title, id, apiKey })
    setProblem(undefined)
  }

  function confirmRoll() {
    if (!subject) return
    roll.mutate(subject.id, {
      onSuccess: (key) => show(`"${subject.name}" was rolled`, key),
      onError: (rollError) => setProblem(messageOf(rollError, 'Failed to roll API key')),
      onSettled: close,
    })
  }

  function confirmDelete() {
    if (!subject) return
    remove.mutate(subject.id, {
      onSuccess: () => setProblem(undefined),
      onError: (deleteError) => setProblem(messageOf(deleteError, 'Failed to delete API key')),
      onSettled: close,
    })
  }

  return (
    <Page
      title="API Keys"
      subtitle="For agents and programs that use this account's memory."
      actions={
        <>
          <Button variant="default" renderRoot={(props) => <Link {...props} to="/doors" />}>
            Doors
          </Button>
          <Button leftSection={<IconPlus size={16} />} onClick={() => open('create')}>
            Create API Key
          </Button>
        </>
      }
    >
      <div className={classes.columns}>
        <div className={classes.column}>
          {problem && <ErrorAlert message={problem} />}
          {error && (
            <ErrorAlert
              message={messageOf(error, 'Failed to load API keys')}
              onRetry={() => void refetch()}
            />
          )}
          {fresh && (
            <SecretBanner
              title={fresh.title}
              secret={fresh.apiKey}
              copyLabel="Copy key"
              onDismiss={() => setFresh(undefined)}
            >
              Save this key now - you won't be able to see it again!
            </SecretBanner>
          )}
          {fresh && freshKey && (
            <Section title="Use this key" description="Paste this into the agent.">
              <KeySnippet fresh={{ apiKey: fresh.apiKey, spaces: freshKey.spaces }} />
            </Section>
          )}
          {!keys && !error && (
            <Stack gap={12}>
              <Skeleton height={150} radius="md" />
              <Skeleton height={150} radius="md" />
            </Stack>
          )}
          {keys?.length === 0 && (
            <EmptyState
              title="No API keys yet"
              text="A key lets an agent or a program in, and can be taken back at any time."
              action={<Button onClick={() => open('create')}>Create Your First API Key</Button>}
            />
          )}
          <Stack gap={12}>
            {keys?.map((key) => (
              <KeyCard
                key={key.id}
                apiKey={key}
                secret={secrets[key.id]}
                onRoll={() => open('roll', key)}
                onDelete={() => open('delete', key)}
              />
            ))}
          </Stack>
        </div>
        <PersonalKeySection />
      </div>
      <CreateKeyDialog
        opened={isOpen('create')}
        onClose={close}
        onCreated={(key) => show('API key created', key)}
      />
      <ConfirmDialog
        opened={isOpen('roll')}
        title="Roll API Key"
        confirmLabel="Roll Key"
        confirmColor="ink"
        pending={roll.isPending}
        onConfirm={confirmRoll}
        onClose={close}
      >
        "{subject?.name}" gets a new key at once. The old key stays active for {rolledKeyDays / 7} weeks, then
        it expires.
      </ConfirmDialog>
      <ConfirmDialog
        opened={isOpen('delete')}
        title="Delete API Key"
        confirmLabel="Delete Key"
        pending={remove.isPending}
        onConfirm={confirmDelete}
        onClose={close}
      >
        Deleting "{subject?.name}" cannot be undone.
        <List mt="xs" size="sm" spacing={2}>
          <List.Item>The key stops working at once.</List.Item>
          <List.Item>Agents and programs that use it lose access to the memory.</List.Item>
          <List.Item>What was stored with it stays.</List.Item>
        </List>
      </ConfirmDialog>
    </Page>
  )
}

function PersonalKeySection() {
  const user = useUser()
  if (!user) return null
  return (
    <Section title="Personal API key" description="Your own. It does not count towards the plan.">
      <PersonalKey apiKey={user.apiKey} isWithheld={user.apiKeyWithheld} />
      <Anchor
        renderRoot={(props) => <Link {...props} to="/settings" hash="connect" />}
        className={classes.connect}
      >
        Connect an agent with it
      </Anchor>
    </Section>
  )
}
