import type { ChangeActor } from '@loci/contract/change-actor'
import classes from './writer-badge.module.css'
import { isAgent, monogramOf, writerOf } from './writer-name.ts'

type WriterBadgeProps = {
  by: ChangeActor
  /** Letters alone. */
  compact?: boolean
}

/** The letters of a writer alone; who shows them says the name. */
export const WriterMark = ({ name, isAgent }: { name: string; isAgent: boolean }) => (
  <span className={classes.mark} data-agent={isAgent || undefined} aria-hidden>
    {monogramOf(name)}
  </span>
)

/** Who wrote something: a square for an agent, a round for a person, with two letters, and the name. */
export function WriterBadge({ by, compact = false }: WriterBadgeProps) {
  const name = writerOf(by)
  return (
    <span className={classes.badge} title={compact ? name : undefined}>
      <span className={classes.mark} data-agent={isAgent(by) || undefined} aria-hidden={!compact}>
        {monogramOf(name)}
      </span>
      {compact ? <span className="loci-unseen">{name}</span> : <bdi className={classes.name}>{name}</bdi>}
    </span>
  )
}
