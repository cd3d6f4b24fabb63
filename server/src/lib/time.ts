/** Milliseconds since 1970 to ISO-8601 UTC, as moments cross the wire. */
export function toIso(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** ISO-8601 to milliseconds since 1970. */
export function fromIso(text: string): number {
  return Date.parse(text)
}

/** `2026-11-21`: the day of a moment, UTC. */
export function dayOf(milliseconds: number): string {
  return toIso(milliseconds).slice(0, 10)
}

/** `2026-11`: the calendar month of a moment, UTC. */
export function monthNameOf(milliseconds: number): string {
  return toIso(milliseconds).slice(0, 7)
}

/** Start of the calendar month of a moment and of the next one, UTC milliseconds. */
export function monthOf(milliseconds: number): { start: number; end: number } {
  const date = new Date(milliseconds)
  return {
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth()),
    end: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1),
  }
}

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
