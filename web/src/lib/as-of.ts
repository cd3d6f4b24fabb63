import { useLocation } from '@tanstack/react-router'
import { parseSearch } from './search-params.ts'

/** The screens that can show the past. */
const pathsWithPast = /^\/(entities|relations|graph)(\/|$)/

/** The moment in an address, or the number of a change; undefined if the address shows the present. */
export function asOfAddress(pathname: string, search: string): string | undefined {
  if (!pathsWithPast.test(pathname)) return undefined
  return parseSearch(search).asOf || undefined
}

/**
 * The moment that the screen shows, in the server's format (`asOf`); undefined for the present. The past is
 * read-only.
 */
export function useAsOf(): string | undefined {
  return useLocation({ select: ({ pathname, searchStr }) => asOfAddress(pathname, searchStr) })
}

/** Whether the past is given by the number of a change, whose time the client does not know. */
export const isChangeNumber = (asOf: string): boolean => /^\d+$/.test(asOf)

/** A moment as the value of a date and time field in local time; empty if it is the number of a change. */
export function toLocalInput(asOf: string): string {
  const date = isChangeNumber(asOf) ? new Date(Number.NaN) : new Date(asOf)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The moment in a date and time field; undefined while the field is incomplete. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value)
  return value === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

const dayMs = 86_400_000

/** The same minute of the previous day, in the server's format. */
export const momentADayAgo = (): string =>
  new Date(Math.floor((Date.now() - dayMs) / 60_000) * 60_000).toISOString()
