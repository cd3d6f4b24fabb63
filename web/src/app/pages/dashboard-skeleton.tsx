import { Skeleton } from '@mantine/core'
import { Frame } from '../../ui/frame.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import classes from './dashboard-skeleton.module.css'

const columns = { learned: 6, memory: 4, usage: 7 }

/** The dashboard's frames and lines while its data loads. */
export const DashboardSkeleton = () => (
  <LoadingText
    shape={
      <div className={classes.frames}>
        <Frame className={classes.cards}>
          {[0, 1, 2, 3].map((card) => (
            <Lines key={card} of={1} />
          ))}
        </Frame>
        <Frame className={classes.columns}>
          {Object.entries(columns).map(([name, lines]) => (
            <Lines key={name} of={lines} />
          ))}
        </Frame>
      </div>
    }
  >
    Loading dashboard...
  </LoadingText>
)

/** A title and `of` rows. */
const Lines = ({ of }: { of: number }) => (
  <div className={classes.lines}>
    <Skeleton height={10} width="36%" />
    {Array.from({ length: of }, (_, row) => (
      <Skeleton key={row} height={14} width={`${62 + ((row * 13) % 34)}%`} mt={14} />
    ))}
  </div>
)
