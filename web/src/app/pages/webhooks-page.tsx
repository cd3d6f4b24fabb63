import type { NewWebhook } from '@loci/contract/webhooks'
import { Button, Stack } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { WebhookCard } from '../../features/webhooks/webhook-card.tsx'
import { WebhookDialog } from '../../features/webhooks/webhook-dialog.tsx'
import { useCreateWebhook, useWebhooks } from '../../features/webhooks/webhooks.queries.ts'
import { messageOf } from '../../lib/errors.ts'
import { useMay } from '../../lib/rights.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { ListSkeleton } from '../../ui/list-skeleton.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { NotPermitted } from '../../ui/not-permitted.tsx'
import { Page } from '../../ui/page.tsx'
import { SecretBanner } from '../../ui/secret-banner.tsx'
import { useDialog } from '../../ui/use-dialog.ts'

export function WebhooksPage() {
  if (useMay('webhooks:manage')) return <WebhooksOfAccount />
  return <NotPermitted title="Webhooks" text="Only owners and admins can manage this account's webhooks." />
}

function WebhooksOfAccount() {
  const { data: webhooks, error, refetch } = useWebhooks()
  const create = useCreateWebhook()
  const { open, close, isOpen } = useDialog<'create', undefined>()
  const [fresh, setFresh] = useState<NewWebhook>()

  function openDialog() {
    create.reset()
    open('create')
  }

  return (
    <Page
      title="Webhooks"
      subtitle="Send changes in this memory to your own programs."
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={openDialog}>
          Add Endpoint
        </Button>
      }
    >
      {error && (
        <ErrorAlert message={messageOf(error, 'Failed to load webhooks')} onRetry={() => void refetch()} />
      )}
      {fresh && (
        <SecretBanner
          title="Endpoint added"
          secret={fresh.secret}
          copyLabel="Copy secret"
          onDismiss={() => setFresh(undefined)}
        >
          Save this signing secret now - you won't be able to see it again!
        </SecretBanner>
      )}
      {!webhooks && !error && (
        <LoadingText shape={<ListSkeleton rows={2} />}>Loading webhooks...</LoadingText>
      )}
      {webhooks?.length === 0 && (
        <EmptyState
          title="No endpoints yet"
          text="An endpoint receives a signed request for every change, in order."
          action={<Button onClick={openDialog}>Add Your First Endpoint</Button>}
        />
      )}
      <Stack gap={12}>
        {webhooks?.map((webhook) => (
          <WebhookCard key={webhook.id} webhook={webhook} />
        ))}
      </Stack>
      <WebhookDialog
        opened={isOpen('create')}
        title="Add Endpoint"
        submitLabel="Add Endpoint"
        pending={create.isPending}
        error={create.error}
        onSubmit={(input) =>
          create.mutate(input, {
            onSuccess: (created) => {
              setFresh(created)
              close()
            },
          })
        }
        onClose={close}
      />
    </Page>
  )
}
