import { formatAgo, formatDate, formatMoment } from '../lib/format.ts'

/** A date that tells the exact moment on hover. */
export function DateText({ iso, ago = false }: { iso: string; ago?: boolean }) {
  return (
    <time dateTime={iso} title={formatMoment(iso)}>
      {ago ? formatAgo(iso) : formatDate(iso)}
    </time>
  )
}
