import type { EntityWithObservations } from '@loci/contract/entities'
import { Button } from '@mantine/core'
import { EntityGraph } from '../../features/graphs/entity-graph.tsx'
import { withDraft } from '../../features/observations/draft.rules.ts'
import { DraftPanels } from '../../features/observations/draft-panels.tsx'
import { didHold, isDated, orderOf, toDay } from '../../features/observations/held.rules.ts'
import { HeldPanel } from '../../features/observations/held-panel.tsx'
import { ObservationPanel } from '../../features/observations/observation-panel.tsx'
import { holdsNow } from '../../features/observations/timeline.rules.ts'
import { useFacts } from '../../features/observations/use-facts.ts'
import { WhyPanel } from '../../features/observations/why-panel.tsx'
import { RelationshipList } from '../../features/relations/relationship-list.tsx'
import { formatFactTime } from '../../lib/fact-time.ts'
import { useMayWrite } from '../../lib/rights.ts'
import { Frame } from '../../ui/frame.tsx'
import classes from './entity-page.module.css'

type MemoryProps = {
  entity: EntityWithObservations
  asOf: string | undefined
  /** The moment at which the facts shown held; now if undefined. */
  heldAt: number | undefined
  onMove: (moment: number | undefined) => void
  /** Whether the tab is in front. */
  isActive: boolean
}

/** An entity's observations and relations. */
export function EntityMemory({ entity, asOf, heldAt, onMove, isActive }: MemoryProps) {
  const { id, name, type, observations } = entity
  const isReadOnly = !useMayWrite() || heldAt !== undefined
  const facts = useFacts(() => (observations.some(isDated) ? newestOf(observations)?.id : undefined))
  const { edited, draft, also, setAlso } = facts
  const change = edited && draft?.meaning === 'replaced' ? { edited, draft } : undefined
  const withChange = change ? withDraft(observations, change.edited, change.draft, also) : observations
  const isInTime = withChange.some(isDated)
  const selected = observations.find(
    (one) => one.id === facts.selected && (heldAt === undefined || didHold(one, heldAt)),
  )
  // The state of that day, if the entity was stored by then: relations do not say when they held.
  const wasThere = heldAt !== undefined && heldAt >= Date.parse(entity.createdAt)
  const shownAsOf = wasThere ? new Date(heldAt).toISOString() : asOf
  return (
    <>
      {heldAt !== undefined && (
        <p className={classes.heldAt} role="status">
          As of {formatFactTime(toDay(heldAt))}.
          <Button size="compact-sm" variant="default" onClick={() => onMove(undefined)}>
            Back to now
          </Button>
        </p>
      )}
      <Frame className={classes.memory}>
        <div className={classes.half}>
          <ObservationPanel
            entityId={id}
            observations={observations}
            isReadOnly={isReadOnly}
            facts={facts}
            heldAt={heldAt}
          />
        </div>
        <div className={classes.half}>
          {isInTime && (
            <HeldPanel
              observations={withChange}
              selected={change ? `new ${change.edited.id}` : facts.selected}
              heldAt={heldAt}
              isDraft={change !== undefined}
              isActive={isActive}
              onSelect={facts.select}
              onMove={onMove}
            />
          )}
          {change && <DraftPanels {...change} observations={observations} also={also} onAlso={setAlso} />}
          {isInTime && selected && edited === undefined && (
            <WhyPanel
              observation={selected}
              observations={observations}
              isReadOnly={isReadOnly}
              onEdit={() => facts.edit(selected)}
            />
          )}
          <EntityGraph entity={entity} asOf={shownAsOf} />
          <RelationshipList entity={{ id, name, type }} asOf={shownAsOf} />
        </div>
      </Frame>
    </>
  )
}

/** The current fact that began last. */
const newestOf = (observations: EntityWithObservations['observations']) =>
  observations.filter(holdsNow).sort((a, b) => orderOf(b) - orderOf(a))[0]
