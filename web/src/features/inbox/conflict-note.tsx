import type { ApiError } from '@loci/client/call'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './inbox.module.css'

const statesShown = 3

/** Says that what a proposal rests on has changed, with both states. Nothing was applied. */
export function ConflictNote({ error }: { error: ApiError }) {
  const conflicts = error.details.filter((detail) => 'now' in detail || 'before' in detail)
  return (
    <div className={classes.conflict} role="alert">
      <p className={classes.conflictTitle}>
        {conflicts.length > 0 ? 'This fact has changed since' : 'It could not be accepted'}
      </p>
      {conflicts.length === 0 && <p>{error.message}.</p>}
      {conflicts.slice(0, statesShown).map((conflict, index) => (
        <dl key={index} className={classes.states}>
          <dt>When it was proposed</dt>
          <dd>
            <VisibleText text={textOf(conflict.before)} />
          </dd>
          <dt>Now</dt>
          <dd>
            <VisibleText text={textOf(conflict.now)} />
          </dd>
        </dl>
      ))}
      <p>Nothing was applied.</p>
    </div>
  )
}

function textOf(state: unknown): string {
  if (state === null || state === undefined || typeof state !== 'object') return 'Not there'
  const { content, name, type } = state as Record<string, unknown>
  return String(content ?? name ?? type ?? 'Not there')
}
