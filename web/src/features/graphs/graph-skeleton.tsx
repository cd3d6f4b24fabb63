import { Skeleton } from '@mantine/core'
import { LoadingText } from '../../ui/loading-text.tsx'
import classes from './graph-skeleton.module.css'

/** Centres in percent and diameters in pixels. */
type Disc = readonly [x: number, y: number, size: number]

const regions: readonly Disc[] = [
  [30, 32, 190],
  [58, 24, 150],
  [74, 58, 210],
  [44, 66, 170],
  [17, 68, 130],
]
const star: readonly Disc[] = [
  [50, 50, 26],
  [50, 20, 18],
  [74, 34, 20],
  [76, 66, 16],
  [50, 80, 20],
  [25, 66, 18],
  [24, 34, 16],
]

const discs = { regions, neighbours: star }

/** The discs of a graph while it loads: regions, or an entity with its neighbours. */
export const GraphSkeleton = ({ of }: { of: 'regions' | 'neighbours' }) => (
  <div className={classes.ground} data-of={of}>
    <LoadingText
      shape={discs[of].map(([x, y, size]) => (
        <Skeleton
          key={`${x} ${y}`}
          circle
          height={size}
          className={classes.disc}
          style={{ left: `${x}%`, top: `${y}%` }}
        />
      ))}
    >
      Loading graph data...
    </LoadingText>
  </div>
)
