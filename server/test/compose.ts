import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

type Variables = Record<string, string>
type Service = {
  image: string
  env_file?: { path: string; required?: boolean }[]
  environment: Variables
  ports?: string[]
  volumes?: string[]
  stop_grace_period?: string
}

/** The services of compose.yaml. */
export function readCompose(): Record<'one' | 'two' | 'proxy' | 'postgres', Service> {
  const file = join(import.meta.dirname, '../../compose.yaml')
  return parse(readFileSync(file, 'utf8'), { merge: true }).services
}

/** What Docker Compose gives a service: each variable of `.env`, then those of `environment`. */
export function composeVariables(
  { env_file: files = [], environment }: Service,
  dotEnv: Variables,
): Variables {
  const filled = Object.entries(environment).map(([name, value]) => [name, interpolate(value, dotEnv)])
  return { ...(files.some(({ path }) => path === '.env') ? dotEnv : {}), ...Object.fromEntries(filled) }
}

const interpolate = (text: string, values: Variables) =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
    const value = values[name] ?? (kind === '-' ? rest : '')
    if (value === '') throw new Error(`${name}: ${rest}`)
    return value
  })
