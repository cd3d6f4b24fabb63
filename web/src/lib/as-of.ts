import { useLocation } from '@tanstack/react-router'
import { parseSearch } from './search-params.ts'

/** The screens that can show the memory as it was. */
const pathsWithPast = /^\/(entities|relations|graph)(\/|$)/

/** The moment of an address, or the number of a change; undefined where the address shows the present. */
export function asOfAddress(pathname: string, search: string): string | undefined {
  if (!pathsWithPast.test(pathname)) return undefined
  return parseSearch(search).asOf || undefined
}

/** The moment that the screen shows, as the server takes it (`asOf`); undefined for the present. Nothing is written then. */
export function useAsOf(): string | undefined {
  return useLocation({ select: ({ pathname, searchStr }) => asOfAddress(pathname, searchStr) })
}

/** The value of a date and time field, in the time of this machine; empty where the moment is the number of a change. */
export function toLocalInput(asOf: string): string {
  const date = /^\d+$/.test(asOf) ? new Date(Number.NaN) : new Date(asOf)
  if (Number.isNaN(date.getTime())) return ''
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The moment that a date and time field holds; undefined while it is not whole. */
export function fromLocalInput(value: string): string | undefined {
  const date = new Date(value)
  return value === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

const dayMs = 86_400_000

/** The same minute of the day before, as the server takes it. */
export const momentADayAgo = (): string =>
  new Date(Math.floor((Date.now() - dayMs) / 60_000) * 60_000).toISOString()
