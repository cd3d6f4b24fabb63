import { formatDay, formatMomentInUtc } from '../lib/format.ts'

/** A day of the server's calendar, which is UTC's wherever one reads it; `named` where nothing else says so. */
export function UtcDate({ iso, named = false }: { iso: string; named?: boolean }) {
  return (
    <time dateTime={iso} title={formatMomentInUtc(iso)}>
      {formatDay(iso)}
      {named && ' (UTC)'}
    </time>
  )
}
