import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './loading-text.module.css'

type LoadingTextProps = {
  children: string
  /** Skeletons in the shape of the content; lines if undefined. */
  shape?: ReactNode
}

/** Says what is loading, and after a moment shows a placeholder for it. */
export function LoadingText({ children, shape }: LoadingTextProps) {
  return (
    <div role="status">
      <span className="loci-unseen">{children}</span>
      <div className={classes.shape} aria-hidden>
        {shape ?? <Lines />}
      </div>
    </div>
  )
}

const Lines = () => (
  <div className={classes.lines}>
    {['62%', '90%', '78%', '84%'].map((width) => (
      <Skeleton key={width} height={12} width={width} />
    ))}
  </div>
)
