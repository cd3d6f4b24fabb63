import { type ReactNode, useId } from 'react'
import classes from './panel-section.module.css'

type PanelSectionProps = {
  title: string
  /** To the right of the title. */
  aside?: ReactNode
  /** Fills the space left by the other sections, and scrolls. */
  grows?: boolean
  children: ReactNode
}

/** A section of a floating panel; lines separate the sections. */
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
