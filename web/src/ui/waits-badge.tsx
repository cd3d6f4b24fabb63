import { Badge } from '@mantine/core'

/** Marks what its reader proposed and nobody has decided on. */
export const WaitsBadge = () => (
  <Badge color="yellow" size="sm" flex="none">
    waits for review
  </Badge>
)
