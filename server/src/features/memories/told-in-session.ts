import type { Dialect } from '../../store/dialect.ts'
import type { Context } from '../../tenancy/context.ts'
import type { Scope } from '../../tenancy/scope.ts'

/** Of all callers of a process together. */
const sessionsMax = 500

const sessionsOf = new WeakMap<Dialect, Map<string, Set<string>>>()

/** The ids that this process told in a session of an agent, to be added to; nothing lasts without a session. */
export function toldIn({ dialect }: Context, scope: Scope, session: string | undefined): Set<string> {
  if (session === undefined) return new Set()
  const sessions = sessionsOf.get(dialect) ?? new Map<string, Set<string>>()
  sessionsOf.set(dialect, sessions)
  const key = keyOf(scope, session)
  const told = sessions.get(key) ?? new Set()
  // Moves to the end what was used last.
  sessions.delete(key)
  sessions.set(key, told)
  for (const oldest of sessions.keys()) {
    if (sessions.size <= sessionsMax) break
    sessions.delete(oldest)
  }
  return told
}

/** After its context was cleared or summed up, the agent may be told the same again. */
export function forgetToldIn({ dialect }: Context, scope: Scope, session: string): void {
  sessionsOf.get(dialect)?.delete(keyOf(scope, session))
}

const keyOf = ({ accountId, spaceId }: Scope, session: string) => `${accountId} ${spaceId} ${session}`
