import type { FactOfEntity } from '@loci/contract/cited-files'
import { Link } from '@tanstack/react-router'
import { formatHeld } from '../../lib/fact-time.ts'
import { RichText } from '../../ui/markdown/rich-text.tsx'
import { TypeDot } from '../../ui/type-badge.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import classes from './led-to.module.css'

type FactProps = {
  fact: FactOfEntity
  isActive: boolean
  onEnter: () => void
  onLeave: () => void
}

/** A fact that the conversation led to. Its dot stands on the wall. */
export function LedFact({ fact, isActive, onEnter, onLeave }: FactProps) {
  const { entity, content } = fact
  const held = formatHeld(fact)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only points out what focus points out too.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys [ and ] scroll to the words, too.
    <div
      className={classes.fact}
      data-fact={fact.id}
      data-active={isActive || undefined}
      onMouseEnter={onEnter}
      onMouseLeave={onLeave}
      onFocus={onEnter}
      onClick={() => showWords(fact.id)}
    >
      <span className={classes.dot} aria-hidden />
      <div className={classes.factHead}>
        <Link
          to="/entities/$entityId"
          params={{ entityId: entity.id }}
          className={classes.entity}
          title={entity.name}
          data-led={fact.id}
        >
          <TypeDot type={entity.type} />
          <bdi>
            <VisibleText text={entity.name} />
          </bdi>
        </Link>
      </div>
      <div className={classes.factText} dir="auto">
        <RichText text={content} />
      </div>
      {held && <div className={classes.factFoot}>{held}</div>}
    </div>
  )
}

function showWords(id: string): void {
  document.querySelector(`[data-quote="${CSS.escape(id)}"]`)?.scrollIntoView({ block: 'nearest' })
}
