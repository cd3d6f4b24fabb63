import type { Duplicate, DuplicateEntity } from '@loci/contract/duplicates'
import { Button, Radio } from '@mantine/core'
import { IconArrowMerge } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { memo, useId, useState } from 'react'
import { countOf } from '../../lib/format.ts'
import { plainText } from '../../ui/markdown/plain-text.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import classes from './duplicate-card.module.css'
import { useDismissPair, useMergePair } from './duplicates.queries.ts'
import { likelihoodOf } from './likelihood.ts'

const factsShown = 3
const factLengthShown = 300

type DuplicateCardProps = { pair: Duplicate; mayWrite: boolean }

/** Two entities side by side: why they may be the same, and which name to keep if they are. */
export const DuplicateCard = memo(function DuplicateCard({ pair, mayWrite }: DuplicateCardProps) {
  const [first, second] = pair.entities
  const [kept, setKept] = useState(first.id)
  const merge = useMergePair()
  const dismiss = useDismissPair()
  const name = useId()
  const isBusy = merge.isPending || dismiss.isPending
  const [keep, go] = kept === second.id ? [second, first] : [first, second]
  return (
    <article className={classes.card} aria-label={`${first.name} and ${second.name}`}>
      <header className={classes.head}>
        <h2 className={classes.likelihood}>{likelihoodOf(pair.score)}</h2>
        <ul className={classes.reasons}>
          {pair.reasons.map(({ kind, text }) => (
            <li key={kind} dir="auto">
              {text}
            </li>
          ))}
        </ul>
      </header>
      <div className={classes.sides} role="radiogroup" aria-label="Which name stays?">
        {[first, second].map((entity) => (
          <Side
            key={entity.id}
            entity={entity}
            group={name}
            isKept={entity.id === keep.id}
            onKeep={mayWrite ? () => setKept(entity.id) : undefined}
          />
        ))}
      </div>
      {mayWrite && (
        <footer className={classes.foot}>
          <span className={classes.hint}>Observations and relations move to the name that stays.</span>
          <Button variant="default" disabled={isBusy} onClick={() => dismiss.mutate(pair)}>
            Not the same
          </Button>
          <Button
            leftSection={<IconArrowMerge size={16} />}
            loading={merge.isPending}
            disabled={isBusy}
            onClick={() => merge.mutate({ keep, go })}
          >
            Merge
          </Button>
        </footer>
      )}
    </article>
  )
})

type SideProps = {
  entity: DuplicateEntity
  group: string
  isKept: boolean
  /** Undefined for users without the right to merge. */
  onKeep: (() => void) | undefined
}

function Side({ entity, group, isKept, onKeep }: SideProps) {
  const { id, name, type, aliases = [], observations, observationsCount, relationsCount } = entity
  const facts = observations.toReversed().slice(0, factsShown)
  return (
    <div className={classes.side} data-kept={(isKept && onKeep !== undefined) || undefined}>
      <div className={classes.top}>
        <span className={classes.pick}>
          {onKeep && (
            <Radio
              size="xs"
              name={group}
              value={id}
              aria-label={`Keep the name ${name}`}
              checked={isKept}
              onChange={onKeep}
            />
          )}
          <TypeDot type={type} />
        </span>
        <Link
          to="/entities/$entityId"
          params={{ entityId: id }}
          className={classes.name}
          title={name}
          dir="auto"
        >
          {name}
        </Link>
        {isKept && onKeep && <span className={classes.stays}>Stays</span>}
      </div>
      <p className={classes.meta}>
        <bdi className={classes.type}>{type}</bdi>
        <span>{countOf(observationsCount, 'observation', 'observations')}</span>
        <span>{countOf(relationsCount, 'relation', 'relations')}</span>
      </p>
      {aliases.length > 0 && (
        <p className={classes.aliases} dir="auto" title={aliases.join(', ').slice(0, 1_000)}>
          Also {aliases.slice(0, 5).join(', ')}
        </p>
      )}
      {facts.length > 0 ? (
        <ul className={classes.facts}>
          {facts.map((fact) => (
            <li key={fact.id} className={classes.fact} dir="auto">
              {plainText(fact.content, factLengthShown)}
            </li>
          ))}
        </ul>
      ) : (
        <p className={classes.none}>No observations</p>
      )}
    </div>
  )
}
