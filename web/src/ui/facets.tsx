import { TextInput, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import type { Period } from '../lib/days.ts'
import { formatNumber } from '../lib/format.ts'
import classes from './facets.module.css'

type FacetsProps = {
  /** How many filters are in force, told where they are folded. */
  chosen: number
  children: ReactNode
}

/** The filters beside a list, in groups; in narrow windows folded above it, so that the list is in sight. */
export function Facets({ chosen, children }: FacetsProps) {
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
  const groups = <div className={classes.facets}>{children}</div>
  if (!isNarrow) return groups
  return (
    <details className={classes.folded}>
      <summary>Filters{chosen > 0 && ` (${formatNumber(chosen)})`}</summary>
      {groups}
    </details>
  )
}

/** How many of these parts of a filter are set. */
export const countChosen = (...parts: (string | undefined)[]): number => parts.filter(Boolean).length

export function FacetGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>{title}</legend>
      <div className={classes.choices}>{children}</div>
    </fieldset>
  )
}

type FacetProps = {
  label: string
  mark?: ReactNode
  count?: number | undefined
  /** Only part of what there is was counted. */
  isPartial?: boolean
  isChosen: boolean
  onChoose: () => void
}

export function Facet({ label, mark, count, isPartial, isChosen, onChoose }: FacetProps) {
  return (
    <UnstyledButton className={classes.choice} aria-pressed={isChosen} onClick={onChoose}>
      {mark}
      <bdi className={classes.label} title={label}>
        {label}
      </bdi>
      {count !== undefined && (
        <span className={classes.count}>
          {formatNumber(count)}
          {isPartial && '+'}
        </span>
      )}
    </UnstyledButton>
  )
}

type PeriodFacetsProps = Period & {
  /** Choices besides "Any time": those that begin on a day and are still going on. */
  periods: readonly { label: string; after: string }[]
  onChange: (period: Period) => void
}

export function PeriodFacets({ after, before, periods, onChange }: PeriodFacetsProps) {
  const isOwn =
    before !== undefined || (after !== undefined && periods.every((period) => period.after !== after))
  const [isOpen, setOpen] = useState(false)
  return (
    <FacetGroup title="When">
      <Facet
        label="Any time"
        isChosen={!after && !before}
        onChoose={() => onChange({ after: undefined, before: undefined })}
      />
      {periods.map((period) => (
        <Facet
          key={period.label}
          label={period.label}
          isChosen={!before && after === period.after}
          onChoose={() => onChange({ after: period.after, before: undefined })}
        />
      ))}
      <Facet label="Choose dates…" isChosen={isOwn} onChoose={() => setOpen(!isOpen)} />
      {(isOpen || isOwn) && (
        <div className={classes.dates}>
          <TextInput
            type="date"
            size="xs"
            label="From"
            value={after ?? ''}
            max={before}
            onChange={(event) => onChange({ after: event.currentTarget.value || undefined, before })}
          />
          <TextInput
            type="date"
            size="xs"
            label="Until"
            value={before ?? ''}
            min={after}
            onChange={(event) => onChange({ after, before: event.currentTarget.value || undefined })}
          />
        </div>
      )}
    </FacetGroup>
  )
}
