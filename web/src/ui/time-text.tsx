import { formatExact, formatRelative } from '../lib/relative-time.ts'
import { useNow } from '../lib/use-now.ts'

/** A relative time, with the exact time on hover; `inline` is for use within a sentence. */
export function TimeText({ iso, inline = false }: { iso: string; inline?: boolean }) {
  const now = useNow()
  // Something that arrived after the last tick must not appear to be in the future.
  const text = formatRelative(iso, Math.max(now, Math.min(Date.parse(iso), Date.now())))
  return (
    <time dateTime={iso} title={formatExact(iso)}>
      {inline ? text.replace(/^(Just|Yesterday)/, (word) => word.toLowerCase()) : text}
    </time>
  )
}
