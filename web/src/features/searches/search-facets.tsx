import { dayAgo } from '../../lib/days.ts'
import type { SearchFilter } from '../../lib/filters.ts'
import { countChosen, Facet, FacetGroup, Facets, PeriodFacets } from '../../ui/facets.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import type { HitCount } from './hits.rules.ts'

type FacetsProps = {
  filter: SearchFilter
  /** All results of any type, undefined until they are loaded; the facets count the best of them. */
  total: number | undefined
  facets: { types: HitCount[]; writers: HitCount[]; agents: ReadonlySet<string> }
  onChange: (part: Partial<SearchFilter>) => void
}

const shownMax = 12

/** Results by type, writer and time; choosing one narrows the search. */
export function SearchFacets({ filter, total, facets, onChange }: FacetsProps) {
  const isPartial = facets.types.reduce((sum, { count }) => sum + count, 0) < (total ?? 0)
  return (
    <Facets chosen={countChosen(filter.type, filter.by, filter.after ?? filter.before)}>
      <FacetGroup title="Type">
        <Facet
          label="All Types"
          count={total}
          isChosen={!filter.type}
          onChoose={() => onChange({ type: undefined })}
        />
        {withChosen(facets.types, filter.type).map(({ value, count }) => (
          <Facet
            key={value}
            label={value}
            mark={<TypeDot type={value} />}
            count={total && count}
            isPartial={isPartial}
            isChosen={filter.type === value}
            onChoose={() => onChange({ type: value })}
          />
        ))}
      </FacetGroup>
      {facets.writers.length > 0 && (
        <FacetGroup title="Written by">
          <Facet label="Everyone" isChosen={!filter.by} onChoose={() => onChange({ by: undefined })} />
          {withChosen(facets.writers, filter.by).map(({ value, count }) => (
            <Facet
              key={value}
              label={value}
              mark={<WriterMark name={value} isAgent={facets.agents.has(value)} />}
              count={total && count}
              isPartial={isPartial}
              isChosen={filter.by === value}
              onChoose={() => onChange({ by: value })}
            />
          ))}
        </FacetGroup>
      )}
      <PeriodFacets
        after={filter.after}
        before={filter.before}
        periods={[
          { label: 'Last 7 days', after: dayAgo(6) },
          { label: 'Last 30 days', after: dayAgo(29) },
        ]}
        onChange={onChange}
      />
    </Facets>
  )
}

/** A chosen facet stays visible even without hits. */
function withChosen(facets: readonly HitCount[], chosen: string | undefined): HitCount[] {
  const shown = facets.slice(0, shownMax)
  if (chosen === undefined || shown.some(({ value }) => value === chosen)) return shown
  return [...shown, facets.find(({ value }) => value === chosen) ?? { value: chosen, count: 0 }]
}
