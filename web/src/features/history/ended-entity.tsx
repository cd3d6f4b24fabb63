import type { Change } from '@loci/contract/changes'
import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../lib/api.ts'
import { messageOf } from '../../lib/errors.ts'
import { notifyError } from '../../lib/notify.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { useMay } from '../../lib/rights.ts'
import { useNotifyUndoable, useUndo, withChangeSet } from '../../lib/use-undo.ts'
import { Frame, Panel } from '../../ui/frame.tsx'
import { TimeText } from '../../ui/time-text.tsx'
import { WriterBadge } from '../../ui/writer-badge.tsx'
import classes from './ended-entity.module.css'

const endings = 'entity_deleted,entity_merged,entity_erased'

/** What happened to an entity that no longer exists, and how to restore it; renders nothing if it never existed. */
export function EndedEntity({ entityId }: { entityId: string }) {
  const mayWrite = useMay('memory:write')
  const { data: ending } = useQuery({
    queryKey: [...queryKeys.history(), 'ending', entityId],
    queryFn: async ({ signal }) => {
      const query = { entityId, operation: endings, limit: '1' }
      const { changes } = await api.listChanges({ query, signal })
      return changes.find(({ subject }) => subject.id === entityId) ?? null
    },
  })
  if (!ending) return null
  const name = ending.subject.name ?? 'This entity'
  return (
    <Frame className={classes.frame}>
      <Panel title={<bdi>{name}</bdi>}>
        <p className={classes.text}>
          {wordsOf[ending.operation]} <WriterBadge by={ending.actor} /> <TimeText iso={ending.at} />
        </p>
        <div className={classes.buttons}>
          {mayWrite && ending.operation === 'entity_deleted' && <RestoreButton entityId={entityId} />}
          {mayWrite && ending.operation === 'entity_merged' && <UndoButton ending={ending} />}
          <Button
            variant="default"
            renderRoot={(props) => <Link {...props} to="/history" search={{ entityId }} />}
          >
            Show History
          </Button>
        </div>
      </Panel>
    </Frame>
  )
}

const wordsOf: Partial<Record<Change['operation'], string>> = {
  entity_deleted: 'Deleted by',
  entity_merged: 'Merged into another entity by',
  entity_erased: 'Erased by',
}

function RestoreButton({ entityId }: { entityId: string }) {
  const client = useQueryClient()
  const notifyUndoable = useNotifyUndoable()
  const restore = useMutation({
    mutationFn: () =>
      withChangeSet((onHeaders) => api.restoreEntity({ params: { id: entityId }, onHeaders })),
    onSuccess: ({ setId }) => {
      notifyUndoable('Entity restored', setId)
      return client.invalidateQueries()
    },
    onError: (error) => notifyError('Failed to restore entity', messageOf(error, '')),
  })
  return (
    <Button
      leftSection={<IconArrowBackUp size={16} />}
      loading={restore.isPending}
      onClick={() => restore.mutate()}
    >
      Restore
    </Button>
  )
}

function UndoButton({ ending }: { ending: Change }) {
  const undo = useUndo()
  return (
    <Button
      leftSection={<IconArrowBackUp size={16} />}
      loading={undo.isPending}
      onClick={() => undo.mutate(ending.setId)}
    >
      Undo the merge
    </Button>
  )
}
