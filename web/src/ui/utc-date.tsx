import { formatDay, formatMomentInUtc } from '../lib/format.ts'

/** A day in UTC, the server's calendar, wherever the reader is; `named` adds "(UTC)" if nothing nearby says so. */
export function UtcDate({ iso, named = false }: { iso: string; named?: boolean }) {
  return (
    <time dateTime={iso} title={formatMomentInUtc(iso)}>
      {formatDay(iso)}
      {named && ' (UTC)'}
    </time>
  )
}
