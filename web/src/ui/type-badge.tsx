import { colorOfType } from '../graph-engine/model/colors.ts'
import classes from './type-badge.module.css'

/** An entity's type: a dot of its colour and its name. */
export function TypeBadge({ type }: { type: string }) {
  return (
    <span className={classes.badge} title={type}>
      <TypeDot type={type} />
      <span className={classes.label}>{type}</span>
    </span>
  )
}

export function TypeDot({ type }: { type: string }) {
  return <span className={classes.dot} style={{ backgroundColor: colorOfType(type) }} aria-hidden />
}
