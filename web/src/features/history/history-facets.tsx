import type { ChangeCountsResponse } from '@loci/contract/changes'
import { dayAgo } from '../../lib/days.ts'
import type { HistoryFilter } from '../../lib/filters.ts'
import { formatNumber } from '../../lib/format.ts'
import { countChosen, Facet, FacetGroup, Facets, PeriodFacets } from '../../ui/facets.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import {
  countOfKind,
  countWriters,
  isSameWriter,
  type WriterCount,
  type WriterFilter,
} from './history.rules.ts'
import classes from './history-facets.module.css'

const kinds = [
  { kind: undefined, label: 'Everything' },
  { kind: 'observations', label: 'Observations' },
  { kind: 'relations', label: 'Relations' },
  { kind: 'entities', label: 'Entities' },
  { kind: 'merges', label: 'Merges' },
]

const writersShownMax = 12

type FacetsProps = {
  filter: HistoryFilter
  /** Undefined while they load. */
  counted: ChangeCountsResponse | undefined
  /** Name of the chosen writer, for one without changes in the period. */
  writerName: string | undefined
  onChange: (part: Partial<HistoryFilter>) => void
}

/** Changes by writer, kind and time, each with its number; choosing one narrows the list. */
export function HistoryFacets({ filter, counted, writerName, onChange }: FacetsProps) {
  const { kind, client, actorId, entityId, tool } = filter
  const writer: WriterFilter = { client, actorId }
  const counts = counted?.counts ?? []
  // The counts are of the whole memory.
  const isWhole = entityId === undefined && tool === undefined
  const shown = (count: number) => (counted && isWhole ? count : undefined)
  return (
    <Facets chosen={countChosen(kind, client ?? actorId, filter.after ?? filter.before)}>
      <FacetGroup title="Written by">
        <Facet
          label="Everyone"
          count={shown(countOfKind(counts, kind, {}))}
          isChosen={isSameWriter(writer, {})}
          onChoose={() => onChange({ client: undefined, actorId: undefined })}
        />
        {withChosen(countWriters(counts, kind), writer, writerName).map((one) => (
          <Facet
            key={JSON.stringify(one.filter)}
            label={one.name}
            mark={<WriterMark name={one.name} isAgent={one.isAgent} />}
            count={shown(one.count)}
            isChosen={isSameWriter(writer, one.filter)}
            onChoose={() => onChange(one.filter)}
          />
        ))}
      </FacetGroup>
      <FacetGroup title="What changed">
        {kinds.map((one) => (
          <Facet
            key={one.label}
            label={one.label}
            count={shown(countOfKind(counts, one.kind, writer))}
            isChosen={kind === one.kind}
            onChoose={() => onChange({ kind: one.kind })}
          />
        ))}
      </FacetGroup>
      <PeriodFacets
        after={filter.after}
        before={filter.before}
        periods={[
          { label: 'Today', after: dayAgo(0) },
          { label: 'Last 7 days', after: dayAgo(6) },
          { label: 'Last 30 days', after: dayAgo(29) },
        ]}
        onChange={onChange}
      />
      {counted?.isComplete === false && isWhole && (
        <p className={classes.note}>
          Numbers are of the newest {formatNumber(countOfKind(counts, undefined, {}))} changes.
        </p>
      )}
    </Facets>
  )
}

/** A chosen writer stays visible even without changes. */
function withChosen(
  writers: readonly WriterCount[],
  chosen: WriterFilter,
  name = chosen.client ?? 'One writer',
): WriterCount[] {
  const shown = writers.slice(0, writersShownMax)
  if (isSameWriter(chosen, {}) || shown.some(({ filter }) => isSameWriter(filter, chosen))) return shown
  const found = writers.find(({ filter }) => isSameWriter(filter, chosen))
  return [...shown, found ?? { name, isAgent: chosen.client !== undefined, filter: chosen, count: 0 }]
}
