import { Badge, CloseButton, NativeSelect } from '@mantine/core'
import type { HistoryFilter } from '../../lib/query-keys.ts'
import classes from './history-filters.module.css'

const kinds = [
  { value: '', label: 'Everything' },
  { value: 'observations', label: 'Observations' },
  { value: 'relations', label: 'Relations' },
  { value: 'entities', label: 'Entities' },
  { value: 'merges', label: 'Merges' },
]

const times = [
  { value: '', label: 'Any time' },
  { value: 'day', label: 'Last 24 hours' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
]

type FiltersProps = {
  filter: HistoryFilter
  /** Names of the agents to choose from. */
  agents: readonly string[]
  /** Names for filters that hold ids. */
  names: { actor?: string | undefined; entity?: string | undefined }
  onChange: (filter: HistoryFilter) => void
}

export function HistoryFilters({ filter, agents, names, onChange }: FiltersProps) {
  const { client = '', actorId, entityId } = filter
  const clients = client === '' || agents.includes(client) ? agents : [client, ...agents]
  return (
    <div className={classes.bar}>
      {clients.length > 0 && (
        <NativeSelect
          aria-label="Written by"
          data={[{ value: '', label: 'Everyone' }, ...clients]}
          value={client}
          onChange={(event) =>
            onChange({ ...filter, client: event.currentTarget.value || undefined, actorId: undefined })
          }
        />
      )}
      <NativeSelect
        aria-label="What changed"
        data={kinds}
        value={filter.kind ?? ''}
        onChange={(event) => onChange({ ...filter, kind: event.currentTarget.value || undefined })}
      />
      <NativeSelect
        aria-label="When"
        data={times}
        value={filter.since ?? ''}
        onChange={(event) => onChange({ ...filter, since: event.currentTarget.value || undefined })}
      />
      {actorId && (
        <Chosen
          label={`By ${names.actor ?? 'one writer'}`}
          onRemove={() => onChange({ ...filter, actorId: undefined })}
        />
      )}
      {entityId && (
        <Chosen
          label={`About ${names.entity ?? 'one entity'}`}
          onRemove={() => onChange({ ...filter, entityId: undefined })}
        />
      )}
    </div>
  )
}

function Chosen({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Badge
      size="lg"
      color="gray"
      maw={320}
      rightSection={<CloseButton size="xs" aria-label={`Remove filter: ${label}`} onClick={onRemove} />}
    >
      {label}
    </Badge>
  )
}
