import type { EntityWithObservations } from '@loci/contract/entities'
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { countOf } from '../../lib/format.ts'
import { markOwnBatch } from '../../lib/own-changes.ts'
import { useNotifyUndoable } from '../../lib/use-undo.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { useEntity } from './entities.queries.ts'
import { previewMerge } from './merge.rules.ts'

type MergeProps = {
  entity: EntityWithObservations
  /** The chosen entity to merge with. */
  otherId: string | undefined
  /** The control that chooses it. */
  picker: ReactNode
  onClose: () => void
  onMerged: (keptId: string) => void
}

export function MergeDialog({ opened, ...props }: MergeProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title="Merge Entities" size="lg">
      <MergeForm {...props} />
    </Modal>
  )
}

/** Merges two entities after showing which one stays and what happens to the other. */
function MergeForm({ entity, otherId, picker, onClose, onMerged }: MergeProps) {
  const [kept, setKept] = useState<'this' | 'other'>('this')
  const merge = useMerge(onMerged)
  return (
    <Stack gap="md">
      <Text c="dimmed">
        For two entities that are the same thing. Observations and relations move to the one you keep; the
        other name becomes its alias.
      </Text>
      {picker}
      {otherId && <Preview entity={entity} otherId={otherId} kept={kept} onKept={setKept} />}
      {merge.error && <ErrorAlert message={messageOf(merge.error, 'Failed to merge entities')} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={otherId === undefined}
          loading={merge.isPending}
          onClick={() => {
            if (otherId === undefined) return
            const [id, into] = kept === 'this' ? [otherId, entity.id] : [entity.id, otherId]
            merge.mutate({ id, into })
          }}
        >
          Merge
        </Button>
      </Group>
    </Stack>
  )
}

function useMerge(onMerged: (keptId: string) => void) {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  return useMutation({
    mutationFn: ({ id, into }: { id: string; into: string }) => {
      markOwnBatch()
      return api.mergeEntity({ params: { id }, body: { into } })
    },
    onSuccess: async ({ entity, setId }) => {
      notifyUndoable('Entities merged', setId)
      onMerged(entity.id)
      await client.invalidateQueries()
    },
  })
}

type PreviewProps = Pick<MergeProps, 'entity'> & {
  otherId: string
  kept: 'this' | 'other'
  onKept: (kept: 'this' | 'other') => void
}

function Preview({ entity, otherId, kept, onKept }: PreviewProps) {
  const { data, error, refetch } = useEntity(otherId)
  if (error && !data)
    return <ErrorAlert message="Failed to load entity data" onRetry={() => void refetch()} />
  if (!data) return <LoadingText>Loading entity data...</LoadingText>
  const other = data.entity
  const [source, target] = kept === 'this' ? [other, entity] : [entity, other]
  const { observations, twins, aliases } = previewMerge(source, target)
  return (
    <>
      <Radio.Group
        label="Which one to keep"
        value={kept}
        onChange={(value) => onKept(value as 'this' | 'other')}
      >
        <Stack gap={6} mt={6}>
          <Choice value="this" entity={entity} />
          <Choice value="other" entity={other} />
        </Stack>
      </Radio.Group>
      <Text component="div" role="status">
        <bdi>{target.name}</bdi> will have {countOf(observations, 'observation', 'observations')}
        {twins > 0 && ` (${countOf(twins, 'duplicate is', 'duplicates are')} left out)`}, the relations of
        both, and the {aliases.length === 1 ? 'alias' : 'aliases'} <bdi>{aliases.slice(0, 5).join(', ')}</bdi>
        {aliases.length > 5 && ` and ${aliases.length - 5} more`}.
      </Text>
    </>
  )
}

function Choice({ value, entity }: { value: string; entity: EntityWithObservations }) {
  const { name, type, observationsCount } = entity
  return (
    <Radio
      value={value}
      label={<bdi>{name}</bdi>}
      description={`${type}, ${countOf(observationsCount, 'observation', 'observations')}`}
    />
  )
}
