import { Skeleton } from '@mantine/core'
import { Frame } from './frame.tsx'
import classes from './list-skeleton.module.css'

/** The placeholder of a list in a frame: rows of a name and a line below it. */
export const ListSkeleton = ({ rows = 6 }: { rows?: number }) => (
  <Frame>
    {Array.from({ length: rows }, (_, row) => (
      <div key={row} className={classes.row}>
        <Skeleton height={12} width={`${24 + ((row * 17) % 20)}%`} />
        <Skeleton height={10} width={`${52 + ((row * 23) % 34)}%`} />
      </div>
    ))}
  </Frame>
)
