import { wordsOfType } from '@loci/contract/lists'
import type { ProposedChange } from '@loci/contract/proposals'
import { formatHeld } from '../../lib/fact-time.ts'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { Wording } from '../../ui/wording.tsx'
import classes from './inbox.module.css'

type Named = { name?: unknown; type?: unknown }

/** What one change would do: the entity that it is about, and the words. */
export function ChangeWords({ change }: { change: ProposedChange }) {
  const { subject, before, after } = change
  if (subject.kind === 'relation') return <RelationWords change={change} />
  const shown: Named =
    subject.kind === 'observation'
      ? { name: subject.entityName, type: subject.entityType }
      : (after ?? before ?? {})
  return (
    <div className={classes.change}>
      <div className={classes.changeHead}>
        <EntityWords {...shown} />
        <span className={classes.what}>{whatOf(change)}</span>
      </div>
      {subject.kind === 'observation' && (
        <div className={classes.words} dir="auto">
          {after === null ? (
            <del>
              <VisibleText text={String(before?.content ?? '')} />
            </del>
          ) : (
            <Wording before={before} after={after} field="content" />
          )}
        </div>
      )}
    </div>
  )
}

function RelationWords({ change: { before, after } }: { change: ProposedChange }) {
  const relation = after ?? before ?? {}
  return (
    <div className={classes.change}>
      <div className={classes.changeHead}>
        <EntityWords {...((relation.fromEntity ?? {}) as Named)} />
        <span className={classes.what}>
          {wordsOfType(String(relation.relationType ?? relation.type ?? ''))}
        </span>
        <EntityWords {...((relation.toEntity ?? {}) as Named)} />
      </div>
      <span className={classes.what}>
        {before === null
          ? 'A new relation'
          : after === null
            ? 'Removes this relation'
            : 'Changes this relation'}
      </span>
    </div>
  )
}

export function EntityWords({ name, type }: Named) {
  const text = String(name ?? 'Unknown')
  return (
    <span className={classes.entity} title={text}>
      {type !== undefined && <TypeDot type={String(type)} />}
      <bdi>
        <VisibleText text={text} />
      </bdi>
    </span>
  )
}

type Times = Parameters<typeof formatHeld>[0]

function whatOf({ operation, subject, before, after }: ProposedChange): string | undefined {
  switch (operation) {
    case 'entity_created':
      return `a new ${String(after?.type ?? 'entity')}`
    case 'entity_deleted':
      return 'forgets this entity'
    case 'entity_merged':
      return 'merges this entity into another'
    case 'entity_updated':
      return before?.name === after?.name ? 'changes this entity' : `was named ${String(before?.name)}`
    case 'observation_deleted':
      return 'forgets a fact'
    case 'observation_updated':
      return 'changes a fact'
    default:
      return subject.kind === 'observation' ? formatHeld((after ?? {}) as Times) : undefined
  }
}
