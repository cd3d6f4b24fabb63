import type { ReactNode } from 'react'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './led-to.module.css'

type WaitingProps = {
  id: string
  entity: { name: string; type: string }
  kind: 'Draft' | 'Proposal'
  isActive: boolean
  isEdited?: boolean
  onEnter: () => void
  onLeave: () => void
  children: ReactNode
}

/** Something that is not remembered yet, beside the words that it is from. Its dot stands on the wall. */
export function WaitingBeside({ id, entity, kind, isActive, isEdited, ...on }: WaitingProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only points out what focus points out too.
    <div
      className={classes.fact}
      data-fact={id}
      data-active={isActive || undefined}
      data-edited={isEdited || undefined}
      onMouseEnter={on.onEnter}
      onMouseLeave={on.onLeave}
      onFocus={on.onEnter}
    >
      <span className={classes.dot} data-draft aria-hidden />
      <div className={classes.factHead}>
        <span className={classes.entity}>
          <TypeDot type={entity.type} />
          <bdi>
            <VisibleText text={entity.name} />
          </bdi>
        </span>
        <span className={classes.kind} data-draft={kind === 'Draft' || undefined}>
          {kind}
        </span>
      </div>
      {on.children}
    </div>
  )
}
