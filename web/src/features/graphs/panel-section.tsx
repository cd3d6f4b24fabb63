import { type ReactNode, useId } from 'react'
import classes from './panel-section.module.css'

type PanelSectionProps = {
  title: string
  /** At the right of the title. */
  aside?: ReactNode
  /** Takes the room that the other parts of the panel leave, and scrolls. */
  grows?: boolean
  children: ReactNode
}

/** A part of a floating panel; lines divide the parts. */
export function PanelSection({ title, aside, grows, children }: PanelSectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={classes.section} data-grows={grows || undefined}>
      <header className={classes.header}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
