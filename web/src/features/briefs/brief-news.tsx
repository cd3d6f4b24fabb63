import type { Brief } from '@loci/contract/briefs'
import { Button } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { useBriefNews } from './briefs.queries.ts'

/** How much came since the brief was loaded; pressing it shows that too. */
export function BriefNews({ brief }: { brief: Brief }) {
  const { count, show } = useBriefNews(brief)
  return (
    <span role="status">
      {count > 0 && (
        <Button variant="light" size="xs" onClick={show}>
          {formatNumber(count)} new
        </Button>
      )}
    </span>
  )
}
