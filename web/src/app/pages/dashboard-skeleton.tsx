import { Skeleton } from '@mantine/core'
import { Frame } from '../../ui/frame.tsx'
import { LoadingText } from '../../ui/loading-text.tsx'

/** The dashboard's frames, before there is anything to put into them. */
export const DashboardSkeleton = () => (
  <LoadingText
    shape={
      <>
        <Frame>
          <Skeleton height={80} radius={0} />
        </Frame>
        <Frame>
          <Skeleton height={560} radius={0} />
        </Frame>
      </>
    }
  >
    Loading dashboard...
  </LoadingText>
)
