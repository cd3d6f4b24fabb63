import type { ChangeActor } from '@loci/contract/change-actor'
import classes from './writer-badge.module.css'
import { isAgent, monogramOf, writerOf } from './writer-name.ts'

type WriterBadgeProps = {
  by: ChangeActor
  /** Monogram only. */
  compact?: boolean
}

/** A writer's monogram only; show the name elsewhere. */
export const WriterMark = ({ name, isAgent }: { name: string; isAgent: boolean }) => (
  <span className={classes.mark} data-agent={isAgent || undefined} aria-hidden>
    {monogramOf(name)}
  </span>
)

/** Who wrote something: a monogram, square for agents and round for people, and the name. */
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
