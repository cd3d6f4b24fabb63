import type { Operation, Requirement } from '@loci/contract/endpoint'
import { isKeyRight, type Reach, type Right, reachOfRole } from '@loci/contract/rights'
import { AppError } from '../../ground/errors/app-error.ts'
import type { Caller } from './actor.ts'

type Holder = Pick<Caller, 'kind' | 'role' | 'permissions' | 'lacksSecondFactor'>

/** How far a right of a caller reaches, given the role and the credential; undefined if either lacks it. */
export function reachOf({ kind, role, permissions }: Holder, right: Right): Reach | undefined {
  if (!isPerson(kind) && !(isKeyRight(right) && (permissions?.includes(right) ?? true))) return undefined
  return reachOfRole(role, right)
}

/** Keys and tokens are for programs, which manage nothing. */
export const isPerson = (kind: Caller['kind']) => kind === 'session' || kind === 'local'

export const hasRight = (caller: Holder, right: Right): boolean => reachOf(caller, right) !== undefined

/**
 * Throws `not_permitted`, `session_required` if a person has to be signed in, and `second_factor_missing` if they
 * have to set one up first.
 */
export function requireAllowed(
  caller: Holder,
  requires: Requirement,
  { refusal, withoutSecondFactor = false }: Pick<Operation, 'refusal' | 'withoutSecondFactor'> = {},
): void {
  if (caller.lacksSecondFactor && !withoutSecondFactor) throw secondFactorMissing()
  if (requires === 'credential') return
  if (requires === 'session') {
    if (caller.kind === 'session') return
    throw new AppError('session_required', 'API keys give access to the graph only. Sign in to do this.')
  }
  if (hasRight(caller, requires)) return
  throw notPermitted(requires, refusal)
}

export const secondFactorMissing = () =>
  new AppError('second_factor_missing', 'This account asks for a second factor. Set one up first.')

/** The refusal for a caller whose role or credential lacks a right. */
export function notPermitted(right: Right, message = `This needs the right ${right}.`): AppError {
  return new AppError('not_permitted', message, { details: [{ right }] })
}
