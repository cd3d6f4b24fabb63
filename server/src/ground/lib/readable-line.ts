import { parseJson } from './json.ts'
import { withoutControls } from './without-controls.ts'

type Line = Record<string, unknown> & { time: number; level: number; msg?: string }

const levels: Record<number, string> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}
/** Fields that are the same in every line of a process. */
const left = new Set(['time', 'level', 'msg', 'err', 'pid', 'hostname'])

/** Formats a log line for a terminal; lines that are not JSON are returned unchanged. */
export function toReadableLine(json: string): string {
  const line = parseJson(json) as Line | undefined
  if (line === undefined) return json
  const { time, level, msg = '', err } = line
  const fields = Object.entries(line).filter(([name]) => !left.has(name))
  const parts = [timeOf(time), (levels[level] ?? String(level)).padEnd(5), msg, ...fields.map(toPair)]
  return `${withoutControls(parts.join(' '))}\n${stackOf(err)}`
}

const timeOf = (time: number) => new Date(time).toTimeString().slice(0, 8)

function toPair([name, value]: [string, unknown]): string {
  return `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`
}

function stackOf(error: unknown): string {
  const { stack, message } = (error ?? {}) as { stack?: string; message?: string }
  const text = stack ?? message
  if (text === undefined) return ''
  return `${text
    .split('\n')
    .map((line) => `    ${withoutControls(line)}`)
    .join('\n')}\n`
}
