import { Skeleton } from '@mantine/core'
import { LoadingText } from '../../ui/loading-text.tsx'
import classes from './entity-list-skeleton.module.css'
import type { EntityView } from './entity-toolbar.tsx'

const rowsShown = 9

/** The toolbar and the cards or rows of an entity list while it loads. */
export const EntityListSkeleton = ({ view }: { view: EntityView }) => (
  <LoadingText
    shape={
      <div>
        <div className={classes.bar}>
          <Skeleton height={14} width={96} />
          <Skeleton height={32} width={160} />
        </div>
        {view === 'cards' ? <Cards /> : <Rows />}
      </div>
    }
  >
    Loading entities...
  </LoadingText>
)

const Cards = () => (
  <div className={classes.cards}>
    {Array.from({ length: rowsShown }, (_, index) => (
      <div key={index} className={classes.card}>
        <Skeleton height={14} width={`${44 + ((index * 17) % 30)}%`} mt={5} />
        <Skeleton height={10} width="32%" mt={12} mb={16} />
        <Skeleton height={12} width="96%" />
        <Skeleton height={12} width={`${52 + ((index * 23) % 36)}%`} mt={8} />
        <div className={classes.foot}>
          <Skeleton height={10} width={64} />
          <Skeleton height={10} width={88} />
        </div>
      </div>
    ))}
  </div>
)

const Rows = () => (
  <div className={classes.table}>
    {Array.from({ length: rowsShown + 3 }, (_, index) => (
      <div key={index} className={classes.row}>
        <Skeleton height={12} width={`${16 + ((index * 7) % 14)}%`} />
        <Skeleton height={12} width="10%" />
        <Skeleton height={12} width="34%" />
      </div>
    ))}
  </div>
)
