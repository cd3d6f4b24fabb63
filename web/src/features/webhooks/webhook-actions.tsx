import { oldSecretHours, type Webhook } from '@loci/contract/webhooks'
import { Button, List } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { messageOf } from '../../lib/errors.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { useDialog } from '../../ui/use-dialog.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import { useDeleteWebhook, useRollSecret, useUpdateWebhook } from './webhooks.queries.ts'

type WebhookActionsProps = { webhook: Webhook; onRolled: (secret: string) => void }

/** Edit, disable or enable, roll the secret, delete. */
export function WebhookActions({ webhook, onRolled }: WebhookActionsProps) {
  const { open, close, isOpen } = useDialog<'edit' | 'roll' | 'delete', undefined>()
  const navigate = useNavigate()
  const edit = useUpdateWebhook(webhook.id)
  const toggle = useUpdateWebhook(webhook.id)
  const roll = useRollSecret(webhook.id)
  const remove = useDeleteWebhook(webhook.id)
  const failure = toggle.error ?? roll.error ?? remove.error
  const isActive = webhook.status === 'active'
  return (
    <>
      <Button variant="default" size="xs" onClick={() => open('edit')}>
        Edit
      </Button>
      <Button
        variant="default"
        size="xs"
        loading={toggle.isPending}
        onClick={() => toggle.mutate({ status: isActive ? 'disabled' : 'active' })}
      >
        {isActive ? 'Disable' : 'Enable'}
      </Button>
      <Button variant="default" size="xs" onClick={() => open('roll')}>
        Roll Secret
      </Button>
      <Button variant="default" size="xs" c="var(--mantine-color-error)" onClick={() => open('delete')}>
        Delete
      </Button>
      {failure && <ErrorAlert message={messageOf(failure, 'Failed to change the endpoint')} />}
      <WebhookDialog
        opened={isOpen('edit')}
        title="Edit Endpoint"
        submitLabel="Save"
        webhook={webhook}
        pending={edit.isPending}
        error={edit.error}
        onSubmit={(input) => edit.mutate(input, { onSuccess: close })}
        onClose={close}
      />
      <ConfirmDialog
        opened={isOpen('roll')}
        title="Roll Secret"
        confirmLabel="Roll Secret"
        confirmColor="ink"
        pending={roll.isPending}
        onConfirm={() =>
          roll.mutate(undefined, { onSuccess: ({ secret }) => onRolled(secret), onSettled: close })
        }
        onClose={close}
      >
        The endpoint gets a new signing secret at once. For {oldSecretHours} hours, events are signed with
        both, so that you can update your receiver in that time.
      </ConfirmDialog>
      <ConfirmDialog
        opened={isOpen('delete')}
        title="Delete Endpoint"
        confirmLabel="Delete Endpoint"
        pending={remove.isPending}
        onConfirm={() =>
          remove.mutate(undefined, { onSuccess: () => void navigate({ to: '/webhooks' }), onError: close })
        }
        onClose={close}
      >
        Deleting this endpoint cannot be undone.
        <List mt="xs" size="sm" spacing={2}>
          <List.Item>No more events will be sent to it.</List.Item>
          <List.Item>Its delivery log and its secret will be deleted.</List.Item>
        </List>
      </ConfirmDialog>
    </>
  )
}
