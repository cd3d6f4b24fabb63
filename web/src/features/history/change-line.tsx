import type { Change } from '@loci/contract/changes'
import { wordsOfType } from '@loci/contract/lists'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { Wording } from '../../ui/wording.tsx'
import classes from './change-line.module.css'

/** Of an observation, which may have thousands. */
const charsAtFirst = 600

type State = Record<string, unknown> | null

/** One change: its kind, its subject, and the difference. */
export function ChangeLine({ change, entityId }: { change: Change; entityId?: string | undefined }) {
  const { operation, subject, before, after } = change
  const kind = before === null ? 'added' : after === null ? 'removed' : 'changed'
  const { sign, word } = signs[kind]
  return (
    <li className={classes.line} data-kind={kind}>
      <span className={classes.sign} role="img" aria-label={word}>
        {sign}
      </span>
      <span className={classes.kind}>{operation === 'entity_merged' ? 'merge' : subject.kind}</span>
      <span className={classes.text}>{change.erased ? <i>Erased</i> : textOf(change, entityId)}</span>
    </li>
  )
}

const signs = {
  added: { sign: '+', word: 'Added' },
  removed: { sign: '−', word: 'Removed' },
  changed: { sign: '~', word: 'Changed' },
}

function textOf({ subject, before, after }: Change, entityId: string | undefined): ReactNode {
  if (subject.kind === 'observation') {
    return (
      <>
        <bdi>
          <Wording before={before} after={after} field="content" charsAtFirst={charsAtFirst} />
        </bdi>
        {subject.entityId !== entityId && (
          <>
            {' '}
            <span className={classes.dim}>on</span>{' '}
            <EntityLink id={subject.entityId} name={subject.entityName} type={subject.entityType} />
          </>
        )}
      </>
    )
  }
  if (subject.kind === 'relation') return relationOf(before, after)
  return (
    <>
      <EntityLink
        id={subject.id}
        name={textIn(after ?? before, 'name') ?? subject.name}
        type={textIn(after ?? before, 'type')}
      />{' '}
      <span className={classes.dim}>{fieldsChanged(before, after)}</span>
    </>
  )
}

function relationOf(before: State, after: State): ReactNode {
  const shown = after ?? before
  const end = (which: 'from' | 'to') => {
    const { name, type } = (shown?.[`${which}Entity`] ?? {}) as { name?: string; type?: string }
    return <EntityLink id={shown?.[`${which}EntityId`] as string | undefined} name={name} type={type} />
  }
  return (
    <>
      {end('from')}{' '}
      <span className={classes.dim}>
        <Wording before={withWords(before)} after={withWords(after)} field="type" />
      </span>{' '}
      {end('to')}
    </>
  )
}

/** With its type as it is read everywhere else. */
const withWords = (state: State): State =>
  state && { ...state, type: wordsOfType(textIn(state, 'type') ?? '') }

function textIn(state: State, field: string): string | undefined {
  const value = state?.[field]
  return typeof value === 'string' ? value : undefined
}

/** What an edit changed, in words. */
function fieldsChanged(before: State, after: State): string {
  const type = String((after ?? before)?.type ?? '')
  if (before === null || after === null) return type
  const differs = (field: string) => JSON.stringify(before[field]) !== JSON.stringify(after[field])
  const changed = [
    ...(differs('name') ? [`was named ${String(before.name)}`] : []),
    ...(differs('type') ? [`type ${String(before.type)} → ${String(after.type)}`] : []),
    ...(differs('metadata') ? ['metadata'] : []),
    // A rename keeps the old name as an alias.
    ...(differs('aliases') && !differs('name') ? ['aliases'] : []),
  ]
  return changed.join(', ')
}

const nameCharsMax = 80

type EntityLinkProps = { id: string | undefined; name: string | undefined; type: string | undefined }

function EntityLink({ id, name = 'Unknown', type }: EntityLinkProps) {
  const text = name.length > nameCharsMax ? `${name.slice(0, nameCharsMax)}…` : name
  const shown = (
    <span className={type === undefined ? undefined : classes.typed}>
      {type !== undefined && <TypeDot type={type} />}
      <bdi className={classes.name}>
        <VisibleText text={text} />
      </bdi>
    </span>
  )
  if (id === undefined) return shown
  return (
    <Link to="/entities/$entityId" params={{ entityId: id }} className={classes.entity}>
      {shown}
    </Link>
  )
}
