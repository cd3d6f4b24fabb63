import { type Webhook, webhookEvents } from '@loci/contract/webhooks'
import { Button, Checkbox, Group, Radio, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../lib/errors.ts'
import { isChanged, useUnsaved } from '../../lib/unsaved.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FormModal } from '../../ui/form-modal.tsx'
import { draftOf, inputOf, isComplete, type WebhookDraft } from './webhook-form.rules.ts'
import type { WebhookInput } from './webhooks.queries.ts'

type WebhookDialogProps = {
  opened: boolean
  title: string
  submitLabel: string
  /** The endpoint to change; undefined for a new one. */
  webhook?: Webhook
  pending: boolean
  error: unknown
  onSubmit: (input: WebhookInput) => void
  onClose: () => void
}

/** Address, description and events of an endpoint. */
export function WebhookDialog({ opened, title, ...form }: WebhookDialogProps) {
  return (
    <FormModal opened={opened} onClose={form.onClose} title={title}>
      <WebhookForm {...form} />
    </FormModal>
  )
}

function WebhookForm(props: Omit<WebhookDialogProps, 'opened' | 'title'>) {
  const { submitLabel, webhook, pending, error, onSubmit, onClose } = props
  const [draft, setDraft] = useState(() => draftOf(webhook))
  useUnsaved(isChanged(draft, draftOf(webhook)), pending)
  const change = (part: Partial<WebhookDraft>) => setDraft((now) => ({ ...now, ...part }))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isComplete(draft)) onSubmit(inputOf(draft))
  }

  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error != null && <ErrorAlert message={messageOf(error, 'Failed to save the endpoint')} />}
        <TextInput
          label="Endpoint URL"
          placeholder="https://example.com/webhooks/loci"
          type="url"
          data-autofocus
          maxLength={2_048}
          value={draft.url}
          onChange={(event) => change({ url: event.currentTarget.value })}
        />
        <TextInput
          label="Description (optional)"
          maxLength={500}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        <Radio.Group
          label="Events"
          value={draft.all ? 'all' : 'some'}
          onChange={(value) => change({ all: value === 'all' })}
        >
          <Stack gap="xs" mt={6}>
            <Radio value="all" label="All events" />
            <Radio value="some" label="Selected events" />
          </Stack>
        </Radio.Group>
        {!draft.all && (
          <Checkbox.Group
            label="Selected events"
            labelProps={{ className: 'loci-unseen' }}
            value={[...draft.events]}
            onChange={(events) => change({ events })}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs">
              {webhookEvents.map((event) => (
                <Checkbox key={event} value={event} label={event} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={pending} disabled={!isComplete(draft)}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
