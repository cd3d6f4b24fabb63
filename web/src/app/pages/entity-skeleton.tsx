import { Skeleton } from '@mantine/core'
import { Frame } from '../../ui/frame.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'
import classes from './entity-page.module.css'

const observations = [78, 92, 60, 84, 70]

/** The title, tabs and two columns of an entity while it loads. */
export const EntitySkeleton = () => (
  <LoadingText
    shape={
      <>
        <div>
          <Skeleton height={24} width="min(320px, 60%)" mb={14} />
          <Skeleton height={12} width="min(240px, 45%)" />
        </div>
        <Skeleton height={12} width={200} mt={12} mb={10} />
        <Frame className={classes.memory}>
          <div className={classes.waiting}>
            <Skeleton height={12} width="24%" />
            {observations.map((width) => (
              <div key={width}>
                <Skeleton height={10} width="30%" mb={10} />
                <Skeleton height={12} width={`${width}%`} />
              </div>
            ))}
          </div>
          <div className={classes.waiting}>
            <Skeleton height={12} width="32%" />
            <Skeleton height={360} />
          </div>
        </Frame>
      </>
    }
  >
    Loading entity data...
  </LoadingText>
)
