import type { OperationCounts } from '@loci/contract/analytics'
import { Stack } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { Meter } from '../../ui/meter.tsx'

const parts = [
  { key: 'queries', label: 'Queries', color: '#2563eb' },
  { key: 'creates', label: 'Creates', color: '#047857' },
  { key: 'updates', label: 'Updates', color: '#b45309' },
  { key: 'deletes', label: 'Deletes', color: '#dc2626' },
] as const

/** Operations by kind, each with its share of the total. */
export function UsageBreakdown({ counts }: { counts: OperationCounts }) {
  return (
    <Stack gap="sm">
      {parts.map(({ key, label, color }) => {
        const percent = counts.total === 0 ? 0 : (counts[key] / counts.total) * 100
        return (
          <Meter
            key={key}
            label={label}
            value={`${formatNumber(counts[key])} (${Math.round(percent)}%)`}
            percent={percent}
            color={color}
          />
        )
      })}
      <Meter
        label="Total operations"
        value={`${formatNumber(counts.total)} (${counts.total > 0 ? 100 : 0}%)`}
        percent={counts.total > 0 ? 100 : 0}
      />
    </Stack>
  )
}
