import { TextInput, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatNumber } from '../../lib/format.ts'
import type { SearchFilter } from '../../lib/query-keys.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import { dayBefore, type Facet } from './hits.rules.ts'
import classes from './search-facets.module.css'

type FacetsProps = {
  filter: SearchFilter
  facets: { types: Facet[]; writers: Facet[]; agents: ReadonlySet<string> }
  onChange: (part: Partial<SearchFilter>) => void
}

const shownMax = 12
const periods = [
  { label: 'Last 7 days', days: 7 },
  { label: 'Last 30 days', days: 30 },
]

/** Results by type, writer and time; choosing one narrows the search. */
export function SearchFacets({ filter, facets, onChange }: FacetsProps) {
  const total = facets.types.reduce((sum, { count }) => sum + count, 0)
  return (
    <div className={classes.facets}>
      <Group title="Type">
        <Choice
          label="All Types"
          count={total}
          isChosen={!filter.type}
          onChoose={() => onChange({ type: undefined })}
        />
        {withChosen(facets.types, filter.type).map(({ value, count }) => (
          <Choice
            key={value}
            label={value}
            mark={<TypeDot type={value} />}
            count={count}
            isChosen={filter.type === value}
            onChoose={() => onChange({ type: value })}
          />
        ))}
      </Group>
      {facets.writers.length > 0 && (
        <Group title="Written by">
          <Choice label="Everyone" isChosen={!filter.by} onChoose={() => onChange({ by: undefined })} />
          {withChosen(facets.writers, filter.by).map(({ value, count }) => (
            <Choice
              key={value}
              label={value}
              mark={<WriterMark name={value} isAgent={facets.agents.has(value)} />}
              count={count}
              isChosen={filter.by === value}
              onChoose={() => onChange({ by: value })}
            />
          ))}
        </Group>
      )}
      <Group title="When">
        <Choice
          label="Any time"
          isChosen={!filter.after && !filter.before}
          onChoose={() => onChange({ after: undefined, before: undefined })}
        />
        {periods.map(({ label, days }) => (
          <Choice
            key={label}
            label={label}
            isChosen={!filter.before && filter.after === dayBefore(days)}
            onChoose={() => onChange({ after: dayBefore(days), before: undefined })}
          />
        ))}
        <div className={classes.dates}>
          <TextInput
            type="date"
            size="xs"
            label="From"
            value={filter.after ?? ''}
            max={filter.before}
            onChange={(event) => onChange({ after: event.currentTarget.value || undefined })}
          />
          <TextInput
            type="date"
            size="xs"
            label="Until"
            value={filter.before ?? ''}
            min={filter.after}
            onChange={(event) => onChange({ before: event.currentTarget.value || undefined })}
          />
        </div>
      </Group>
    </div>
  )
}

/** A chosen facet stays visible even without hits. */
function withChosen(facets: readonly Facet[], chosen: string | undefined): Facet[] {
  const shown = facets.slice(0, shownMax)
  if (chosen === undefined || shown.some(({ value }) => value === chosen)) return shown
  return [...shown, facets.find(({ value }) => value === chosen) ?? { value: chosen, count: 0 }]
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>{title}</legend>
      <div className={classes.choices}>{children}</div>
    </fieldset>
  )
}

type ChoiceProps = {
  label: string
  mark?: ReactNode
  count?: number
  isChosen: boolean
  onChoose: () => void
}

function Choice({ label, mark, count, isChosen, onChoose }: ChoiceProps) {
  return (
    <UnstyledButton className={classes.choice} aria-pressed={isChosen} onClick={onChoose}>
      {mark}
      <bdi className={classes.label} title={label}>
        {label}
      </bdi>
      {count !== undefined && <span className={classes.count}>{formatNumber(count)}</span>}
    </UnstyledButton>
  )
}
