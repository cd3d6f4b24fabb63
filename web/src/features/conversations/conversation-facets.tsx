import type { ConversationCounts } from '@loci/contract/conversation-counts'
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { dayAgo } from '../../lib/days.ts'
import type { ConversationFilter } from '../../lib/filters.ts'
import { formatNumber } from '../../lib/format.ts'
import { countChosen, Facet, FacetGroup, Facets, PeriodFacets } from '../../ui/facets.tsx'
import { WriterMark } from '../../ui/writer-badge.tsx'
import classes from './conversation-facets.module.css'

type FacetsProps = {
  filter: ConversationFilter
  /** Undefined while they load. */
  counts: ConversationCounts | undefined
  onChange: (part: Partial<ConversationFilter>) => void
}

const shownAtFirst = 6
const onlyChoices = [
  { only: 'facts', label: 'With facts' },
  { only: 'to_decide', label: 'With something to decide' },
  { only: 'failed', label: 'With failed commands' },
] as const

/** Conversations by project, agent, time and what they have; choosing one narrows the list. */
export function ConversationFacets({ filter, counts, onChange }: FacetsProps) {
  const [isWhole, setWhole] = useState(false)
  const projects = withChosen(counts?.projects ?? [], filter.project)
  const shown = isWhole ? projects : firstAndChosen(projects, filter.project)
  const agents = counts?.agents ?? []
  const isKnownAgent = filter.agent === undefined || agents.some(({ agent }) => agent === filter.agent)
  return (
    <Facets chosen={countChosen(filter.project, filter.agent, filter.after ?? filter.before, filter.only)}>
      <FacetGroup title="Project">
        <Facet
          label="All projects"
          count={counts?.conversations}
          isChosen={!filter.project}
          onChoose={() => onChange({ project: undefined })}
        />
        {shown.map(({ name, conversations }) => (
          <Facet
            key={name}
            label={name}
            count={conversations}
            isChosen={filter.project === name}
            onChoose={() => onChange({ project: name })}
          />
        ))}
        {shown.length < projects.length && (
          <UnstyledButton className={classes.more} onClick={() => setWhole(true)}>
            {formatNumber(projects.length - shown.length)} more
          </UnstyledButton>
        )}
      </FacetGroup>
      <FacetGroup title="Agent">
        <Facet label="All agents" isChosen={!filter.agent} onChoose={() => onChange({ agent: undefined })} />
        {[...agents, ...(isKnownAgent ? [] : [{ agent: filter.agent!, conversations: 0 }])].map(
          ({ agent, conversations }) => (
            <Facet
              key={agent}
              label={agent}
              mark={<WriterMark name={agent} isAgent />}
              count={conversations}
              isChosen={filter.agent === agent}
              onChoose={() => onChange({ agent })}
            />
          ),
        )}
      </FacetGroup>
      <PeriodFacets
        after={filter.after}
        before={filter.before}
        periods={[
          { label: 'Today', after: dayAgo(0) },
          { label: 'Last 7 days', after: dayAgo(6) },
        ]}
        onChange={onChange}
      />
      <FacetGroup title="Only">
        {onlyChoices.map(({ only, label }) => (
          <Facet
            key={only}
            label={label}
            count={counts?.only[only]}
            isChosen={filter.only === only}
            onChoose={() => onChange({ only: filter.only === only ? undefined : only })}
          />
        ))}
      </FacetGroup>
    </Facets>
  )
}

type Project = { name: string; conversations: number }

/** A chosen project stays visible even without conversations. */
const withChosen = (projects: readonly Project[], chosen: string | undefined): Project[] =>
  chosen === undefined || projects.some(({ name }) => name === chosen)
    ? [...projects]
    : [...projects, { name: chosen, conversations: 0 }]

const firstAndChosen = (projects: readonly Project[], chosen: string | undefined): Project[] =>
  projects.filter(({ name }, index) => index < shownAtFirst || name === chosen)
