import { formatExact, formatRelative } from '../lib/relative-time.ts'
import { useNow } from '../lib/use-now.ts'

/** How long ago something was, with the exact time on hover; `inline` stands in a sentence. */
export function TimeText({ iso, inline = false }: { iso: string; inline?: boolean }) {
  const now = useNow()
  // What arrived after the last tick is not in the future.
  const text = formatRelative(iso, Math.max(now, Math.min(Date.parse(iso), Date.now())))
  return (
    <time dateTime={iso} title={formatExact(iso)}>
      {inline ? text.replace(/^(Just|Yesterday)/, (word) => word.toLowerCase()) : text}
    </time>
  )
}
