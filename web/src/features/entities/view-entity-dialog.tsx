import { Anchor, Button, Code, Group, Modal, ScrollArea, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { messageOf } from '../../lib/errors.ts'
import { countOf, formatMoment } from '../../lib/format.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import { RichText } from '../../ui/markdown/rich-text.tsx'
import { TypeBadge } from '../../ui/type-badge.tsx'
import { useEntity } from './entities.queries.ts'
import classes from './view-entity-dialog.module.css'

const observationsShown = 200

type ViewEntityDialogProps = {
  entity: { id: string; name: string } | undefined
  opened: boolean
  onClose: () => void
  /** Undefined if nothing can be changed. */
  onEdit: (() => void) | undefined
}

export function ViewEntityDialog({ entity, opened, onClose, onEdit }: ViewEntityDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={<span dir="auto">{entity?.name}</span>} size="lg">
      {entity && <EntityFacts id={entity.id} />}
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        {onEdit && <Button onClick={onEdit}>Edit Entity</Button>}
      </Group>
    </Modal>
  )
}

function EntityFacts({ id }: { id: string }) {
  const { data, error } = useEntity(id)
  if (error && !data) return <ErrorAlert message={messageOf(error, 'Failed to load entity data')} />
  if (!data) {
    return <LoadingText>Loading entity...</LoadingText>
  }
  const { entity } = data
  const observations = entity.observations.slice(0, observationsShown)
  const more = entity.observations.length - observations.length
  return (
    <Stack gap="md">
      <dl className={classes.facts}>
        <dt>Type</dt>
        <dd>
          <TypeBadge type={entity.type} />
        </dd>
        <dt>Created</dt>
        <dd>{formatMoment(entity.createdAt)}</dd>
        <dt>Updated</dt>
        <dd>{formatMoment(entity.updatedAt)}</dd>
        <dt>ID</dt>
        <dd className="loci-mono">{entity.id}</dd>
      </dl>
      <div>
        <Text fw={500} mb={6}>
          Metadata
        </Text>
        <ScrollArea.Autosize mah={180} viewportProps={{ tabIndex: 0, 'aria-label': 'Metadata' }}>
          <Code block>{JSON.stringify(entity.metadata, null, 2)}</Code>
        </ScrollArea.Autosize>
      </div>
      <div>
        <Text fw={500}>Observations</Text>
        {entity.observations.length === 0 && <Text c="dimmed">No observations</Text>}
        <ScrollArea.Autosize mah={260} viewportProps={{ tabIndex: 0, 'aria-label': 'Observations' }}>
          <ul className={classes.observations}>
            {observations.map((observation) => (
              <li key={observation.id}>
                <div dir="auto">
                  <RichText text={observation.content} />
                </div>
                <Text size="xs" c="dimmed">
                  {formatMoment(observation.createdAt)}
                </Text>
              </li>
            ))}
          </ul>
          {more > 0 && (
            <Text size="xs" c="dimmed">
              {countOf(more, 'more observation', 'more observations')}{' '}
              <Anchor
                renderRoot={(props) => <Link {...props} to="/entities/$entityId" params={{ entityId: id }} />}
                inherit
              >
                on the entity page
              </Anchor>
            </Text>
          )}
        </ScrollArea.Autosize>
      </div>
    </Stack>
  )
}
