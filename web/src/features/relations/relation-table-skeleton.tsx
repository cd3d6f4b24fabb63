import { Skeleton } from '@mantine/core'
import { LoadingText } from '../../ui/loading-text.tsx'
import classes from './relation-table.module.css'

/** The rows of a relation table while it loads. */
export const RelationTableSkeleton = () => (
  <LoadingText
    shape={
      <div>
        <Skeleton height={12} width={88} mb={14} mt={4} />
        <div className={classes.frame}>
          <div className={classes.waiting} />
          {Array.from({ length: 10 }, (_, index) => (
            <div key={index} className={classes.waiting}>
              <Skeleton height={12} width={`${14 + ((index * 7) % 12)}%`} />
              <Skeleton height={12} width="12%" />
              <Skeleton height={12} width={`${14 + ((index * 5) % 12)}%`} />
            </div>
          ))}
        </div>
      </div>
    }
  >
    Loading relations...
  </LoadingText>
)
