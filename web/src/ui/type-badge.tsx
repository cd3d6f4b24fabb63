import classes from './type-badge.module.css'
import { useTypeColors } from './type-colors.tsx'

/** An entity's type: a dot in its colour, and its name. */
export function TypeBadge({ type }: { type: string }) {
  return (
    <span className={classes.badge} title={type}>
      <TypeDot type={type} />
      <span className={classes.label}>{type}</span>
    </span>
  )
}

/** A dot in a type's colour, or a ring. */
export function TypeDot({ type }: { type: string }) {
  const { color, isRing } = useTypeColors()(type)
  return <span className={classes.dot} data-ring={isRing || undefined} style={{ color }} aria-hidden />
}
