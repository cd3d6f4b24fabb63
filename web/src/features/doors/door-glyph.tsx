import type { Door } from '@loci/contract/doors'
import classes from './doors.module.css'

/** How far the leaf stands open, in degrees. */
const angles: Record<Door, number> = { none: 0, read: 20, propose: 50, write: 90 }
const leaf = 20

/** A door as architects draw it: a wall, ajar, half open, open. Its word stands beside it. */
export function DoorGlyph({ door }: { door: Door }) {
  const angle = (angles[door] * Math.PI) / 180
  const [x, y] = [4 + leaf * Math.cos(angle), 24 - leaf * Math.sin(angle)]
  return (
    <svg viewBox="0 0 30 28" width={30} height={28} className={classes.glyph} data-door={door} aria-hidden>
      {door === 'none' ? (
        <path d="M2 24H28" />
      ) : (
        <>
          <path d={`M1 24H4L${x} ${y}M24 24H28`} />
          <path className={classes.swing} d={`M${x} ${y}A${leaf} ${leaf} 0 0 1 24 24`} />
        </>
      )}
    </svg>
  )
}
